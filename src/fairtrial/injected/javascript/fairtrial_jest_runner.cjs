"use strict";
/**
 * Runs one file of tests by jest-circus, tells of each of its tests, and leaves out
 * those that were not asked for.
 *
 * Selection is by the tests themselves and not by patterns of their names, so that
 * equal, nested and odd names can't be taken for each other.
 */

const fs = require("node:fs");
const path = require("node:path");
const { Names, Templates, step } = require("./fairtrial_ids.cjs");
const { Report, detail, digest, plan, relative, seconds } = require("./fairtrial_report.cjs");

const RETRIES = Symbol.for("RETRY_TIMES");
const WRITTEN = Symbol("title as written");

function circus() {
  const found = process.env.FAIRTRIAL_CIRCUS || require.resolve("jest-circus/runner");
  const loaded = require(found);
  return loaded.default ?? loaded;
}

/** What one run of one file comes to. */
class Telling {
  constructor(given, report, file, source) {
    this.source = source;
    this.given = given;
    this.report = report;
    this.file = file;
    this.ids = new Map();
    this.errors = new Map();
    this.blocks = new Map();
    /** The title of the table that is being defined, and of those around it. */
    this.title = undefined;
    this.around = [];
    /** The last test's end, held back for what comes after it in its block. */
    this.held = undefined;
  }

  /** The order matters: what circus does with an event is done before this. */
  take(event, state) {
    switch (event.name) {
      case "start_describe_definition":
        state.currentDescribeBlock[WRITTEN] = this.title;
        this.around.push(this.title);
        this.title = undefined;
        break;
      case "finish_describe_definition":
        this.title = this.around.pop();
        break;
      case "add_test": {
        const added = state.currentDescribeBlock.children.at(-1);
        if (added !== undefined) added[WRITTEN] = this.title;
        break;
      }
      case "run_start":
        this.choose(state);
        break;
      case "test_start":
        this.release();
        break;
      case "test_started":
      case "test_fn_start":
        this.begin(event.test);
        break;
      case "test_skip":
        this.end(event.test, { outcome: "skipped" });
        break;
      case "test_todo":
        this.end(event.test, { outcome: "skipped", reason: "todo" });
        break;
      case "test_fn_failure":
        this.fail(event.test, event.error, "call");
        break;
      case "hook_failure":
        this.hook(event);
        break;
      case "error":
        this.beside(event.error, state);
        break;
      case "test_done":
        this.done(event.test);
        break;
      case "run_finish":
        this.release();
        break;
    }
  }

  choose(state) {
    const names = new Names(this.file);
    const templates = new Templates(this.source);
    const all = [];
    const walk = (block, steps) => {
      for (const child of block.children) {
        const own = [...steps, step(child.name, child[WRITTEN] ?? templates.of(child.name))];
        if (child.type === "test") {
          const id = names.next(own);
          this.ids.set(child, id);
          all.push(id);
        } else walk(child, own);
      }
    };
    walk(state.rootDescribeBlock, []);
    this.report.say({ event: "listed", ids: all });
    const { mode, only, order, tests } = this.given;
    if (mode === "listed") this.keep(state, tests);
    else if (mode !== "whole") this.keep(state, []);
    else if (only) this.keep(state, order);
    else this.sort(state, order);
  }

  keep(state, tests) {
    const wanted = new Set(tests);
    this.wanted = wanted;
    for (const [test, id] of this.ids) {
      if (!wanted.has(id)) test.mode = "skip";
      else if (this.given.mode === "listed") test.concurrent = false;
    }
    this.sort(state, tests);
  }

