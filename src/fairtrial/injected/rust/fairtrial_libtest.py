"""Runs one test binary of libtest and reports on each of its tests.

libtest writes JSON only where it takes itself for a nightly one, which the variable
RUSTC_BOOTSTRAP lets it do on every channel; it is set for the binary alone. Raw output
of a test may stand before an event on its line, and may look like one: what was
reported twice, for no test of the list, or against the final counts is a fault.
"""

import json
import os
import signal
import subprocess
import threading
import time

from fairtrial_rust_report import failure

#: Options of libtest whose next word is their value.
_VALUED = {
    "--skip",
    "--test-threads",
    "--color",
    "--format",
    "--logfile",
    "--shuffle-seed",
    "-Z",
}
#: Those that are kept of the suite's own; all else is a filter, or says how to print.
_KEPT = {
    "--ignored",
    "--include-ignored",
    "--test",
    "--bench",
    "--exclude-should-panic",
    "--force-run-in-process",
}
_JSON = ("-Z", "unstable-options", "--format", "json")
_BEGIN = '{ "type": "'
_OUTCOMES = {"ok": "passed", "failed": "failed", "ignored": "skipped"}
#: Bytes of a binary's standard error that are kept for a crash.
_TAIL = 20_000
#: What its own exit code is when a test failed.
_FAILED = 101


class Options:
    """The suite's own words behind `--`, sorted by what they mean."""

    def __init__(self, words):
        self.filters, self.kept, self.threads = [], [], None
        words = list(words)
        while words:
            word = words.pop(0)
            name, equals, value = word.partition("=")
            if not word.startswith("-"):
                self.filters.append(word)
                continue
            if name in _VALUED and not equals:
                value = words.pop(0) if words else ""
            if name == "--skip":
                self.filters += ["--skip", value]
            elif name == "--test-threads":
                self.threads = value
            elif name == "--exact":
                self.filters.append(name)
            elif name in _KEPT:
                self.kept.append(word)


def is_libtest(binary):
    """Whether a binary has libtest's own main; others are one test as a whole."""
    with open(binary, "rb") as file:
        rest = b""
        while chunk := file.read(1 << 20):
            if b"RUST_TEST_NOCAPTURE" in rest + chunk:
                return True
            rest = chunk[-32:]
    return False


def names(binary, options):
    """The tests that a binary has; None where it tells none."""
    words = [binary, *options.kept, *options.filters, "--list", "--format", "terse"]
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False
    )
    if done.returncode != 0:
        return None
    found = []
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        name, colon, kind = line.rpartition(": ")
        if colon and kind in ("test", "benchmark"):
            found.append(name)
    return found


class Run:
    """One process of a binary."""

    def __init__(self, binary, words, env):
        self.words = [binary, *words, *_JSON]
        self.env = {**env, "RUSTC_BOOTSTRAP": "1"}
        self.begun = {}
        self.faults = []
        self.finished = None
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}
        self.ended = set()
        self.stderr = b""
        self.process = None

    def events(self):
        """Each test's end as it happens: name, began, outcome, seconds, the event."""
        self.process = subprocess.Popen(
            self.words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.env,
        )
        reader = threading.Thread(target=self._keep_errors, daemon=True)
        reader.start()
        for line in self.process.stdout:
            event = _event(line)
            if event is not None:
                yield from self._take(event)
        code = self.process.wait()
        # A process that a test left running may hold the pipe open.
        reader.join(1.0)
        self._close(code)

    def _keep_errors(self):
        while chunk := os.read(self.process.stderr.fileno(), 65536):
            self.stderr = (self.stderr + chunk)[-_TAIL:]
            try:
                os.write(2, chunk)
            except OSError:
                pass

    def _take(self, event):
        kind, what = event.get("type"), event.get("event")
        if kind == "suite" and what in ("ok", "failed"):
            if self.finished is not None:
                self.faults.append("the binary came to its end twice")
            self.finished = event
        elif kind == "test" and what == "started":
            self.begun.setdefault(event.get("name"), time.time())
        elif kind == "test" and what in _OUTCOMES:
            name, outcome = event.get("name"), _OUTCOMES[what]
            if (
                name in self.ended
                or self.finished is not None
                or name not in self.begun
            ):
                self.faults.append("%r was reported out of turn" % (name,))
                return
            self.ended.add(name)
            self.counts[outcome] += 1
            began = self.begun.pop(name)
            yield name, began, outcome, time.time() - began, event

    def _close(self, code):
        self.code = code
        if self.finished is None:
            return
        told = {
            "passed": self.finished.get("passed"),
            "failed": self.finished.get("failed"),
            "skipped": self.finished.get("ignored"),
        }
        if told != self.counts:
            self.faults.append("its tests do not add up to the counts at its end")
        if code != (_FAILED if self.counts["failed"] else 0):
            self.faults.append(
                "it exited with %d, which its tests do not explain" % code
            )

    def culprit(self, alone):
        """Which of the running tests took the process with it.

        Its threads' last words name it, or it is the only one; else each is asked
        `alone` whether it ends its process.
        """
        running = list(self.begun)
        if len(running) <= 1:
            return next(iter(running), None)
        said = self.stderr.decode("utf-8", "replace")
        named = [each for each in running if "thread '%s'" % each in said]
        if len(named) == 1:
            return named[0]
        return next((each for each in running if alone(each)), running[-1])

    def kill(self):
        """Ends the binary."""
        if self.process is not None:
            self.process.kill()


def _event(line):
    """The event that a line ends with; what a test printed may stand before it."""
    text = line.decode("utf-8", "replace").rstrip("\n")
    at = text.find(_BEGIN)
    while at >= 0:
        try:
            event = json.loads(text[at:])
        except (ValueError, RecursionError):
            at = text.find(_BEGIN, at + 1)
            continue
        return event if isinstance(event, dict) else None
    return None


def detail(run, event, own, workspace, folder):
    """The fields of a test's end that tell what went wrong, or why it was left out."""
    if event.get("event") == "ignored":
        return {"reason": str(event.get("message") or "ignored")[:1000]}
    if event.get("event") == "ok":
        return {}
    found = failure(str(event.get("stdout") or ""), own, workspace, folder)
    if event.get("message"):
        note = str(event["message"])[:4000]
        # What should have panicked and did not, or panicked with something else.
        found = {**found, "type": "should_panic", "message": note}
    return found


def dies_alone(binary, env):
    """A question to one test: whether it ends a process that holds nothing else."""

    def asked(name):
        run = Run(
            binary, [name, "--exact", "--include-ignored", "--test-threads=1"], env
        )
        clock = threading.Timer(30.0, run.kill)
        clock.start()
        try:
            for _ in run.events():
                pass
        finally:
            clock.cancel()
        return run.finished is None

    return asked


#: The watch sends it before it ends a run; whoever does not know it is not disturbed.
ASKED_TO_TELL = signal.SIGURG
