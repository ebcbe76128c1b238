"""What the bench of public projects reads, and how it judges what a gate said."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench.public.changes import NotThere, origin_of
from bench.public.entries import Entry, WrongEntry, chosen, entries
from bench.public.rows import judged, keep, kept, table, untried

from fairtrial.runners import RUNNERS
from fairtrial.settings import load

ENTRY = Entry(
    runner="pytest",
    repository="owner/name",
    commit="0" * 40,
    revert=("src/a.py",),
    configuration="",
    tests=("tests/test_a.py::test_one", "tests/test_a.py::test_two"),
    culprit=("src/a.py",),
)
GOOD = """\
repository: owner/name
commit: "0123456789"
revert: [src/a.py]
tests: ["tests/test_a.py::test_one"]
culprit: [src/a.py]
"""


def verdict(test: str, decision: str = "block", *paths: str) -> dict[str, Any]:
    return {
        "test": test,
        "decision": decision,
        "culprit": [{"path": path} for path in paths or ("src/a.py",)],
    }


def report(*verdicts: dict[str, Any]) -> dict[str, Any]:
    return {"verdicts": list(verdicts), "cost": {"trials": 7}}


def test_blocked_with_its_tests_and_its_culprit_is_right() -> None:
    row = judged(ENTRY, "block", report(*map(verdict, ENTRY.tests)), 1.25)

    assert (True, 7, 1.2) == (row.right, row.trials, row.seconds)
    assert "block; its tests; culprit `src/a.py`" == row.seen


def test_a_test_that_is_blocked_besides_is_told() -> None:
    all_ = report(*map(verdict, (*ENTRY.tests, "tests/test_b.py::test_other")))

    row = judged(ENTRY, "block", all_, 1)

    assert row.right
    assert "also `tests/test_b.py::test_other`" in row.seen


@pytest.mark.parametrize(
    ("decision", "found", "told"),
    [
        ("block", report(verdict(ENTRY.tests[0])), "not blocked: `tests/test_a.py::"),
        ("pass", report(), "pass; 0 of 2 tests"),
        (
            "block",
            report(
                verdict(ENTRY.tests[0]), verdict(ENTRY.tests[1], "block", "src/b.py")
            ),
            "culprit `src/a.py`, `src/b.py`",
        ),
        ("inconclusive", report(*map(verdict, ENTRY.tests)), "inconclusive"),
        ("exit 1", {}, "exit 1"),
        ("block", report(*(verdict(t, "repair") for t in ENTRY.tests)), "not blocked"),
    ],
)
def test_anything_else_is_not_right(
    decision: str, found: dict[str, Any], told: str
) -> None:
    row = judged(ENTRY, decision, found, 1)

    assert row.right is False
    assert told in row.seen


def test_what_could_not_be_tried_is_neither_right_nor_wrong(tmp_path: Path) -> None:
    row = untried(ENTRY, "owner/name is not in a mirror")

    assert row.right is None
    assert "WRONG" not in table([row])


def test_rows_come_back_as_they_were_kept_and_the_last_one_counts(
    tmp_path: Path,
) -> None:
    file = tmp_path / "rows.jsonl"
    first = untried(ENTRY, "not there")
    last = judged(ENTRY, "block", report(*map(verdict, ENTRY.tests)), 2)
    for row in (first, last):
        keep(file, row)

    assert (last,) == kept(file)


def test_a_bar_in_a_test_id_does_not_break_the_table() -> None:
    row = untried(replace(ENTRY, tests=("a.py::test[x|y]",)), "why")

    line = table([row]).splitlines()[-1]

    assert 7 == len(re.findall(r"(?<!\\)\|", line)) - 1


def test_an_entry_is_read_with_its_file_as_the_runner(tmp_path: Path) -> None:
    (tmp_path / "jest.yml").write_text(GOOD)
    (tmp_path / "go.yml").write_text(f"- {GOOD.replace(chr(10), chr(10) + '  ')}")

    assert ["go", "jest"] == [each.runner for each in entries(tmp_path)]
    assert ["jest"] == [each.runner for each in chosen(entries(tmp_path), ["jest"])]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("just a word", "a mapping"),
        (GOOD + "test: [x]\n", "unknown: test"),
        (GOOD.replace("culprit: [src/a.py]\n", ""), "missing: culprit"),
        (GOOD.replace("[src/a.py]", "[]"), "at least one"),
        (GOOD.replace('"0123456789"', "1234567890"), "quotes"),
    ],
)
def test_an_entry_that_says_too_little_is_refused(
    tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "jest.yml").write_text(text)

    with pytest.raises(WrongEntry, match=told):
        entries(tmp_path)


def test_a_runner_without_an_entry_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongEntry, match="jset"):
        chosen(entries(tmp_path), ["jset"])


def test_a_mirror_is_a_folder_of_git_directories_of_any_shape(tmp_path: Path) -> None:
    bare = tmp_path / "owner+name" / "repo"
    bare.mkdir(parents=True)
    (bare / "HEAD").write_text("")

    assert str(bare) == origin_of("owner/name", tmp_path)
    assert origin_of("owner/name", None).endswith("/owner/name")
    with pytest.raises(NotThere):
        origin_of("owner/other", tmp_path)


def test_each_entry_that_there_is_is_of_a_runner_and_can_be_read() -> None:
    for each in entries():
        assert each.runner in RUNNERS
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", each.repository)
        assert re.fullmatch(r"[0-9a-f]{40}", each.commit)
        if each.configuration:
            assert load(each.configuration, each.runner).suites
