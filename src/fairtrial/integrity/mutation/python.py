"""Which small faults some lines of Python could have.

The operators are our own. Those of mutmut 3 bring libcst, and with the package a
terminal interface; they rewrite functions into trampolines, remove no statement and
turn no condition. Those of cosmic-ray bring a database and a web client.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.mutation.edits import Mutant, Operator, Source
from fairtrial.integrity.mutation.python_operators import (
    EXPRESSIONS,
    STATEMENTS,
    Edit,
    spot,
)

SUFFIXES: tuple[str, ...] = (".py",)

#: Longest source that mutants are made of, in characters.
LONGEST: Final = 2_000_000
#: Mutants of one statement, and its bytes: tables of data have enough of them, and each
#: has to be read anew to see that it builds.
MOST: Final = 40
LARGEST: Final = 20_000

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_WORD: Final = re.compile(r"[^\W\d]\w*")
#: Calls that only tell what happens.
_TELLING: Final = frozenset(
    {"critical", "debug", "error", "exception", "info", "log", "warn", "warning"}
)
_TELLER: Final = re.compile(r"log(ger|ging)?$|^warnings$", re.IGNORECASE)
#: Names that tell tools and readers something, and no test.
_UNTOLD: Final = frozenset({"__all__", "__slots__", "__author__", "__version__"})
#: What a comparison always answers once it is broken.
_ANSWERS: Final = {"__eq__": "True", "__ne__": "False"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Where:
    """What is around a node."""

    statement: ast.stmt
    reach: frozenset[int]
    scope: str = ""
    in_function: bool = False
    #: The lines of the class that it stands in directly; all lines outside of any.
    around: range | None = None


def mutants(text: str, lines: frozenset[int]) -> tuple[Mutant, ...]:
    """Every mutant that one of these lines reaches; raises CannotRead."""
    body = text.removeprefix("\ufeff")
    tree, source = _parsed(body)
    shift = len(text.encode("utf-8")) - len(source.data)
    found: dict[tuple[tuple[int, int], str], Mutant] = {}
    counts = Counter[int]()
    for where, edit in _edits(source, tree):
        number = id(where.statement)
        if counts[number] >= MOST:
            continue
        mutant = _mutant(source, where, edit)
        if not mutant.reach & lines or mutant.was == mutant.now:
            continue
        counts[number] += 1
        if _builds(source, where.statement, edit):
            first, behind = mutant.cut
            moved = replace(mutant, cut=(first + shift, behind + shift))
            # Two operators may come to the same edit.
            found.setdefault((moved.cut, moved.now), moved)
    return tuple(found[key] for key in sorted(found))


def words_of(text: str, names: tuple[str, ...]) -> frozenset[str]:
    """The identifiers in one test of a file of tests; all of them without it."""
    try:
        tree, _ = _parsed(text.removeprefix("\ufeff"))
    except CannotRead:
        return frozenset(_WORD.findall(text))
    found: ast.AST = tree
    for name in names:
        children = [
            each
            for each in ast.iter_child_nodes(found)
            if isinstance(each, _Scope) and each.name == name
        ]
        if not children:
            break
        found = children[-1]
    return frozenset(
        each.id if isinstance(each, ast.Name) else each.attr
        for each in ast.walk(found)
        if isinstance(each, ast.Name | ast.Attribute)
    )


def _parsed(text: str) -> tuple[ast.Module, Source]:
    if len(text) > LONGEST:
        raise CannotRead(f"it is longer than {LONGEST} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text), Source.of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CannotRead(f"it is no Python that can be read here: {error}") from error


def _mutant(source: Source, where: _Where, edit: Edit) -> Mutant:
    operator, first, behind, now = edit
    return Mutant(
        line=source.line_at(first),
        operator=operator,
        was=source.cut(first, behind),
        now=now,
        cut=(first, behind),
        reach=where.reach,
        scope=where.scope,
    )


def _builds(source: Source, statement: ast.stmt, edit: Edit) -> bool:
    """Whether the edited statement is still Python; it is looked at alone."""
    _, first, behind, now = edit
    begin, end = spot(source, statement)
    if end - begin > LARGEST:
        return False
    line = source.starts[statement.lineno - 1]
    data = source.data
    head, tail = data[begin:first], data[behind:end]
    if head.startswith(b"elif"):
        head = b"if  " + head[4:]
    piece = data[line:begin] + head + now.encode("utf-8") + tail
    if data[line:begin].strip():
        # It shares its line with others; in front of it stands what it needs.
        piece = head + now.encode("utf-8") + tail
    wrapped = b"if 1:\n" + piece if piece[:1] in (b" ", b"\t", b"\f") else piece
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(wrapped)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _edits(source: Source, tree: ast.Module) -> Iterator[tuple[_Where, Edit]]:
    uses = _uses(tree)
    outer = (each.names for each in ast.walk(tree) if isinstance(each, ast.Nonlocal))
    elsewhere = frozenset(name for names in outer for name in names)
    nothing = _Where(statement=ast.Pass(), reach=frozenset())
    stack: list[tuple[ast.AST, _Where]] = [(tree, nothing)]
    while stack:
        node, where = stack.pop()
        if _is_idle(node):
            continue
        if isinstance(node, _Scope):
            stack += _inside(node, where)
            if isinstance(node, _Function):
                yield from _of_function(source, node, where)
            continue
        if isinstance(node, ast.stmt):
            reach = _own_lines(node)
            if not where.in_function:
                reach |= _used(node, uses, where.around)
            where = replace(where, statement=node, reach=reach)
        operations = EXPRESSIONS + (STATEMENTS if where.in_function else ())
        for operation in operations:
            for edit in operation(source, node):
                if edit[0] is not Operator.STATEMENT or not _binds(node, elsewhere):
                    yield where, edit
        stack += [(child, where) for child in _children(node)]


def _inside(node: _Scope, where: _Where) -> Iterator[tuple[ast.AST, _Where]]:
    """The statements of a function or class; decorators and annotations are none."""
    name = f"{where.scope}.{node.name}" if where.scope else node.name
    is_class = isinstance(node, ast.ClassDef)
    inner = replace(
        where,
        scope=name,
        in_function=not is_class,
        around=range(node.lineno, _last(node) + 1) if is_class else None,
    )
    for each in node.body:
        yield each, inner


def _of_function(
    source: Source, node: _Function, where: _Where
) -> Iterator[tuple[_Where, Edit]]:
    """Other defaults, and a comparison that has one answer for everything."""
    body = frozenset(range(node.body[0].lineno, _last(node) + 1))
    name = f"{where.scope}.{node.name}" if where.scope else node.name
    inner = replace(where, statement=node, reach=body, scope=name)
    if node.name != "__repr__":
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            for each in ast.walk(default):
                for operation in EXPRESSIONS:
                    for _, first, behind, now in operation(source, each):
                        yield inner, (Operator.DEFAULT, first, behind, now)
    if node.name in _ANSWERS:
        begin, end = spot(source, node.body[0])[0], spot(source, node.body[-1])[1]
        answer = f"return {_ANSWERS[node.name]}"
        yield inner, (Operator.EQUALITY, begin, end, answer)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """What is below a node; types, and texts with code in them, are left out."""
    if isinstance(node, ast.JoinedStr):
        # Before Python 3.12 the places of what is inside are not told.
        return
    for name, value in ast.iter_fields(node):
        if name == "annotation":
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield each


def _is_idle(node: ast.AST) -> bool:
    """Whether no test can be asked to notice a fault in it."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.FunctionDef(name="__repr__"):
            return True
        case ast.If(test=test):
            return any(
                getattr(each, "id", None) in {"__name__", "TYPE_CHECKING"}
                or getattr(each, "attr", None) == "TYPE_CHECKING"
                for each in ast.walk(test)
            )
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=teller, attr=name))):
            word = getattr(teller, "id", getattr(teller, "attr", ""))
            return name in _TELLING and bool(_TELLER.search(word))
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in _UNTOLD
        case ast.Import() | ast.ImportFrom() | ast.Global() | ast.Nonlocal():
            return True
        case _:
            return False


