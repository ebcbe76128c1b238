"""What the parts of a JVM test's name are: `path::Class::method(types)[row]`."""

from __future__ import annotations

import re
from typing import Final

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Unit
from fairtrial.domain.names import RepoPath, TestId

#: Rows of a scenario outline, and the sign of a second test of the same name.
_ROWS: Final = re.compile(r"(?:\[\d+\])*(?:#\d+)?$")


def file_of(test: TestId) -> RepoPath:
    """The file that holds a test."""
    return RepoPath(test.partition("::")[0])


def place_of(test: TestId) -> Place:
    """Where a test is written; all rows of a test have one place."""
    path, *parts = test.split("::")
    if parts:
        parts[-1] = _ROWS.sub("", parts[-1])
        if not path.endswith(".feature"):
            parts[-1] = _method(parts[-1].partition("[")[0])
    return Place(path=RepoPath(path), names=tuple(parts))


def _method(signature: str) -> str:
    """The name of a method without its types, which stand last."""
    if not signature.endswith(")") or "(" not in signature:
        return signature
    return signature[: signature.rindex("(")]


def widen(test: TestId, unit: Unit, listed: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """The listed tests that make up the unit around a test, in listed order."""
    match unit:
        case Unit.TEST:
            return (test,)
        case Unit.CLASS:
            around = _class_of(test)
            return tuple(each for each in listed if _class_of(each) == around)
        case Unit.FILE:
            file = file_of(test)
            return tuple(each for each in listed if file_of(each) == file)
        case Unit.DIRECTORY:
            folder = _folder_of(test)
            return tuple(
                each for each in listed if f"{_folder_of(each)}/".startswith(folder)
            )


def _class_of(test: TestId) -> str:
    """File and outermost class."""
    return "::".join(test.split("::")[:2])


def _folder_of(test: TestId) -> str:
    return file_of(test).rpartition("/")[0] + "/"
