"use strict";
/**
 * A reporter of Playwright Test's: lists the tests there are, and says how they ended.
 *
 * Each slot in which tests run one after the other writes a report of its own. What
 * Playwright never started, because something before it failed, has failed in its
 * set-up. A test's end is written when the next one begins in its slot: what fails
 * while its worker is torn down belongs to it.
 */

const fs = require("node:fs");
const path = require("node:path");
const { Report, detail, frames, plan, plain, relative } = require("./fairtrial_report.cjs");
const { Names, step } = require("./fairtrial_ids.cjs");

const COMPARED = /^\s*(Expected|Received)[\w ]*: +(.*)$/gm;

function fileOf(test) {
  for (let each = test.parent; each; each = each.parent) {
    if (each.type === "file" && each.location) return each.location.file;
  }
  return test.location.file;
}

function projectOf(test) {
  return test.parent.project?.() ?? null;
}

/** What Playwright's own filter is held against; the root's empty title is no part. */
function matched(test) {
  if (typeof test._grepTitleWithTags === "function") {
    return test._grepTitleWithTags().replace(/^ /, "");
  }
  if (typeof test._grepTitle === "function") return test._grepTitle().replace(/^ /, "");
  return [...test.titlePath().slice(1), ...(test.tags ?? [])].join(" ");
}

/** Each test's id: its blocks and title, with its project in brackets. */
function named(tests, workspace) {
  const files = new Map();
  const ids = new Map();
  for (const test of tests) {
    const file = relative(fileOf(test), workspace);
    if (!files.has(file)) files.set(file, new Names(file));
    // The first three are the root, the project and the file.
    const steps = test.titlePath().slice(3).map((each) => step(each));
    const project = projectOf(test)?.name;
    if (project) steps[steps.length - 1] = step(project, test.title);
    ids.set(test, files.get(file).next(steps));
  }
  return ids;
}

/** An error of Playwright's as one that was thrown. */
function thrown(error) {
  const stack = plain(error.stack ?? "");
  const message = plain(error.message ?? error.value ?? "");
  const kind = /^(?:Uncaught )?([\w$.]+)(?=: |\n|$)/.exec(message);
  const name = kind ? kind[1] : "Error";
  const bare = message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
  const made = { message: bare, stack, name };
  for (const [, side, value] of message.matchAll(COMPARED)) {
    const key = side === "Expected" ? "expected" : "actual";
    made[key] ??= value.trim();
  }
  if (!stack.includes("\n    at ") && error.location) {
    const { file, line, column } = error.location;
    made.stack = `${message}\n    at ${file}:${line}:${column}`;
  }
  return made;
}

/** The file of tests that an error kept from being loaded; "" where that can't be told. */
function brokenFile(error, workspace) {
  const outer = frames(error.stack ?? "", workspace)
    .map((each) => each[0])
    .find((each) => !path.isAbsolute(each) && !each.split("/").includes("node_modules"));
  if (outer !== undefined) return outer;
  const file = error.location?.file ?? "";
  return /[._-](?:spec|test)\.\w+$/.test(file) ? relative(file, workspace) : "";
}

class FairtrialReporter {
  constructor() {
    this.plan = plan();
    this.step = process.env.FAIRTRIAL_STEP ?? "run";
    this.main = new Report(`playwright-${this.step}`, this.plan);
    this.slots = new Map();
    this.last = new Map();
    this.told = new Set();
    this.broken = [];
    this.ids = new Map();
    this.failed = new Map();
    this.listing = false;
  }

  printsToStdio() {
    return false;
  }

  onBegin(config, suite) {
    this.suite = suite;
    this.ids = named(suite.allTests(), this.plan.workspace);
  }

  onTestBegin(test, result) {
    const slot = String(result.parallelIndex);
    if (!this.slots.has(slot)) {
      this.slots.set(slot, new Report(`playwright-slot-${slot}`, this.plan));
    }
    this.flush(slot);
    const id = this.id(test);
    if (this.isSetUp(test)) return;
    this.slots.get(slot).begin(id);
    this.last.set(slot, { id, told: null });
  }

  onTestEnd(test, result) {
    const id = this.id(test);
    const good = result.status === test.expectedStatus;
    if (!good && result.status !== "skipped") this.failed.set(test, result);
    if (this.isSetUp(test)) return;
    const slot = String(result.parallelIndex);
    if (result.parallelIndex < 0 || this.last.get(slot)?.id !== id) {
      if (!this.neverRan(test, result)) this.skipped(id, result);
      return;
    }
    this.last.get(slot).told = this.outcome(test, result, good);
    this.last.get(slot).maybe = result.status === "skipped" ? test : null;
  }

