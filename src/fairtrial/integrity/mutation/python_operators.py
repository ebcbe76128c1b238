"""Which edits one node of a Python syntax tree allows.

Each operator takes the source and a node and yields edits: first byte, byte behind the
last, new text. An edit that breaks the syntax is found by whoever asked, and dropped.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final

from fairtrial.integrity.mutation.edits import Operator, Source

Edit = tuple[Operator, int, int, str]
Spot = tuple[int, int]

_COMPARED: Final = re.compile(
    r"==|!=|<=|>=|<|>|\bnot\s+in\b|\bin\b|\bis\s+not\b|\bis\b"
)
_COMPARISONS: Final[dict[type[ast.cmpop], tuple[str, ...]]] = {
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.Lt: ("<=", ">"),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<"),
    ast.GtE: (">", "<"),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
}
_CALCULATED: Final = re.compile(r"\*\*|//|<<|>>|[-+*/%&|^@]")
_CALCULATIONS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.FloorDiv: "*",
    ast.Mod: "*",
    ast.Pow: "*",
    ast.LShift: ">>",
    ast.RShift: "<<",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.BitXor: "|",
}
_PAIRS: Final = (
    ("min", "max"),
    ("any", "all"),
    ("lower", "upper"),
    ("startswith", "endswith"),
    ("removeprefix", "removesuffix"),
    ("lstrip", "rstrip"),
    ("ljust", "rjust"),
    ("find", "rfind"),
    ("index", "rindex"),
    ("split", "rsplit"),
    ("partition", "rpartition"),
    ("floor", "ceil"),
    ("append", "remove"),
    ("add", "discard"),
    ("union", "intersection"),
)
_COUNTERPARTS: Final = dict(_PAIRS) | {second: first for first, second in _PAIRS}

#: What a tolerance that was widened no longer notices.
SLIGHTLY: Final = 1.01
#: Built-in functions that answer with a number.
_NUMBERS: Final = frozenset(
    {"abs", "float", "int", "len", "max", "min", "round", "sum"}
)

#: What an empty value of a built-in function's type is.
_EMPTY_CALLS: Final = {
    "dict": "{}",
    "list": "[]",
    "repr": '""',
    "set": "set()",
    "sorted": "[]",
    "str": '""',
    "tuple": "()",
}
#: Methods that answer with a text.
_TEXTS: Final = frozenset(
    {
        "capitalize",
        "decode",
        "format",
        "isoformat",
        "join",
        "lower",
        "lstrip",
        "removeprefix",
        "removesuffix",
        "replace",
        "rstrip",
        "strftime",
        "strip",
        "title",
        "upper",
    }
)

#: Longest text of a string that is replaced; longer ones are data or prose.
_LONGEST: Final = 300


def spot(source: Source, node: ast.expr | ast.stmt | ast.keyword) -> Spot:
    """The offsets of a node: its first byte, and the one behind its last."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return (
        source.at(node.lineno, node.col_offset),
        source.at(node.end_lineno, node.end_col_offset),
    )


def _between(
    source: Source, left: ast.expr, right: ast.expr, sign: re.Pattern[str]
) -> Spot | None:
    """Where the sign between two operands stands; None where a comment is, too."""
    first, behind = spot(source, left)[1], spot(source, right)[0]
    gap = source.cut(first, behind)
    found = sign.search(gap)
    if found is None or "#" in gap:
        return None
    before = len(gap[: found.start()].encode("utf-8"))
    return first + before, first + before + len(found.group().encode("utf-8"))


def comparison(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Another comparison: the boundary moved, or its opposite."""
    if not isinstance(node, ast.Compare):
        return
    operands = [node.left, *node.comparators]
    for place, sign in enumerate(node.ops):
        found = _between(source, operands[place], operands[place + 1], _COMPARED)
        if found is not None:
            for other in _COMPARISONS[type(sign)]:
                yield Operator.COMPARISON, *found, other


def arithmetic(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Another calculation, or a minus left out."""
    if isinstance(node, ast.BinOp):
        other = _CALCULATIONS.get(type(node.op))
        found = _between(source, node.left, node.right, _CALCULATED)
        # Text is joined with + and formatted with %: the others are errors at once.
        if other and found and not _is_text(node.left) and not _is_text(node.right):
            yield Operator.ARITHMETIC, *found, other
    elif isinstance(node, ast.AugAssign):
        other = _CALCULATIONS.get(type(node.op))
        found = _between(source, node.target, node.value, _CALCULATED)
        if other and found:
            yield Operator.ARITHMETIC, *found, other
            # Without the calculation, too: `=` alone.
            yield Operator.ARITHMETIC, *found, ""
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        first = spot(source, node)[0]
        yield Operator.ARITHMETIC, first, first + 1, "+"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )


