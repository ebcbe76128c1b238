"use strict";
/**
 * Adds to Playwright's own command line what a trial asks for, wherever it is started.
 *
 * Node loads this first (NODE_OPTIONS). A trial starts the suite's command to list its
 * tests, again where files could not be loaded (Playwright then lists none at all),
 * and to run what was asked for. What a test starts itself sees nothing of it. Tried
 * with Playwright Test 1.48 and 1.65.
 */

const fs = require("node:fs");
const path = require("node:path");

const PLAN = "FAIRTRIAL_PLAN";
const STEP = "FAIRTRIAL_STEP";
const OURS = "FAIRTRIAL_PLAYWRIGHT";
/** Options that take a value, as far as they may stand before a file's name. */
const VALUED = new Set(
  (
    "-c --config -g --grep -G --grep-invert -j --workers --reporter --output --timeout " +
    "--global-timeout --browser --max-failures --repeat-each --retries --shard --trace " +
    "--tsconfig --ui-host --ui-port --last-failed-file --test-list --test-list-invert " +
    "--run-agents --update-source-method --add-reporter"
  ).split(" "),
);
/** Since this version snapshots can be kept from being written. */
const SNAPSHOTS = [1, 50];

function escaped(text) {
  return text
    .replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
    .replace(
      /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
      (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}

function read(file, otherwise) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return otherwise;
  }
}

/** Which of the words after `test` name files, by their places. */
function named(words) {
  const found = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (VALUED.has(word)) at += 1;
    else if (word === "--project") {
      while (at + 1 < words.length && !words[at + 1].startsWith("-")) at += 1;
    } else if (!word.startsWith("-")) found.push(at);
  }
  return found;
}

/** The words with every file left out that can't be loaded. */
function without(words, broken) {
  const out = broken.map(escaped).join("|");
  const kept = (pattern) => `/^(?!(?:${out})$)(?=.*(?:${pattern})).*$/i`;
  const places = named(words);
  if (places.length === 0) return [...words, kept("")];
  return words.map((word, at) => {
    if (!places.includes(at)) return word;
    const line = /^(.*?)((?::\d+){1,2})$/.exec(word);
    const plain = /^\/(.*)\/[gi]*$/.exec(line ? line[1] : word);
    const pattern = plain ? plain[1] : line ? line[1] : word;
    return `${kept(pattern)}${line ? line[2] : ""}`;
  });
}

function version(file) {
  for (let folder = path.dirname(fs.realpathSync(file)); ; folder = path.dirname(folder)) {
    const { version } = read(path.join(folder, "package.json"), {});
    if (typeof version === "string") return version.split(".").map(Number);
    if (folder === path.dirname(folder)) return [0, 0];
  }
}

function added(plan, step, words, file) {
  const broken = read(path.join(plan.outputs, "broken.json"), []);
  const given = broken.length && step !== "list" ? without(words, broken) : [...words];
  const reporter = path.join(__dirname, "fairtrial_playwright_reporter.cjs");
  given.push(`--reporter=${reporter}`, "--retries=0", "--repeat-each=1");
  given.push("--max-failures=0");
  const [major, minor] = version(file);
  if (major > SNAPSHOTS[0] || (major === SNAPSHOTS[0] && minor >= SNAPSHOTS[1])) {
    given.push("--update-snapshots=none");
  }
  if (step !== "run") given.push("--list");
  else if (plan.mode === "listed") {
    const titles = read(path.join(plan.outputs, "select.json"), []);
    // Nothing can match this one.
    const any = titles.length ? titles.map(escaped).join("|") : "(?!)";
    given.push("--workers=1", "--pass-with-no-tests", "--grep", `/^ ?(?:${any})$/`);
  }
  return given;
}

function withdraw() {
  const own = process.env[OURS];
  for (const name of [PLAN, STEP, OURS]) delete process.env[name];
  if (own === undefined || process.env.NODE_OPTIONS === undefined) return;
  const left = process.env.NODE_OPTIONS.split(own).join("").trim();
  if (left) process.env.NODE_OPTIONS = left;
  else delete process.env.NODE_OPTIONS;
}

const file = process.argv[1] ?? "";
if (/(?:^|[\\/])(?:playwright|cli\.js)$/.test(file) && process.argv[2] === "test") {
  const step = process.env[STEP] ?? "run";
  const plan = read(process.env[PLAN], null);
  // Playwright may start itself once more, with the words it has by then.
  if (plan !== null && !process.argv.includes("--repeat-each=1")) {
    const words = added(plan, step, process.argv.slice(3), file);
    process.argv.splice(3, process.argv.length, ...words);
  }
} else if (/workerProcessEntry|processRunner|[\\/]common[\\/]process|workerMain/.test(file)) {
  withdraw();
}
