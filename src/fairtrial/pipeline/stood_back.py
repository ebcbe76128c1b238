"""Which changed files outside of test code hold what tests demand, as base has them.

Doctests stand in documents and in production's docstrings, tests in files whose names
say nothing, and expected values in documents and data that only tests read. What is put
back is decided by base alone: nothing that the change writes keeps a file out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import ChangeKind, PathClass
from fairtrial.integrity import language_of
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.opening import Opening
from fairtrial.policy.paths_imports import imported_by_production
from fairtrial.trees.listing import bytes_of

#: Folders' names that are too short say nothing.
_TELLING: Final = 4


def stood_back(opening: Opening, brief: Brief) -> Mapping[RepoPath, bytes]:
    """What to lay over head's production so that it is asked what base asked of it.

    Files that both sides have and that are no test code: base's bytes, or head's with
    base's docstrings where production itself holds doctests.
    """
    modified = {
        change.path: change.path_class
        for change in brief.subject.changed
        if change.kind is ChangeKind.MODIFIED
        and change.path_class in {PathClass.PRODUCTION, PathClass.NEUTRAL}
    }
    if not modified:
        return {}
    holding = _holding(opening, modified.keys())
    sources = _Sources(brief=brief)
    found: dict[RepoPath, bytes] = {}
    for path, kind in modified.items():
        base, head = brief.read(path)
        if base is None or head is None:
            continue
        if not path.endswith(".py"):
            wanted = path in holding or sources.only_for_tests(path, kind)
            back = base if wanted else None
        elif path not in holding:
            back = None
        elif holding[path] and not sources.is_imported(path):
            back = base
        else:
            back = with_docstrings(base, head)
        if back is not None:
            found[path] = back
    return found


def _holding(opening: Opening, paths: AbstractSet[RepoPath]) -> Mapping[RepoPath, bool]:
    """The files in which base lists tests, and whether some are no doctests."""
    runner = opening.stand.laboratory.runner
    found: dict[RepoPath, bool] = {}
    for test in opening.inventory:
        path = runner.file_of(test)
        if path in paths:
            written = not _is_doctest(runner.place_of(test).names)
            found[path] = found.get(path, False) or written
    return found


def _is_doctest(names: tuple[str, ...]) -> bool:
    """`cart.total` is a doctest's name; a function's has no dot."""
    return len(names) == 1 and "." in names[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sources:
    """Python sources of base, by what they are."""

    brief: Brief
    _read: dict[PathClass, dict[RepoPath, bytes]] = field(default_factory=dict)

    def only_for_tests(self, path: RepoPath, kind: PathClass) -> bool:
        """Whether test code names a file that is no code, and production does not."""
        if language_of(path) is not None:
            return False
        pure = PurePosixPath(path)
        production = self._of(PathClass.PRODUCTION)
        if kind is PathClass.PRODUCTION:
            # Data beside code is production's own.
            top = pure.parts[0]
            if len(pure.parts) == 1 or any(
                PurePosixPath(each).parts[0] == top for each in production
            ):
                return False
        words = [pure.name.encode()]
        if len(pure.parent.name) >= _TELLING:
            words.append(pure.parent.name.encode())

        def is_named(sources: Mapping[RepoPath, bytes]) -> bool:
            return any(
                word in data
                for at, data in sources.items()
                if PurePosixPath(at).name != "setup.py"
                for word in words
            )

        return is_named(self._of(PathClass.TEST)) and not is_named(production)

    def is_imported(self, path: RepoPath) -> bool:
        """Whether other production imports a module."""
        production = dict(self._of(PathClass.PRODUCTION))
        own = production.pop(path, b"")
        return bool(imported_by_production([path], production, {path: own}))

    def _of(self, kind: PathClass) -> Mapping[RepoPath, bytes]:
        if not self._read:
            sides, rules = self.brief.subject.sides, self.brief.subject.rules
            self._read.update({each: {} for each in PathClass})
            for path, entry in sides.base.items():
                if path.endswith(".py") and entry.is_file:
                    conftest = PurePosixPath(path).name == "conftest.py"
                    found = rules.classify(path).path_class
                    found = PathClass.TEST if conftest else found
                    self._read[found][path] = bytes_of(entry, sides.read)
        return self._read[kind]


def with_docstrings(base: bytes, head: bytes) -> bytes | None:
    """Head's module with base's docstrings; None where that is head's own.

    What one of them lacks stays as head has it.
    """
    try:
        old = dict(_docstrings(ast.parse(base)))
        new = dict(_docstrings(ast.parse(head)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lines = head.splitlines(keepends=True)
    changed = False
    for name, node in sorted(new.items(), key=lambda each: -each[1].lineno):
        if name not in old or old[name].value == node.value:
            continue
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        start = lines[first][: node.col_offset]
        rest = lines[last][node.end_col_offset :]
        lines[first : last + 1] = [start + repr(old[name].value).encode() + rest]
        changed = True
    return b"".join(lines) if changed else None


def docstrings_of(source: bytes) -> str:
    """All docstrings of a module, for people; empty where it can't be parsed."""
    try:
        found = list(_docstrings(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    ordered = sorted(found, key=lambda each: each[1].lineno)
    return "\n".join(str(node.value) for _, node in ordered)


def _docstrings(module: ast.Module) -> Iterator[tuple[str, ast.Constant]]:
    waiting: list[tuple[str, ast.AST]] = [("", module)]
    while waiting:
        name, node = waiting.pop()
        for child in getattr(node, "body", []):
            match child:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    waiting.append((f"{name}.{child.name}", child))
                case ast.If() | ast.Try() | ast.With():
                    waiting.append((name, child))
                case _:
                    pass
        match node:
            case (
                ast.Module(body=[ast.Expr(value=ast.Constant(value=str()) as text), *_])
                | ast.FunctionDef(
                    body=[ast.Expr(value=ast.Constant(value=str()) as text), *_]
                )
                | ast.AsyncFunctionDef(
                    body=[ast.Expr(value=ast.Constant(value=str()) as text), *_]
                )
                | ast.ClassDef(
                    body=[ast.Expr(value=ast.Constant(value=str()) as text), *_]
                )
            ):
                yield name, text
            case _:
                pass
