"""Writes a Rust test's fate as lines of the one report format, and reads its panic."""

import hashlib
import json
import os
import re
import time

#: Characters of a test's output that are kept.
KEPT = 20_000
_PANIC = re.compile(
    r"^thread '(?P<thread>[^\n]*?)'(?: \(\d+\))? panicked at (?P<path>[^\n]+?):(?P<line>\d+):\d+:\n",
    re.MULTILINE,
)
#: Before Rust 1.73 the message came first.
_OLD_PANIC = re.compile(
    r"^thread '(?P<thread>[^\n]*?)' panicked at '(?P<said>.*?)', (?P<path>[^\n]+?):(?P<line>\d+):\d+$",
    re.MULTILINE | re.DOTALL,
)
_END_OF_MESSAGE = re.compile(
    r"^(?:stack backtrace:|note: run with |note: Some details )", re.MULTILINE
)
_FRAME = re.compile(
    r"^ +\d+: (?P<name>[^\n]+)\n +at (?P<path>[^\n]+?):(?P<line>\d+)(?::\d+)?$",
    re.MULTILINE,
)
_SIDE = {
    "expected": re.compile(r"^ *right: ?`?(.*?)`?,?$", re.MULTILINE),
    "actual": re.compile(r"^ *left: ?`?(.*?)`?,?$", re.MULTILINE),
}


class Report:
    """One process's report; each line is written at once."""

    def __init__(self, plan, name):
        safe = re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:40]
        # Cargo runs one binary after the other: they are numbered as it takes them.
        before = sum(each.startswith("report-") for each in os.listdir(plan["outputs"]))
        path = os.path.join(plan["outputs"], "report-%04d-%s.jsonl" % (before, safe))
        self.file = open(path, "x", encoding="utf-8")
        self.write("start", token=plan["token"], epoch=time.time())

    def write(self, event, **fields):
        """One line."""
        self.file.write(json.dumps({"event": event, **fields}) + "\n")
        self.file.flush()

    def listed(self, ids):
        """What there is."""
        self.write("listed", ids=ids)

    def ended(self, test, began, outcome, seconds, **fields):
        """A test from beginning to end."""
        self.write("begin", id=test, at=began)
        self.write("end", id=test, outcome=outcome, seconds=max(0.0, seconds), **fields)

    def loaded(self, paths, workspace):
        """Which files were compiled in, as they are now."""
        for path in paths:
            try:
                with open(os.path.join(workspace, path), "rb") as file:
                    digest = hashlib.sha256(file.read()).hexdigest()
            except OSError:
                continue
            self.write("loaded", path=path, sha256=digest)

    def done(self):
        """The end, well reached."""
        self.write("done")


def failure(said, own, workspace, folder):
    """Type, message, both sides and frames of what a failed test printed.

    `own` is the test's name in its crate, `folder` where its crate was compiled. The
    place of a panic is relative to that, frames to where the binary runs: as this.
    """
    text = (
        said
        if len(said) <= KEPT
        else said[: KEPT // 2] + "\n[…]\n" + said[-KEPT // 2 :]
    )
    panic = _panic_of(said, own)
    if panic is None:
        first = next(
            (line for line in said.splitlines() if line.startswith("Error: ")), ""
        )
        kind = "Error" if first else "failure"
        return {"type": kind, "message": first[7:], "text": text, "frames": []}
    rest = said[panic.end() :]
    if "said" in panic.groupdict():
        message = panic["said"]
    else:
        end = _END_OF_MESSAGE.search(rest)
        message = rest[: end.start()] if end else rest[:4000]
    message = message.strip()[:4000]
    found = {"type": "panic", "message": message, "text": text}
    for side, pattern in _SIDE.items():
        match = pattern.search(message)
        if match is not None and "left" in message and "right" in message:
            found[side] = match[1][:2000]
    following = _PANIC.search(rest)
    trace = rest[: following.start()] if following else rest
    frames = list(_frames(trace, own, workspace))
    if not any(not os.path.isabs(path) for path, _, _ in frames):
        # Without debug information the place of the panic is all there is.
        frames.append(
            [place(panic["path"], workspace, folder), "", int(panic["line"][:7])]
        )
    found["frames"] = frames[-100:]
    return found


def _panic_of(said, own):
    panics = [*_PANIC.finditer(said)] or [*_OLD_PANIC.finditer(said)]
    of_test = [each for each in panics if each["thread"] == own]
    return next(iter(of_test or panics), None)


def _frames(text, own, workspace):
    for match in reversed(list(_FRAME.finditer(text[:200_000]))):
        path = match["path"]
        if path.startswith("/rustc/") or "/rustlib/src/rust/library/" in path:
            continue
        name = re.sub(r"::h[0-9a-f]{16}$", "", match["name"])
        name = re.sub(r"(::\{\{?(closure|async_[a-z_]+)[^}]*\}?\})+", "", name)
        name = re.sub(r"::<.*>$", "", name)[:1000]
        if own and name.partition("::")[2] == own:
            name = own.rpartition("::")[2]
        yield [place(path, workspace, os.getcwd()), name, int(match["line"][:7])]


def place(path, workspace, folder):
    """A path as a compiler gives it, relative to the workspace where it lies there."""
    full = os.path.normpath(os.path.join(folder, path))
    top = os.path.normpath(workspace) + os.sep
    return full[len(top) :] if full.startswith(top) else full
