"use strict";
/**
 * Loaded into every Node process of the suite's command; starts Vitest's own command
 * line by `fairtrial_vitest.mjs` instead, and leaves every other program alone.
 *
 * Vitest names no option for a runner of one's own, and its API takes one.
 */

const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { isMainThread } = require("node:worker_threads");
const Module = require("node:module");

/** The folder of the Vitest that a process was started for; undefined for others. */
function vitestOf(script) {
  try {
    const real = fs.realpathSync(script);
    const found = /^(.*\/node_modules\/vitest)\/(?:vitest\.mjs|dist\/cli\.js)$/.exec(real);
    return found?.[1];
  } catch {
    return undefined;
  }
}

const folder = process.env.FAIRTRIAL_VITEST ? undefined : vitestOf(process.argv[1] ?? "");
if (isMainThread && folder !== undefined) {
  process.env.FAIRTRIAL_VITEST = folder;
  Module.runMain = () => {
    import(pathToFileURL(path.join(__dirname, "fairtrial_vitest.mjs")).href).catch((error) => {
      console.error(error);
      process.exit(1);
    });
  };
}
