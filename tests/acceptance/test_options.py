"""What the gate's options change, each by a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from specimens import build

from .test_specimens import gate


def test_a_budget_that_is_over_at_once_lets_nothing_pass(tmp_path: Path) -> None:
    built = build("old_contamination", tmp_path)

    code, report, printed = gate(built, tmp_path / "report", "--budget=0.0001")

    (verdict,) = report["verdicts"]
    assert (11, "inconclusive") == (code, verdict["category"]), printed


@pytest.mark.parametrize("authority", ["repair", "feature"])
def test_an_agents_authority_reaches_the_report(authority: str, tmp_path: Path) -> None:
    built = build("clean", tmp_path)

    _, report, _ = gate(built, tmp_path / "r", f"--authority={authority}")

    assert (authority, "as asked for") == (
        report["subject"]["authority"],
        report["subject"]["authority_because"],
    )
    assert (
        f"authority `{authority}` (as asked for)"
        in (tmp_path / "r" / "report.md").read_text()
    )


def test_a_variant_and_a_language_reach_the_report(tmp_path: Path) -> None:
    built = build("clean", tmp_path)

    code, report, _ = gate(built, tmp_path / "report", "--variant=3.13", "--locale=ko")

    assert (0, "3.13") == (code, report["run"]["variant"])
    page = (tmp_path / "report" / "report.md").read_text()
    assert any("\uac00" <= letter <= "\ud7a3" for letter in page.splitlines()[0])


def test_a_suite_that_there_is_not_is_told_with_those_that_there_are(
    tmp_path: Path,
) -> None:
    built = build("disarmed_configuration", tmp_path)

    code, _, printed = gate(built, tmp_path / "report", "--suite=units")

    assert 2 == code
    assert 'Did you mean "unit"?' in printed


@pytest.mark.slow
def test_a_test_gets_the_seconds_that_are_asked_for(tmp_path: Path) -> None:
    built = build("slow_test", tmp_path)

    code, report, printed = gate(built, tmp_path / "report", "--test-timeout=1")

    (verdict,) = report["verdicts"]
    assert (12, "timeout") == (code, verdict["failure"]["kind"]), printed


@pytest.mark.slow
def test_inputs_describe_the_suite_where_nothing_is_configured(tmp_path: Path) -> None:
    built = build("clean", tmp_path)

    code, report, printed = gate(
        built,
        tmp_path / "report",
        "--test-command=python -m pytest -q",
        "--prepare=python -m pip install pytest",
        "--python=3.11",
    )

    assert 0 == code, printed
    assert "inputs" == report["subject"]["configuration"]
