"""Runs a crate's documentation tests through rustdoc and reports on each of them.

They are named `PATH - ITEM (line N)`. Lines shift with every edit, so an id counts the
examples of an item instead. rustdoc takes apart what it is given at blanks, so one of
them is chosen by words that fit no other: each runs in a process of its own anyway.
"""

import os
import re
import subprocess
import time

from fairtrial_libtest import Options
from fairtrial_rust_places import below
from fairtrial_rust_report import KEPT, failure

_NAME = re.compile(r"(?P<path>.+?) - (?P<item>.*?) ?\(line (?P<line>\d+)\)")
_RESULT = re.compile(
    r"test (?P<name>.+?)(?: - (?:should panic|compile fail|compile))?"
    r" \.\.\. (?P<outcome>ok|FAILED|failed|ignored)(?:, .*)?"
)
_COUNTS = re.compile(
    r"test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; .*"
)
_BLOCK = re.compile(r"running \d+ tests?")
_SECTION = re.compile(r"---- (.+) stdout ----")
_OUTCOMES = {
    "ok": "passed",
    "FAILED": "failed",
    "failed": "failed",
    "ignored": "skipped",
}


class Doctests:
    """One crate's documentation tests."""

    def __init__(self, plan, words, package):
        self.plan = plan
        self.package = package
        self.rustdoc, given = words[0], words[1:]
        self.own = []
        inner = []
        while given:
            word = given.pop(0)
            if word == "--test-args":
                inner += given.pop(0).split()
            elif word.startswith("--test-args="):
                inner += word.partition("=")[2].split()
            elif word in ("--test-runtool", "--test-runtool-arg"):
                # Ours, and no help here: rustdoc itself runs each in a process.
                given.pop(0)
            else:
                self.own.append(word)
        self.options = Options(inner)

    def _rustdoc(self, words):
        return [self.rustdoc, *self.own, *("--test-args=%s" % each for each in words)]

    def names(self):
        """Ids in the order of files and lines, each with rustdoc's own name."""
        done = subprocess.run(
            self._rustdoc(
                [*self.options.kept, *self.options.filters, "--list", "--format=terse"]
            ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            check=False,
        )
        if done.returncode != 0:
            return None
        lines = done.stdout.decode("utf-8", "replace").splitlines()
        found = []
        for line in lines:
            match = _NAME.fullmatch(line.rpartition(": ")[0])
            if match is not None and line.endswith(": test"):
                found.append(
                    (match["path"], match["item"], int(match["line"]), match[0])
                )
        ids, seen = {}, {}
        for path, item, _, name in sorted(found):
            file = (
                below(os.path.join(os.getcwd(), path), self.plan["workspace"]) or path
            )
            stem = "%s::%s (doc)%s" % (file, self.package, " " + item if item else "")
            seen[stem] = seen.get(stem, 0) + 1
            ids[stem if seen[stem] == 1 else "%s #%d" % (stem, seen[stem])] = name
        return ids

    def chosen(self, name, names):
        """Words for rustdoc that fit this name and no other of them; None: none do."""
        last = name.rpartition(" ")[2]
        others = [each for each in names if each != name and last in each]
        skipped = []
        for other in others:
            if any(word in other for word in skipped):
                continue
            words = [
                each
                for each in other.split()
                if each not in name and not each.startswith("-")
            ]
            if not words:
                return None
            skipped.append(max(words, key=len))
        return [last, *(word for each in skipped for word in ("--skip", each))]

    def run(self, words, ids, report):
        """Runs some of them; how many failed, or None where its report is no good."""
        threads = (
            ["--test-threads=%s" % self.options.threads] if self.options.threads else []
        )
        began = time.time()
        self.process = subprocess.Popen(
            self._rustdoc([*self.options.kept, *threads, *words]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        told, counts, sections, current = {}, 0, {}, None
        telling, twice = True, False
        for raw in self.process.stdout:
            line = raw.decode("utf-8", "replace").rstrip("\n")
            if _BLOCK.fullmatch(line):
                telling = True
            result = _RESULT.fullmatch(line) if telling else None
            header = _SECTION.fullmatch(line)
            if result is not None and result["name"] in ids:
                name = result["name"]
                twice = twice or name in told
                told[name] = _OUTCOMES[result["outcome"]], time.time()
                if told[name][0] != "failed":
                    report.ended(ids[name], began, told[name][0], told[name][1] - began)
            elif header is not None and header[1] in ids:
                telling, current = False, sections.setdefault(header[1], [])
            elif _COUNTS.fullmatch(line):
                counts += sum(int(each) for each in _COUNTS.fullmatch(line).groups())
            elif current is not None and sum(map(len, current)) < KEPT:
                current.append(line)
        code = self.process.wait()
        for name, (outcome, at) in told.items():
            if outcome == "failed":
                said = "\n".join(sections.get(name, []))
                found = failure(said, "main", self.plan["workspace"], os.getcwd())
                found["type"] = _kind(said, found["type"])
                # Where rustdoc compiled it has another name each time.
                found["frames"] = [_place(ids[name], name)]
                report.ended(ids[name], began, outcome, at - began, **found)
        failed = sum(1 for outcome, _ in told.values() if outcome == "failed")
        if twice or len(told) != len(ids) or (code != 0) != (failed > 0):
            return None
        # Since edition 2024 there are two blocks: of what was compiled together, and of
        # what was not. Each has its counts.
        return failed if counts == len(told) else None


def _place(test, name):
    return [test.partition("::")[0], "", int(_NAME.fullmatch(name)["line"])]


def _kind(said, kind):
    if "Couldn't compile the test." in said:
        return "CompileError"
    if "Test compiled successfully, but it's marked `compile_fail`." in said:
        return "compile_fail"
    return kind
