"""How what is the same of many tests is told once, and not for each of them.

One edit of a line that they share is one finding; so is what was only not measured in
the time that there was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from fairtrial.domain.report import Finding

#: Tests that are named beside the first; of the others only their number is told.
NAMED: Final = 3
#: How what time alone kept from being measured is told; it ends its sentence.
OUT_OF_TIME: Final = "the time for it ended before that"


def gathered(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, with those that say the same of several tests as one.

    The first of them stands for all, and tells how many more tests it is about.
    """
    groups: dict[object, list[Finding]] = {}
    for number, each in enumerate(findings):
        groups.setdefault(_said(each, number), []).append(each)
    for first, *others in groups.values():
        yield replace(first, because=f"{first.because}{_more(first, others)}")


def _said(finding: Finding, number: int) -> object:
    """What findings have to have in common to be told as one."""
    if finding.test is None or finding.effect is None:
        return number
    if _is_late(finding):
        return (finding.because, finding.effect, finding.category, finding.decision)
    if finding.line is None:
        return number
    return replace(finding, test=None, because="")


def _is_late(finding: Finding) -> bool:
    return finding.because.endswith(OUT_OF_TIME)


def _more(first: Finding, others: list[Finding]) -> str:
    if not others:
        return ""
    names = ", ".join(f"{each.test}" for each in others[:NAMED])
    unnamed = len(others) - NAMED
    rest = f" and {unnamed} more" if unnamed > 0 else ""
    whom = "another test" if len(others) == 1 else "others"
    what = "so it is for" if _is_late(first) else "the same line does this to"
    return f"; {what} {whom}: {names}{rest}"
