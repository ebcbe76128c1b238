"""Whether pytest's own JUnit report says the same as the plugin's events."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from fairtrial.domain.trials import Places, TrialOutput
from fairtrial.runners.junit import (
    CaseOutcome,
    JUnitReport,
    UnreadableReport,
    read_junit,
)
from fairtrial.runners.reports.events import Process, TestRun
from fairtrial.runners.reports.run import Run

_FILE: Final = re.compile(r"junit-(main-\d{1,10})\.xml")
#: What pytest writes in place of a character that XML forbids.
_ILLEGAL: Final = re.compile(
    "[^\t\n\r -~\x80-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)

Key = tuple[str, str]


class Said(IntEnum):
    """What a report says of a test; of several sayings the heaviest counts."""

    PASSED = 0
    SKIPPED = 1
    FAILED = 2

    @property
    def word(self) -> str:
        """As a sentence says it."""
        return self.name.lower()


def junit_disagreements(run: Run, output: TrialOutput, places: Places) -> Iterator[str]:
    """Why the two reports can't both be true; nothing where they agree.

    A process that died wrote no JUnit report; one that came to its end did.
    """
    for process in run.processes:
        name = f"junit-{process.stem}.xml"
        due = process.worker == "main" and process.junit and process.finished
        if due and name not in output.files:
            yield "pytest's JUnit report is missing, though pytest came to its end"
    for name, data in sorted(output.files.items()):
        matched = _FILE.fullmatch(name)
        if matched is None:
            continue
        main = next((p for p in run.processes if p.stem == matched.group(1)), None)
        if main is None or not main.finished:
            continue
        try:
            report = read_junit(data)
        except UnreadableReport as error:
            yield f"pytest's JUnit report can't be read: {error}"
            continue
        yield from (f"pytest's JUnit report: {it}" for it in report.worse_counters)
        workers = [p for p in run.processes if p.worker != "main"]
        if workers and sum(p.worker == "main" for p in run.processes) > 1:
            continue  # nothing tells whose workers they are
        yield from _differences(report, _Witnessed(main, workers or [main], places))


class _Witnessed:
    """What the events say of the tests that one JUnit report is about."""

    def __init__(self, main: Process, processes: list[Process], places: Places) -> None:
        self.tests: dict[Key, str] = {}
        self.said: dict[Key, Said] = {}
        #: Tests whose report may say that they were skipped: a part of them was.
        self.in_part: set[Key] = set()
        #: What stands in the JUnit report half, without a name, or as a file.
        self.unsettled: set[Key] = {("", "")}
        for run in (run for process in processes for run in process.runs):
            key = junit_key(run.test, main, places)
            self.tests[key] = run.test
            self.said[key] = max(self.said.get(key, Said.PASSED), _said(run))
            if not run.complete:
                self.unsettled.add(key)
            if any(each.subtest and each.outcome == "skipped" for each in run.phases):
                self.in_part.add(key)
        for process in (main, *processes):
            for file in (*process.uncollectable, *process.skipped_files):
                self.unsettled.add(junit_key(file, main, places))


def _differences(report: JUnitReport, seen: _Witnessed) -> Iterator[str]:
    told: dict[Key, Said] = {}
    for case in report.cases:
        key = case.classname, case.name
        if key not in seen.unsettled:
            told[key] = max(told.get(key, Said.PASSED), _SAID[case.outcome])
    said = {key: each for key, each in seen.said.items() if key not in seen.unsettled}
    for key in told.keys() & said.keys():
        in_part = told[key] is Said.SKIPPED and key in seen.in_part
        if told[key] != said[key] and not in_part:
            yield (
                f"{seen.tests[key]}: pytest's JUnit report says {told[key].word},"
                f" the plugin saw {said[key].word}"
            )
    # Tests may give their cases other names; then only the sums can be compared.
    left = Counter(each for key, each in told.items() if key not in said)
    right = Counter(each for key, each in said.items() if key not in told)
    if left != right:
        has, saw = _sum(left), _sum(right)
        yield f"pytest's JUnit report has {has} where the plugin saw {saw}"


def _sum(words: Counter[Said]) -> str:
    found = sorted(words.items())
    return ", ".join(f"{count} {said.word}" for said, count in found) or "nothing"


_SAID: Final = {
    CaseOutcome.PASSED: Said.PASSED,
    CaseOutcome.SKIPPED: Said.SKIPPED,
    CaseOutcome.NOT_RUN: Said.SKIPPED,
    CaseOutcome.FLAKY: Said.FAILED,
    CaseOutcome.FAILED: Said.FAILED,
    CaseOutcome.ERROR: Said.FAILED,
}


def _said(run: TestRun) -> Said:
    if not run.complete or any(each.outcome == "failed" for each in run.phases):
        return Said.FAILED
    if any(each.outcome == "skipped" and not each.subtest for each in run.phases):
        return Said.SKIPPED
    return Said.PASSED


def junit_key(test: str, main: Process, places: Places) -> Key:
    """The class name and name that pytest's JUnit report gives a test."""
    above = main.rootdir.removeprefix(str(places.workspace)).strip("/")
    local = test.removeprefix(f"{above}/") if above else test
    address, bracket, parameters = local.partition("[")
    parts = address.split("::")
    parts[0] = re.sub(r"\.py$", "", parts[0].replace("/", "."))
    name = parts[-1] + bracket + parameters
    return ".".join(parts[:-1]), _ILLEGAL.sub(_escaped, name)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"#x{code:02X}" if code <= 0xFF else f"#x{code:04X}"  # noqa: PLR2004 - as pytest does