def _binds(node: ast.AST, names: frozenset[str]) -> bool:
    """Whether it is an assignment that an inner function's `nonlocal` needs."""
    return isinstance(node, ast.Assign | ast.AnnAssign) and any(
        isinstance(each, ast.Name) and each.id in names
        for target in _targets(node)
        for each in ast.walk(target)
    )


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _own_lines(node: ast.stmt) -> frozenset[int]:
    """The lines of a statement; of one with a body those of its head."""
    last = _last(node)
    below = [
        each
        for name in ("body", "orelse", "finalbody", "handlers", "cases")
        for each in getattr(node, name, ())
        if isinstance(each, ast.stmt | ast.excepthandler)
    ]
    if isinstance(node, ast.Match):
        last = node.cases[0].body[0].lineno - 1
    elif below:
        last = min(each.lineno for each in below) - 1
    return frozenset(range(node.lineno, max(node.lineno, last) + 1))


def _last(node: ast.stmt) -> int:
    return node.lineno if node.end_lineno is None else node.end_lineno


def _uses(tree: ast.Module) -> dict[str, set[int]]:
    """The lines on which each name, or attribute, is asked for."""
    found: dict[str, set[int]] = {}
    for each in ast.walk(tree):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            found.setdefault(each.id, set()).add(each.lineno)
        elif isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Load):
            found.setdefault(each.attr, set()).add(each.lineno)
    return found


def _used(
    node: ast.stmt, uses: dict[str, set[int]], around: range | None
) -> frozenset[int]:
    """Where a value is asked for that a module or class names once, when imported.

    Several classes may give a value one name: each is asked for by its own methods, or,
    where these don't, by whoever asks.
    """
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return frozenset()
    found: set[int] = set()
    for target in _targets(node):
        if isinstance(target, ast.Name):
            lines = uses.get(target.id, set())
            inside = lines.intersection(around) if around is not None else lines
            found |= inside or lines
    return frozenset(found)
