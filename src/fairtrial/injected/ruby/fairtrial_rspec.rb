# Keeps RSpec to the examples it was asked for, and writes what came of them.
#
# RSpec requires this by SPEC_OPTS, which nothing of the project can take back before it
# is read. It requires no library, so that no code finds one that it forgot to require,
# and takes what it calls before any code of the project replaces it (clocks, files).
# Tried with RSpec 3.12 and 3.13.

module Fairtrial
  CLOCK = Process.method(:clock_gettime)
  ZERO = Time.now.to_f
  BEGUN = CLOCK.call(Process::CLOCK_MONOTONIC)
  TEXT = 20_000
  FRAMES = 100

  def self.now
    ZERO + CLOCK.call(Process::CLOCK_MONOTONIC) - BEGUN
  end

  # What this run is asked: lines of a word and a value in hexadecimal digits.
  class Plan
    attr_reader :mode, :tests, :order, :only, :token, :workspace, :outputs

    def initialize(path)
      found = Hash.new { |hash, key| hash[key] = [] }
      File.binread(path).each_line do |line|
        word, value = line.split
        found[word] << [value.to_s].pack("H*").force_encoding("UTF-8")
      end
      @mode, @token = found["mode"].first, found["token"].first
      @workspace, @outputs = found["workspace"].first, found["outputs"].first
      @tests, @order = found["test"], found["order"]
      @only = found["only"].first == "1"
    end

    def listed?
      mode == "listed"
    end

    # The path of a file below the workspace; others stay as they are.
    def relative(path)
      root = "#{workspace}/"
      whole = File.expand_path(path)
      whole.start_with?(root) ? whole[root.size..-1] : whole
    end
  end

  # One report, a line an event; see the reader of these lines.
  class Report
    def initialize(plan)
      @io = File.open("#{plan.outputs}/report-rspec-#{Process.pid}.jsonl", "ab")
      @owner = Process.pid
      say("event" => "start", "token" => plan.token, "epoch" => Fairtrial.now)
    end

    def say(event)
      # A test may fork: its child tells nothing.
      return if Process.pid != @owner
      @io.syswrite("#{Fairtrial.json(event)}\n")
    end
  end

  def self.json(value)
    case value
    when Hash then "{#{value.map { |k, v| "#{json(k)}:#{json(v)}" }.join(",")}}"
    when Array then "[#{value.map { |each| json(each) }.join(",")}]"
    when String then "\"#{quoted(value)}\""
    when nil then "null"
    else value.to_s
    end
  end

  def self.quoted(text)
    plain(text).gsub(/["\\\u0000-\u001f\u007f\u2028\u2029]/) do |each|
      format("\\u%04x", each.ord)
    end
  end

  # A text that can be written, whatever a test made of it.
  def self.plain(value)
    text = value.to_s
    text = text.dup.force_encoding("UTF-8") if text.encoding == Encoding::BINARY
    text = text.encode("UTF-8", invalid: :replace, undef: :replace)
    text.valid_encoding? ? text : text.scrub
  rescue StandardError
    "(it can't be shown)"
  end

  def self.cut(value, limit = TEXT)
    plain(value)[0, limit]
  end

  # A title without the signs that hold names together.
  def self.escaped(title)
    plain(title)
      .gsub("\\") { "\\\\" }
      .gsub(/(?<![^ ])>(?![^ ])/) { "\\>" }
      .gsub(/(?<![^ ])\[/) { "\\[" }
      .gsub(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/) { |each| format("\\u%04x", each.ord) }
      .slice(0, 4000)
  end

  # Type, message, frames and both values of what an example raised.
  def self.detail(error, plan)
    error = error.all_exceptions.first if error.respond_to?(:all_exceptions)
    message = cut(error.message).gsub(/\e\[[0-9;]*m/, "")
    told = {
      "type" => cut(error.class.name || "Exception", 200),
      "message" => message,
      "text" => cut("#{error.class}: #{message}\n#{(error.backtrace || []).join("\n")}"),
      "frames" => frames(error.backtrace || [], plan),
    }
    expected = message[/^\s*expected:? (.*)$/, 1]
    actual = message[/^\s*got:? (.*)$/, 1]
    told["expected"], told["actual"] = expected, actual if expected && actual
    told
  rescue StandardError => problem
    { "type" => error.class.name.to_s, "message" => problem.class.name.to_s, "frames" => [] }
  end

  FRAME = /\A(.+?):(\d+)(?::in [`'](.*)')?\z/

  def self.frames(trace, plan)
    found = trace.first(FRAMES).map do |line|
      match = FRAME.match(plain(line)) or next
      name = match[3].to_s.sub(/\A(?:block (?:\(\d+ levels\) )?in |rescue in |ensure in )+/, "")
      name = "" if name.start_with?("<")
      [plan.relative(match[1]), name, match[2].to_i]
    end
    found.compact.reverse
  end

  # What RSpec calls the examples, and what is kept of them.
  class Session
    attr_reader :plan, :report, :broken
    attr_accessor :quit

    def initialize(plan)
      @plan = plan
      @report = Report.new(plan)
      @ids = {}.compare_by_identity
      @places = {}
      @told = {}
      @broken = 0
      @last = nil
    end

    # Files

    def choose(files)
      return files unless plan.listed?
      wanted = plan.tests.map { |each| each.split("::", 2).first }.uniq
      kept = files.select { |file| wanted.include?(plan.relative(file)) }
      kept.sort_by { |file| wanted.index(plan.relative(file)) }
    end

    def broke(file, error)
      @broken += 1
      name = plan.relative(file)
      warn "#{name}: #{Fairtrial.cut(error.full_message(highlight: false))}"
      RSpec.world.example_groups.reject! do |group|
        plan.relative(group.metadata[:absolute_file_path]) == name
      end
      said = Fairtrial.detail(error, plan)
      report.say({ "event" => "uncollectable", "name" => name }.merge(said))
    end

    # Names

    # Steps from the outermost group inwards; those of a shared group in one step.
    def steps(example)
      groups = example.example_group.parent_groups.reverse
      titles = groups.map { |group| title(group) }
      counts = groups.map { |group| shared(group).size }
      own = example_title(example)
      from = (1...groups.size).find { |at| counts[at] > counts[at - 1] }
      if from
        inner = [*titles[(from + 1)..-1], own].map { |each| Fairtrial.escaped(each) }
        return [*escaped(titles[0...from]), row(titles[from], inner)]
      end
      included = shared(example).size > counts.last
      return escaped([*titles, own]) unless included
      name = shared(example).last.shared_group_name
      [*escaped(titles), row("behaves like #{name}", [Fairtrial.escaped(own)])]
    end

    def escaped(titles)
      titles.map { |each| Fairtrial.escaped(each) }
    end

    def row(written, inner)
      "#{Fairtrial.escaped(written)} [#{inner.join(" > ")}]"
    end

    def shared(one)
      one.metadata[:shared_group_inclusion_backtrace] || []
    end

    def title(group)
      args = group.metadata[:description_args]
      said = args.nil? || args.empty? ? group.description : args.join(" ")
      said.to_s
    end

    # An example without a title is called by what it does, as it is written.
    def example_title(example)
      args = example.metadata[:description_args] || []
      return args.join(" ") unless args.empty? || args.join.empty?
      source(example.metadata[:block]) || "example"
    end

    def source(block)
      node = RubyVM::AbstractSyntaxTree.of(block).children.last
      lines = File.readlines(block.source_location[0], encoding: "UTF-8")
      lines = lines[(node.first_lineno - 1)..(node.last_lineno - 1)]
      lines[-1] = lines[-1].byteslice(0, node.last_column)
      lines[0] = lines[0].byteslice(node.first_column..-1)
      lines.join(" ").split.join(" ")
    rescue StandardError, ScriptError
      nil
    end

    def name_all
      seen = {}
      all = RSpec.world.example_groups.flat_map { |group| examples(group) }
      all.each do |example|
        file = plan.relative(example.example_group.parent_groups.last.metadata[:absolute_file_path])
        plain = "#{file}::#{steps(example).join(" > ")}"
        id, count = plain, 1
        while seen[id]
          count += 1
          id = plain.end_with?("]") ? "#{plain[0...-1]}##{count}]" : "#{plain}##{count}"
        end
        seen[id] = true
        @ids[example] = id
      end
      all
    end

    # In the order in which RSpec runs them: a group's own before its groups'.
    def examples(group)
      [*group.examples, *group.children.flat_map { |child| examples(child) }]
    end

    # Choice and order

    def settle
      name_all
      world = RSpec.world
      groups = world.example_groups.flat_map(&:descendants)
      left = groups.to_h { |group| [group, world.filtered_examples[group]] }
      asked = plan.listed? ? plan.tests : plan.order
      @places = asked.each_with_index.to_h
      only = plan.listed? || plan.only
      everything = left.values.flatten.map { |each| @ids[each] }
      if only
        left = left.transform_values { |all| all.select { |each| @places.key?(@ids[each]) } }
      end
      left.each { |group, all| world.filtered_examples[group] = all }
      @expected = ordered(world.example_groups).flat_map { |group| expected(group) }
      list = plan.listed? ? everything : @expected.map { |each| @ids[each] }
      report.say("event" => "listed", "ids" => list)
    end

    def expected(group)
      own = ordered(RSpec.world.filtered_examples[group])
      [*own, *ordered(group.children).flat_map { |child| expected(child) }]
    end

    # Groups and examples by the first of them that was asked for.
    def ordered(items)
      items.each_with_index.sort_by { |item, at| [first(item), at] }.map(&:first)
    end

    def first(item)
      return @places.fetch(@ids[item], Float::INFINITY) unless item.is_a?(Class)
      @firsts ||= {}.compare_by_identity
      @firsts[item] ||= examples(item).map { |each| first(each) }.min || Float::INFINITY
    end

    # Results

    def example_started(note)
      flush
      id = @ids[note.example] or return
      @last = { id: id, told: nil, at: CLOCK.call(Process::CLOCK_MONOTONIC) }
      report.say("event" => "begin", "id" => id, "at" => Fairtrial.now)
    end

    def example_passed(note)
      ended(note.example, "outcome" => "passed")
    end

    def example_pending(note)
      result = note.example.execution_result
      reason = Fairtrial.cut(result.pending_message.to_s, 500)
      ended(note.example, "outcome" => "skipped", "reason" => reason)
    end

    def example_failed(note)
      result = note.example.execution_result
      said = result.exception ? Fairtrial.detail(result.exception, plan) : {}
      ended(note.example, { "outcome" => "failed" }.merge(said))
    end

    def ended(example, told)
      return unless @last && @last[:id] == @ids[example]
      seconds = CLOCK.call(Process::CLOCK_MONOTONIC) - @last[:at]
      @last[:told] = { "phase" => "call", "seconds" => seconds }.merge(told)
    end

    # A hook behind the last example failed, or one before all of them.
    def outside(error)
      said = Fairtrial.detail(error, plan).merge("outcome" => "failed")
      @why = said
      told = @last && @last[:told]
      return unless told && told["outcome"] == "passed"
      @last[:told] = said.merge("phase" => "teardown", "seconds" => told["seconds"])
    end

    def flush
      last, @last = @last, nil
      return if last.nil? || last[:told].nil?
      @told[last[:id]] = true
      report.say({ "event" => "end", "id" => last[:id] }.merge(last[:told]))
    end

    def finish
      rest if @why
      flush
      report.say("event" => "done")
    end

    # What a failed hook of the whole suite kept from running has failed in its set-up.
    def rest
      flush
      (@expected || []).each do |example|
        id = @ids[example]
        next if @told[id]
        report.say("event" => "begin", "id" => id, "at" => Fairtrial.now)
        said = @why.merge("phase" => "setup", "seconds" => 0)
        report.say({ "event" => "end", "id" => id }.merge(said))
      end
    end
  end

  # Each file is loaded by itself: one that can't be keeps only its own from running.
  module Loading
    def load_spec_files
      chosen = Fairtrial::SESSION.choose(files_to_run.uniq)
      @files_to_run = chosen
      super
    end

    private

    def load_file_handling_errors(method, file)
      return super unless method == :load
      begin
        load(file)
      rescue SystemExit
        raise
      rescue Exception => error # rubocop:disable Lint/RescueException
        raise if [NoMemoryError, SignalException, Interrupt].any? { |kind| kind === error }
        Fairtrial::SESSION.broke(file, error)
      end
    end
  end

  module Running
    def setup(*)
      super
    ensure
      early = RSpec.world.wants_to_quit
      if early && Fairtrial::SESSION.broken.zero?
        said = "what is required before the examples could not be loaded"
        Fairtrial::SESSION.report.say(
          "event" => "uncollectable", "name" => "", "type" => "LoadError", "message" => said,
        )
      end
    end

    def run_specs(_groups)
      session = Fairtrial::SESSION
      session.settle
      broken = session.broken.zero? ? 0 : 1
      if session.plan.mode == "list"
        session.finish
        return broken
      end
      configuration = RSpec.configuration
      configuration.dry_run = false
      configuration.fail_fast = false
      names = [:example_started, :example_passed, :example_failed, :example_pending]
      configuration.reporter.register_listener(session, *names)
      code = super(session.ordered(RSpec.world.example_groups))
      session.finish
      code.zero? ? broken : code
    end
  end

  module Ordering
    def ordering_strategy
      Fairtrial::Strategy
    end
  end

  module Strategy
    def self.order(items)
      Fairtrial::SESSION.ordered(items)
    end
  end

  module Telling
    def notify_non_example_exception(error, *)
      Fairtrial::SESSION.outside(error)
      super
    end
  end

  path = ENV.delete("FAIRTRIAL_PLAN")
  own = ENV.delete("FAIRTRIAL_SPEC_OPTS")
  if path
    # What an example starts itself is its own.
    left = ENV["SPEC_OPTS"].to_s.sub(own.to_s, "").strip
    left.empty? ? ENV.delete("SPEC_OPTS") : ENV["SPEC_OPTS"] = left
    SESSION = Session.new(Plan.new(path))
    RSpec::Core::Configuration.prepend(Loading)
    RSpec::Core::Runner.prepend(Running)
    RSpec::Core::ExampleGroup.singleton_class.prepend(Ordering)
    RSpec::Core::Reporter.prepend(Telling)
  end
end
