"""What a `try` of a Python test swallows, asks for or gives way to."""

from __future__ import annotations

import re
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, Source
from fairtrial.integrity.reading.python.claims import Claim
from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.raises import raised
from fairtrial.integrity.reading.python.reader import Exit, Reader
from fairtrial.integrity.reading.python.text import callee, render, text_of
from fairtrial.integrity.reading.python.tree import Node, block, statements
from fairtrial.integrity.reading.python.truth import truth

#: Errors that an assertion's failure is one of.
BROAD: Final = re.compile(
    r"\b(Exception|BaseException|AssertionError|failureException|Failed|ExceptionGroup"
    r"|BaseExceptionGroup)\b"
)
#: Errors that say that a test failed.
FAILURE: Final = re.compile(
    r"^(AssertionError|self\.failureException|pytest\.fail\.Exception)\b"
)
FAILING: Final = re.compile(
    r"^(pytest|self|cls|unittest\.TestCase)\.fail$|^fail$|^pytest\.exit$"
)
ANY: Final = "anything"


def fails(node: Node, scope: Scope) -> bool:
    """Whether a statement fails the test, whatever came before it."""
    if node.kind == "expression_statement" and node.kids:
        return bool(FAILING.match(callee(node.kids[0], scope)))
    if node.kind == "assert_statement":
        return truth(node.kids[1], scope) is False
    if node.kind == "raise_statement" and len(node.kids) > 1:
        text = text_of(node.kids[1], scope)
        return FAILURE.match(text) is not None
    return False


def types_of(clause: Node, scope: Scope) -> tuple[str, str]:
    """The errors that a handler takes, and the name it gives to one."""
    taken = [kid for kid in clause.kids[1:] if kid.kind not in {":", "block", "*"}]
    if not taken:
        return ANY, ""
    name, shown = "", []
    for each in taken:
        if each.kind == "as_pattern":
            shown.append(text_of(each.kids[0], scope))
            name = each.kids[-1].text
        elif each.kind != "as":
            shown.append(text_of(each, scope))
    return ", ".join(shown), name


def is_broad(types: str) -> bool:
    """Whether a handler takes the failure of an assertion, too."""
    return types == ANY or BROAD.search(types) is not None


def swallows(clause: Node, scope: Scope) -> bool:
    """Whether a handler lets nothing of what it takes be seen."""
    for each in clause.walk():
        if each.kind in {"raise_statement", "assert_statement"}:
            return False
        if each.kind == "call":
            name = callee(each, scope)
            if FAILING.match(name) or re.search(r"(^|\.)(assert\w*|_?exit)$", name):
                return False
    return True


def attempt(reader: Reader, node: Node) -> Exit:
    """Read a `try` with its handlers."""
    scope = reader.scope
    handlers = node.every("except_clause", "except_group_clause")
    taken = [types_of(each, scope)[0] for each in handlers]
    body = statements(block(node))
    after = node.first("else_clause")
    ending = statements(block(after)) if after else []
    if handlers and _asks_for_error(body, ending, taken, scope):
        exit_ = _asked(reader, node, body, ", ".join(taken))
    else:
        exit_ = _tried(reader, node, handlers, taken)
        if after is not None:
            with reader.plainly():
                reader.run(block(after))
    exits = [_handled(reader, each, body) for each in handlers]
    final = node.first("finally_clause")
    if final is not None:
        with reader.plainly():
            last = reader.run(block(final))
        if last is Exit.RETURNS:
            reader.add(Aspect.SWALLOWED, final, subject=ANY)
            return last
    if exit_ is not Exit.FALLS and all(each is not Exit.FALLS for each in exits):
        return exit_
    return Exit.FALLS


def _asks_for_error(
    body: list[Node], ending: list[Node], taken: list[str], scope: Scope
) -> bool:
    """Whether the test fails unless the body raises what its handlers take."""
    if len(body) > 1 and fails(body[-1], scope):
        # A failure that its own handler takes is none.
        return not any(is_broad(types) for types in taken)
    return bool(ending) and fails(ending[0], scope)


def _asked(reader: Reader, node: Node, body: list[Node], types: str) -> Exit:
    steps = body[:-1] if fails(body[-1], reader.scope) else body
    with reader.plainly():
        reader.walk(reader, steps[:-1])
    subject = said_by(steps[-1], reader.scope) if steps else ""
    reader.claim([raised(types, subject)], node)
    return Exit.FALLS


def _tried(reader: Reader, node: Node, handlers: list[Node], taken: list[str]) -> Exit:
    quiet = [
        types
        for clause, types in zip(handlers, taken, strict=True)
        if swallows(clause, reader.scope)
    ]
    broad = [types for types in quiet if is_broad(types)]
    for types in quiet:
        reader.add(Aspect.SWALLOWED, node, subject=types)
    saved = reader.swallowed
    reader.swallowed = saved or ", ".join(broad)
    with reader.plainly():
        exit_ = reader.run(block(node))
    reader.swallowed = saved
    return exit_


def _handled(reader: Reader, clause: Node, body: list[Node]) -> Exit:
    """Read one handler."""
    types, name = types_of(clause, reader.scope)
    steps = statements(block(clause))
    if is_broad(types) and steps and fails(steps[-1], reader.scope):
        subject = said_by(body[-1], reader.scope) if body else ""
        claim = Claim(
            kind=AssertionKind.NOT_RAISES,
            subject=subject,
            expected=types,
            source=Source.LITERAL,
        )
        reader.claim([claim], clause)
        return Exit.FAILS
    if name:
        reader.scope.local[name] = f"error({types})"
        reader.scope.sources[name] = Source.UNKNOWN
    with reader.plainly(), reader.under(f"except {types}"):
        exit_ = reader.run(block(clause))
    if exit_ is Exit.RETURNS:
        reader.guards.append(f"unless {types}")
    return exit_


def said_by(node: Node, scope: Scope) -> str:
    """The rendered text of what a statement does, for the subject of an error."""
    while node.kind in {"with_statement", "if_statement", "for_statement"}:
        inner = statements(block(node))
        if not inner:
            break
        node = inner[-1]
    kind = node.kind
    if kind == "expression_statement" and len(node.kids) == 1:
        node = node.kids[0]
        kind = node.kind
    if kind in {"assignment", "augmented_assignment"}:
        target, value = node.kids[0], node.kids[-1]
        if target.kind in {"attribute", "subscript"} or kind != "assignment":
            return (
                f"{render(target, scope)} {node.kids[-2].text} {render(value, scope)}"
            )
        return render(value, scope)
    if kind in {"return_statement", "await"} and len(node.kids) > 1:
        return render(node.kids[-1], scope)
    return render(node, scope)
