"use strict";
/**
 * Jest's sequencer: which files run and in which order; it notes down what it chose.
 *
 * Without an order that was asked for, the larger file comes first, as in Jest itself
 * where it has no times of an earlier run.
 */

const fs = require("node:fs");
const path = require("node:path");
const { Report, digest, plan, relative } = require("./fairtrial_report.cjs");

const given = plan();

function sizeOf(file) {
  try {
    return fs.statSync(file).size;
  } catch {
    return 0;
  }
}

/** Where Jest's own runner of tests lies, seen from Jest's modules that are loaded. */
function findCircus() {
  const { createRequire } = require("node:module");
  const loaded = Object.keys(require.cache);
  for (const name of ["jest-config", "@jest/core", "jest-cli", "jest"]) {
    for (const file of loaded.filter((each) => each.includes(`/${name}/`))) {
      try {
        return createRequire(file).resolve("jest-circus/runner");
      } catch {
        // Another module may see it.
      }
    }
  }
  return "";
}

class Sequencer {
  shard(tests) {
    return this.sort(tests);
  }

  sort(tests) {
    process.env.FAIRTRIAL_CIRCUS = findCircus();
    const files = tests.map((test) => [relative(test.path, given.workspace), test]);
    files.sort(([a, one], [b, two]) => sizeOf(two.path) - sizeOf(one.path) || (a < b ? -1 : 1));
    const asked = given.mode === "listed" ? given.tests : given.order;
    const rank = new Map();
    for (const id of asked) {
      const file = id.split("::")[0];
      if (!rank.has(file)) rank.set(file, rank.size);
    }
    const only = given.mode === "listed" || given.only;
    const place = ([file]) => rank.get(file) ?? rank.size;
    let chosen = files.filter(([file]) => !only || rank.has(file));
    chosen = chosen.map((each, at) => [place(each), at, each]);
    chosen.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    chosen = chosen.map(([, , each]) => each);
    this.note(chosen);
    return chosen.map(([, test]) => test);
  }

  note(chosen) {
    const planned = path.join(given.outputs, "planned.json");
    // A second listing follows where a run broke off: only what it never began.
    if (given.mode === "rest") {
      const begun = new Set(
        fs.readdirSync(given.outputs).map((name) => /^report-\d+-(\w+)\.w\d+\.jsonl$/.exec(name)?.[1]),
      );
      const left = chosen.filter(([, test]) => !begun.has(digest(test.path)));
      chosen.splice(0, chosen.length, ...left);
    } else {
      fs.writeFileSync(planned, JSON.stringify(chosen.map(([file]) => file)));
    }
    const report = new Report(given.mode === "rest" ? "00000-rest" : "00000-plan", given);
    report.say({ event: "listed", ids: [] });
    report.close();
  }

  allFailedTests(tests) {
    return this.sort(tests);
  }

  cacheResults() {}
}

module.exports = Sequencer;