def boolean(source: Source, node: ast.AST) -> Iterator[Edit]:
    """`or` for `and`, `and` for `or`, and `not` left out."""
    if isinstance(node, ast.BoolOp):
        word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        sign = re.compile(rf"\b{word}\b")
        pairs = zip(node.values, node.values[1:], strict=False)
        found = [_between(source, left, right, sign) for left, right in pairs]
        first = found[0]
        # Of a chain only the whole is turned, or its meaning depends on precedence.
        if len(found) == 1 and first is not None:
            yield Operator.BOOLEAN, *first, other
        elif all(each is not None for each in found):
            begin, end = spot(source, node)
            told, at = "", begin
            for each in found:
                assert each is not None
                told += source.cut(at, each[0]) + other
                at = each[1]
            yield Operator.BOOLEAN, begin, end, told + source.cut(at, end)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        first_byte, inner = spot(source, node)[0], spot(source, node.operand)
        if not source.cut(first_byte + 3, inner[0]).strip():
            yield Operator.BOOLEAN, first_byte, inner[0], ""


def constant(source: Source, node: ast.AST) -> Iterator[Edit]:
    """A number one larger, the other truth value, another text."""
    if not isinstance(node, ast.Constant):
        return
    begin, end = spot(source, node)
    value = node.value
    if isinstance(value, bool):
        yield Operator.CONSTANT, begin, end, repr(not value)
    elif isinstance(value, int | float):
        try:
            now = repr(value + 1)
        except ValueError:  # more digits than Python turns into text
            return
        # Infinite, or so large that one is lost in it.
        if now[0].isdigit() and value + 1 != value:
            yield Operator.CONSTANT, begin, end, now
        if isinstance(value, float) and value and repr(value * SLIGHTLY)[0].isdigit():
            yield Operator.CONSTANT, begin, end, repr(value * SLIGHTLY)
    elif isinstance(value, str) and len(value) <= _LONGEST:
        yield Operator.CONSTANT, begin, end, '""' if value else '"XX"'
    elif isinstance(value, bytes) and len(value) <= _LONGEST:
        yield Operator.CONSTANT, begin, end, 'b""' if value else 'b"XX"'


def condition(source: Source, node: ast.AST) -> Iterator[Edit]:
    """A condition that always or never holds; no loop is made endless."""
    tests: list[ast.expr] = []
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        tests = [node.test]
    elif isinstance(node, ast.comprehension):
        tests = node.ifs
    words = ("False",) if isinstance(node, ast.While) else ("True", "False")
    for test in tests:
        begin, end = spot(source, test)
        for word in words:
            if source.cut(begin, end) != word:
                yield Operator.CONDITION, begin, end, word