  /** The tests of every block in the order asked for, unnamed ones after. */
  sort(state, order) {
    if (order.length === 0) return;
    const rank = new Map(order.map((id, at) => [id, at]));
    const first = (child) =>
      child.type === "test"
        ? rank.get(this.ids.get(child)) ?? Infinity
        : Math.min(Infinity, ...child.children.map(first));
    const walk = (block) => {
      const ranked = block.children.map((child, at) => [first(child), at, child]);
      ranked.sort((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] - b[0]));
      block.children = ranked.map(([, , child]) => child);
      block.children.filter((child) => child.type !== "test").forEach(walk);
    };
    walk(state.rootDescribeBlock);
  }

  begin(test) {
    if (this.begun === test) return;
    this.begun = test;
    this.at = seconds();
    if (this.ids.has(test)) this.report.begin(this.ids.get(test));
  }

  fail(test, error, phase) {
    if (!this.errors.has(test)) this.errors.set(test, [error, phase]);
  }

  hook({ hook, test, describeBlock, error }) {
    if (hook.type === "beforeAll") {
      if (!this.blocks.has(describeBlock)) this.blocks.set(describeBlock, error);
    } else if (hook.type === "afterAll") this.after(error);
    else this.fail(test, error, hook.type === "beforeEach" ? "setup" : "teardown");
  }

  /** An error beside any test: the running one's, or the last one's. */
  beside(error, state) {
    const test = state.currentlyRunningTest;
    if (test) this.fail(test, error, "call");
    else this.after(error);
  }

  after(error) {
    if (this.held === undefined) this.stray = this.stray ?? error;
    else if (this.held.outcome !== "failed") {
      const told = detail(error, this.given.workspace);
      this.held = { ...this.held, ...told, outcome: "failed", phase: "teardown" };
    }
  }

  done(test) {
    let found = this.errors.get(test);
    for (let block = test.parent; found === undefined && block; block = block.parent) {
      if (this.blocks.has(block)) found = [this.blocks.get(block), "setup"];
    }
    const errors = test.errors ?? [];
    if (errors.length === 0) {
      const expected = test.failing === true;
      this.end(test, expected ? { outcome: "skipped", reason: "expected failure" } : { outcome: "passed" });
      return;
    }
    const own = Array.isArray(errors[0]) ? errors[0][0] ?? errors[0][1] : errors[0];
    const [error, phase] = found ?? [own, "call"];
    let told = detail(error, this.given.workspace);
    if (told.frames.length === 0 && Array.isArray(errors[0])) {
      told = { ...told, frames: detail(errors[0][1], this.given.workspace).frames };
    }
    if (/^(?:thrown: "?)?Exceeded timeout of /.test(told.message)) told.type = "Timeout";
    this.end(test, { outcome: "failed", phase, ...told });
  }

  end(test, told) {
    const id = this.ids.get(test);
    if (id === undefined) return;
    if (told.outcome === "skipped" && this.wanted !== undefined && !this.wanted.has(id)) return;
    const took = this.begun === test ? seconds() - this.at : 0;
    if (this.begun !== test) this.begin(test);
    this.held = { event: "end", id, seconds: took, ...told };
    if (told.outcome === "skipped") this.release();
  }

  release() {
    if (this.held !== undefined) this.report.say(this.held);
    this.held = undefined;
  }
}

/** Notes the title that each table is given, around the definitions of its rows. */
function watchTables(globals, telling) {
  const seen = new Set();
  const wrap = (owner, depth) => {
    if (typeof owner !== "function" || seen.has(owner) || depth > 4) return;
    seen.add(owner);
    for (const key of Object.keys(owner)) {
      if (key !== "each") {
        wrap(owner[key], depth + 1);
        continue;
      }
      const each = owner.each;
      owner.each = function (...table) {
        const define = Reflect.apply(each, this, table);
        return function (title, ...rest) {
          const before = telling.title;
          telling.title = String(title);
          try {
            return Reflect.apply(define, this, [title, ...rest]);
          } finally {
            telling.title = before;
          }
        };
      };
    }
  };
  for (const key of Object.keys(globals)) {
    if (/^[fx]?(?:it|test|describe)$/.test(key)) wrap(globals[key], 0);
  }
}

function placeOf(given, testPath) {
  try {
    const planned = JSON.parse(fs.readFileSync(path.join(given.outputs, "planned.json"), "utf8"));
    return planned.indexOf(relative(testPath, given.workspace)) + 1;
  } catch {
    return 99999;
  }
}

/** Retries would show a failure as a pass. */
function forbidRetries(environment) {
  Object.defineProperty(environment.global, RETRIES, { get: () => 0, set: () => {}, configurable: true });
}

module.exports = async function run(globalConfig, config, environment, runtime, testPath, ...rest) {
  const given = plan();
  const file = relative(testPath, given.workspace);
  const place = String(placeOf(given, testPath)).padStart(5, "0");
  const mark = `-${digest(testPath)}.`;
  if (fs.readdirSync(given.outputs).some((name) => name.includes(mark))) {
    // Jest gives a file to a new process when its first one died: that is told, and
    // a second attempt would hide it.
    throw new Error("the process of this file ended before its time");
  }
  const report = new Report(`${place}${mark}w${process.env.JEST_WORKER_ID ?? 0}`, given);
  const telling = new Telling(given, report, file, fs.readFileSync(testPath, "utf8"));
  const own = environment.handleTestEvent;
  environment.handleTestEvent = function (event, state) {
    // The choice comes last, so that what the project's own environment changes holds.
    const after = own === undefined ? undefined : Reflect.apply(own, environment, [event, state]);
    if (after instanceof Promise) return after.then(() => telling.take(event, state));
    telling.take(event, state);
    return after;
  };
  const set = runtime.setGlobalsForRuntime;
  if (set !== undefined) {
    runtime.setGlobalsForRuntime = function (globals) {
      watchTables(globals, telling);
      return Reflect.apply(set, runtime, [globals]);
    };
  }
  forbidRetries(environment);
  try {
    const plainConfig = given.mode === "whole" ? globalConfig : { ...globalConfig, randomize: false };
    const result = await circus()(plainConfig, config, environment, runtime, testPath, ...rest);
    telling.release();
    const error = telling.stray ?? (telling.ids.size === 0 ? result.testExecError : undefined);
    if (error) report.say({ event: "uncollectable", name: file, ...detail(error, given.workspace) });
    tellLoaded(report, runtime, testPath);
    report.close();
    return result;
  } catch (error) {
    telling.release();
    report.say({ event: "uncollectable", name: file, ...detail(error, given.workspace) });
    report.close();
    throw error;
  }
};

/** The modules of the tree that the file loaded, as far as Jest's runtime shows them. */
function tellLoaded(report, runtime, testPath) {
  const files = [testPath];
  // Its name and place differ between Jest 29, 30.0 and 30.5.
  for (const owner of [runtime, runtime.registries ?? {}]) {
    for (const key of Object.keys(owner)) {
      if (!/^_?(?:module|esm|esModule|isolatedModule)Registry$/i.test(key)) continue;
      if (!(owner[key] instanceof Map)) continue;
      files.push(...[...owner[key].keys()].map((each) => String(each).split("?")[0]));
    }
  }
  report.loaded(files);
}
