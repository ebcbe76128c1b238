"""Which statements of a conftest.py steer pytest itself.

Hooks, `pytest_plugins`, `collect_ignore*` and whatever acts while the file is being
imported. Fixtures, imports, plain functions, classes and constants do not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

_NAMES: Final = ("pytest_", "collect_ignore")

#: Decorators that make something of the function and nothing else.
_PLAIN_DECORATORS: Final = frozenset(
    {
        "fixture",
        "yield_fixture",
        "contextmanager",
        "asynccontextmanager",
        "cache",
        "cached_property",
        "lru_cache",
        "wraps",
        "dataclass",
        "total_ordering",
        "staticmethod",
        "classmethod",
        "property",
        "setter",
        "overload",
        "abstractmethod",
        "override",
        "final",
    }
)

#: Calls that only compute a value; names with a capital are taken for classes.
_PLAIN_CALLS: Final = frozenset(
    {
        "abspath",
        "basename",
        "bytes",
        "cast",
        "compile",
        "dedent",
        "dict",
        "dirname",
        "fixture",
        "frozenset",
        "get",
        "getenv",
        "getLogger",
        "int",
        "join",
        "joinpath",
        "len",
        "list",
        "lower",
        "namedtuple",
        "param",
        "range",
        "realpath",
        "resolve",
        "set",
        "sorted",
        "split",
        "str",
        "strip",
        "timedelta",
        "timezone",
        "tuple",
        "upper",
    }
)

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


def is_control(node: ast.stmt) -> bool:
    """Whether a statement at module level decides what results mean.

    What can't be told counts as control.
    """
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return _steers(node.name) or _acts(_at_definition(node))
        case ast.ClassDef(name=name, body=body):
            hooks = (one for one in body if isinstance(one, _FUNCTIONS))
            return (
                _steers(name)
                or any(_steers(one.name) for one in hooks)
                or _acts(_at_definition(node))
                or any(is_control(one) for one in body if not _is_docstring(one))
            )
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return any(_steers(one.asname or one.name) for one in names)
        case ast.Assign(targets=targets, value=value):
            return _binds_control(targets) or _acts([value])
        case ast.AnnAssign(target=target, value=value):
            return _binds_control([target]) or _acts([value] if value else [])
        case ast.Expr(value=ast.Constant()) | ast.Pass():
            return False
        case ast.If(test=test, body=body, orelse=orelse):
            return _acts([test]) or any(map(is_control, (*body, *orelse)))
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
            caught = (one for handler in handlers for one in handler.body)
            return any(map(is_control, (*body, *caught, *orelse, *final)))
        case _:
            return True


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _steers(name: str) -> bool:
    return name.startswith(_NAMES)


def _binds_control(targets: Iterable[ast.expr]) -> bool:
    """A hook's name, or something that is no name: another module's attribute."""
    for target in targets:
        match target:
            case ast.Name(id=name):
                if _steers(name):
                    return True
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                if _binds_control(parts):
                    return True
            case _:
                return True
    return False


def _at_definition(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
) -> Iterator[ast.expr]:
    """What is evaluated when a function or class is defined, plain decorators aside."""
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        name = _last_name(call.func if call else decorator)
        if name not in _PLAIN_DECORATORS:
            yield ast.Call(func=decorator, args=[], keywords=[])
        elif call:
            yield from call.args
            yield from (keyword.value for keyword in call.keywords)
    if isinstance(node, ast.ClassDef):
        yield from node.bases
        yield from (keyword.value for keyword in node.keywords)
    else:
        yield from node.args.defaults
        yield from (one for one in node.args.kw_defaults if one is not None)


def _acts(values: Iterable[ast.expr]) -> bool:
    """Whether evaluating these may do more than compute a value."""
    return any(
        (isinstance(node, ast.Call) and not _computes(node.func))
        or isinstance(node, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom))
        for value in values
        for node in _evaluated(value)
    )


def _evaluated(value: ast.expr) -> Iterator[ast.AST]:
    """A value's nodes, without the bodies of lambdas: nothing runs in them yet."""
    waiting: list[ast.AST] = [value]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _computes(function: ast.expr) -> bool:
    name = _last_name(function)
    if "pytest.mark" in ast.unparse(function):
        return True
    return name in _PLAIN_CALLS or name[:1].isupper()


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=name):
            return name
        case _:
            return ""


def bound(node: ast.stmt) -> frozenset[str]:
    """The names that a statement defines at module level."""
    found: set[str] = set()
    for inner in ast.walk(node):
        match inner:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=names):
                found |= {one.asname or one.name.partition(".")[0] for one in names}
            case ast.ImportFrom(names=names):
                found |= {one.asname or one.name for one in names}
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case _:
                pass
        if inner is node and isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            break
    return frozenset(found)


def used(node: ast.stmt) -> frozenset[str]:
    """The names that a statement reads, wherever in it."""
    return frozenset(
        inner.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)
    )
