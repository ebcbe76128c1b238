"use strict";
/**
 * How a test of JavaScript is named: its titles from the outermost block inwards.
 *
 * `file::block > test`; a row of a table is `title as written [title as shown]`. What
 * in a title would read as one of these signs has a backslash before it, so that a
 * name can be taken apart again. Equal names are counted: the second one ends in #2.
 */

/** Characters of one title; a longer one is cut, and told apart by its digest. */
const LONGEST = 2000;

function cut(title) {
  if (title.length <= LONGEST) return title;
  const hash = require("node:crypto").createHash("sha256");
  const digest = hash.update(title, "utf16le").digest("hex").slice(0, 12);
  return `${title.slice(0, LONGEST)}...${digest}`;
}

/** A title without the signs that hold names together. */
function escaped(title) {
  return cut(String(title))
    .replace(/\\/g, "\\\\")
    .replace(/(?<![^ ])>(?![^ ])/g, "\\>")
    .replace(/(?<![^ ])\[/g, "\\[")
    .replace(
      /[\u0000-\u001f\u007f-\u009f\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}

/** One step of a name; `written` is the title of a table whose row `shown` is. */
function step(shown, written) {
  if (written === undefined) return escaped(shown);
  return `${escaped(written)} [${escaped(shown)}]`;
}

/** Names of one file's tests, each only once, in the order they are asked for. */
class Names {
  constructor(file) {
    this.file = file;
    this.seen = new Set();
  }

  /** The id of the next test with these steps. */
  next(steps) {
    const plain = `${this.file}::${steps.join(" > ")}`;
    let id = plain;
    const last = steps.length ? steps[steps.length - 1] : "";
    const row = / \[/.test(last) && last.endsWith("]");
    for (let count = 2; this.seen.has(id); count += 1) {
      id = row ? `${plain.slice(0, -1)}#${count}]` : `${plain}#${count}`;
    }
    this.seen.add(id);
    return id;
  }
}

/** A template with holes, from where it is the title of a test or of a block. */
const TITLE =
  /\b(?:it|test|describe|context|suite|specify)(?:\.\w+)*\(\s*`((?:[^`\\$]|\\[^]|\$(?!\{)|\$\{[^`{}]*\})*)`/g;
const HOLE = /\$\{[^`{}]*\}/;

/** The titles of a source that are made in loops: `adds ${x}`. */
class Templates {
  constructor(source) {
    this.source = source;
    this.found = [];
    for (const [, written] of source.matchAll(TITLE)) {
      const parts = written.split(HOLE);
      if (parts.length > 1) this.found.push([written, parts.map((part) => part.replace(/\\([^])/g, "$1"))]);
    }
  }

  /** As what a title is written; undefined where none fits, or several. */
  of(shown) {
    if (["'", '"', "`"].some((sign) => this.source.includes(sign + shown + sign))) return undefined;
    // The one that says most of it by itself; of several alike none.
    let best = [];
    for (const [written, parts] of this.found) {
      if (!fits(shown, parts)) continue;
      const said = parts.join("").length;
      if (best.length === 0 || said > best[0][1]) best = [[written, said]];
      else if (said === best[0][1] && written !== best[0][0]) best.push([written, said]);
    }
    return best.length === 1 ? best[0][0] : undefined;
  }
}

function fits(shown, parts) {
  const [first, last] = [parts[0], parts[parts.length - 1]];
  if (!shown.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const next = shown.indexOf(part, at);
    if (next < 0) return false;
    at = next + part.length;
  }
  return shown.length - last.length >= at && shown.endsWith(last);
}

module.exports = { Names, Templates, escaped, step };
