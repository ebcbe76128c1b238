"use strict";
/**
 * Keeps Mocha to the tests it was asked for, and writes what came of them.
 *
 * Node loads this before anything else (NODE_OPTIONS), in whatever process the suite's
 * command starts; it does nothing until one of them makes a Mocha. That one is ours,
 * with the workers of its parallel mode; what tests start themselves is not. Tried with
 * Mocha 10, 11 and 12.
 */

const Module = require("node:module");
const path = require("node:path");
const fs = require("node:fs");
const { Report, detail, plan, relative } = require("./fairtrial_report.cjs");
const { Names, step } = require("./fairtrial_ids.cjs");
const { Follower } = require("./fairtrial_mocha_run.cjs");

const PLAN = "FAIRTRIAL_PLAN";
const OURS = "FAIRTRIAL_MOCHA";
const worker = process.env.MOCHA_WORKER_ID !== undefined;
/** Words by which a file that holds no test is told: set-up that others rely on. */
const TESTS = /\b(?:it|test|specify|describe|context|suite|scenario|feature|exports)\b/;

let claimed = false;

/** Everything that this process was asked, and the report it writes. */
function claim() {
  claimed = true;
  const given = plan();
  const report = new Report(`mocha-${process.pid}`, given);
  const loads = new Map();
  watchLoads(given, loads);
  return { given, report, loads, broken: 0, ids: new Map(), names: new Map() };
}

/** The suite's processes see our variables no longer: what a test starts is its own. */
function withdraw() {
  const own = process.env[OURS];
  delete process.env[OURS];
  delete process.env[PLAN];
  if (own === undefined || process.env.NODE_OPTIONS === undefined) return;
  const left = process.env.NODE_OPTIONS.split(own).join("").trim();
  if (left) process.env.NODE_OPTIONS = left;
  else delete process.env.NODE_OPTIONS;
}

/** Digests of the tree's files, taken when they are loaded. */
function watchLoads(given, loads) {
  const load = Module.prototype.load;
  const crypto = require("node:crypto");
  const { readFileSync } = fs;
  Module.prototype.load = function (file) {
    const name = relative(file, given.workspace);
    if (!path.isAbsolute(name) && !name.split("/").includes("node_modules")) {
      try {
        const data = readFileSync(file);
        loads.set(name, crypto.createHash("sha256").update(data).digest("hex"));
      } catch {
        // What stands in no file was not loaded from the tree.
      }
    }
    return load.apply(this, arguments);
  };
}

function titles(runnable) {
  const found = [];
  for (let each = runnable; each && !each.root; each = each.parent) {
    found.unshift(each.title);
  }
  return found;
}

function fileOf(runnable, given) {
  for (let each = runnable; each; each = each.parent) {
    if (each.file) return relative(each.file, given.workspace);
  }
  return "";
}

/** All tests below a suite in the order in which Mocha runs them. */
function tests(suite) {
  return [...suite.tests, ...suite.suites.flatMap(tests)];
}

/** Gives each test its id; those that have one keep it. */
function name(mine, root) {
  const { names } = mine;
  for (const test of tests(root)) {
    if (mine.ids.has(test)) continue;
    const file = fileOf(test, mine.given);
    if (!names.has(file)) names.set(file, new Names(file));
    mine.ids.set(test, names.get(file).next(titles(test).map((each) => step(each))));
  }
}

function matches(mocha, test) {
  const { grep, invert } = mocha.options;
  if (!grep) return true;
  return new RegExp(grep).test(test.fullTitle()) !== Boolean(invert);
}

/** The files that are loaded: the asked ones in their order, and set-up in its place. */
function chosen(mocha, mine) {
  const { given } = mine;
  const wanted = [...new Set(given.tests.map((each) => each.split("::")[0]))];
  const known = mocha.files.map((each) => path.resolve(each));
  const asked = (file) => wanted.indexOf(relative(file, given.workspace));
  const sorted = known.filter((each) => asked(each) >= 0);
  sorted.sort((one, other) => asked(one) - asked(other));
  const kept = known.filter((each) => asked(each) >= 0 || isSetUp(each));
  return kept.map((each) => (asked(each) >= 0 ? sorted.shift() : each));
}

