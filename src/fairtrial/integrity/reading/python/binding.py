"""What an assignment of a Python test gives to which name, or changes elsewhere."""

from __future__ import annotations

import re
from typing import Final

from fairtrial.domain.demands import Source
from fairtrial.integrity.reading.python.mocks import StandIn
from fairtrial.integrity.reading.python.reader import Reader
from fairtrial.integrity.reading.python.sources import source_of
from fairtrial.integrity.reading.python.text import (
    LEFT,
    OPEN,
    RIGHT,
    callee,
    plain,
    render,
    short,
)
from fairtrial.integrity.reading.python.tree import Node

PATTERNS: Final = frozenset(
    {
        "pattern_list",
        "tuple_pattern",
        "list_pattern",
        "tuple",
        "list",
        "expression_list",
    }
)
DISPLAYS: Final = frozenset({"tuple", "list", "expression_list"})


#: Values that take the place of something that does more.
STANDING_IN: Final = re.compile(
    r"^(\(lambda |(\w+\.)*(Mock|MagicMock|AsyncMock|NonCallableMock|PropertyMock"
    r"|create_autospec)\()"
)


def parts_of(node: Node) -> list[Node]:
    """The parts of a pattern or display, without its punctuation."""
    return [kid for kid in node.kids if kid.kind not in {"[", "]"}]


def assign(reader: Reader, node: Node, *, handled: bool) -> None:
    """Read an assignment; `handled` tells that its value's effects were noted."""
    targets = [node.kids[0]]
    value = node.after("=")
    while value is not None and value.kind == "assignment":
        targets.append(value.kids[0])
        value = value.after("=")
    if value is None:
        return
    for target in targets:
        give(reader, target, value, node, handled=handled)


def give(
    reader: Reader, target: Node, value: Node, node: Node, *, handled: bool
) -> None:
    """Read one target of an assignment with its value."""
    if target.kind in PATTERNS:
        parts = parts_of(target)
        held = parts_of(value) if value.kind in DISPLAYS else []
        splat = any("splat" in each.kind for each in (*parts, *held))
        if len(held) == len(parts) and not splat:
            for part, each in zip(parts, held, strict=True):
                give(reader, part, each, node, handled=handled)
            return
        text = short(render(value, reader.scope))
        source = source_of(value, reader.scope)
        if OPEN in text and not handled:
            _slot_for_all(reader, parts, text, node)
        spread(reader, target, text, source)
        return
    if target.kind == "identifier":
        _name(reader, target.text, value, node, handled=handled)
        return
    change(reader, target, plain(render(value, reader.scope)), node)


def change(reader: Reader, target: Node, text: str, node: Node) -> None:
    """Read a change of an attribute or item: a stand-in where it is an import's."""
    shown = render(target, reader.scope)
    if of_import(reader, target) or STANDING_IN.match(text):
        reader.replace(StandIn(target=plain(shown), value=text), node)
    else:
        reader.put(shown, text, node)


def of_import(reader: Reader, target: Node) -> bool:
    """Whether an attribute or item belongs to something that was imported."""
    inner = target
    while inner.kind in {"attribute", "subscript"}:
        inner = inner.kids[0]
    if inner is target or inner.kind != "identifier":
        return False
    name, scope = inner.text, reader.scope
    if name in scope.local:
        # What is imported inside the function is bound to its full name.
        return scope.local[name] in scope.imported
    return name in scope.file.imports


def spread(reader: Reader, target: Node, text: str, source: Source) -> None:
    """Give the parts of a pattern the parts of a value."""
    for at, part in enumerate(parts_of(target)):
        inner = f"{text}{LEFT}{at}{RIGHT}"
        if "splat" in part.kind:
            part, inner = part.kids[-1], f"{text}{LEFT}{at}:{RIGHT}"  # noqa: PLW2901
        if part.kind == "identifier":
            reader.scope.local[part.text] = inner
            reader.scope.sources[part.text] = source
            reader.scope.nodes.pop(part.text, None)
        elif part.kind in PATTERNS:
            spread(reader, part, inner, source)


def _slot_for_all(reader: Reader, parts: list[Node], text: str, node: Node) -> None:
    names = [each.text for each in parts if each.kind == "identifier"]
    for name in names[:1]:
        reader.slot(name, text, node)
    for name in names[1:]:
        if names[0] in reader.scope.pending:
            reader.scope.pending[name] = reader.scope.pending[names[0]]


def _name(reader: Reader, name: str, value: Node, node: Node, *, handled: bool) -> None:
    scope = reader.scope
    source = source_of(value, scope)
    text = short(render(value, scope))
    if callee(value, scope) == "pytest.importorskip":
        module = render(value, scope).partition(OPEN)[2].strip("'\"\x02")
        scope.local[name] = module
        scope.imported.add(module)
        return
    known = scope.value(value)
    kept = known if known.kind not in {"identifier", "attribute"} else None
    scope.bind(name, text, Source.LOCAL if source is Source.LITERAL else source, kept)
    if OPEN in text and not handled and value.kind != "identifier":
        reader.slot(name, scope.local[name], node)


def augment(reader: Reader, node: Node) -> None:
    """Read `x += 1`."""
    target, sign, value = node.kids[0], node.kids[1].text, node.kids[-1]
    scope = reader.scope
    text = f"({render(target, scope)} {sign.removesuffix('=')} {render(value, scope)})"
    if target.kind == "identifier":
        scope.bind(target.text, short(text), Source.COMPUTED, None)
    else:
        change(reader, target, plain(text), node)
