"""How what a line checks becomes a demand in normalised words."""

from __future__ import annotations

import re
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, Demand, Source
from fairtrial.integrity.reading.code.checks import Check
from fairtrial.integrity.reading.code.code import Expr, Shape, expressions
from fairtrial.integrity.reading.code.scope import Said, Scope, capped, joined

K = AssertionKind

#: Kinds for which equal sides, or literals on both, make the check say nothing.
_SIDED: Final = frozenset({K.EQUAL, K.IDENTICAL, K.CLOSE, K.CONTAINS})
_SIGNS: Final = frozenset({"<", "<=", ">", ">=", "not"})
_PLAIN: Final = frozenset({Shape.NAME, Shape.MEMBER, Shape.LITERAL})
_CALLEE: Final = re.compile(r"(\w+)\((?:_)?\)$")
_NOTHING: Final = Said("", "", (), Source.LITERAL)


def demand(check: Check, scope: Scope, guard: tuple[str, ...], at: Expr) -> Demand:
    """A check as a demand that stands under some conditions."""
    said = _NOTHING if check.actual is None else scope.say(check.actual)
    wanted = [scope.say(each) for each in check.expected]
    expected = ", ".join(each.full for each in wanted)
    source = _source(check, said, wanted)
    if check.wanted:
        between = " " if check.wanted in _SIGNS else ": "
        expected = f"{check.wanted}{between}{expected}" if expected else check.wanted
    kind = check.kind
    if check.aspect is Aspect.ASSERTION and _says_nothing(check, said, wanted):
        kind = K.VACUOUS
    tolerance = "" if check.tolerance is None else scope.say(check.tolerance).full
    return Demand(
        aspect=check.aspect,
        kind=kind,
        subject=capped(joined([check.subject.strip(), said.blanked])),
        inputs=capped("; ".join(said.inputs)),
        expected=capped(expected),
        source=source,
        tolerance=tolerance,
        guard=" & ".join(guard),
        text=at.written,
        line=at.line,
    )


def _source(check: Check, said: Said, wanted: list[Said]) -> Source:
    if not wanted:
        return Source.LITERAL
    if callee := _CALLEE.search(said.blanked):
        name = callee.group(1)
        if any(
            each.shape is Shape.CALL and each.text == name
            for one in check.expected
            for each in expressions(one)
        ):
            return Source.SUBJECT
    order = list(Source)
    return max((each.source for each in wanted), key=order.index)


def _says_nothing(check: Check, said: Said, wanted: list[Said]) -> bool:
    """Whether an assertion can't fail, by its own text."""
    if check.actual is None or check.subject or check.nested is not None:
        return False
    if check.kind in _SIDED and len(wanted) == 1 and not check.wanted.strip("="):
        # Two calls that read alike need not return the same; a name is itself.
        other = check.expected[0]
        return (
            check.actual.written == other.written
            and check.actual.shape in _PLAIN
            and other.shape in _PLAIN
        ) or (
            said.source is Source.LITERAL
            and wanted[0].source is Source.LITERAL
            and not said.inputs
        )
    constant = check.actual.shape is Shape.LITERAL
    match check.kind:
        case K.TRUE:
            return said.full == "true"
        case K.FALSE:
            return said.full == "false"
        case K.NOT_NONE:
            return constant or (
                check.actual.shape is Shape.CALL
                and check.actual.text.startswith("new ")
            )
        case K.ORDERED:
            return constant and all(each.source is Source.LITERAL for each in wanted)
        case _:
            return False
