r"""What an expression says once names, quotes, brackets and order of keywords are one.

Rendered text marks the arguments of calls and subscripts, so that they can be blanked:
"total\x01[1, 2]\x02" is "total([1, 2])", or "total(_)" with "[1, 2]" as its input.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from fairtrial.domain.demands import Source
from fairtrial.integrity.reading.python import literals
from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.tree import Node
from fairtrial.integrity.syntax import digest

OPEN, CLOSE, LEFT, RIGHT = "\x01", "\x02", "\x03", "\x04"
MARKS: Final = re.compile("([\x01-\x04])")
PLAIN: Final = str.maketrans({OPEN: "(", CLOSE: ")", LEFT: "[", RIGHT: "]"})
#: Longest text that stands for a name; a longer one is named by its digest.
LONGEST_NAME: Final = 1_500
#: Functions that look at all of what they are given, list or not, at once.
TAKING_ALL: Final = frozenset(
    {"all", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple"}
)

Renderer = Callable[[Node, Scope], str]


def plain(text: str) -> str:
    """Rendered text for comparing and reading."""
    return text.translate(PLAIN)


def blanked(text: str) -> tuple[str, str]:
    """Rendered text with its arguments blanked, and the arguments."""
    shown, inputs, depth = list[str](), list[str](), 0
    inner: list[str] = []
    for part in MARKS.split(text):
        if part in {OPEN, LEFT}:
            depth += 1
            if depth == 1:
                shown.append("(_" if part == OPEN else "[_")
                inner = []
                continue
        elif part in {CLOSE, RIGHT}:
            depth -= 1
            if depth == 0:
                shown.append(")" if part == CLOSE else "]")
                inputs.append(plain("".join(inner)))
                continue
        (inner if depth > 0 else shown).append(part)
    return "".join(shown), "; ".join(inputs) if any(inputs) else ""


def short(text: str) -> str:
    """Text that may stand for a name."""
    return text if len(text) <= LONGEST_NAME else f"…{digest([text])}"


def render(node: Node, scope: Scope) -> str:
    """An expression's one text; names that stand for a value are replaced by it."""
    known = RENDERERS.get(node.kind)
    if known is not None:
        return known(node, scope)
    if not node.kids:
        return node.text
    return " ".join(render(kid, scope) for kid in node.kids)


def text_of(node: Node, scope: Scope) -> str:
    """An expression's text without marks."""
    return plain(render(node, scope))


def callee(node: Node, scope: Scope) -> str:
    """The full name of what is called: "pytest.raises"; "" for what is no call."""
    node = node.kids[-1] if node.kind == "await" else node
    return text_of(node.kids[0], scope) if node.kind == "call" else ""


def arguments(node: Node) -> tuple[list[Node], dict[str, Node]]:
    """The arguments of a call, by place and by name; splats are by place."""
    held = node.first("argument_list")
    if held is None:
        inner = node.first("generator_expression")
        return ([inner] if inner else []), {}
    placed, named = [], {}
    for kid in held.kids:
        if kid.kind == "keyword_argument":
            named[kid.kids[0].text] = kid.kids[-1]
        else:
            placed.append(kid)
    return placed, named


def _identifier(node: Node, scope: Scope) -> str:
    name = node.text
    found = scope.lookup(name)
    if found is not None:
        return found
    constant = scope.constant(name)
    if constant is None:
        return name
    return _constant(name, constant, scope)


def _constant(name: str, node: Node, scope: Scope) -> str:
    if name not in scope.texts:
        scope.texts[name] = short(render(node, scope))
    return scope.texts[name]


def _attribute(node: Node, scope: Scope) -> str:
    owner, name = node.kids[0], node.kids[-1].text
    if owner.text in {"self", "cls"} and name in scope.owned:
        return _constant(f"self.{name}", scope.owned[name], scope)
    return f"{render(owner, scope)}.{name}"


def _call(node: Node, scope: Scope) -> str:
    return f"{render(node.kids[0], scope)}{OPEN}{_arguments(node, scope)}{CLOSE}"


def _arguments(node: Node, scope: Scope) -> str:
    placed, named = arguments(node)
    shown = [render(each, scope) for each in placed]
    if (
        len(placed) == 1
        and placed[0].kind == "list_comprehension"
        and node.kids[0].text in TAKING_ALL
    ):
        # The list was only made to be taken apart.
        shown = [f"({shown[0][1:-1]})"]
    shown += [f"{name}={render(named[name], scope)}" for name in sorted(named)]
    return ", ".join(shown)


def _subscript(node: Node, scope: Scope) -> str:
    owner, *rest = node.kids
    index = [kid for kid in rest if kid.kind not in {"[", "]"}]
    if len(index) == 1 and index[0].kind == "tuple":
        inner = _items(index[0], scope)
    else:
        inner = [render(kid, scope) for kid in index]
    return f"{render(owner, scope)}{LEFT}{', '.join(inner)}{RIGHT}"


def _items(node: Node, scope: Scope) -> list[str]:
    return [
        render(kid, scope)
        for kid in node.kids
        if kid.kids or kid.kind[0].isalpha() or kid.kind == "_"
    ]


def _list(node: Node, scope: Scope) -> str:
    return f"[{', '.join(_items(node, scope))}]"


def _tuple(node: Node, scope: Scope) -> str:
    items = _items(node, scope)
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _set(node: Node, scope: Scope) -> str:
    return f"{{{', '.join(sorted(_items(node, scope)))}}}"


