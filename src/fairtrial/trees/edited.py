"""Which tests did a change edit? Told by each test's own syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Sequence


def is_edited(base: bytes | None, head: bytes | None, names: Sequence[str]) -> bool:
    """Whether a test's function, with what decorates it, differs between two files.

    `names` are the class and function names inside the file. What can't be found or
    parsed counts as edited, and so does a change outside every function and class:
    it may be what the test is about.
    """
    if base == head:
        return False
    if base is None or head is None:
        return True
    try:
        old, new = ast.parse(base), ast.parse(head)
    except (SyntaxError, ValueError):
        return True
    if _loose(old) != _loose(new):
        return True
    one, other = _find(old, names), _find(new, names)
    return one is None or other is None or ast.dump(one) != ast.dump(other)


def _loose(module: ast.Module) -> list[str]:
    """What stands outside functions and classes; imports change no test's demand."""
    apart = (
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.ClassDef,
        ast.Import,
        ast.ImportFrom,
    )
    return [ast.dump(each) for each in module.body if not isinstance(each, apart)]


def _find(module: ast.Module, names: Sequence[str]) -> ast.AST | None:
    body: list[ast.stmt] = module.body
    found: ast.AST | None = None
    for name in names:
        # The last definition of a name is the one that counts.
        found = next(
            (
                each
                for each in reversed(body)
                if isinstance(
                    each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
                )
                and each.name == name
            ),
            None,
        )
        if found is None:
            return None
        body = getattr(found, "body", [])
    return found
