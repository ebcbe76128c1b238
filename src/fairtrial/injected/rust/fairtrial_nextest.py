"""Stands between nextest and each process of a test, and reports on it.

Usage: fairtrial_nextest.py binary PROGRAM ARGUMENT…   (as cargo's `runner`)
       fairtrial_nextest.py begin
       fairtrial_nextest.py finish CODE

The plan is `fairtrial_cargo`'s. nextest is told that each test passed, so that it stops
at none and tries none again; `finish` says how the run really ended. Where a trial asks
for chosen tests, no other runs, whatever filters the suite's own command has.
"""

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from fairtrial_cargo import clean, identity, mark, metadata
from fairtrial_libtest import ASKED_TO_TELL
from fairtrial_rust_places import Sources
from fairtrial_rust_report import Report, failure

_REPORT = "report-tests.jsonl"
_STARTED, _FAILED, _IGNORED = "started", "failed", "ignored"
#: Bytes of a test's output that are read: its beginning and its end.
_READ = 400_000


def main(mode, *words):
    """The exit code for nextest, or for the trial."""
    with open(os.environ["FAIRTRIAL_CARGO_PLAN"], encoding="utf-8") as file:
        plan = json.load(file)
    room = os.environ["FAIRTRIAL_CARGO_ROOM"]
    if mode == "begin":
        Shared.begin(plan)
        return 0
    if mode == "finish":
        return finish(plan, room, int(words[0]))
    mark(room, _STARTED)
    binary, words = words[0], words[1:]
    if "--list" in words:
        return listing(plan, room, binary, words)
    return of_test(plan, room, binary, words)


class Shared(Report):
    """The one report that all processes append to, a line at a time."""

    def __init__(self, plan):
        path = os.path.join(plan["outputs"], _REPORT)
        self.descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)

    @staticmethod
    def begin(plan):
        """Its first line."""
        with open(os.path.join(plan["outputs"], _REPORT), "x", encoding="utf-8"):
            pass
        Shared(plan).write("start", token=plan["token"], epoch=time.time())

    def write(self, event, **fields):
        """One line, in one piece."""
        line = json.dumps({"event": event, **fields}) + "\n"
        os.write(self.descriptor, line.encode("ascii"))


def finish(plan, room, code):
    """The trial's exit code, when ignored tests and the end were told."""
    report = Shared(plan)
    if plan["mode"] != "listed":
        ignored = []
        for name in sorted(os.listdir(room)):
            if name.startswith(_IGNORED):
                with open(os.path.join(room, name), encoding="utf-8") as file:
                    ignored += json.load(file)
        report.listed(ignored)
        if plan["mode"] == "whole":
            for test in ignored:
                if not os.path.exists(os.path.join(room, ran(test))):
                    report.ended(test, time.time(), "skipped", 0.0, reason="ignored")
    # 4 is nextest's word for: no test to run.
    if code in (0, 4):
        report.done()
    if code in (0, 4) and os.path.exists(os.path.join(room, _FAILED)):
        return 100
    return code


def listing(plan, room, binary, words):
    """Lets a binary list its tests to nextest, and keeps what it is."""
    done = subprocess.run([binary, *words], stdout=subprocess.PIPE, check=False)
    sys.stdout.buffer.write(done.stdout)
    sys.stdout.buffer.flush()
    if done.returncode != 0:
        return done.returncode
    unit, sources = identity(plan, room, binary)
    data = {"unit": unit, "root": sources.root, "files": sorted(sources.files)}
    data["top"] = metadata(room).get("workspace_root", plan["workspace"])
    with open(os.path.join(room, card(binary)), "w", encoding="utf-8") as file:
        json.dump(data, file)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    names = [line[: -len(": test")] for line in lines if line.endswith(": test")]
    ids = [id_of(plan, data, name) for name in names]
    report = Shared(plan)
    if "--ignored" in words:
        path = os.path.join(room, "%s-%s" % (_IGNORED, card(binary)))
        with open(path, "w", encoding="utf-8") as file:
            json.dump(ids, file)
        return 0
    if plan["mode"] == "listed":
        report.listed(ids)
    report.loaded(data["files"], plan["workspace"])
    return 0


def of_test(plan, room, binary, words):
    """Runs one test, as nextest would, and says how it ended."""
    with open(os.path.join(room, card(binary)), encoding="utf-8") as file:
        data = json.load(file)
    name = os.environ.get("NEXTEST_TEST_NAME") or next(
        each for each in words if not each.startswith("-")
    )
    test = id_of(plan, data, name)
    report = Shared(plan)
    if plan["mode"] == "list":
        report.listed([test])
        return 0
    if plan["mode"] == "listed" and test not in plan["tests"]:
        return 0
    if os.path.exists(os.path.join(room, ran(test))):
        # A second attempt would hide how the first one ended.
        return 0
    mark(room, ran(test))
    if plan["mode"] == "whole":
        report.listed([test])
    began = time.time()
    report.write("begin", id=test, at=began)
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [binary, *words],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            env=clean(),
        )

        def late(*_):
            mark(room, _FAILED)
            process.kill()
            report.write(
                "end",
                id=test,
                outcome="timed_out",
                seconds=time.time() - began,
                type="Timeout",
                message="it took longer than it may",
            )
            os._exit(0)

        # nextest's own limit comes as SIGTERM, the trial's as the watch's signal.
        signal.signal(signal.SIGTERM, late)
        signal.signal(ASKED_TO_TELL, late)
        code = process.wait()
        seconds = time.time() - began
        text = printed(said)
    if code == 0:
        report.write("end", id=test, outcome="passed", seconds=seconds)
        return 0
    mark(room, _FAILED)
    found = failure(text, name, plan["workspace"], data["top"])
    if code < 0:
        found = {**found, "type": "Crash", "message": "ended by signal %d" % -code}
    elif "note: test did not panic as expected" in text:
        found["type"] = "should_panic"
    outcome = "crashed" if code < 0 else "failed"
    report.write("end", id=test, outcome=outcome, seconds=seconds, **found)
    return 0


def printed(file):
    """The beginning and the end of what a test printed."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    text = file.read(_READ)
    if size > 2 * _READ:
        file.seek(size - _READ)
    text += file.read(_READ)
    return text.decode("utf-8", "replace")


def id_of(plan, data, name):
    """A test's id."""
    sources = Sources(plan["workspace"], data["root"], data["files"])
    return "%s::%s %s" % (sources.file_of(name), data["unit"], name)


def card(binary):
    """Under which name the room keeps what a binary is."""
    return "binary-%s" % hashlib.sha256(binary.encode()).hexdigest()[:32]


def ran(test):
    """Under which name the room keeps that a test ran."""
    return "ran-%s" % hashlib.sha256(test.encode()).hexdigest()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
