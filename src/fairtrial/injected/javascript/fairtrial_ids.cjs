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

module.exports = { Names, escaped, step };
