"""What the decorators and markers of a Python test demand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from fairtrial.domain.demands import Aspect, Demand, Source
from fairtrial.integrity.reading.python import rows as tables
from fairtrial.integrity.reading.python.literals import plain_string
from fairtrial.integrity.reading.python.mocks import stand_in
from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.text import (
    arguments,
    blanked,
    callee,
    render,
    text_of,
)
from fairtrial.integrity.reading.python.tree import Node
from fairtrial.integrity.reading.python.truth import truth
from fairtrial.integrity.syntax import one_line

SKIPS: Final = re.compile(r"(^|\.)_*skip\w*$")
EXPECTED_FAILURES: Final = re.compile(r"(^|\.)(xfail|expectedFailure)$")
RETRIES: Final = re.compile(r"(^|\.)(flaky|reruns?|retry|retries|rerun_if\w*)$")
TIMEOUTS: Final = re.compile(r"(^|\.)(timeout|func_set_timeout|fail_after)$")
GIVEN: Final = re.compile(r"^hypothesis\.(given|example|settings|seed)\b")
#: What changes nothing of what a test does.
MARKER: Final = re.compile(
    r"(^|\.)mark\.\w+$|^(staticmethod|classmethod|property)$"
    r"|^(typing|typing_extensions)\.\w+$|^(contextlib\.\w+|functools\.wraps)$"
)
FIXTURES: Final = re.compile(r"(^|\.)(yield_)?fixture$")
ALWAYS: Final = "always"


@dataclass(slots=True, kw_only=True)
class Marked:
    """What markers amount to."""

    demands: list[Demand] = field(default_factory=list)
    #: Names of fixtures that a marker asks for.
    fixtures: set[str] = field(default_factory=set)
    #: Parameters that rows give values to.
    filled: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One marker while it is read."""

    node: Node
    name: str
    scope: Scope
    into: Marked
    #: The row that it marks; "" where it marks the test.
    row: str

    @property
    def placed(self) -> list[Node]:
        """Its arguments by place."""
        return arguments(self.node)[0] if self.node.kind == "call" else []

    @property
    def named(self) -> dict[str, Node]:
        """Its arguments by name."""
        return arguments(self.node)[1] if self.node.kind == "call" else {}

    @property
    def word(self) -> str:
        """The last part of its name."""
        return self.name.rpartition(".")[2]

    @property
    def all(self) -> str:
        """All its arguments, in brackets; "" without a call."""
        if self.node.kind != "call":
            return ""
        return text_of(self.node, self.scope)[len(self.name) :]

    def add(self, aspect: Aspect, node: Node | None = None, **said: str) -> None:
        """Note a demand."""
        self.into.demands.append(demand_at(aspect, node or self.node, **said))


def read_markers(nodes: Iterable[Node], scope: Scope) -> Marked:
    """What decorators, or the items of a `pytestmark`, demand."""
    marked = Marked()
    for node in nodes:
        _marker(node, scope, marked, "")
    return marked


def listed(node: Node, scope: Scope) -> list[Node]:
    """The markers of a `pytestmark`: one, or a list of them."""
    found = tables.items(node, scope)
    return [node] if found is None else found


def demand_at(aspect: Aspect, node: Node, **said: str) -> Demand:
    """A demand with its place and text."""
    return Demand(
        aspect=aspect,
        subject=said.get("subject", ""),
        inputs=said.get("inputs", ""),
        expected=said.get("expected", ""),
        guard=said.get("guard", ""),
        source=Source.LITERAL,
        text=one_line(node.text),
        line=node.line,
    )


def condition_of(node: Node, scope: Scope, *, holds: bool = True) -> str | None:
    """A condition's text: "always" where it always holds, None where it never does."""
    value = scope.marker(node)
    fixed = truth(value, scope)
    text = plain_string(value)
    if text is not None:
        # A string is evaluated by pytest when the test is run.
        fixed = {"True": True, "1": True, "False": False, "0": False}.get(text.strip())
    if fixed is not None:
        return ALWAYS if fixed is holds else None
    shown = text_of(value, scope) if text is None else text
    return shown if holds else f"not {shown}"


def _marker(node: Node, scope: Scope, marked: Marked, row: str) -> None:
    node = scope.marker(node)
    name = callee(node, scope) or text_of(node, scope)
    mark = Mark(node=node, name=name, scope=scope, into=marked, row=row)
    for pattern, read in READERS:
        if pattern.search(name):
            read(mark)
            return
    replaced = stand_in(node, scope)
    if replaced is not None:
        mark.add(Aspect.MOCK, subject=replaced.target, expected=replaced.value)
    elif mark.all or not MARKER.search(name):
        # A marker alone is a name; arguments, and what wraps the test, are more.
        subject, inputs = blanked(render(node, scope))
        mark.add(Aspect.ARRANGEMENT, subject=f"@{subject}", inputs=inputs)


