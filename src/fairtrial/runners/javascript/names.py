"""Which titles a test's id stands for, and where integrity's reader finds it written.

`injected/javascript/fairtrial_ids.cjs` makes the ids; here they are taken apart.
"""

from __future__ import annotations

import re
from typing import Final

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Unit
from fairtrial.domain.names import RepoPath, TestId

_BETWEEN: Final = " > "
_ESCAPED: Final = re.compile(r"\\(?:u([0-9a-f]{4})|(.))", re.DOTALL)
#: A row's step: the title as written, and in brackets as it was shown.
_ROW: Final = re.compile(r"(?P<written>(?:[^\\]|\\.)*?)(?:^| )\[.*\]", re.DOTALL)
_AGAIN: Final = re.compile(r"#\d+\Z")


def file_of(test: TestId) -> RepoPath:
    """The file that holds a test."""
    return RepoPath(test.partition("::")[0])


def place_of(test: TestId) -> Place:
    """Where a test is written: blocks and title, each as its source has it."""
    steps = _steps(test)
    return Place(path=file_of(test), names=tuple(map(_written, steps)))


def widen(test: TestId, unit: Unit, listed: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """The listed tests that make up the unit around a test, in listed order.

    Its class is the outermost block that it stands in, with all rows of that.
    """
    match unit:
        case Unit.TEST:
            return (test,)
        case Unit.CLASS:
            around = _block_of(test)
            return tuple(each for each in listed if _block_of(each) == around)
        case Unit.FILE:
            file = file_of(test)
            return tuple(each for each in listed if file_of(each) == file)
        case Unit.DIRECTORY:
            folder = _folder_of(test)
            return tuple(each for each in listed if _folder_of(each).startswith(folder))


def _steps(test: TestId) -> list[str]:
    rest = test.partition("::")[2]
    return rest.split(_BETWEEN)


def _written(step: str) -> str:
    row = _ROW.fullmatch(step)
    if row is not None:
        return _unescaped(row["written"])
    return _unescaped(step)


def _unescaped(step: str) -> str:
    def character(found: re.Match[str]) -> str:
        return chr(int(found[1], 16)) if found[1] else found[2]

    return _ESCAPED.sub(character, step)


def _block_of(test: TestId) -> tuple[RepoPath, str]:
    """File and outermost block; for a test outside of blocks, all of its rows."""
    first = _written(_steps(test)[0])
    return file_of(test), _AGAIN.sub("", first)


def _folder_of(test: TestId) -> str:
    return file_of(test).rpartition("/")[0] + "/"