function isSetUp(file) {
  try {
    return !TESTS.test(fs.readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}

/** A file that can't be loaded keeps its own tests from running, and no others. */
function fault(mocha, mine, file, error) {
  mine.broken += 1;
  const name = relative(path.resolve(file), mine.given.workspace);
  mine.report.say({
    event: "uncollectable",
    name,
    ...detail(error, mine.given.workspace),
  });
  console.error(error);
  const drop = (suite) => {
    suite.tests = suite.tests.filter((each) => fileOf(each, mine.given) !== name);
    suite.suites = suite.suites.filter((each) => fileOf(each, mine.given) !== name);
    suite.suites.forEach(drop);
  };
  drop(mocha.suite);
}

/** Tests and suites that were asked for, in the order they were asked in. */
function arrange(mine, suite, place, only) {
  const first = (one) =>
    one.tests ? Math.min(Infinity, ...tests(one).map(place)) : place(one);
  if (only) {
    suite.tests = suite.tests.filter((each) => first(each) < Infinity);
    suite.suites = suite.suites.filter((each) => first(each) < Infinity);
  }
  const sorted = (all) =>
    all
      .map((each) => [first(each), each])
      .sort((one, other) => (one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : 0))
      .map((pair) => pair[1]);
  suite.tests = sorted(suite.tests);
  suite.suites = sorted(suite.suites);
  suite._bail = false;
  for (const each of suite.suites) arrange(mine, each, place, only);
}

/** Whether a hook may add tests while the run goes on, so that no list is complete. */
function growing(suite) {
  const own = [...suite._beforeAll, ...suite._beforeEach];
  const adds = (hook) => /\b(?:it|test|specify|describe|context|addTest|addSuite)\s*\(/.test(String(hook.fn));
  return own.some(adds) || suite.suites.some(growing);
}

/** What the tree holds once everything is loaded, cut down to what was asked. */
function settle(mocha, mine) {
  const { given, report, ids } = mine;
  const root = mocha.suite;
  if (root.hasOnly()) root.filterOnly();
  name(mine, root);
  const all = tests(root).filter((each) => matches(mocha, each));
  const grows = growing(root);
  let listed = all;
  const place = new Map();
  if (given.mode === "listed") {
    given.tests.forEach((each, index) => place.set(each, index));
  } else {
    given.order.forEach((each, index) => place.set(each, index));
  }
  const only = given.mode === "listed" || given.only;
  const at = (test) => {
    const found = matches(mocha, test) ? place.get(ids.get(test)) : undefined;
    return found ?? Infinity;
  };
  arrange(mine, root, at, only);
  if (given.mode !== "listed") listed = tests(root).filter((each) => all.includes(each));
  const names = listed.map((each) => ids.get(each));
  mine.expected = new Set(tests(root).filter((each) => all.includes(each)).map((each) => ids.get(each)));
  // In a part of the files, a test that a hook adds can't be told from an absent one.
  if (given.mode !== "listed" || !grows) report.say({ event: "listed", ids: names });
}

/** Loads file by file; `load` loads what `mocha.files` names. */
function eachFile(mocha, mine) {
  const all = mine.given.mode === "listed" ? chosen(mocha, mine) : [...mocha.files];
  mocha.files = all;
  return all;
}

function takeOver(Mocha) {
  const { loadFiles, loadFilesAsync, run, parallelMode, ui } = Mocha.prototype;
  let mine = null;
  let owner = null;

  const own = (mocha) => {
    if (owner === null && !claimed) {
      owner = mocha;
      mine = claim();
      const { parallel } = mocha.options;
      mine.parallel = !worker && Boolean(parallel) && mine.given.mode === "whole";
      if (!mine.parallel) withdraw();
      neutralise(Mocha);
      process.on("exit", (code) => leave(mocha, mine, code));
    }
    // Each file of parallel mode has a Mocha of its own in its worker.
    if (worker && mine !== null) owner = mocha;
    return owner === mocha;
  };

  // The constructor calls this one, once it knows its options.
  Mocha.prototype.ui = function () {
    own(this);
    return ui.apply(this, arguments);
  };

  Mocha.prototype.parallelMode = function (on) {
    if (own(this) && mine.given.mode !== "whole") return this;
    return parallelMode.call(this, on);
  };

  Mocha.prototype.loadFiles = function (done) {
    if (!own(this)) return loadFiles.call(this, done);
    mine.began = true;
    const all = eachFile(this, mine);
    for (const file of all) {
      this.files = [file];
      try {
        loadFiles.call(this);
      } catch (error) {
        fault(this, mine, file, error);
      }
    }
    this.files = all;
    if (done) done();
    return undefined;
  };

  Mocha.prototype.loadFilesAsync = async function (options) {
    if (!own(this)) return loadFilesAsync.call(this, options);
    mine.began = true;
    const all = eachFile(this, mine);
    for (const file of all) {
      this.files = [file];
      try {
        await loadFilesAsync.call(this, options);
      } catch (error) {
        fault(this, mine, file, error);
        if (worker) {
          this.files = all;
          mine.report.say({ event: "done" });
          throw error;
        }
      }
    }
    this.files = all;
    return undefined;
  };

  Mocha.prototype.run = function (done) {
    if (!own(this)) return run.call(this, done);
    mine.began = true;
    const whole = mine.given.mode === "whole";
    if (this.options.parallel && !whole && !this._lazyLoadFiles) {
      this._lazyLoadFiles = true;
      this.loadFilesAsync().then(() => start(this, done), done);
      return undefined;
    }
    if (this.files.length && !this._lazyLoadFiles) {
      this._lazyLoadFiles = true;
      this.loadFiles();
    }
    return start(this, done);
  };

  /** The run itself, once its files are loaded. */
  const start = (mocha, done) => {
    if (mine.given.mode === "list") return list(mocha, done);
    mocha.options.dryRun = false;
    mocha.options.fullTrace = true;
    const finished = (failures) => {
      const count = typeof failures === "number" ? failures + mine.broken : failures;
      mine.failed = typeof count === "number" ? count > 0 : true;
      return done ? done(count) : undefined;
    };
    if (mine.parallel) {
      // Workers tell of tests; here it is only seen that all of them came to an end.
      return run.call(mocha, (failures) => {
        mine.report.close();
        return finished(failures);
      });
    }
    const Reporter = mocha._reporter;
    const follower = new Follower(mine, { name, tests, settle: () => settle(mocha, mine) });
    const Both = function (runner, options) {
      follower.follow(runner);
      return Reflect.construct(Reporter, [runner, options], Reporter);
    };
    mocha._reporter = Object.assign(Both, { prototype: Reporter.prototype });
    try {
      return run.call(mocha, finished);
    } finally {
      mocha._reporter = Reporter;
    }
  };

  const list = (mocha, done) => {
    const say = () => {
      settle(mocha, mine);
      mine.report.say({ event: "done" });
      if (done) done(mine.broken);
    };
    if (mocha.options.delay) mocha.suite.once("run", say);
    else say();
    return undefined;
  };
}

/** No test is tried a second time, whatever asks for it. */
function neutralise(Mocha) {
  Mocha.Runnable.prototype.retries = function (count) {
    return count === undefined ? -1 : this;
  };
}

/** The last words: what was loaded, and an exit code that says what happened. */
function leave(mocha, mine, code) {
  if (!mine.began && code !== 0 && mocha.files.length === 0) {
    // Mocha found no file for its patterns, and ends before it loads anything.
    mine.report.say({ event: "listed", ids: [] });
    mine.report.say({ event: "done" });
  }
  for (const [name, sha256] of mine.loads) {
    mine.report.say({ event: "loaded", path: name, sha256 });
  }
  if (mine.failed && !process.exitCode) process.exitCode = 1;
}

if (process.env[PLAN] !== undefined) {
  const load = Module._load;
  Module._load = function (request) {
    const made = load.apply(this, arguments);
    if (
      typeof made === "function" &&
      typeof request === "string" &&
      /(?:^|[\\/])mocha(?:\.c?js)?$/.test(request) &&
      typeof made.prototype?.loadFilesAsync === "function" &&
      !Object.hasOwn(made, "fairtrial")
    ) {
      Object.defineProperty(made, "fairtrial", { value: true });
      takeOver(made);
    }
    return made;
  };
}
