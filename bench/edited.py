"""Only tests changed, and nothing is wrong: what it takes to show it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

from projects import clock, edited_project, stand
from steps import steps
from tables import markdown, seconds

from fairtrial.domain.settings import BenchKind
from fairtrial.pipeline.opening import open_suite

FILES, TESTS, ROUNDS = 20, 50, 3
#: How many tests of one file are edited.
EDITED = (1, 10)


def table() -> str:
    heads = [
        *("tests", "edited", "suite, s", "all, s", "beyond the suite, s"),
        *("trials beyond it", "findings", "goal"),
    ]
    return markdown(
        "Only tests changed, nothing wrong (`here`)",
        heads,
        [_row(edited) for edited in EDITED],
    )


def _row(edited: int) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        repository = edited_project(Path(folder), FILES, TESTS, edited)
        with stand(repository, BenchKind.HERE) as (brief, one):
            suite: list[float] = []
            whole: list[float] = []
            trials = findings = 0
            for _ in range(ROUNDS):
                begun = clock()
                open_suite(one)
                suite.append(clock() - begun)
                begun = clock()
                report = steps(brief, one)
                whole.append(clock() - begun)
                assert report.exit_code == 0, report
                trials, findings = report.cost.trials, len(report.findings)
    return [
        f"{FILES * TESTS:,}",
        str(edited),
        seconds(suite),
        seconds(whole),
        f"{median(whole) - median(suite):+.1f}",
        str(trials),
        str(findings),
        "one suite run and 120 s",
    ]
