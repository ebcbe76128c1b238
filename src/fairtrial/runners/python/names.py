"""What a unittest test's id says: its file, its class, and where it is written.

An id is the file's path, two colons, and what unittest calls the test: module, class
and method with dots between. A second test of one name in a file ends with `[2]`.
"""

from __future__ import annotations

import re
from typing import Final

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Unit
from fairtrial.domain.names import RepoPath, TestId

#: As `injected/fairtrial_modules.py` has it.
AGAIN: Final = "::fairtrial-again"
_SUFFIX: Final = re.compile(r"(\[\d+\])?(::fairtrial-again)?\Z")


def file_of(test: TestId) -> RepoPath:
    """The file that holds a test."""
    return RepoPath(test.partition("::")[0])


def place_of(test: TestId) -> Place:
    """Where a test is written: its file, then its classes and its method."""
    path, _, native = _SUFFIX.sub("", test).partition("::")
    parts = native.split(".")
    return Place(path=RepoPath(path), names=tuple(parts[_in_module(path, parts) :]))


def _in_module(path: str, parts: list[str]) -> int:
    """How many parts name the module: those that the path ends with.

    A class that another module defines keeps its own two last parts.
    """
    if parts[0] == "__main__":
        return 1
    module = path.removesuffix(".py").removesuffix("/__init__").split("/")
    for count in range(len(module), 0, -1):
        if parts[:count] == module[-count:] and len(parts) > count:
            return count
    return max(0, len(parts) - 2)


def again(test: TestId) -> TestId | None:
    """The id under which a second run of a test in the same process is asked for."""
    return TestId(f"{test}{AGAIN}")


def widen(test: TestId, unit: Unit, listed: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """The listed tests that make up the unit around a test, in listed order."""
    match unit:
        case Unit.TEST:
            return (test,)
        case Unit.CLASS:
            around = test.rpartition(".")[0]
            return tuple(each for each in listed if each.rpartition(".")[0] == around)
        case Unit.FILE:
            file = file_of(test)
            return tuple(each for each in listed if file_of(each) == file)
        case Unit.DIRECTORY:
            folder = _folder_of(test)
            return tuple(
                each for each in listed if f"{_folder_of(each)}/".startswith(folder)
            )


def _folder_of(test: TestId) -> str:
    return file_of(test).rpartition("/")[0] + "/"
