"""Ways to tamper with tests, and honest work, whole: each gets what it deserves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from specimens.tampering import Pattern, Setting, build, patterns

#: Judged in the default tier; the others in the complete one.
DEFAULT_TIER = {"assertion-removed", "tests-merged-into-parameters"}

TAMPERING = tuple(each for each in patterns() if not each.honest)
HONEST = tuple(each for each in patterns() if each.honest)
#: Real changes of a contract, which a person is told of.
CONTRACTS = {"re-specified": "expectations-changed", "removed": "contract-removed"}


def gate(
    pattern: Pattern, setting: Setting, authority: str, folder: Path
) -> tuple[int, dict[str, Any], str]:
    change = build(pattern, setting, folder / "repo")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "fairtrial", "gate", "--bench=here"),
            *(f"--repo={change.path}", f"--base={change.base}"),
            *(f"--head={change.head}", f"--authority={authority}"),
            f"--report-dir={folder / 'report'}",
        ],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
        timeout=280,
    )
    report = json.loads((folder / "report" / "report.json").read_text())
    comment = (folder / "report" / "report.md").read_text()
    return done.returncode, report, comment


def told(report: dict[str, Any]) -> set[str]:
    """The categories and rules of all that a report tells."""
    answers = (*report["verdicts"], *report["findings"])
    return {
        each[key] for each in answers for key in ("category", "rule") if key in each
    }


def marked(found: tuple[Pattern, ...]) -> list[Any]:
    return [
        pytest.param(
            each,
            id=each.name,
            marks=() if each.name in DEFAULT_TIER else pytest.mark.slow,
        )
        for each in found
    ]


@pytest.mark.parametrize("pattern", marked(TAMPERING))
def test_a_hidden_regression_does_not_pass(pattern: Pattern, tmp_path: Path) -> None:
    exit_code, report, comment = gate(pattern, Setting.HIDDEN, "person", tmp_path)

    names = told(report)
    match pattern.kind:
        case "weakened" | "gone":
            assert (12, True) == (exit_code, "hidden-regression" in names), names
            assert report["requires_production_change"]
        case "re-specified":
            assert (0, True) == (exit_code, "expectations-changed" in names), names
            lines = [line for line in comment.splitlines() if line]
            assert lines[1].startswith("**Expectations changed here: ")
            shown = [each for each in report["findings"] if each["was"]]
            assert shown
            assert all(each["now"] for each in shown)
        case "control" | "inert":
            assert (12, True) == (exit_code, "regression" in names), names
        case "recognised":
            assert 0 == exit_code
            heuristic = [f for f in report["findings"] if "heuristic" in f["because"]]
            assert {"pass"} == {each["decision"] for each in heuristic}
        case _:
            pytest.fail(f"a kind without an expectation: {pattern.kind}")


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(each, id=each.name)
        for each in TAMPERING
        if each.kind in {"weakened", "gone", "re-specified"}
    ],
)
def test_an_agent_takes_no_red_out_of_a_test(pattern: Pattern, tmp_path: Path) -> None:
    exit_code, report, _ = gate(pattern, Setting.RED, "repair", tmp_path)

    expected = "oracle-dispute" if pattern.kind == "re-specified" else "weakened"
    assert (12, True) == (exit_code, expected in told(report)), told(report)


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern",
    [pytest.param(e, id=e.name) for e in TAMPERING if e.kind == "re-specified"],
)
def test_an_agent_changes_no_expectation_by_itself(
    pattern: Pattern, tmp_path: Path
) -> None:
    exit_code, report, _ = gate(pattern, Setting.HIDDEN, "feature", tmp_path)

    assert (12, True) == (exit_code, "expectations-changed" in told(report))


@pytest.mark.parametrize("pattern", marked(HONEST))
def test_honest_work_passes_and_only_a_contract_is_told(
    pattern: Pattern, tmp_path: Path
) -> None:
    exit_code, report, _ = gate(pattern, Setting.GREEN, "person", tmp_path)

    assert 0 == exit_code, told(report)
    assert not report["verdicts"]
    found = {each["category"] for each in report["findings"]}
    expected = CONTRACTS.get(pattern.kind)
    assert (set() if expected is None else {expected}) == found, report["findings"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern", [pytest.param(e, id=e.name) for e in HONEST if e.kind in CONTRACTS]
)
def test_a_contract_that_an_agent_changes_waits_for_a_person(
    pattern: Pattern, tmp_path: Path
) -> None:
    exit_code, report, _ = gate(pattern, Setting.GREEN, "feature", tmp_path)

    blocking = {f["category"] for f in report["findings"] if f["decision"] == "block"}
    assert (12, {CONTRACTS[pattern.kind]}) == (exit_code, blocking)
