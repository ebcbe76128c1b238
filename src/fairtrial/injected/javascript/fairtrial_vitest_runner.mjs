/**
 * Vitest's runner inside a worker: tells of each test, and leaves out those that were
 * not asked for.
 */

import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const { Names, Templates, step } = require("./fairtrial_ids.cjs");
const { Report, detail, digest, plan, relative, seconds } = require("./fairtrial_report.cjs");

const at = (name) => pathToFileURL(`${process.env.FAIRTRIAL_VITEST}/dist/${name}.js`).href;
const { TestRunner, describe, it, test } = await import(at("index"));
// Vitest 4.1 moved both to its main entry.
const Base = TestRunner ?? (await import(at("runners"))).VitestTestRunner;
const getCurrentSuite =
  TestRunner?.getCurrentSuite ?? (await import(at("suite"))).getCurrentSuite;

const WRITTEN = Symbol.for("fairtrial: title as written");
const given = plan();

/** Notes the title that a table is given on each of its rows. */
function watchTables(owner) {
  for (const key of ["each", "for"]) {
    const each = owner[key];
    if (typeof each !== "function" || each[WRITTEN]) continue;
    owner[key] = function (...table) {
      const define = Reflect.apply(each, this, table);
      return function (title, ...rest) {
        const suite = getCurrentSuite();
        const before = suite.tasks.length;
        const defined = Reflect.apply(define, this, [title, ...rest]);
        const written = typeof title === "function" ? title.name || "<anonymous>" : String(title);
        for (const added of suite.tasks.slice(before)) {
          added[WRITTEN] = written;
          if (added.type !== "collector") continue;
          // The block itself is made only when its tests are collected.
          const { collect } = added;
          added.collect = async (...given) => {
            const made = await Reflect.apply(collect, added, given);
            made[WRITTEN] = written;
            return made;
          };
        }
        return defined;
      };
    };
    owner[key][WRITTEN] = true;
  }
}

for (const owner of new Set([describe, it, test])) watchTables(owner);

const runs = (task) => task.mode === "run" || task.mode === "queued" || task.mode === "only";

/** What one run of one file comes to. */
class Telling {
  constructor(file) {
    this.name = relative(file.filepath, given.workspace);
    const place = String(placeOf(this.name)).padStart(5, "0");
    const key = digest(file.filepath + (file.projectName ?? ""));
    const lane = process.env.VITEST_POOL_ID ?? 0;
    this.report = new Report(`${place}-${key}.w${lane}`, given);
    this.file = file;
    this.ids = new Map();
    this.begun = new Map();
    this.ended = new Set();
    this.held = undefined;
    this.wanted = undefined;
  }

  collected() {
    const error = this.file.result?.errors?.[0];
    if (this.file.result?.state === "fail" && this.file.tasks.length === 0) {
      this.report.say({
        event: "uncollectable",
        name: this.name,
        ...detail(error ?? new Error("it can't be loaded"), given.workspace),
      });
      return;
    }
    const names = new Names(this.name);
    const templates = new Templates(fs.readFileSync(this.file.filepath, "utf8"));
    const walk = (suite, steps) => {
      for (const child of suite.tasks) {
        const own = [...steps, step(child.name, child[WRITTEN] ?? templates.of(child.name))];
        if (child.type === "suite") walk(child, own);
        else this.ids.set(child, names.next(own));
        if ("retry" in child) child.retry = 0;
      }
    };
    walk(this.file, []);
    this.report.say({ event: "listed", ids: [...this.ids.values()] });
    const { mode, only, order, tests } = given;
    if (mode === "listed") this.keep(tests);
    else if (mode !== "whole") this.keep([]);
    else if (only) this.keep(order);
    else this.sort(order);
  }

  keep(tests) {
    this.wanted = new Set(tests);
    for (const [test, id] of this.ids) {
      if (!this.wanted.has(id)) test.mode = "skip";
      else if (given.mode === "listed" && test.concurrent) test.concurrent = false;
    }
    this.sort(tests);
    // As Vitest does it: hooks of a block without a test to run are not run.
    const walk = (suite) => {
      suite.tasks.filter((each) => each.type === "suite").forEach(walk);
      if (given.mode === "listed" && suite.concurrent) suite.concurrent = false;
      if (!suite.tasks.some(runs) && runs(suite)) suite.mode = "skip";
    };
    walk(this.file);
  }

