"""Which lines each test ran of the files that were asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from fairtrial.domain.names import RepoPath, TestId
from fairtrial.runners import Selection
from fairtrial.runners.reports.events import Process

#: Lines in all, counted for each test; beyond it, tests are not measured. Few bytes of
#: a hostile report can name many lines.
LINES_LIMIT: Final = 1_000_000

Runs = Iterable[tuple[int, int]]


def covered(
    selection: Selection, processes: Iterable[Process]
) -> Mapping[TestId, Mapping[RepoPath, frozenset[int]]]:
    """The lines by test and file; a test that is not in it was not measured.

    Nothing but what was asked for is taken from a report.
    """
    if not selection.lines:
        return {}
    asked = frozenset(selection.tests)
    found: dict[TestId, Mapping[RepoPath, frozenset[int]]] = {}
    left = LINES_LIMIT
    for process in processes:
        for name, files in process.lines.items():
            test = TestId(name)
            wanted = {
                RepoPath(path): runs
                for path, runs in files.items()
                if RepoPath(path) in selection.lines
            }
            left -= sum(_length(runs) for runs in wanted.values())
            if test in asked and left >= 0:
                found[test] = {path: _lines(runs) for path, runs in wanted.items()}
    return found


def _length(runs: Runs) -> int:
    return sum(last - first + 1 for first, last in runs)


def _lines(runs: Runs) -> frozenset[int]:
    return frozenset(line for first, last in runs for line in range(first, last + 1))