def _dictionary(node: Node, scope: Scope) -> str:
    return f"{{{', '.join(_items(node, scope))}}}"


def _pair(node: Node, scope: Scope) -> str:
    return f"{render(node.kids[0], scope)}: {render(node.kids[-1], scope)}"


def _operation(node: Node, scope: Scope) -> str:
    # A long chain leans to the left: it is taken apart without recursion.
    right: list[str] = []
    while node.kind in {"binary_operator", "boolean_operator"}:
        right.append(f" {node.kids[1].text} {render(node.kids[-1], scope)})")
        node = node.kids[0]
    return "(" * len(right) + render(node, scope) + "".join(reversed(right))


def _comparison(node: Node, scope: Scope) -> str:
    shown = [
        " ".join(kid.text.split()) if at % 2 else render(kid, scope)
        for at, kid in enumerate(node.kids)
    ]
    return f"({' '.join(shown)})"


def _unary(node: Node, scope: Scope) -> str:
    return f"{node.kids[0].text}{render(node.kids[-1], scope)}"


def _not(node: Node, scope: Scope) -> str:
    return f"(not {render(node.kids[-1], scope)})"


def _conditional(node: Node, scope: Scope) -> str:
    yes, _, condition, _, no = node.kids[:5]
    shown = [render(each, scope) for each in (yes, condition, no)]
    return f"({shown[0]} if {shown[1]} else {shown[2]})"


def _lambda(node: Node, scope: Scope) -> str:
    held = node.first("lambda_parameters")
    names: dict[str, str] = {}
    shown = []
    for at, kid in enumerate(held.kids if held else []):
        name = next((each.text for each in kid.walk() if each.kind == "identifier"), "")
        names[name] = f"${scope.depth}.{at}"
        if kid.kind == "default_parameter":
            shown.append(f"{names[name]}={render(kid.kids[-1], scope)}")
        else:
            shown.append(kid.text.replace(name, names[name]) if name else kid.text)
    with scope.over(names):
        return f"(lambda {', '.join(shown)}: {render(node.kids[-1], scope)})"


def _comprehension(node: Node, scope: Scope) -> str:
    names: dict[str, str] = {}
    for each in node.every("for_in_clause"):
        target = each.after("for")
        for part in target.walk() if target else ():
            if part.kind == "identifier":
                names.setdefault(part.text, f"${scope.depth}.{len(names)}")
    inner = node.kids
    if node.kind == "generator_expression":
        opening, closing = "(", ")"
    else:
        opening, closing = inner[0].text, inner[-1].text
        inner = inner[1:-1]
    with scope.over(names):
        return opening + " ".join(render(kid, scope) for kid in inner) + closing


def _string(node: Node, scope: Scope) -> str:
    value = literals.plain_string(node)
    if value is not None:
        return f"b{value!r}" if literals.is_binary(node) else repr(value)
    shown = []
    for piece in literals.pieces(node):
        if isinstance(piece, str):
            shown.append(piece.encode("unicode_escape", "replace").decode())
        else:
            inner = [render(each, scope) for each in piece.kids[1:-1]]
            shown.append(f"{{{''.join(inner)}}}")
    return f"f'{''.join(shown)}'"


def _number(node: Node, _: Scope) -> str:
    return literals.number(node.text)


def _await(node: Node, scope: Scope) -> str:
    return f"await {render(node.kids[-1], scope)}"


def _named(node: Node, scope: Scope) -> str:
    text = render(node.kids[-1], scope)
    scope.bind(node.kids[0].text, short(text), Source.UNKNOWN, None)
    return text


def _keyword(node: Node, scope: Scope) -> str:
    return f"{node.kids[0].text}={render(node.kids[-1], scope)}"


def _splat(node: Node, scope: Scope) -> str:
    return f"{node.kids[0].text}{render(node.kids[-1], scope)}"


def _tight(node: Node, scope: Scope) -> str:
    return "".join(render(kid, scope) for kid in node.kids)


def _slice(node: Node, scope: Scope) -> str:
    spare = len(node.every(":")) > 1 and node.kids[-1].kind == ":"
    return "".join(render(kid, scope) for kid in node.kids[: -1 if spare else None])


def _word(word: str) -> Renderer:
    return lambda _node, _scope: word


RENDERERS: Final[dict[str, Renderer]] = {
    "identifier": _identifier,
    "attribute": _attribute,
    "call": _call,
    "subscript": _subscript,
    "list": _list,
    "list_pattern": _list,
    "tuple": _tuple,
    "tuple_pattern": _tuple,
    "expression_list": _tuple,
    "pattern_list": _tuple,
    "set": _set,
    "dictionary": _dictionary,
    "pair": _pair,
    "binary_operator": _operation,
    "boolean_operator": _operation,
    "comparison_operator": _comparison,
    "unary_operator": _unary,
    "not_operator": _not,
    "conditional_expression": _conditional,
    "lambda": _lambda,
    "list_comprehension": _comprehension,
    "set_comprehension": _comprehension,
    "dictionary_comprehension": _comprehension,
    "generator_expression": _comprehension,
    "string": _string,
    "concatenated_string": _string,
    "integer": _number,
    "float": _number,
    "true": _word("True"),
    "false": _word("False"),
    "none": _word("None"),
    "ellipsis": _word("..."),
    "await": _await,
    "named_expression": _named,
    "keyword_argument": _keyword,
    "list_splat": _splat,
    "dictionary_splat": _splat,
    "slice": _slice,
    "expression_statement": _tight,
}