def _skip(mark: Mark) -> None:
    condition = ALWAYS
    if mark.word in {"skipif", "skipIf", "skipUnless"}:
        placed = mark.placed if mark.word == "skipif" else mark.placed[:1]
        given = placed or [
            mark.named[name] for name in ("condition",) if name in mark.named
        ]
        holds = mark.word != "skipUnless"
        told = [condition_of(each, mark.scope, holds=holds) for each in given]
        known = [each for each in told if each is not None]
        if told and not known:
            return
        condition = ALWAYS if ALWAYS in known or not told else " or ".join(known)
    elif mark.word != "skip":
        condition = f"{mark.word}{mark.all}"
    mark.add(Aspect.SKIP, subject="skip", inputs=mark.row, expected=condition)


def _failure(mark: Mark) -> None:
    given = mark.placed[0] if mark.placed else mark.named.get("condition")
    condition = ALWAYS if given is None else condition_of(given, mark.scope)
    if condition is None:
        return
    details = [
        f"{word}={text_of(mark.named[word], mark.scope)}"
        for word in ("raises", "run", "strict")
        if word in mark.named
    ]
    inputs = ", ".join([mark.row, *details] if mark.row else details)
    mark.add(Aspect.SKIP, subject="xfail", inputs=inputs, expected=condition)


def _parametrized(mark: Mark) -> None:
    placed, named, scope = mark.placed, mark.named, mark.scope
    argnames = placed[0] if placed else named.get("argnames")
    values = placed[1] if len(placed) > 1 else named.get("argvalues")
    names = tables.names_in(argnames, scope) if argnames is not None else []
    mark.into.filled |= set(names)
    subject = ", ".join(names)
    if "indirect" in named:
        subject += f" through {text_of(named['indirect'], scope)}"
    count = 0
    for text, marks, where in tables.rows(values, scope):
        count += 1
        mark.add(Aspect.ROW, where, subject=subject, expected=text)
        _row_marks(mark, marks, text)
    if count == 0:
        # pytest skips a test whose table is empty.
        mark.add(Aspect.SKIP, subject="skip", expected=ALWAYS)


def _table(mark: Mark) -> None:
    """The tables of other libraries: rows are the arguments, or in the first one."""
    values = mark.placed
    if mark.word == "expand" and values:
        values = tables.items(values[0], mark.scope) or values[:1]
    for each in values:
        text, marks = tables.row_of(each, mark.scope)
        mark.add(Aspect.ROW, each, expected=text)
        _row_marks(mark, marks, text)


def _row_marks(mark: Mark, marks: list[Node], row: str) -> None:
    for each in marks:
        _marker(each, mark.scope, mark.into, row)


def _fixtures(mark: Mark) -> None:
    mark.into.fixtures |= {plain_string(each) or each.text for each in mark.placed}


def _nothing(_: Mark) -> None:
    """A fixture's decorator is read where the fixture is."""


def _generated(mark: Mark) -> None:
    if mark.word == "given":
        mark.into.filled |= set(mark.named)
        if mark.placed:
            # Values given by place fill the last parameters: which, the test knows.
            mark.into.filled.add(f"*{len(mark.placed)}")
    if mark.word in {"given", "example"}:
        mark.add(Aspect.ROW, subject=mark.word, expected=mark.all)
    else:
        subject = f"hypothesis.{mark.word}(_)"
        mark.add(Aspect.ARRANGEMENT, subject=subject, inputs=mark.all)


def _retry(mark: Mark) -> None:
    mark.add(Aspect.RETRY, subject=mark.word, expected=mark.all)


def _timeout(mark: Mark) -> None:
    value = mark.named.get("timeout") or mark.named.get("seconds")
    value = mark.placed[0] if mark.placed else value
    text = "" if value is None else text_of(value, mark.scope)
    mark.add(Aspect.TIMEOUT, subject="timeout", expected=text)


READERS: Final[tuple[tuple[re.Pattern[str], Callable[[Mark], None]], ...]] = (
    (SKIPS, _skip),
    (EXPECTED_FAILURES, _failure),
    (re.compile(r"mark\.parametrize$"), _parametrized),
    (tables.TABLES, _table),
    (re.compile(r"mark\.usefixtures$"), _fixtures),
    (FIXTURES, _nothing),
    (GIVEN, _generated),
    (RETRIES, _retry),
    (TIMEOUTS, _timeout),
)
