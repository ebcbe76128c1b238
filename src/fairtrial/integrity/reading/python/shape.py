"""What remains of Python code once form does not matter: the words of its digest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from fairtrial.integrity.reading.python import literals
from fairtrial.integrity.reading.python.tree import Node, is_text
from fairtrial.integrity.syntax import digest

#: Parts that say nothing about what is done.
WITHOUT: Final = frozenset({"type", "type_parameter", ";", ":", "->"})
#: What may hold nothing at all.
EMPTY: Final = frozenset({"argument_list", "parameters", "tuple", "tuple_pattern"})
#: Kinds that are one thing in two places, or with and without an annotation.
SAME: Final = {
    "expression_list": "tuple",
    "pattern_list": "tuple",
    "tuple_pattern": "tuple",
    "list_pattern": "list",
    "typed_default_parameter": "default_parameter",
}
BINDERS: Final = {
    "assignment": "",
    "augmented_assignment": "",
    "for_statement": "for",
    "for_in_clause": "for",
    "named_expression": "",
}
PARAMETERS: Final = frozenset({"parameters", "lambda_parameters"})
#: The parts of `owner[index]`.
SINGLE_INDEX: Final = 4
TARGETS: Final = frozenset(
    {"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"}
)


def shape(
    nodes: Iterable[Node], names: Mapping[str, str], own: frozenset[str]
) -> list[str]:
    """The words of some code; local names count by order, imports by their full name.

    `names` are the imports, `own` the names that keep their spelling.
    """
    nodes = list(nodes)
    local = {name for node in nodes for name in bound(node)} - own
    order: dict[str, str] = {}
    words: list[str] = []
    stack: list[Node | str] = list(reversed(nodes))
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            words.append(node)
        elif node.kind == "identifier":
            name = node.text
            if name in local:
                order.setdefault(name, f"${len(order)}")
                words.append(order[name])
            else:
                words.append(names.get(name, name))
        else:
            stack += reversed(_opened(node))
    return words


def _opened(node: Node) -> list[Node | str]:
    """A node's words and parts, in order."""
    kind = node.kind
    if kind in WITHOUT or is_text(node) or _says_nothing(node):
        return []
    if kind in {"string", "concatenated_string"}:
        return _string(node)
    if kind in {"integer", "float"}:
        return [literals.number(node.text)]
    if not node.kids:
        return [kind if kind in EMPTY else node.text]
    if kind == "typed_parameter":
        return list(node.kids)
    return [f"({SAME.get(kind, kind)}", *_parts(node), ")"]


def _parts(node: Node) -> list[Node | str]:
    kind = node.kind
    parts: list[Node | str] = list(node.kids)
    if kind == "class_definition":
        return [kid for kid in node.kids if kid.kind != "argument_list" or kid.kids]
    if kind in {"attribute", "keyword_argument"}:
        # Only one of the two identifiers is a name; the other is a word.
        at = -1 if kind == "attribute" else 0
        parts[at] = node.kids[at].text
    elif kind == "argument_list":
        named = node.every("keyword_argument")
        named.sort(key=lambda each: each.kids[0].text)
        placed = [kid for kid in node.kids if kid.kind != "keyword_argument"]
        parts = [*placed, *named]
    elif kind == "if_statement":
        parts = _clauses(node)
    elif kind == "slice":
        parts = [kid if kid.kind != ":" else ":" for kid in _sliced(node)]
    elif kind == "call" and node.kids[-1].kind == "generator_expression":
        parts = [node.kids[0], "(argument_list", node.kids[-1], ")"]
    elif kind == "subscript" and len(node.kids) == SINGLE_INDEX:
        index = node.kids[2]
        parts[2:3] = index.kids if index.kind == "tuple" else [index]
    return parts


def _clauses(node: Node) -> list[Node | str]:
    """The parts of an `if`; an `else` that holds another one alone is an `elif`."""
    parts: list[Node | str] = list(node.kids)
    while isinstance(last := parts[-1], Node) and last.kind == "else_clause":
        steps = last.kids[-1].kids
        if len(steps) != 1 or steps[0].kind != "if_statement":
            break
        inner = steps[0].kids
        own = [kid for kid in inner[1:] if not kid.kind.endswith("_clause")]
        rest = [kid for kid in inner if kid.kind.endswith("_clause")]
        parts[-1:] = ["(elif_clause", "elif", *own, ")", *rest]
    return parts


def _sliced(node: Node) -> list[Node]:
    """The parts of a slice without a second colon that no step follows."""
    colons = len(node.every(":"))
    spare = colons > 1 and node.kids[-1].kind == ":"
    return node.kids[:-1] if spare else node.kids


def _says_nothing(node: Node) -> bool:
    """An annotation without a value, or the brackets of a class without bases."""
    if node.kind == "assignment":
        return node.first("=") is None
    return node.kind == "expression_statement" and all(map(_says_nothing, node.kids))


def _string(node: Node) -> list[Node | str]:
    letters = "b" if literals.is_binary(node) else ""
    value = literals.plain_string(node)
    if value is not None:
        return [f"{letters}{value!r}"]
    words: list[Node | str] = ["(string"]
    text = ""
    for piece in literals.pieces(node):
        if isinstance(piece, str):
            text += piece
        else:
            words += [repr(text), piece]
            text = ""
    return [*words, repr(text), ")"]


def bound(node: Node) -> set[str]:
    """The names that some code gives values to."""
    found: set[str] = set()
    for each in node.walk():
        kind = each.kind
        if kind in BINDERS:
            token = BINDERS[kind]
            target = each.after(token) if token else each.kids[0]
            if target is not None:
                found |= _targets(target)
        elif kind == "as_pattern_target" or kind in PARAMETERS:
            for kid in each.kids:
                found |= _targets(kid)
        elif kind in {"function_definition", "class_definition"} and each is not node:
            name = each.first("identifier")
            found |= {name.text} if name else set()
    return found


def _targets(node: Node) -> set[str]:
    if node.kind == "identifier":
        return {node.text}
    if node.kind in TARGETS:
        return {name for kid in node.kids for name in _targets(kid)}
    if "parameter" in node.kind or node.kind == "dictionary_splat_pattern":
        for kid in node.kids:
            if kid.kind == "identifier" or "splat" in kid.kind:
                return _targets(kid) or {
                    each.text for each in kid.kids if each.kind == "identifier"
                }
    return set()


def digest_of(
    nodes: Iterable[Node], names: Mapping[str, str], own: frozenset[str]
) -> str:
    """A short name of some code: equal for code that differs in form only."""
    return digest(shape(nodes, names, own))
