"""What the statements of a Python function demand, in order."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from fairtrial.domain.demands import Aspect, Source
from fairtrial.integrity.reading.python import flow
from fairtrial.integrity.reading.python.binding import assign, augment
from fairtrial.integrity.reading.python.checks import checked
from fairtrial.integrity.reading.python.claims import claims
from fairtrial.integrity.reading.python.contexts import within
from fairtrial.integrity.reading.python.handlers import FAILING, attempt, fails
from fairtrial.integrity.reading.python.mocks import stand_in
from fairtrial.integrity.reading.python.names import dotted, imported
from fairtrial.integrity.reading.python.raises import asked, called, raised
from fairtrial.integrity.reading.python.reader import Exit, Reader
from fairtrial.integrity.reading.python.shape import digest_of
from fairtrial.integrity.reading.python.text import (
    OPEN,
    arguments,
    callee,
    render,
    text_of,
)
from fairtrial.integrity.reading.python.tree import Node, block, name_of
from fairtrial.integrity.reading.python.truth import truth

SKIPPING: Final = re.compile(
    r"^(pytest\.skip|(self|cls)\.skipTest|unittest\.SkipTest)$"
)
LEAVING: Final = re.compile(r"^(sys\.exit|os\._exit|os\.abort|exit|quit|pytest\.exit)$")
#: Calls that change nothing a test could see, unless they call something themselves.
TALKING: Final = re.compile(
    r"^(print|logging\.\w+|warnings\.simplefilter|pprint\.pprint)$"
)
PATCHER: Final = re.compile(r"\bpatch(\.object|\.dict|\.multiple)?$")
RAISED_SKIP: Final = re.compile(r"(^|\.)(SkipTest|Skipped)\b")


def walk(reader: Reader, nodes: list[Node]) -> Exit:
    """Read statements in order; what follows one that leaves is read as dead."""
    exit_ = Exit.FALLS
    saved = reader.dead
    for node in nodes:
        known = STATEMENTS.get(node.kind)
        got = Exit.FALLS if known is None else known(reader, node)
        if got is not Exit.FALLS and exit_ is Exit.FALLS:
            exit_ = got
            reader.dead = saved or str(got)
    reader.dead = saved
    return exit_


def _expression(reader: Reader, node: Node) -> Exit:
    exit_ = Exit.FALLS
    for inner in node.kids:
        kind = inner.kind
        if kind == "assignment":
            value = inner.after("=")
            while value is not None and value.kind == "assignment":
                value = value.after("=")
            handled = value is not None and effect(reader, value) is not None
            assign(reader, inner, handled=handled)
        elif kind == "augmented_assignment":
            augment(reader, inner)
        elif kind in {"call", "await"}:
            got = effect(reader, inner)
            exit_ = exit_ if got is None else got
            if got is None:
                _done(reader, inner)
        elif kind == "yield":
            _given_out(reader, inner, "yield ")
        elif kind not in {"string", "concatenated_string", "ellipsis"}:
            text = render(inner, reader.scope)
            if OPEN in text or kind in {"attribute", "subscript"}:
                reader.arrange(text, inner)
    return exit_


def _done(reader: Reader, node: Node) -> None:
    text = render(node, reader.scope)
    name = callee(node, reader.scope)
    if TALKING.match(name) and OPEN not in text.partition(OPEN)[2]:
        return
    reader.arrange(text, node)


def effect(reader: Reader, node: Node) -> Exit | None:
    """Read a call that says something by itself; None for any other."""
    inner = node.kids[-1] if node.kind == "await" else node
    if inner.kind != "call":
        return None
    name = callee(inner, reader.scope)
    exit_ = _leaving(reader, node, inner, name)
    return _saying(reader, node, inner, name) if exit_ is None else exit_


def _leaving(reader: Reader, node: Node, inner: Node, name: str) -> Exit | None:
    """Read a call after which a test does not go on, or may not."""
    scope = reader.scope
    if FAILING.match(name):
        return reader.fail(node)
    if SKIPPING.match(name) or name == "pytest.xfail":
        reader.skip("xfail" if name == "pytest.xfail" else "skip", node)
        return Exit.SKIPS
    if name == "pytest.importorskip":
        reader.skip("skip", node, f"no {text_of(inner, scope)[len(name) :]}")
        return Exit.FALLS
    if name == "hypothesis.assume":
        return _assume(reader, inner)
    if LEAVING.match(name):
        reader.arrange(render(inner, scope), node)
        return Exit.RETURNS
    return None


def _saying(reader: Reader, node: Node, inner: Node, name: str) -> Exit | None:
    """Read a call that asserts or replaces something."""
    scope = reader.scope
    errors = asked(inner, scope)
    if errors is not None:
        subject = called(inner, scope)
        if subject is None:
            return None
        reader.claim([raised(errors, subject)], node)
        return Exit.FALLS
    said = checked(inner, scope)
    if said is not None:
        reader.claim(said, node)
        return Exit.FALLS
    replaced = stand_in(inner, scope)
    # A patcher that is only made replaces nothing before it is started.
    if replaced is None or (PATCHER.search(name) and "mocker." not in name):
        return None
    reader.replace(replaced, node)
    return Exit.FALLS


def _assume(reader: Reader, node: Node) -> Exit:
    placed, _ = arguments(node)
    if not placed:
        return Exit.FALLS
    fixed = truth(placed[0], reader.scope)
    if fixed is not True:
        condition = f"not {text_of(placed[0], reader.scope)}"
        reader.skip("assume", node, condition)
    return Exit.SKIPS if fixed is False else Exit.FALLS


def _assert(reader: Reader, node: Node) -> Exit:
    condition = node.kids[1]
    if fails(node, reader.scope):
        return reader.fail(node)
    reader.claim(claims(condition, reader.scope), node)
    return Exit.FALLS


def _return(reader: Reader, node: Node) -> Exit:
    if len(node.kids) > 1 and node.kids[1].kind != "none":
        _given_out(reader, node, "return ")
    return Exit.RETURNS


def _given_out(reader: Reader, node: Node, word: str) -> None:
    """What a fixture or helper gives to the test."""
    value = node.kids[-1]
    if value.kind in {"yield", "return"}:
        reader.add(Aspect.ARRANGEMENT, node, subject=word.strip())
        return
    effect(reader, value)
    reader.add(
        Aspect.ARRANGEMENT,
        node,
        subject=word.strip(),
        inputs=text_of(value, reader.scope),
    )
    reader.scope.effects += 1


def _raise(reader: Reader, node: Node) -> Exit:
    text = text_of(node.kids[1], reader.scope) if len(node.kids) > 1 else ""
    if RAISED_SKIP.search(text):
        reader.skip("skip", node)
        return Exit.SKIPS
    if fails(node, reader.scope):
        return reader.fail(node)
    if not reader.conditional:
        reader.add(Aspect.ARRANGEMENT, node, subject="raise", inputs=text)
    return Exit.FAILS


def _delete(reader: Reader, node: Node) -> Exit:
    for each in node.kids[1:]:
        if each.kind != "identifier":
            reader.arrange(render(each, reader.scope), node, word="del ")
    return Exit.FALLS


def _leave(_reader: Reader, _node: Node) -> Exit:
    return Exit.RETURNS


def _import(reader: Reader, node: Node) -> Exit:
    scope = reader.scope
    for local, module, name in imported(node):
        full = dotted(module, name)
        if scope.mentions.get(local, 0) <= 1 or local == "*":
            # Nothing but the import itself is tried.
            reader.arrange(full, node, word="import ")
        scope.local[local] = full
        scope.imported.add(full)
        scope.sources[local] = Source.UNKNOWN
    return Exit.FALLS


def _define(reader: Reader, node: Node) -> Exit:
    """A function or class inside: its asserts count where its name is used."""
    scope = reader.scope
    inner = node.kids[-1] if node.kind == "decorated_definition" else node
    name = name_of(inner)
    scope.local[name] = f"def {digest_of([inner], scope.file.imports, frozenset())}"
    scope.sources[name] = Source.COMPUTED
    if inner is not node or inner.kind == "class_definition":
        reader.slot(name, scope.local[name], node, unless_used=True)
    before = dict(scope.local)
    kept = len(reader.guards)
    unused = (
        inner is node
        and inner.kind == "function_definition"
        and not reader.in_class
        and scope.mentions.get(name, 0) == 1
    )
    dead = "never called" if unused else ""
    with reader.plainly(), reader.under("in a function"), reader.as_dead(dead):
        if inner.kind == "function_definition":
            for each in parameters(inner):
                scope.local[each] = f"${each}" if each in before else each
        mark = len(reader.entries)
        saved, reader.in_class = reader.in_class, inner.kind == "class_definition"
        reader.run(block(inner))
        reader.in_class = saved
    # What it does is in its digest; only what it asserts is told apart.
    reader.entries[mark:] = [
        each
        for each in reader.entries[mark:]
        if getattr(each, "aspect", None)
        in {Aspect.ASSERTION, Aspect.SWALLOWED, Aspect.UNREACHABLE, Aspect.SKIP}
    ]
    del reader.guards[kept:]
    scope.local = before
    return Exit.FALLS


def parameters(node: Node) -> list[str]:
    """The names of a function's parameters."""
    held = node.first("parameters")
    names = []
    for each in held.kids if held else ():
        inner = next((one for one in each.walk() if one.kind == "identifier"), None)
        if inner is not None:
            names.append(inner.text)
    return names


STATEMENTS: Final[dict[str, Callable[[Reader, Node], Exit]]] = {
    "expression_statement": _expression,
    "assert_statement": _assert,
    "return_statement": _return,
    "raise_statement": _raise,
    "delete_statement": _delete,
    "break_statement": _leave,
    "continue_statement": _leave,
    "import_statement": _import,
    "import_from_statement": _import,
    "if_statement": flow.branch,
    "for_statement": flow.loop,
    "while_statement": flow.repeat,
    "match_statement": flow.match,
    "try_statement": attempt,
    "with_statement": within,
    "function_definition": _define,
    "class_definition": _define,
    "decorated_definition": _define,
}
