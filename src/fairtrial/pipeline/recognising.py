"""Whether changed production looks as if it recognised the tests: told, never decided.

Code that behaves well whenever it is tried can't be seen by an experiment. So its
source is looked at, and what looks like it is a notice for whoever reviews.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairtrial.domain.decisions import Blame, Decision
from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import PRODUCTION_CLASSES, PathClass
from fairtrial.domain.report import Finding
from fairtrial.integrity.recognition import sources as recognition
from fairtrial.integrity.recognition.sources import Recognised, SourceChange
from fairtrial.pipeline.brief import Brief
from fairtrial.trees.listing import bytes_of

RULE: Final = "production-recognises-test"

#: Told one by one; the rest is counted.
_SHOWN: Final = 20
#: Bytes of all tests whose literals are read; larger suites are read in part.
_READ: Final = 30_000_000


def recognition_findings(brief: Brief) -> Iterator[Finding]:
    """A notice for each added line of production that looks like it; heuristic."""
    changes = tuple(_changes(brief))
    found = [*recognition.recognised(changes)]
    if recognition.may_special_case(changes):
        found += recognition.special_cased(changes, _test_literals(brief))
    found.sort(key=lambda each: (each.path, each.line))
    for each in found[:_SHOWN]:
        yield _finding(each)
    if len(found) > _SHOWN:
        yield Finding(
            rule=RULE,
            decision=Decision.PASS,
            effect="unmeasured",
            because=f"heuristic: {len(found) - _SHOWN} more lines look like it",
        )


def _finding(found: Recognised) -> Finding:
    return Finding(
        rule=RULE,
        path=found.path,
        line=found.line,
        change=found.rule,
        now=found.text,
        decision=Decision.PASS,
        side=Blame.UNKNOWN,
        effect="unmeasured",
        because=(
            f"heuristic: {found.why}; no experiment can show whether production "
            "behaves otherwise where it is not tested"
        ),
    )


def _changes(brief: Brief) -> Iterator[SourceChange]:
    paths = {
        change.path: None
        for change in brief.subject.changed
        if change.path_class in PRODUCTION_CLASSES
    }
    for path in paths:
        if recognition.is_read(path):
            base, head = brief.read(path)
            yield SourceChange(path=path, base=_text(base), head=_text(head))


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "replace")


def _test_literals(brief: Brief) -> frozenset[str]:
    """What the tests of both sides hold, since either may be what is recognised."""
    sides, rules = brief.subject.sides, brief.subject.rules
    found: set[str] = set()
    left = _READ
    for listing in (sides.head, sides.base):
        for path, entry in listing.items():
            same = listing is sides.base and sides.head.get(path) == entry
            if same or not entry.is_file or not recognition.is_read(path):
                continue
            if rules.classify(RepoPath(path)).path_class is not PathClass.TEST:
                continue
            data = bytes_of(entry, sides.read)
            left -= len(data)
            if left < 0:
                return frozenset(found)
            found |= recognition.literals_of(path, data.decode("utf-8", "replace"))
    return frozenset(found)
