"use strict";
/**
 * Writes what a run did, line by line, and says of an error what it was and where.
 *
 * What is called on here is taken before any code of the project runs, so that a test
 * which replaces it for itself (clocks, files, JSON) does not change the report.
 */

const fs = require("node:fs");
const path = require("node:path");
const crypto = require("node:crypto");

const { openSync, writeSync, closeSync, readFileSync, existsSync } = fs;
const stringify = JSON.stringify;
const now = Date.now.bind(Date);
const hrtime = process.hrtime.bigint;
const TEXT = 20000;
const FRAMES = 100;

/** What this run is asked; the gate wrote it. */
function plan() {
  return JSON.parse(readFileSync(process.env.FAIRTRIAL_PLAN, "utf8"));
}

/** Seconds since the epoch, by clocks that no test turns. */
const zero = now() / 1000;
const ticks = hrtime();
function seconds() {
  return zero + Number(hrtime() - ticks) / 1e9;
}

/** A file of the tree as its path from the root; others stay absolute. */
function relative(file, workspace) {
  let name = String(file);
  if (name.startsWith("file://")) {
    try {
      name = require("node:url").fileURLToPath(name);
    } catch {
      return name;
    }
  }
  const root = `${workspace}/`;
  return name.startsWith(root) ? name.slice(root.length) : name;
}

/** A name for a report, the same for the same thing. */
function digest(text) {
  return crypto.createHash("sha256").update(String(text)).digest("hex").slice(0, 16);
}

/** One report; `fresh` is false where an earlier attempt already wrote it. */
class Report {
  constructor(name, given) {
    this.plan = given;
    this.file = path.join(given.outputs, `report-${name}.jsonl`);
    this.fresh = !existsSync(this.file);
    this.descriptor = this.fresh ? openSync(this.file, "wx") : null;
    if (this.fresh) this.say({ event: "start", token: given.token, epoch: seconds() });
  }

  say(event) {
    if (this.descriptor === null) return;
    const data = Buffer.from(`${stringify(event)}\n`, "utf8");
    for (let at = 0; at < data.length; ) at += writeSync(this.descriptor, data, at);
  }

  begin(id) {
    this.say({ event: "begin", id, at: seconds() });
  }

  close() {
    this.say({ event: "done" });
    if (this.descriptor !== null) closeSync(this.descriptor);
    this.descriptor = null;
  }

  /** Which files of the tree were loaded, with what they hold. */
  loaded(files) {
    for (const each of new Set(files)) {
      const name = relative(each, this.plan.workspace);
      if (path.isAbsolute(name) || name.split("/").includes("node_modules")) continue;
      try {
        const sha256 = crypto.createHash("sha256").update(readFileSync(each)).digest("hex");
        this.say({ event: "loaded", path: name, sha256 });
      } catch {
        // A module that stands in no file was not loaded from the tree.
      }
    }
  }
}

function safely(read, otherwise) {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** A text that can be written: bounded, and without halves of characters. */
function plain(value, limit = TEXT) {
  const text = safely(() => String(value), "(it can't be shown)");
  return text
    .slice(0, limit)
    .replace(/\u001b\[[0-9;]*m/g, "")
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

/** A value as people read it, as JSON or as its own text. */
function shown(value) {
  if (typeof value === "string") return plain(value, 4000);
  return plain(
    safely(() => {
      if (value === undefined || typeof value === "function") return String(value);
      if (typeof value === "bigint") return `${value}n`;
      return require("node:util").inspect(value, { depth: 6, breakLength: 100 });
    }, "(it can't be shown)"),
    4000,
  );
}

/** What kind of error it is: its own name, or that of its class. */
function kindOf(error) {
  if (error === null || typeof error !== "object") return typeof error;
  const name = safely(() => error.name, undefined);
  if (typeof name === "string" && name && name !== "Error") return plain(name, 200);
  const made = safely(() => error.constructor.name, undefined);
  return typeof made === "string" && made && made !== "Object" ? plain(made, 200) : "Error";
}

const AT = /^\s*at (?:async )?(?:(?<name>.*?) \((?<place>.*):(?<line>\d+):\d+\)|(?<bare>.*):(?<own>\d+):\d+)$/;

/** The frames of a V8 stack as [path, name, line], outermost first. */
function frames(stack, workspace) {
  const found = [];
  for (const line of plain(stack, 100000).split("\n")) {
    const at = AT.exec(line.slice(0, 4000));
    if (at === null) continue;
    const place = at.groups.place ?? at.groups.bare;
    if (place.startsWith("node:")) continue;
    let name = (at.groups.name ?? "").replace(/ \[as .*\]$/, "").replace(/^new /, "");
    if (/(?:^|\.)<anonymous>$/.test(name)) name = "";
    name = name.replace(/^<anonymous>\./, "");
    name = name.replace(/^(?:Object|Module|Proxy)\./, "");
    const bare = place.split("?")[0];
    found.push([relative(bare, workspace), name, Number(at.groups.line ?? at.groups.own)]);
    if (found.length === FRAMES) break;
  }
  return found.reverse();
}

/** Type, message, frames and, where it compares, both values of an error. */
function detail(error, workspace) {
  if (error === null || typeof error !== "object") {
    return { type: kindOf(error), message: shown(error), text: shown(error), frames: [] };
  }
  const stack = safely(() => error.stack, undefined);
  const message = plain(safely(() => error.message, undefined) ?? shown(error));
  const compared = safely(() => error.matcherResult, undefined) ?? error;
  const told = {
    type: kindOf(error),
    message,
    text: plain(typeof stack === "string" ? stack : shown(error)),
    frames: typeof stack === "string" ? frames(stack, workspace) : [],
  };
  // Vitest writes both on every error, as texts.
  const values = ["expected", "actual"].map((key) => safely(() => compared[key], undefined));
  if (values.some((value) => value !== undefined && value !== "undefined")) {
    told.expected = shown(values[0]);
    told.actual = shown(values[1]);
  }
  const cause = safely(() => error.cause, undefined);
  if (cause !== undefined && cause !== null && cause !== error) {
    const why = safely(() => plain(cause.stack ?? cause, 4000), "");
    told.text = plain(`${told.text}\nCaused by: ${why}`);
  }
  return told;
}

module.exports = { Report, detail, digest, frames, plan, plain, relative, seconds };
