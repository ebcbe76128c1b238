# Writes what a run of Ruby's did, line by line, and says of an error what it was.
#
# It requires no library, so that no code finds one that it forgot to require, and takes
# what it calls before any code of the project replaces it (clocks, files).

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
end
