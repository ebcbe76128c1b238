"use strict";
/**
 * Follows one run of Mocha, and says of each test how it ended.
 *
 * Mocha tells of a hook that failed, not of the tests it kept from running; and it may
 * tell that a test failed after it had passed. So a test's end is written when the next
 * one begins, and what a hook kept from running has failed in its set-up.
 */

const { detail } = require("./fairtrial_report.cjs");

class Follower {
  constructor(mine, own) {
    this.mine = mine;
    this.own = own;
    this.told = new Set();
    /** The test whose end is not written yet. */
    this.last = null;
    /** Hooks that failed, by the suite they belong to. */
    this.stopped = new Map();
    this.why = null;
  }

  follow(runner) {
    this.root = runner.suite;
    runner.on("start", () => this.own.settle());
    runner.on("test", (test) => this.begin(test));
    runner.on("pass", (test) => this.ended(test, { outcome: "passed" }));
    runner.on("pending", (test) => {
      if (this.last?.test !== test) this.begin(test);
      this.ended(test, { outcome: "skipped" });
    });
    runner.on("fail", (runnable, error) => this.failed(runnable, error));
    runner.on("suite end", (suite) => this.suiteEnd(suite));
    runner.on("end", () => this.end(runner));
  }

  /** A test that a hook made has no name before it begins. */
  id(test) {
    if (!this.mine.ids.has(test)) this.own.name(this.mine, this.root);
    return this.mine.ids.get(test);
  }

  begin(test) {
    this.flush();
    const id = this.id(test);
    if (id === undefined) return;
    this.last = { test, id, at: process.hrtime.bigint(), told: null };
    this.mine.report.begin(id);
  }

  ended(test, told) {
    if (this.last === null || this.last.test !== test) this.begin(test);
    if (this.last === null) return;
    const taken = Number(process.hrtime.bigint() - this.last.at) / 1e9;
    this.last.told = { phase: "call", seconds: taken, ...told };
  }

  /** Writes the end of the last test, and forgets it. */
  flush() {
    const last = this.last;
    if (last === null) return;
    this.last = null;
    this.told.add(last.id);
    const told = last.told ?? this.unrun(this.why);
    this.mine.report.say({ event: "end", id: last.id, ...told });
  }

  failed(runnable, error) {
    const said = detail(error, this.mine.given.workspace);
    if (runnable.type === "test") {
      // What fails after it passed (a second done(), a late error) has failed.
      if (this.told.has(this.id(runnable))) return this.after(said);
      return this.ended(runnable, { outcome: "failed", ...said });
    }
    const title = String(runnable.originalTitle ?? runnable.title ?? "");
    const kind = title.startsWith('"') ? title.split('"')[1] : title;
    this.why = { kind, said };
    if (runnable.parent) this.stopped.set(runnable.parent, this.why);
    if (kind === "after each" || kind === "after all") {
      return this.after(said);
    }
    if (kind === "before each" && this.last !== null && this.last.told === null) {
      const test = this.last.test;
      return this.ended(test, { outcome: "failed", ...said, phase: "setup" });
    }
    if (kind !== "before all") this.after(said);
    return undefined;
  }

  /** A failure behind a test's own end; it belongs to the last one that ran. */
  after(said) {
    if (this.last === null || this.last.told?.outcome === "failed") return;
    const seconds = this.last.told?.seconds ?? 0;
    this.last.told = { outcome: "failed", seconds, ...said, phase: "teardown" };
  }

  unrun(why) {
    const said = why?.said ?? { type: "NotRun", message: "the run ended before it" };
    return { outcome: "failed", seconds: 0, ...said, phase: "setup" };
  }

  /** Tests that a failed hook of a suite kept from running have failed with it. */
  suiteEnd(suite) {
    const why = this.stopped.get(suite);
    if (why !== undefined) this.rest(suite, why);
  }

  rest(suite, why) {
    for (const test of this.own.tests(suite)) {
      const id = this.id(test);
      if (!this.mine.expected.has(id)) continue;
      if (this.last?.id === id || this.told.has(id)) continue;
      this.begin(test);
      this.last.told = this.unrun(why);
    }
  }

  end(runner) {
    // An error that nothing caught ends the whole run, wherever it is in it.
    if (runner._abort) this.rest(this.root, this.why ?? { said: this.last?.told });
    this.flush();
    this.mine.report.say({ event: "done" });
  }
}

module.exports = { Follower };
