"""Which packages were asked about, and which test files each was built from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from fairtrial.domain.names import RepoPath
from fairtrial.runners.reports.fields import Malformed

#: What `go list -json` is asked for.
FIELDS: Final = "Dir,ImportPath,TestGoFiles,XTestGoFiles,Error"
_LIMIT: Final = 64 * 1024 * 1024
_SPACE: Final = re.compile(r"\s*")
_MOST_FILES: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One package of the workspace."""

    name: str
    #: Relative to the workspace; "" at its root.
    folder: str
    #: Test files inside the package, and those that only import it.
    inner: tuple[RepoPath, ...] = ()
    outer: tuple[RepoPath, ...] = ()
    #: Why it can't be loaded.
    error: str = ""

    @property
    def files(self) -> tuple[RepoPath, ...]:
        """Its test files, in the order in which their tests run."""
        return (*self.inner, *self.outer)


def read_packages(data: bytes, workspace: str) -> tuple[Package, ...]:
    """What `go list -e -json` printed; raises Malformed for anything else."""
    if len(data) > _LIMIT:
        raise Malformed("the list of packages is larger than any is")
    return tuple(
        package
        for value in _values(data.decode("utf-8", "replace"))
        if (package := _package(value, workspace)) is not None
    )


def _values(text: str) -> Iterator[Any]:
    decoder, at = json.JSONDecoder(), 0
    while (at := _after_space(text, at)) < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            raise Malformed("the list of packages is no JSON") from None
        yield value


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _package(value: Any, workspace: str) -> Package | None:
    if not isinstance(value, dict):
        raise Malformed("a package is no object")
    place, name = value.get("Dir"), value.get("ImportPath")
    if not isinstance(name, str):
        raise Malformed("a package has no name")
    if not isinstance(place, str) or not f"{place}/".startswith(f"{workspace}/"):
        return None
    folder = place[len(workspace) + 1 :]
    wrong = value.get("Error")
    said = wrong.get("Err") if isinstance(wrong, dict) else None
    return Package(
        name=name,
        folder=folder,
        inner=_files(value.get("TestGoFiles"), folder),
        outer=_files(value.get("XTestGoFiles"), folder),
        error=str(said)[:2_000] if wrong else "",
    )


def _files(value: Any, folder: str) -> tuple[RepoPath, ...]:
    names = value if isinstance(value, list) else []
    before = f"{folder}/" if folder else ""
    return tuple(
        RepoPath(f"{before}{name}")
        for name in names[:_MOST_FILES]
        if isinstance(name, str)
    )
