"""The page of runners, and the matrix of what was seen of each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bench.matrix.cells import (
    Cell,
    digest,
    expected,
    file_of,
    keep,
    kept,
    seen,
    specimens_of,
)
from bench.matrix.page import matrix, page_of, whole
from specimens import FOLDER

from fairtrial.runners import RUNNERS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "runners.md").read_text("utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "jest").mkdir()
    text = "# Why.\nexit: 12\nverdicts:\n  a::b: {category: regression}\n\n== base x\n"
    (tmp_path / "regression.txt").write_text(text)
    (tmp_path / "jest" / "regression.txt").write_text(text)
    (tmp_path / "jest" / "each_tables.txt").write_text("exit: 0\nverdicts: {}\n")
    (tmp_path / "only_pytests_own.txt").write_text("exit: 0\nverdicts: {}\n")
    return tmp_path


def cell(folder: Path, runner: str, name: str, *, ok: bool = True) -> Cell:
    return Cell(
        runner=runner,
        specimen=name,
        expected="block: regression",
        seen="block: regression" if ok else "pass",
        ok=ok,
        seconds=1.5,
        of=digest(file_of(folder, runner, name)),
    )


def line_of(table: str, name: str) -> str:
    return next(line for line in table.splitlines() if f"`{name}`" in line)


def test_the_matrix_has_what_a_runner_has_and_a_dash_elsewhere(folder: Path) -> None:
    assert ("regression",) == specimens_of(folder, "pytest")
    assert ("regression", "each_tables") == specimens_of(folder, "jest")

    table = matrix(folder, ["pytest", "jest"], {})

    assert "| `regression` | not run | not run |" == line_of(table, "regression")
    assert "| `each_tables` | - | not run |" == line_of(table, "each_tables")
    assert "| `hang` | - | - |" == line_of(table, "hang")


def test_a_cell_says_whether_the_run_was_right(folder: Path) -> None:
    cells = {
        ("pytest", "regression"): cell(folder, "pytest", "regression"),
        ("jest", "regression"): cell(folder, "jest", "regression", ok=False),
    }

    line = line_of(matrix(folder, ["pytest", "jest"], cells), "regression")

    assert "| `regression` | right: block | **wrong**: pass |" == line


def test_a_specimen_that_was_changed_since_counts_as_not_run(folder: Path) -> None:
    cells = {("jest", "regression"): cell(folder, "jest", "regression")}
    file_of(folder, "jest", "regression").write_text("exit: 0\nverdicts: {}\n")

    assert "not run" in line_of(matrix(folder, ["jest"], cells), "regression")


def test_what_is_demanded_and_what_was_seen_are_told_alike(folder: Path) -> None:
    report = {
        "verdicts": [{"category": "regression"}],
        "findings": [{"rule": "a-notice", "decision": "pass"}],
    }

    assert "block: regression" == expected(file_of(folder, "jest", "regression"))
    assert "block: regression" == seen(12, report)
    assert "exit 1" == seen(1, {})


def test_cells_come_back_as_they_were_kept_and_the_last_one_counts(
    folder: Path,
) -> None:
    file = folder / "cells.jsonl"
    last = cell(folder, "jest", "regression")
    for each in (cell(folder, "jest", "regression", ok=False), last):
        keep(file, each)

    assert {("jest", "regression"): last} == kept(file)
    assert {} == kept(folder / "none.jsonl")


def test_a_runners_summary_is_the_first_paragraph_of_its_page(tmp_path: Path) -> None:
    (tmp_path / "runners").mkdir()
    page = tmp_path / "runners" / "jest.md"
    page.write_text("# Jest\n\nRuns **Jest** 29.\n\n## More\n\nNot this.\n")

    text = whole(tmp_path, tmp_path, ["jest", "go"], {})

    assert "Runs **Jest** 29." == page_of(page).summary
    assert "## jest\n\nRuns **Jest** 29.\n\n[Jest](runners/jest.md)\n" in text
    assert "## go\n\nIt has no page yet.\n" in text


def test_the_page_is_of_exactly_the_runners_that_there_are() -> None:
    told = re.findall(r"^## (\S+)$", PAGE, flags=re.MULTILINE)

    assert list(RUNNERS) == told
    assert f"| specimen | {' | '.join(RUNNERS)} |" in PAGE


@pytest.mark.parametrize("runner", RUNNERS)
def test_the_page_has_a_cell_for_each_specimen_that_there_is(runner: str) -> None:
    column = 1 + list(RUNNERS).index(runner)
    rows = [
        [each.strip() for each in line.strip("|").split("|")]
        for line in PAGE.splitlines()
        if line.startswith("| `")
    ]

    shown = {row[0].strip("`") for row in rows if row[column] != "-"}
    assert set(specimens_of(FOLDER, runner)) == shown


@pytest.mark.parametrize("runner", RUNNERS)
def test_each_runner_has_a_page_that_the_list_leads_to(runner: str) -> None:
    assert (ROOT / "docs" / "runners" / f"{runner}.md").is_file()
    assert f"(runners/{runner}.md)" in PAGE
