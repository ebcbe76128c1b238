"""What the id of a Rust test says: its file, its binary, and its path in the crate.

`src/cart.rs::shop cart::tests::total` is a unit test of the package shop's library;
binaries are named as nextest names them (`shop`, `shop::api` for tests/api.rs,
`shop::bin/till`). Documentation tests are `src/lib.rs::shop (doc) add #2`, counted per
item since lines shift. A binary with a main of its own is one test, without a path.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Unit
from fairtrial.domain.names import RepoPath, TestId

DOCUMENTATION: Final = "(doc)"
#: A row of rstest or test_case: a function that a macro made below the test's name.
_ROW: Final = re.compile(r"case_\d+(_.*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class RustTest:
    """One test's id, taken apart."""

    path: RepoPath
    binary: str
    name: str


def parsed(test: TestId) -> RustTest:
    """The parts of an id; `name` is "" where the whole binary is one test."""
    path, _, native = test.partition("::")
    binary, _, name = native.partition(" ")
    return RustTest(path=RepoPath(path), binary=binary, name=name)


def file_of(test: TestId) -> RepoPath:
    """The file that holds a test."""
    return RepoPath(test.partition("::")[0])


def place_of(test: TestId) -> Place:
    """Modules inside its file and the function; all rows of a test have one place."""
    one = parsed(test)
    names = [each.removeprefix("r#") for each in one.name.split("::")]
    if one.name.startswith(DOCUMENTATION) or not one.name:
        return Place(path=one.path, names=(one.name or one.binary,))
    if len(names) > 1 and _ROW.fullmatch(names[-1]):
        names.pop()
    return Place(path=one.path, names=tuple(names[_depth(one, names) :]))


def _depth(one: RustTest, names: list[str]) -> int:
    """How many of a test's modules are files and folders, up to its own file."""
    folders = one.path.removesuffix(".rs").split("/")
    stem = folders[-1]
    if stem in {"lib", "main"} or one.binary.endswith((f"::{stem}", f"/{stem}")):
        return 0
    if stem == "mod":
        folders.pop()
    for count in range(min(len(folders), len(names) - 1), 0, -1):
        if folders[-count:] == names[:count]:
            return count
    return 0


def widen(test: TestId, unit: Unit, listed: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """The listed tests around a test: its module is its class."""
    match unit:
        case Unit.TEST:
            return (test,)
        case Unit.CLASS:
            around = _module_of(test)
            return tuple(each for each in listed if _module_of(each) == around)
        case Unit.FILE:
            file = file_of(test)
            return tuple(each for each in listed if file_of(each) == file)
        case Unit.DIRECTORY:
            folder = file_of(test).rpartition("/")[0]
            below = f"{folder}/" if folder else ""
            return tuple(each for each in listed if file_of(each).startswith(below))


def _module_of(test: TestId) -> tuple[str, str, str]:
    one = parsed(test)
    return one.path, one.binary, one.name.rpartition("::")[0]