  sort(order) {
    if (order.length === 0) return;
    const rank = new Map(order.map((id, place) => [id, place]));
    const first = (task) =>
      task.type === "suite"
        ? Math.min(Infinity, ...task.tasks.map(first))
        : rank.get(this.ids.get(task)) ?? Infinity;
    const walk = (suite) => {
      const ranked = suite.tasks.map((task, place) => [first(task), place, task]);
      ranked.sort((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] - b[0]));
      suite.tasks.splice(0, suite.tasks.length, ...ranked.map(([, , task]) => task));
      suite.tasks.filter((task) => task.type === "suite").forEach(walk);
    };
    walk(this.file);
  }

  /** All tests that are told of, in the order in which they stand. */
  *standing(suite = this.file) {
    for (const task of suite.tasks) {
      if (task.type === "suite") yield* this.standing(task);
      else if (this.wanted === undefined || this.wanted.has(this.ids.get(task))) yield task;
    }
  }

  /** Tells of tests before this one that chose not to run. */
  settle(upTo) {
    this.release();
    for (const task of this.standing()) {
      if (task === upTo) return;
      const skipped = !runs(task) || task.result?.state === "skip";
      if (this.ended.has(task) || !skipped || this.broken?.has(task)) continue;
      const reason = task.result?.note ?? (task.mode === "todo" ? "todo" : "");
      this.end(task, { outcome: "skipped", reason });
      this.release();
    }
  }

  begin(task) {
    if (!this.ids.has(task) || this.begun.has(task) || !runs(task)) return;
    this.settle(task);
    this.begun.set(task, seconds());
    this.report.begin(this.ids.get(task));
  }

  end(task, told) {
    const id = this.ids.get(task);
    if (id === undefined || this.ended.has(task)) return;
    this.release();
    this.ended.add(task);
    if (!this.begun.has(task)) {
      this.begun.set(task, seconds());
      this.report.begin(id);
    }
    this.held = { event: "end", id, seconds: seconds() - this.begun.get(task), ...told };
  }

  release() {
    if (this.held !== undefined) this.report.say(this.held);
    this.held = undefined;
  }

  ran(task) {
    const { state, errors = [] } = task.result ?? {};
    if (state === "fail") {
      const told = detail(errors[0] ?? new Error("it failed"), given.workspace);
      if (/^(?:Test|Hook) timed out in \d+ms/.test(told.message)) told.type = "Timeout";
      this.end(task, { outcome: "failed", phase: "call", ...told });
    } else if (state === "pass") {
      const expected = task.fails === true;
      this.end(task, expected ? { outcome: "skipped", reason: "expected failure" } : { outcome: "passed" });
    }
  }

  /** A block ended; where its own hooks failed, its tests have failed. */
  suite(suite) {
    const errors = suite.result?.errors ?? [];
    if (suite.result?.state !== "fail" || errors.length === 0) return;
    const told = detail(errors[0], given.workspace);
    const own = [...this.standing(suite)];
    const left = own.filter((task) => !this.ended.has(task) && task.mode !== "todo");
    const never = left.filter((task) => !this.begun.has(task));
    if (never.length > 0) this.settle(never[0]);
    for (const task of never) this.end(task, { outcome: "failed", phase: "setup", ...told });
    if (never.length > 0) {
      this.release();
      return;
    }
    if (this.held !== undefined && this.held.outcome !== "failed") {
      this.held = { ...this.held, ...told, outcome: "failed", phase: "teardown" };
    } else if (this.held === undefined) {
      this.report.say({ event: "uncollectable", name: this.name, ...told });
    }
  }

  close(files) {
    this.settle(undefined);
    this.release();
    this.report.loaded(files);
    this.report.close();
  }
}

function placeOf(name) {
  try {
    const planned = JSON.parse(fs.readFileSync(path.join(given.outputs, "planned.json"), "utf8"));
    return planned.indexOf(name) + 1;
  } catch {
    return 99998;
  }
}

export default class Runner extends Base {
  tellings = new Map();

  onCollectStart(file) {
    // A file that takes the process along while it is loaded has begun all the same.
    this.tellings.set(file.filepath, new Telling(file));
    return super.onCollectStart?.(file);
  }

  async onCollected(files) {
    await super.onCollected?.(files);
    for (const file of files) {
      const telling = this.telling(file);
      telling.file = file;
      telling.collected();
    }
  }

  telling(file) {
    if (!this.tellings.has(file.filepath)) this.tellings.set(file.filepath, new Telling(file));
    return this.tellings.get(file.filepath);
  }

  async onBeforeRunTask(task) {
    this.telling(task.file).begin(task);
    return super.onBeforeRunTask?.(task);
  }

  async onAfterRunTask(task) {
    await super.onAfterRunTask?.(task);
    this.telling(task.file).ran(task);
  }

  async onAfterRunSuite(suite) {
    await super.onAfterRunSuite?.(suite);
    this.telling(suite.file ?? suite).suite(suite);
  }

  async onAfterRunFiles(files) {
    await super.onAfterRunFiles?.(files);
    for (const file of files) this.telling(file).close(this.modules(file));
  }

  /** The modules of the tree that were loaded, as far as Vitest shows them. */
  modules(file) {
    const state = globalThis.__vitest_worker__;
    const known = state?.evaluatedModules?.idToModuleMap ?? state?.moduleCache;
    const keys = typeof known?.keys === "function" ? [...known.keys()] : [];
    const paths = keys.map((each) => String(each).split("?")[0].replace(/^mock:/, ""));
    return [file.filepath, ...paths.filter((each) => each.startsWith("/"))];
  }
}