  outcome(test, result, good) {
    const seconds = Math.max(0, result.duration) / 1000;
    if (result.status === "skipped") return { outcome: "skipped", seconds };
    if (good) return { outcome: "passed", seconds };
    const told = { outcome: "failed", phase: "call", seconds };
    if (result.status === "passed") {
      return { ...told, type: "UnexpectedPass", message: "it should have failed" };
    }
    const errors = result.errors?.length ? result.errors : [result.error ?? {}];
    const said = detail(thrown(errors[0]), this.plan.workspace);
    if (result.status === "timedOut") said.type = "Timeout";
    said.text = errors.map((each) => plain(each.stack ?? each.message ?? each.value)).join("\n");
    return { ...told, ...said };
  }

  /** Playwright also calls skipped what it never came to, without an annotation. */
  neverRan(test, result) {
    const annotated = [...test.annotations, ...(result.annotations ?? [])];
    return (
      result.status === "skipped" &&
      test.expectedStatus !== "skipped" &&
      !annotated.some((each) => each.type === "skip" || each.type === "fixme")
    );
  }

  skipped(id, result) {
    this.main.begin(id);
    this.main.say({ event: "end", id, ...this.outcome(null, result, false) });
    this.told.add(id);
  }

  flush(slot) {
    const last = this.last.get(slot);
    if (!last) return;
    this.last.delete(slot);
    // One without an end was running when its worker was lost; it stays so.
    if (last.told === null) return;
    this.told.add(last.id);
    this.slots.get(slot).say({ event: "end", id: last.id, ...last.told });
  }

  /** Tests of a project that others depend on are their set-up, unless asked for. */
  isSetUp(test) {
    return this.plan.mode === "listed" && !this.plan.tests.includes(this.id(test));
  }

  id(test) {
    return this.ids.get(test) ?? test.id;
  }

  onError(error) {
    if (/^(?:Error: )?No tests found/.test(error.message ?? "")) return;
    this.broken.push(error);
    const slots = [...this.last.values()].filter((each) => each.told !== null);
    if (slots.length) {
      const said = detail(thrown(error), this.plan.workspace);
      const last = slots[slots.length - 1];
      if (last.told.outcome === "passed") {
        last.told = { ...said, outcome: "failed", phase: "teardown", seconds: last.told.seconds };
      }
      return;
    }
    const listing = this.step !== "run";
    const name = listing ? brokenFile(error, this.plan.workspace) : "";
    this.main.say({
      event: "uncollectable",
      name: path.isAbsolute(name) ? "" : name,
      ...detail(thrown(error), this.plan.workspace),
    });
  }

  onEnd() {
    for (const slot of [...this.slots.keys()]) this.flush(slot);
    if (this.step === "run") this.rest();
    else this.list();
    this.main.close();
    for (const each of this.slots.values()) each.close();
  }

  /** What was never started, because of what failed before it. */
  rest() {
    const [why] = this.failed.values();
    const error = why ? (why.errors?.[0] ?? why.error ?? {}) : this.broken[0];
    if (error === undefined || !this.suite) return;
    const said = detail(thrown(error), this.plan.workspace);
    for (const test of this.suite.allTests()) {
      const id = this.id(test);
      if (this.told.has(id) || this.isSetUp(test)) continue;
      if ([...this.last.values()].some((each) => each.id === id)) continue;
      this.main.begin(id);
      this.main.say({ event: "end", id, ...said, outcome: "failed", phase: "setup", seconds: 0 });
    }
  }

  list() {
    if (this.broken.length) {
      const { outputs, workspace } = this.plan;
      const files = this.broken.map((each) => brokenFile(each, workspace));
      const whole = files.every(Boolean) ? files.map((each) => path.join(workspace, each)) : [];
      fs.writeFileSync(path.join(outputs, "broken.json"), JSON.stringify(whole));
      return;
    }
    // Nothing was said of the tests, so nothing shows that there are none.
    if (!this.suite) return;
    const tests = this.suite.allTests();
    this.main.say({ event: "listed", ids: tests.map((each) => this.id(each)) });
    const wanted = new Set(this.plan.tests);
    const titles = tests.filter((each) => wanted.has(this.id(each))).map(matched);
    fs.writeFileSync(path.join(this.plan.outputs, "select.json"), JSON.stringify(titles));
  }
}

module.exports = FairtrialReporter;
