"""How one edit of what many tests share is told once, and not for each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from fairtrial.domain.report import Finding

#: Tests that are named beside the first; of the others only their number is told.
NAMED: Final = 3


def gathered(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, with those of one line of shared code and one effect as one.

    The first of them stands for all, and tells how many more tests it is about.
    """
    groups: dict[object, list[Finding]] = {}
    for number, each in enumerate(findings):
        shared = each.line is not None and each.test is not None and each.effect
        key = replace(each, test=None, because="") if shared else number
        groups.setdefault(key, []).append(each)
    for first, *others in groups.values():
        yield replace(first, because=f"{first.because}{_more(others)}")


def _more(others: list[Finding]) -> str:
    if not others:
        return ""
    names = ", ".join(f"{each.test}" for each in others[:NAMED])
    unnamed = len(others) - NAMED
    rest = f" and {unnamed} more" if unnamed > 0 else ""
    whom = "another test" if len(others) == 1 else "others"
    return f"; the same line does this to {whom}: {names}{rest}"
