"""Which tests CTest knows, and which cases of GoogleTest each of them holds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from fairtrial.domain.names import RepoPath, TestId
from fairtrial.runners.reports.fields import Malformed

_LIMIT: Final = 64 * 1024 * 1024
#: As `injected/fairtrial_ctest.py` has it.
SEPARATOR: Final = " > "


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One test of CTest."""

    name: str
    index: int
    #: "gtest" (a whole binary), "case" (one case of one), "plain" (anything else).
    kind: str
    file: RepoPath
    program: str
    disabled: bool
    line: int = 0
    #: For "gtest": each case with its file and line.
    cases: tuple[tuple[str, RepoPath, int], ...] = ()
    #: For "case": its name in the binary.
    case: str = ""

    @property
    def ids(self) -> tuple[TestId, ...]:
        """The ids of its tests, in the order in which they run."""
        if self.kind == "gtest":
            return tuple(self.id_of(name) for name, _, _ in self.cases)
        return (TestId(f"{self.file}::{self.name}"),)

    def id_of(self, case: str) -> TestId:
        """The id of one case of a binary."""
        file = next((path for name, path, _ in self.cases if name == case), self.file)
        return TestId(f"{file}::{self.name}{SEPARATOR}{case}")

    def place_of(self, case: str) -> tuple[RepoPath, int]:
        """Where a case is written."""
        if self.kind == "case":
            return self.file, self.line
        found = ((path, line) for name, path, line in self.cases if name == case)
        return next(found, (self.file, 0))


def read_entries(data: bytes, workspace: str) -> tuple[Entry, ...]:
    """The list that the driver made; raises Malformed for anything else."""
    if len(data) > _LIMIT:
        raise Malformed("the list of tests is larger than any is")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise Malformed("the list of tests is no JSON") from None
    if not isinstance(value, list):
        raise Malformed("the list of tests is no list")
    return tuple(_entry(each, workspace) for each in value)


def _entry(value: Any, workspace: str) -> Entry:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise Malformed("a test has no name")
    index, line = value.get("index"), value.get("line", 0)
    if not isinstance(index, int) or not isinstance(line, int):
        raise Malformed("a test has no number")
    cases = value.get("cases", [])
    if not isinstance(cases, list):
        raise Malformed("cases are no list")
    file = _relative(value.get("file"), workspace)
    return Entry(
        name=value["name"],
        index=index,
        kind=str(value.get("kind")),
        file=file,
        program=str(value.get("program")),
        disabled=value.get("disabled") is True,
        line=line,
        cases=tuple(_case(each, file, workspace) for each in cases),
        case=str(value.get("case", "")),
    )


def _case(value: Any, around: RepoPath, workspace: str) -> tuple[str, RepoPath, int]:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise Malformed("a case has no name")
    line = value.get("line")
    file = _relative(value.get("file"), workspace)
    return (
        value["name"],
        file if value.get("file") else around,
        line if isinstance(line, int) else 0,
    )


def _relative(value: Any, workspace: str) -> RepoPath:
    text = value if isinstance(value, str) else ""
    return RepoPath(text.removeprefix(f"{workspace}/") or "CMakeLists.txt")
