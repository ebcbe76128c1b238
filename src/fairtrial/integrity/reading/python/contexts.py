"""What the `with` blocks of a Python test ask for, replace or swallow."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, Source
from fairtrial.integrity.reading.python.binding import PATTERNS, spread
from fairtrial.integrity.reading.python.claims import Claim
from fairtrial.integrity.reading.python.handlers import ANY, is_broad, said_by
from fairtrial.integrity.reading.python.mocks import stand_in
from fairtrial.integrity.reading.python.raises import asked, raised
from fairtrial.integrity.reading.python.reader import Exit, Reader
from fairtrial.integrity.reading.python.sources import source_of
from fairtrial.integrity.reading.python.text import callee, plain, render
from fairtrial.integrity.reading.python.tree import Node, block, statements

#: Contexts that only name what runs below them.
SEE_THROUGH: Final = re.compile(r"(\.subTest|subtests\.test|nullcontext)$")
SUPPRESS: Final = re.compile(r"(^|\.)suppress$")
ASSERTING: Final = re.compile(r"(^|\.)(assert[A-Z_]\w*|\w*assert_num_queries)$")
SIMPLE: Final = frozenset(
    {"expression_statement", "return_statement", "delete_statement"}
)


@dataclass(slots=True, kw_only=True)
class Asked:
    """What the items of one `with` amount to."""

    errors: list[str] = field(default_factory=list)
    swallowed: list[str] = field(default_factory=list)
    #: Some context is none that is known here.
    unknown: bool = False


def within(reader: Reader, node: Node) -> Exit:
    """Read a `with`."""
    found = Asked()
    clause = node.first("with_clause")
    for item in clause.every("with_item") if clause else ():
        for each in item.kids:
            _item(reader, each, found)
    if found.errors:
        return _raising(reader, node, found.errors)
    if not found.swallowed:
        with reader.plainly():
            exit_ = reader.run(block(node))
        # A context may keep what is raised inside to itself.
        return Exit.FALLS if exit_ is Exit.FAILS and found.unknown else exit_
    for types in found.swallowed:
        reader.add(Aspect.SWALLOWED, node, subject=types)
    saved = reader.swallowed
    broad = [types for types in found.swallowed if is_broad(types)]
    reader.swallowed = saved or ", ".join(broad)
    with reader.plainly():
        exit_ = reader.run(block(node))
    reader.swallowed = saved
    # What is raised inside leaves only the block.
    return exit_ if exit_ is Exit.RETURNS else Exit.FALLS


def _item(reader: Reader, node: Node, found: Asked) -> None:
    scope = reader.scope
    target = None
    if node.kind == "as_pattern":
        target = node.kids[-1].kids[0] if node.kids[-1].kids else None
        node = node.kids[0]
    value = scope.value(node)
    name = callee(value, scope)
    errors = asked(value, scope)
    replaced = stand_in(value, scope)
    if errors is not None:
        found.errors.append(errors)
    elif replaced is not None:
        reader.replace(replaced, node)
    elif SUPPRESS.search(name):
        types = plain(render(value, scope))[len(name) + 1 : -1]
        found.swallowed.append(types or ANY)
    elif ASSERTING.search(name):
        claim = Claim(
            kind=AssertionKind.CUSTOM,
            subject=render(value, scope),
            source=Source.LITERAL,
        )
        reader.claim([claim], node)
    elif not SEE_THROUGH.search(name):
        found.unknown = True
        reader.arrange(render(node, scope), node, word="with ")
    if target is not None:
        _bind(reader, target, node)


def _bind(reader: Reader, target: Node, node: Node) -> None:
    scope = reader.scope
    text, source = render(node, scope), source_of(node, scope)
    if target.kind == "identifier":
        scope.bind(target.text, text, source, None)
    elif target.kind in PATTERNS:
        spread(reader, target, text, source)


def _raising(reader: Reader, node: Node, errors: list[str]) -> Exit:
    """Read a block that has to raise: its last statement is the subject."""
    steps = statements(block(node))
    last = steps[-1] if steps else None
    with reader.plainly(), reader.under(*(f"raises {each}" for each in errors)):
        if last is not None and last.kind in SIMPLE:
            exit_ = reader.walk(reader, steps[:-1])
        else:
            exit_ = reader.walk(reader, steps)
    subject = said_by(last, reader.scope) if last is not None else ""
    if last is not None and last.kind == "expression_statement":
        _names_of(reader, last)
    dead = "" if exit_ is Exit.FALLS else str(exit_)
    with reader.as_dead(dead if dead != Exit.FAILS else ""):
        reader.claim([raised(each, subject) for each in errors], node)
    return Exit.FALLS


def _names_of(reader: Reader, node: Node) -> None:
    """A name that is assigned where an error is asked for has that call's value."""
    inner = node.kids[0]
    if inner.kind == "assignment" and inner.kids[0].kind == "identifier":
        value = inner.after("=")
        if value is not None:
            text = render(value, reader.scope)
            reader.scope.bind(inner.kids[0].text, text, Source.UNKNOWN, None)
