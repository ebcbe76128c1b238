"""Under which conditions the statements of a Python test run, and which never do."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, Source
from fairtrial.integrity.reading.python.binding import PATTERNS, parts_of
from fairtrial.integrity.reading.python.claims import Claim, claims
from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.reader import Exit, Reader
from fairtrial.integrity.reading.python.rows import items, row_of
from fairtrial.integrity.reading.python.shape import bound
from fairtrial.integrity.reading.python.sources import source_of
from fairtrial.integrity.reading.python.text import arguments, callee, render, text_of
from fairtrial.integrity.reading.python.tree import Node, block
from fairtrial.integrity.reading.python.truth import truth

EACH_ROW: Final = "for each row"


def branch(reader: Reader, node: Node) -> Exit:
    """Read an `if` with all its clauses."""
    scope = reader.scope
    clauses = [node, *node.every("elif_clause", "else_clause")]
    settled, past = False, list[str]()
    exits: list[Exit] = []
    before, states, left = dict(scope.local), list[dict[str, str]](), list[str]()
    for clause in clauses:
        scope.local = dict(before)
        condition = None if clause.kind == "else_clause" else clause.kids[1]
        fixed = True if condition is None else truth(condition, scope)
        text = "" if condition is None else text_of(condition, scope)
        dead = "" if not settled and fixed is not False else "if False"
        shown = "" if fixed is not None else text
        before = dict(scope.local)
        with reader.as_dead(dead), reader.under(*past, shown) as inner:
            saved, reader.conditional = reader.conditional, fixed is None or bool(past)
            exit_ = reader.run(block(clause))
            reader.conditional = saved
        if dead:
            continue
        exits.append(exit_)
        if exit_ is Exit.FALLS:
            states.append(scope.local)
            left += [f"unless {' and '.join([*past, shown, each])}" for each in inner]
        elif exit_ is Exit.RETURNS and (past or shown):
            left.append(
                f"unless {' and '.join(each for each in (*past, shown) if each)}"
            )
        elif exit_ is Exit.FAILS:
            _otherwise(reader, clause, condition, node, past)
        if fixed is True:
            settled = True
        elif fixed is None:
            past = [*past, f"not {text}"]
    if not settled:
        states.append(before)
    _merge(scope, states or [before])
    reader.guards += left
    if settled and Exit.FALLS not in exits:
        return Exit.RETURNS if Exit.RETURNS in exits else exits[0]
    return Exit.FALLS


def _otherwise(
    reader: Reader, clause: Node, condition: Node | None, node: Node, past: list[str]
) -> None:
    """A clause that only fails asserts that its condition does not hold."""
    if condition is not None and truth(condition, reader.scope) is None:
        with reader.under(*past):
            reader.claim(claims(condition, reader.scope, holds=False), clause)
    elif condition is None and len(past) == 1:
        reader.claim(claims(node.kids[1], reader.scope), node)
    elif past:
        with reader.under(*past):
            reader.claim([Claim(kind=AssertionKind.CUSTOM, subject="fail")], clause)


def _merge(scope: Scope, states: list[dict[str, str]]) -> None:
    """The names after an `if`: one that has two values may be either."""
    scope.local = {}
    for name in {name for state in states for name in state}:
        values = list(dict.fromkeys(state.get(name, "(unset)") for state in states))
        if len(values) > 1:
            scope.nodes.pop(name, None)
            values = [f"either({' | '.join(values)})"]
        scope.local[name] = values[0]


def loop(reader: Reader, node: Node) -> Exit:
    """Read a `for`."""
    scope = reader.scope
    target, over = node.after("for"), node.after("in")
    if target is None or over is None:
        return Exit.FALLS
    found = _rows(over, scope)
    dead, guard = "", EACH_ROW
    source = Source.ROW
    if found is None:
        source = source_of(over, scope)
        guard = f"for {text_of(over, scope)}"
        if callee(over, scope) == "range" and text_of(over, scope) in {
            "range(0)",
            "range(0, 0)",
        }:
            dead = "for over nothing"
    elif not found:
        dead = "for over nothing"
    else:
        for text, row in found:
            reader.add(Aspect.ROW, row, expected=text)
    _carry(reader, node)
    _each(scope, target, f"$each{reader.loops}", source)
    _body(reader, node, guard, dead)
    return Exit.FALLS


def _body(reader: Reader, node: Node, guard: str, dead: str) -> None:
    reader.loops += 1
    with reader.plainly(), reader.under(guard), reader.as_dead(dead):
        exit_ = reader.run(block(node))
        if exit_ is Exit.RETURNS and not dead:
            reader.cut_short(node)
    reader.loops -= 1
    after = node.first("else_clause")
    if after is not None:
        with reader.plainly():
            reader.run(block(after))


def _rows(over: Node, scope: Scope) -> list[tuple[str, Node]] | None:
    """The rows of a table that is written out; None where it is computed."""
    name = callee(over, scope)
    if name == "enumerate":
        placed, _ = arguments(over)
        over = placed[0] if placed else over
    elif over.kind == "call" and over.kids[0].kind == "attribute":
        owner = scope.value(over.kids[0].kids[0])
        if over.kids[0].kids[-1].text == "items" and owner.kind == "dictionary":
            return [(text_of(each, scope), each) for each in owner.every("pair")]
    found = items(over, scope)
    if not found and over.kind == "identifier" and over.text not in scope.local:
        # A module's empty list may have been filled by whoever has it.
        return None
    return None if found is None else [(row_of(each, scope)[0], each) for each in found]


def _each(scope: Scope, target: Node, text: str, source: Source) -> None:
    """Give a loop's names their places in a row."""
    if target.kind == "identifier":
        scope.local[target.text] = text
        scope.sources[target.text] = source
        scope.nodes.pop(target.text, None)
    elif target.kind in PATTERNS:
        for at, part in enumerate(parts_of(target)):
            inner = part.kids[-1] if "splat" in part.kind else part
            _each(scope, inner, f"{text}.{at}", source)


def _carry(reader: Reader, node: Node) -> None:
    """A name that a loop changes is no longer its first value."""
    scope = reader.scope
    inside = block(node)
    for name in sorted(bound(inside)) if inside else ():
        if name in scope.local:
            scope.bind(name, f"carried({scope.local[name]})", Source.COMPUTED, None)


def repeat(reader: Reader, node: Node) -> Exit:
    """Read a `while`."""
    condition = node.kids[1]
    fixed = truth(condition, reader.scope)
    _carry(reader, node)
    guard = "" if fixed else f"while {text_of(condition, reader.scope)}"
    _body(reader, node, guard, "while False" if fixed is False else "")
    return Exit.FALLS


def match(reader: Reader, node: Node) -> Exit:
    """Read a `match` with all its cases."""
    scope = reader.scope
    subject = text_of(node.kids[1], scope)
    inside = block(node)
    before, states = dict(scope.local), list[dict[str, str]]()
    for case in inside.every("case_clause") if inside else ():
        pattern = " ".join(
            render(kid, scope)
            for kid in case.kids[1:]
            if kid.kind not in {"block", ":"}
        )
        scope.local = dict(before)
        with reader.plainly(), reader.under(f"{subject} matches {pattern}") as inner:
            exit_ = reader.run(block(case))
        if exit_ is Exit.FALLS:
            states.append(scope.local)
        if exit_ is Exit.RETURNS:
            inner.append("return")
        reader.guards += [
            f"unless {subject} matches {pattern} {each}" for each in inner
        ]
    _merge(scope, [*states, before])
    return Exit.FALLS
