"""What a JUnit XML report says of each case, in any dialect and however hostile.

The report is streamed, so that 100,000 cases cost little memory; junitparser's objects
are made for the cases that hold more than a bare pass, and go no further than here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element
from xml.parsers import expat

from junitparser import xunit2

#: A larger report is refused; 100,000 cases of pytest take about 12 MB.
SIZE_LIMIT: Final = 512 * 1024 * 1024
#: Deeper than any emitter nests.
DEPTH_LIMIT: Final = 64
#: Of one text node, the rest is dropped.
TEXT_LIMIT: Final = 20_000
#: Words of emitters for "was not run at all", which junitparser reads as passed.
_NOT_RUN: Final = frozenset({"notrun", "suppressed", "disabled", "not run"})
_ILLEGAL: Final = re.compile(
    "[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
    "|&#(?:0*(?:[0-8]|1[124-9]|2[0-9]|3[01])|x0*(?:[0-8bcefBCEF]|1[0-9a-fA-F]));"
)


class CaseOutcome(IntEnum):
    """How a case ended; of several results of one case the heaviest counts."""

    PASSED = 0
    SKIPPED = 1
    #: Listed by the emitter and not run.
    NOT_RUN = 2
    #: Failed first and passed when repeated.
    FLAKY = 3
    FAILED = 4
    ERROR = 5


class Case(NamedTuple):
    """One test case; seconds, the file and the failure's kind as the emitter says."""

    suite: str
    classname: str
    name: str
    outcome: CaseOutcome
    message: str
    seconds: float
    file: str = ""
    kind: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JUnitReport:
    """All cases of one report, in its order."""

    cases: tuple[Case, ...]
    #: Where a suite's own counters tell of more failures or errors than its cases.
    worse_counters: tuple[str, ...] = ()
    #: How many more tests the counters tell of than there are cases.
    lost_cases: int = 0
    #: The report held characters that XML forbids; they were taken out.
    sanitised: bool = False


class UnreadableReport(Exception):  # noqa: N818 - said as people say it
    """Not a report, a truncated one, or one that no parser should touch."""


def read_junit(data: bytes) -> JUnitReport:
    """The report that the bytes hold; raises UnreadableReport.

    A report that breaks XML's rules for characters gets one more reading without
    them; one that declares a document type is refused, since entities can be bombs.
    """
    if len(data) > SIZE_LIMIT:
        raise UnreadableReport(f"the report is larger than {SIZE_LIMIT} bytes")
    try:
        return _Reading().read(data, sanitised=False)
    except expat.ExpatError:
        text = data.decode("utf-8", "replace")
        clean = _ILLEGAL.sub("", text).encode("utf-8", "replace")
    if clean == data:
        raise UnreadableReport("the report is truncated or no XML")
    try:
        return _Reading().read(clean, sanitised=True)
    except expat.ExpatError as error:
        raise UnreadableReport("the report is truncated or no XML") from error


class _Suite:
    """Counts of one open suite, with those of the suites inside it."""

    __slots__ = ("bad", "cases", "counters", "name")

    def __init__(self, name: str, attributes: Mapping[str, str]) -> None:
        self.name = name
        self.counters = {
            key: _count(attributes.get(key)) for key in ("tests", "failures", "errors")
        }
        self.cases = self.bad = 0