def returned(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Nothing returned, or the opposite."""
    if not isinstance(node, ast.Return | ast.Yield) or node.value is None:
        return
    value = node.value
    begin, end = spot(source, value)
    whole = spot(source, node)
    word = "return" if isinstance(node, ast.Return) else "yield"
    if not (isinstance(value, ast.Constant) and value.value is None):
        yield Operator.RETURN, *whole, f"{word} None"
    if isinstance(value, ast.Compare | ast.BoolOp):
        yield Operator.RETURN, *whole, f"{word} not ({source.cut(begin, end)})"
    elif _is_number(value):
        yield Operator.RETURN, *whole, f"{word} -({source.cut(begin, end)})"
        yield Operator.RETURN, *whole, f"{word} ({source.cut(begin, end)}) * {SLIGHTLY}"
    empty = _empty(value)
    if empty and empty != source.cut(begin, end):
        yield Operator.RETURN, *whole, f"{word} {empty}"


def _empty(node: ast.expr) -> str:
    """An empty value of the same type, where the type can be seen; or nothing."""
    if isinstance(node, ast.JoinedStr):
        return '""'
    if isinstance(node, ast.List | ast.ListComp):
        return "[]"
    if isinstance(node, ast.Dict | ast.DictComp):
        return "{}"
    if isinstance(node, ast.Tuple):
        return "()"
    if isinstance(node, ast.BinOp):
        return '""' if _is_text(node.left) or _is_text(node.right) else ""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _EMPTY_CALLS.get(node.func.id, "")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return '""' if node.func.attr in _TEXTS else ""
    return ""


def _is_number(node: ast.expr) -> bool:
    """Whether it looks like one; text that is joined or filled in is none."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _NUMBERS
    if not isinstance(node, ast.BinOp):
        return False
    return not _is_text(node.left) and not _is_text(node.right)


def statement(source: Source, node: ast.AST) -> Iterator[Edit]:
    """A call, an assignment, a deletion or an error left out."""
    kinds = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Raise | ast.Delete
    called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await)
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return
    if called or isinstance(node, kinds):
        assert isinstance(node, ast.stmt)
        yield Operator.STATEMENT, *spot(source, node), "pass"


def loop(source: Source, node: ast.AST) -> Iterator[Edit]:
    """`continue` for `break`, and the other way round."""
    if isinstance(node, ast.Break):
        yield Operator.LOOP, *spot(source, node), "continue"
    elif isinstance(node, ast.Continue):
        yield Operator.LOOP, *spot(source, node), "break"


def argument(source: Source, node: ast.AST) -> Iterator[Edit]:
    """One argument left out; of those by position the last."""
    if not isinstance(node, ast.Call):
        return
    given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
    given.sort(key=lambda each: (each.lineno, each.col_offset))
    for place, each in enumerate(given):
        named = isinstance(each, ast.keyword)
        last = each is node.args[-1] if node.args and not named else False
        if isinstance(each, ast.Starred) or not (named or (last and place)):
            continue
        begin, end = spot(source, each)
        if place:
            before = spot(source, given[place - 1])[1]
            gap = source.data[before:begin]
            if b"#" in gap or b"," not in gap:
                continue
            begin = before + gap.rindex(b",")
        yield Operator.ARGUMENT, begin, end, ""


def sliced(source: Source, node: ast.AST) -> Iterator[Edit]:
    """A bound of a slice left out, or moved; an index moved."""
    if not isinstance(node, ast.Subscript):
        return
    if isinstance(node.slice, ast.Slice):
        for bound in (node.slice.lower, node.slice.upper, node.slice.step):
            if bound is None:
                continue
            begin, end = spot(source, bound)
            yield Operator.SLICE, begin, end, ""
            if not isinstance(bound, ast.Constant) and bound is not node.slice.step:
                yield Operator.SLICE, begin, end, f"({source.cut(begin, end)}) + 1"
    elif isinstance(node.slice, ast.UnaryOp | ast.BinOp):
        begin, end = spot(source, node.slice)
        yield Operator.SLICE, begin, end, f"({source.cut(begin, end)}) + 1"


def counterpart(source: Source, node: ast.AST) -> Iterator[Edit]:
    """A function's counterpart in its place."""
    if not isinstance(node, ast.Call):
        return
    called = node.func
    if isinstance(called, ast.Name):
        name = called.id
    elif isinstance(called, ast.Attribute):
        name = called.attr
    else:
        return
    end = spot(source, called)[1]
    if name in _COUNTERPARTS:
        size = len(name.encode("utf-8"))
        yield Operator.COUNTERPART, end - size, end, _COUNTERPARTS[name]


Operation = Callable[[Source, ast.AST], Iterator[Edit]]

#: What may happen to any expression, wherever it stands.
EXPRESSIONS: Final[tuple[Operation, ...]] = (
    comparison,
    arithmetic,
    boolean,
    constant,
    sliced,
    counterpart,
    argument,
)
#: What may happen in a function's body besides.
STATEMENTS: Final[tuple[Operation, ...]] = (condition, returned, statement, loop)
