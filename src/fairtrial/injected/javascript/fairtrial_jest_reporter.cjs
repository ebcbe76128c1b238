"use strict";
/**
 * Jest's reporter in its main process: files that no runner could tell of, what is
 * demanded of coverage, and that the run came to its end.
 */

const fs = require("node:fs");
const path = require("node:path");
const { Report, detail, digest, plan, relative } = require("./fairtrial_report.cjs");

class Reporter {
  constructor(globalConfig) {
    this.given = plan();
    this.globalConfig = globalConfig;
    this.report = new Report(this.given.mode === "rest" ? "99999-rest" : "99999-main", this.given);
  }

  onTestFileResult(test, result) {
    const own = new RegExp(`^report-\\d+-${digest(test.path)}\\.w\\d+\\.jsonl$`);
    const error = result.testExecError ?? result.failureMessage;
    if (!error || fs.readdirSync(this.given.outputs).some((name) => own.test(name))) return;
    const name = relative(test.path, this.given.workspace);
    this.report.say({ event: "uncollectable", name, ...detail(error, this.given.workspace) });
  }

  onRunComplete(_contexts, results) {
    this.threshold();
    if (!results.wasInterrupted) this.report.close();
  }

  /** What the suite demands of its coverage; Jest itself holds it against the run. */
  threshold() {
    const wanted = this.globalConfig.coverageThreshold;
    if (!wanted || !this.globalConfig.collectCoverage) return;
    fs.writeFileSync(path.join(this.given.outputs, "threshold.json"), JSON.stringify(wanted));
  }
}

module.exports = Reporter;
