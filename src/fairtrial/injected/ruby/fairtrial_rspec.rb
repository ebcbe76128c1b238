# Keeps RSpec to the examples it was asked for, and says what came of them.
#
# RSpec requires this by SPEC_OPTS, which nothing of the project can take back before it
# is read. Tried with RSpec 3.12.

require_relative "fairtrial_lines"

module Fairtrial
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

    # Steps from the outermost group inwards; what a shared group holds is one step.
    def steps(example)
      groups = example.example_group.parent_groups.reverse
      titles = [*groups.map { |group| title(group) }, example_title(example)]
      included = shared(example).last
      return escaped(titles) if included.nil?
      name = included.shared_group_name
      # `it_behaves_like` makes a group of its own around it, `include_examples` none.
      own = ["behaves like #{name}", "it should behave like #{name}"]
      at = titles.index { |each| own.include?(each) }
      return [*escaped(titles[0...at]), row(titles[at], escaped(titles[(at + 1)..-1]))] if at
      file = groups.first.metadata[:absolute_file_path]
      at = groups.index { |group| group.metadata[:absolute_file_path] != file } || groups.size
      [*escaped(titles[0...at]), row(own.first, escaped(titles[at..-1]))]
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