class _Reading:
    """One pass over one report."""

    def __init__(self) -> None:
        self.cases: list[Case] = []
        self.suites: list[_Suite] = []
        self.open: list[Element] = []
        self.depth = 0
        self.kept = 0
        self.worse: list[str] = []
        self.lost = 0

    def read(self, data: bytes, *, sanitised: bool) -> JUnitReport:
        # Whatever encoding a report declares: it may name any codec of Python's.
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse_doctype
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.text
        parser.Parse(data, True)
        return JUnitReport(
            cases=tuple(self.cases),
            worse_counters=tuple(self.worse),
            lost_cases=self.lost,
            sanitised=sanitised,
        )

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise UnreadableReport(f"the report nests deeper than {DEPTH_LIMIT}")
        tag = tag.rpartition(":")[2]
        if self.depth == 1 and tag not in {"testsuites", "testsuite"}:
            raise UnreadableReport(f"the report's root is <{tag[:40]}>")
        if self.open:
            element = Element(tag, attributes)
            self.open[-1].append(element)
            self.open.append(element)
        elif tag == "testcase":
            self.open.append(Element(tag, attributes))
        elif tag in {"testsuite", "testsuites"}:
            self.suites.append(_Suite(attributes.get("name", ""), attributes))
        self.kept = 0

    def text(self, data: str) -> None:
        if self.open and self.kept < TEXT_LIMIT:
            # Text after a child is of no use here, and a tail would be lost anyway.
            part = data[: TEXT_LIMIT - self.kept]
            self.kept += len(part)
            self.open[-1].text = (self.open[-1].text or "") + part

    def end(self, tag: str) -> None:
        self.depth -= 1
        if self.open:
            element = self.open.pop()
            if not self.open:
                self.case(element)
        elif tag.rpartition(":")[2] in {"testsuite", "testsuites"}:
            self.close(self.suites.pop())

    def case(self, element: Element) -> None:
        suite = self.suites[-1]
        found = element.attrib
        judged = _Judged(CaseOutcome.PASSED, "", "", "", 0)
        if len(element) or "status" in found or "result" in found:
            judged = _judged(element)
            suite.bad += judged.bad
        suite.cases += 1
        self.cases.append(
            Case(
                suite.name,
                found.get("classname", ""),
                found.get("name", ""),
                judged.outcome,
                judged.message,
                _seconds(found.get("time")),
                found.get("file", ""),
                judged.kind,
                judged.text,
            )
        )

    def close(self, suite: _Suite) -> None:
        told = suite.counters["failures"] + suite.counters["errors"]
        if told > suite.bad:
            self.worse.append(
                f"suite {suite.name!r} counts {told} failures and errors,"
                f" its cases show {suite.bad}"
            )
        self.lost = max(self.lost, suite.counters["tests"] - suite.cases)
        if self.suites:
            self.suites[-1].cases += suite.cases
            self.suites[-1].bad += suite.bad


def _refuse_doctype(*_: object) -> None:
    raise UnreadableReport("the report declares a document type")


class _Judged(NamedTuple):
    """The heaviest result of a case, and how many failed results it has."""

    outcome: CaseOutcome
    message: str
    kind: str
    text: str
    bad: int


def _judged(element: Element) -> _Judged:
    case = xunit2.TestCase()
    case._elem = element  # noqa: SLF001 - what its own untyped `fromelem` does
    outcome, message, kind, text, bad = CaseOutcome.PASSED, "", "", "", 0
    for result in (*case.interim_result, *case.result):
        found = _OUTCOMES[result._elem.tag]  # noqa: SLF001 - its only name for the kind
        bad += found >= CaseOutcome.FAILED
        if found > outcome:
            outcome, kind, text = found, result.type or "", result.text or ""
            message = result.message or text
    words = {element.get("status", "").lower(), element.get("result", "").lower()}
    if words & _NOT_RUN:
        outcome = max(outcome, CaseOutcome.NOT_RUN)
    if "fail" in words or "failed" in words:
        outcome = max(outcome, CaseOutcome.FAILED)
    return _Judged(outcome, message, kind, text, bad)


_OUTCOMES: Final = {
    "failure": CaseOutcome.FAILED,
    "error": CaseOutcome.ERROR,
    "skipped": CaseOutcome.SKIPPED,
    "flakyFailure": CaseOutcome.FLAKY,
    "flakyError": CaseOutcome.FLAKY,
    "rerunFailure": CaseOutcome.FLAKY,
    "rerunError": CaseOutcome.FLAKY,
}


def _count(value: str | None) -> int:
    """A counter; anything that is no count is none."""
    text = (value or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0  # noqa: PLR2004 - a count of ten digits is none


def _seconds(value: str | None) -> float:
    try:
        seconds = float((value or "0").replace(",", ""))
    except ValueError:
        return 0.0
    return seconds if 0 <= seconds < 1e9 else 0.0  # noqa: PLR2004 - rejects infinities
