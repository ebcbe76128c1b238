"""What `setup.cfg` and `setup.py` demand, read without running either."""

from __future__ import annotations

import ast
import configparser
from collections.abc import Mapping
from typing import Any, Final

from fairtrial.runners.manifests.demands import (
    Demands,
    Extras,
    expanded,
    normalised,
    strings,
)
from fairtrial.runners.manifests.pyproject import DEFAULT_BUILD

_LISTS: Final = ("install_requires", "tests_require", "setup_requires")


def setup_cfg_demands(text: str, also: frozenset[str] = frozenset()) -> Demands:
    """What the file's `options` demand."""
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        return Demands(unread=(f"setup.cfg ({type(error).__name__})",))
    if not parser.has_section("metadata") and not parser.has_section("options"):
        return Demands()
    options = parser["options"] if parser.has_section("options") else {}
    section = "options.extras_require"
    extras = (
        {name: _lines(value) for name, value in parser[section].items()}
        if parser.has_section(section)
        else {}
    )
    lists = {name: _lines(options.get(name, "")) for name in _LISTS}
    own = parser.get("metadata", "name", fallback="")
    return _demands("setup.cfg", own, lists, extras, also)


def setup_py_demands(text: str, also: frozenset[str] = frozenset()) -> Demands:
    """What the call of `setup` says in literals; what it computes is left unread."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return Demands(build_requirements=DEFAULT_BUILD, unread=("setup.py",))
    known = _literals(tree)
    call = next((node for node in ast.walk(tree) if _is_setup(node)), None)
    lists: dict[str, tuple[str, ...]] = {}
    extras: dict[str, tuple[str, ...]] = {}
    unread: list[str] = []
    name = ""
    for keyword in call.keywords if isinstance(call, ast.Call) else ():
        value = _value(keyword.value, known)
        if keyword.arg == "name":
            name = value if isinstance(value, str) else ""
        elif keyword.arg in _LISTS:
            lists[keyword.arg] = strings(value)
        elif keyword.arg == "extras_require" and isinstance(value, Mapping):
            extras = {str(key): strings(listed) for key, listed in value.items()}
        if value is None and keyword.arg in {*_LISTS, "extras_require"}:
            unread.append(f"{keyword.arg} of setup.py")
    found = _demands("setup.py", name, lists, extras, also)
    return found.plus(Demands(unread=tuple(unread)))


def _demands(
    file: str,
    name: str,
    lists: Mapping[str, tuple[str, ...]],
    extras: Mapping[str, tuple[str, ...]],
    also: frozenset[str],
) -> Demands:
    own = normalised(name)
    found = Extras(
        word="extra", lists={normalised(key): each for key, each in extras.items()}
    )
    chosen = found.chosen(also)
    tests = lists.get("tests_require", ())
    requirements = (
        *lists.get("install_requires", ()),
        *tests,
        *(each for key in chosen for each in found.lists[key]),
    )
    return Demands(
        requirements=expanded(requirements, own, found.lists),
        build_requirements=(*DEFAULT_BUILD, *lists.get("setup_requires", ())),
        sources=(file, *(f"extra {key}" for key in chosen)),
        for_tests=bool(chosen or tests),
        name=own,
    )


def _lines(value: str) -> tuple[str, ...]:
    lines = (line.split(" #")[0].strip() for line in value.splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def _is_setup(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else None
    if isinstance(called, ast.Name):
        name = called.id
    return name == "setup"


def _literals(tree: ast.Module) -> dict[str, Any]:
    """Names that the module binds to a literal at its top."""
    known: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            value = _value(node.value, known)
            if isinstance(target, ast.Name) and value is not None:
                known[target.id] = value
    return known


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """What an expression of literals, known names, sums and displays amounts to."""
    match node:
        case ast.Name(id=name):
            return known.get(name)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = _value(left, known), _value(right, known)
            both = isinstance(first, list) and isinstance(second, list)
            return [*first, *second] if both else None
        case ast.List(elts=items) | ast.Tuple(elts=items):
            values = [_value(item, known) for item in items]
            return None if None in values else values
        case ast.Dict(keys=keys, values=listed):
            return {
                _value(key, known): _value(value, known)
                for key, value in zip(keys, listed, strict=True)
                if key is not None
            }
        case ast.Constant(value=value):
            return value
        case _:
            return None
