"""Splits conftest.py: what steers pytest, and the fixtures and helpers beside it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters.conftest_control import bound, is_control, used
from fairtrial.trees.splitters.tables import CannotSplit

OWNER: Final = PathClass.TEST

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unit:
    """Whole lines that hold one statement, with the comments above."""

    text: str
    #: What the lines mean, whatever their layout.
    meaning: str
    control: bool
    binds: frozenset[str]
    uses: frozenset[str]


def parts(text: str) -> Mapping[PathClass, object]:
    """The statements of each class, comparable; raises CannotSplit."""
    units, _ = _units(text)
    return {
        PathClass.CONTROL: tuple(one.meaning for one in units if one.control),
        PathClass.TEST: tuple(one.meaning for one in units if not one.control),
    }


def compose(texts: Callable[[PathClass], str]) -> str:
    """The tests' file with the control part of the other text, each in its place.

    What that control part needs and only its own file defines comes with it. Raises
    CannotSplit where either can't be read.
    """
    ground_text, other_text = texts(PathClass.TEST), texts(PathClass.CONTROL)
    control = parts(other_text)[PathClass.CONTROL]
    if parts(ground_text)[PathClass.CONTROL] == control:
        return ground_text
    ground, tail = _units(ground_text)
    other, _ = _units(other_text)
    brought = _brought(ground, other)
    matcher = SequenceMatcher(
        a=[one.meaning for one in ground],
        b=[one.meaning for one in other],
        autojunk=False,
    )
    kept: list[str] = []
    for tag, first, last, other_first, other_last in matcher.get_opcodes():
        here = ground[first:last]
        if tag == "equal":
            kept += [one.text for one in here]
            continue
        kept += [one.text for one in here if not one.control]
        there = range(other_first, other_last)
        kept += [other[at].text for at in there if other[at].control or at in brought]
    text = "".join(one if one.endswith(("\n", "\r")) else one + "\n" for one in kept)
    text += tail
    if parts(text)[PathClass.CONTROL] != control:
        raise CannotSplit("its hooks can't be put into the other side's file")
    return text


def _brought(ground: Sequence[_Unit], other: Sequence[_Unit]) -> frozenset[int]:
    """Which of the other file's plain statements its control part can't do without."""
    present = frozenset[str]().union(*(one.binds for one in ground if not one.control))
    chosen = {at for at, one in enumerate(other) if one.control}
    while True:
        defined = present.union(*(other[at].binds for at in chosen))
        needed = frozenset[str]().union(*(other[at].uses for at in chosen)) - defined
        more = {at for at, one in enumerate(other) if one.binds & needed} - chosen
        if not more:
            return frozenset(at for at in chosen if not other[at].control)
        chosen |= more


def _units(text: str) -> tuple[list[_Unit], str]:
    """The statements of a file in order, and what stands after the last one."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as wrong:
        raise CannotSplit(f"Python can't read it: {wrong}") from wrong
    lines = _LINE.findall(text)
    units: list[_Unit] = []
    done = 0
    for group in _by_lines(body):
        end = max(node.end_lineno or node.lineno for node in group)
        units.append(
            _Unit(
                text="".join(lines[done:end]),
                meaning="\n".join(ast.dump(node) for node in group),
                control=any(is_control(node) for node in group),
                binds=frozenset[str]().union(*(bound(node) for node in group)),
                uses=frozenset[str]().union(*(used(node) for node in group)),
            )
        )
        done = end
    return units, "".join(lines[done:])


def _by_lines(body: Sequence[ast.stmt]) -> list[list[ast.stmt]]:
    """Statements that share a line can only go together."""
    groups: list[list[ast.stmt]] = []
    last = 0
    for node in body:
        if groups and node.lineno <= last:
            groups[-1].append(node)
        else:
            groups.append([node])
        last = max(last, node.end_lineno or node.lineno)
    return groups
