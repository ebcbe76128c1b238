/**
 * Runs Vitest as its command line would, with our runner, our order and our reporter.
 */

import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const { Report, detail, digest, plan, relative } = require("./fairtrial_report.cjs");

const given = plan();
const rest = given.mode === "rest";
const vitest = process.env.FAIRTRIAL_VITEST;
const node = await import(pathToFileURL(`${vitest}/dist/node.js`).href);
const RUNNER = fileURLToPath(new URL("./fairtrial_vitest_runner.mjs", import.meta.url));

const fileOf = (one) => one.moduleId ?? one[1];
const projectOf = (one) => (one.project ?? one[0])?.name ?? "";

/** Which files run and in which order; without one that was asked for, Vitest's own. */
class Sequencer extends node.BaseSequencer {
  async sort(all) {
    const asked = given.mode === "listed" ? given.tests : given.order;
    const rank = new Map();
    for (const id of asked) {
      const file = id.split("::")[0];
      if (!rank.has(file)) rank.set(file, rank.size);
    }
    const only = given.mode === "listed" || given.only;
    const place = (one) => rank.get(relative(fileOf(one), given.workspace)) ?? rank.size;
    let chosen = (await super.sort(all)).filter((one) => !only || place(one) < rank.size);
    chosen = chosen.map((one, at) => [place(one), at, one]);
    chosen.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    chosen = chosen.map(([, , one]) => one);
    if (rest) {
      const begun = new Set(
        fs.readdirSync(given.outputs).map((name) => /^report-\d+-(\w+)\.w\d+\.jsonl$/.exec(name)?.[1]),
      );
      return chosen.filter((one) => !begun.has(digest(fileOf(one) + projectOf(one))));
    }
    // Each pool of a run asks by itself.
    const planned = path.join(given.outputs, "planned.json");
    const before = fs.existsSync(planned) ? JSON.parse(fs.readFileSync(planned, "utf8")) : [];
    const files = chosen.map((one) => relative(fileOf(one), given.workspace));
    fs.writeFileSync(planned, JSON.stringify([...before, ...files]));
    return chosen;
  }
}

/** Tells of files that no runner could tell of, and of the end. */
class Reporter {
  onInit(ctx) {
    this.ctx = ctx;
    this.report ??= new Report(rest ? "99999-rest" : "99999-main", given);
    this.report.say({ event: "listed", ids: [] });
    for (const project of ctx.projects ?? []) {
      const config = project.config;
      if (config.runner && config.runner !== RUNNER) {
        this.report.say({ event: "notice", text: "the suite's own `test.runner` is not used" });
      }
      config.runner = RUNNER;
      config.retry = 0;
      if (given.mode !== "whole" && config.sequence) config.sequence.shuffle = false;
      if (given.mode === "listed" && config.sequence) config.sequence.concurrent = false;
    }
    this.threshold(ctx.config.coverage);
  }

  threshold(coverage) {
    if (!coverage?.enabled || !coverage.thresholds) return;
    const wanted = coverage.thresholds[100]
      ? { statements: 100, branches: 100, functions: 100, lines: 100 }
      : coverage.thresholds;
    const own = new Set(["statements", "branches", "functions", "lines"]);
    const everywhere = Object.fromEntries(Object.entries(wanted).filter(([key]) => own.has(key)));
    fs.writeFileSync(path.join(given.outputs, "threshold.json"), JSON.stringify({ global: everywhere }));
  }

  /** Vitest 2. */
  onFinished(files = [], errors = []) {
    this.finish(
      files.map((file) => [file.filepath, file.projectName ?? "", file.result?.errors ?? []]),
      errors,
    );
  }

  /** Vitest 3 and later. */
  onTestRunEnd(modules = [], errors = []) {
    this.finish(
      modules.map((one) => [one.moduleId, one.project?.name ?? "", one.errors?.() ?? []]),
      errors,
    );
  }

  finish(files, errors) {
    if (this.ended) return;
    this.ended = true;
    const reports = fs.readdirSync(given.outputs);
    for (const [file, project, found] of files) {
      const own = `-${digest(file + project)}.`;
      if (found.length === 0 || reports.some((name) => name.includes(own))) continue;
      this.uncollectable(file, found[0]);
    }
    for (const error of errors) {
      const file = error?.VITEST_TEST_PATH;
      if (file) this.uncollectable(path.resolve(this.ctx.config.root, file), error);
      else process.stderr.write(`${error?.stack ?? error}\n`);
    }
    this.report.close();
  }

  uncollectable(file, error) {
    const name = relative(file, given.workspace);
    this.report.say({ event: "uncollectable", name, ...detail(error, given.workspace) });
  }
}

const words = process.argv.slice(2);
const { filter, options } = node.parseCLI(["vitest", ...words]);
const coverage = given.thresholds
  ? {
      ...(typeof options.coverage === "object" ? options.coverage : {}),
      reporter: [["json-summary"]],
      reportsDirectory: path.join(given.outputs, "coverage"),
    }
  : { enabled: false };
const asked = {
  ...options,
  run: true,
  watch: false,
  update: false,
  retry: 0,
  bail: 0,
  cache: false,
  ui: false,
  reporters: ["default", new Reporter()],
  outputFile: undefined,
  coverage,
  sequence: { ...(options.sequence ?? {}), sequencer: Sequencer },
};
// What the command line calls `reporter` would count before ours.
delete asked.reporter;
if (given.mode === "listed") {
  asked.fileParallelism = false;
  asked.sequence.shuffle = false;
  asked.sequence.concurrent = false;
}
if (given.mode === "list" || rest) asked.sequence.shuffle = false;
const ctx = await node.startVitest("test", filter, asked);
if (ctx && !ctx.shouldKeepServer()) await ctx.exit();
