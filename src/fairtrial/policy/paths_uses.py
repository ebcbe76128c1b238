"""Which JavaScript, Java or Kotlin files under test paths production uses.

As with Python's imports, what production uses is production, wherever it lies. Told by
the words of the sources alone: a comment that looks like an import counts as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.names import RepoPath

_SCRIPTS: Final = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts")
_CLASSES: Final = (".java", ".kt")

#: Names of files that this module reads end so.
SUFFIXES: Final = (*_SCRIPTS, *_CLASSES)

#: `require("x")`, `import("x")`, `import "x"`, `… from "x"`.
_SPECIFIER: Final = re.compile(
    rb"\b(?:require|import)\s{0,20}\(\s{0,20}[\"'`]([^\"'`\n]{1,400})[\"'`]"
    rb"|\b(?:import|from)\s{0,20}[\"']([^\"'\n]{1,400})[\"']"
)
_IMPORT: Final = re.compile(
    rb"^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)", re.MULTILINE
)
#: What stands before the package's folders in the path of a class.
_ROOT: Final = re.compile(r"(?:.*/)?src/\w+/(?:java|kotlin)/")

Sources = Mapping[RepoPath, bytes]


def used_by_production(
    suspects: Iterable[RepoPath], production: Sources, tests: Sources
) -> Mapping[RepoPath, RepoPath]:
    """Each suspect that production uses, with a production file at the root of it.

    All sources are of the files that end as SUFFIXES say; a use also counts when it
    goes by way of other files of tests.
    """
    suspected = frozenset(suspects)
    if not suspected:
        return {}
    sources = {**tests, **production}
    uses = _Uses(frozenset(sources), _packages(tests, production))
    found: dict[RepoPath, RepoPath] = {}
    for user, data in production.items():
        waiting = list(uses.of(user, data))
        while waiting:
            path = waiting.pop()
            if path in tests and path not in found:
                found[path] = user
                waiting += uses.of(path, tests[path])
    return {path: user for path, user in found.items() if path in suspected}


def _packages(tests: Sources, production: Sources) -> Mapping[str, RepoPath]:
    """The classes that only test code holds, by their full names."""
    theirs = {_full_name(path) for path in production}
    named = {_full_name(path): path for path in tests if path.endswith(_CLASSES)}
    return {name: path for name, path in named.items() if name and name not in theirs}


def _full_name(path: RepoPath) -> str:
    found = _ROOT.match(path)
    if found is None:
        return ""
    return path[found.end() :].rpartition(".")[0].replace("/", ".")


class _Uses:
    """What a source uses of the repository."""

    def __init__(
        self, known: frozenset[RepoPath], packages: Mapping[str, RepoPath]
    ) -> None:
        self._known = known
        self._packages = packages

    def of(self, path: RepoPath, data: bytes) -> Iterator[RepoPath]:
        """The files that a source may mean, each as often as it does."""
        read: Callable[[RepoPath, bytes], Iterator[RepoPath]]
        read = self._of_script if path.endswith(_SCRIPTS) else self._of_class
        yield from read(path, data)

    def _of_script(self, path: RepoPath, data: bytes) -> Iterator[RepoPath]:
        for called, named in _SPECIFIER.findall(data):
            specifier = (called or named).decode("utf-8", "replace")
            if not specifier.startswith("."):
                continue
            target = _joined(PurePosixPath(path).parent, specifier)
            for candidate in _candidates(target):
                if candidate in self._known:
                    yield RepoPath(candidate)

    def _of_class(self, path: RepoPath, data: bytes) -> Iterator[RepoPath]:
        del path
        for name in _IMPORT.findall(data):
            # A static import names a member behind the class.
            parts = name.decode("ascii", "replace").split(".")
            for length in (len(parts), len(parts) - 1):
                found = self._packages.get(".".join(parts[:length]))
                if found is not None:
                    yield found


def _joined(folder: PurePosixPath, specifier: str) -> str:
    parts: list[str] = [part for part in folder.parts if part != "."]
    for part in specifier.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in {"", ".", ".."}:
            parts.append(part)
    return "/".join(parts)


def _candidates(target: str) -> Iterator[str]:
    """The files that a specifier without or with a suffix may name."""
    yield target
    stem = target.rpartition(".")[0] if target.endswith(_SCRIPTS) else target
    for suffix in _SCRIPTS:
        yield stem + suffix
        yield f"{target}/index{suffix}"
