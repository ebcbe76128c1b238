"""Annotations, terminal and progress: bounded, readable, never a command by name."""

from __future__ import annotations

import pkgutil
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from tests.reporters.hostile_text import hostile
from tests.reporters.sample import LEAK, PASSED, REGRESSION, REPORT, VICTIM
from tests.reporters.test_markdown import of_text

import fairtrial.reporters
from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.names import TestId
from fairtrial.domain.report import CellInfo, FailureInfo, Finding, Report
from fairtrial.reporters import (
    REPORTERS,
    PublicationKind,
    counts,
    terminal,
)
from fairtrial.reporters.annotations import render
from fairtrial.reporters.progress import LiveProgress, PlainProgress, SilentProgress
from fairtrial.reporters.words import WORDS, Locale

#: A workflow command as the runner reads it: at a line's start, or `##[` anywhere.
COMMAND = re.compile(
    r"^\s*::(?P<name>[^\s:]+)(?: (?P<properties>[^:]*))?::|##\[", re.MULTILINE
)


def annotated(report: Report) -> list[str]:
    return [publication.content for publication in render(report)]


def test_every_module_with_a_render_function_is_registered() -> None:
    folder = fairtrial.reporters.__path__
    names = {info.name for info in pkgutil.iter_modules(folder)}
    rendering = {
        name
        for name in names
        if hasattr(__import__(f"fairtrial.reporters.{name}", fromlist=["x"]), "render")
    }

    assert rendering == set(REPORTERS)


@pytest.mark.parametrize("name", REPORTERS)
@pytest.mark.parametrize("locale", Locale)
def test_every_reporter_publishes_every_report(name: str, locale: Locale) -> None:
    for report in (REPORT, PASSED, replace(PASSED, stopped="no bench", subject=None)):
        for publication in REPORTERS[name].render(report, locale):
            assert publication.content.strip()
            assert (publication.kind is PublicationKind.FILE) == bool(publication.name)


def test_a_regression_is_annotated_at_its_culprit() -> None:
    assert (
        "::error file=src/cart.py,line=41,endLine=47,title=regression (production)::"
        "tests/test_cart.py::test_total%0Areverting src/cart.py:41-47 makes it pass"
        "%0Aa person decides whether the production change is meant"
    ) == annotated(REPORT)[0]


def test_a_tests_own_failure_is_annotated_where_it_failed() -> None:
    assert REGRESSION.failure is not None
    verdict = replace(LEAK, failure=REGRESSION.failure)

    [told] = annotated(replace(PASSED, verdicts=(verdict,)))

    assert told.startswith("::warning file=tests/test_cart.py,line=12,title=")


def test_a_place_that_is_none_is_left_out() -> None:
    assert REGRESSION.failure is not None
    failure = replace(REGRESSION.failure, where="somewhere")

    [told] = annotated(replace(PASSED, verdicts=(replace(LEAK, failure=failure),)))

    assert told.startswith("::warning title=")


def test_only_ten_annotations_a_level_are_written_and_the_rest_counted() -> None:
    verdicts = (REGRESSION,) * 30 + (LEAK,) * 10 + (VICTIM,) * 11

    told = annotated(replace(REPORT, verdicts=verdicts, findings=()))

    levels = [line.split(" ", 1)[0] for line in told]
    assert ["::error"] * 10 + ["::warning"] * 10 + ["::notice"] * 10 == levels
    assert "::error title=21 more::21 more in the summary of this job." == told[9]
    assert "::notice title=2 more::2 more in the summary of this job." == told[-1]


def test_a_stop_is_an_error() -> None:
    [told] = annotated(replace(PASSED, stopped="no bench: can't\nstand"))

    assert "::error title=Fairtrial stopped before a judgement::" in told
    assert told.endswith("::no bench: can't%0Astand")


@given(hostile, hostile)
@settings(deadline=None)
def test_each_annotation_is_exactly_one_command(one: str, two: str) -> None:
    for told in annotated(replace(of_text(one, two), stopped=two)):
        assert "\n" not in told
        assert "##[" not in told
        found = COMMAND.match(told)
        assert found is not None
        assert found["name"] in {"error", "warning", "notice"}
        names = [part.split("=")[0] for part in found["properties"].split(",")]
        assert names == [
            name for name in ("file", "line", "endLine", "title") if name in names
        ]


@given(hostile, hostile)
@settings(deadline=None)
def test_no_line_on_a_console_is_a_command(one: str, two: str) -> None:
    text = terminal.final(replace(of_text(one, two), stopped=one))

    assert COMMAND.search(text) is None
    assert all(c == "\n" or c.isprintable() for c in text)


def test_the_last_line_says_the_decision() -> None:
    lines = terminal.final(REPORT).splitlines()

    assert (
        "BLOCK  A person has to decide: passing would take a production change"
        " (src/cart.py:41-47)   22 trials, 31 s"
    ) == lines[-1]
    assert "suite unit         1,000 tests   48.2 s   2 failed" == lines[0]
    assert lines[1].endswith("culprit src/cart.py:41-47   regression → production")


@pytest.mark.parametrize("decision", Decision)
def test_every_decision_has_its_word_in_the_last_line(decision: Decision) -> None:
    last = terminal.final(replace(PASSED, decision=decision)).splitlines()[-1]

    assert last.startswith(f"{decision.name}  ")


def test_a_stop_is_no_decision() -> None:
    report = replace(PASSED, stopped="no bench")

    assert "STOPPED  " in terminal.final(report).splitlines()[-1]


def test_a_terminal_is_not_flooded() -> None:
    verdicts = tuple(replace(VICTIM, test=TestId(f"t{n}")) for n in range(500))
    finding = Finding(rule="x", because="y")

    text = terminal.final(replace(PASSED, verdicts=verdicts, findings=(finding,) * 90))

    assert text.count("\n") < 80
    assert "470 more" in text


def test_the_terminal_shows_the_end_of_a_failed_step() -> None:
    output = "\n".join(f"line {n}" for n in range(60))
    story = f"neither builds: `make` failed\n{output}\nError: no compiler"
    finding = Finding(rule="environment", because=story)

    lines = terminal.final(replace(PASSED, findings=(finding,))).splitlines()

    at = lines.index("  environment: neither builds: `make` failed")
    assert ["    line 53", "    Error: no compiler"] == [lines[at + 1], lines[at + 8]]


def test_the_terminal_says_how_a_test_failed_that_could_not_be_judged() -> None:
    failure = FailureInfo(
        kind="exception", phase="setup", type="OSError", message="no route\nmore"
    )
    unjudged = replace(VICTIM, decision=Decision.INCONCLUSIVE, failure=failure)

    lines = terminal.final(replace(PASSED, verdicts=(unjudged,))).splitlines()

    assert "    OSError: no route" in lines


def test_plain_progress_writes_whole_lines_once() -> None:
    written: list[str] = []
    progress = PlainProgress(written.append)

    progress.step("suite unit at head")
    progress.doing("::set-env name=A::b\nx")
    progress.doing("::set-env name=A::b\nx")
    progress.done()

    assert ["suite unit at head\n", "  | ::set-env name=A::b x\n"] == written


def test_live_progress_writes_over_itself_and_leaves_a_clean_line() -> None:
    written: list[str] = []
    progress = LiveProgress(written.append, columns=12)

    progress.step("suite")
    progress.doing("a long thing to do")
    progress.step("inquiry")
    progress.doing("b")
    progress.done()
    progress.done()

    clear = "\r\x1b[K"
    assert [
        "suite\n",
        f"{clear}  a long t…",
        clear,
        "inquiry\n",
        f"{clear}  b",
        clear,
    ] == written


def test_silent_progress_takes_everything() -> None:
    progress = SilentProgress()

    progress.step("x")
    progress.doing("y")
    progress.done()


@pytest.mark.parametrize("locale", Locale)
def test_every_category_and_side_has_its_words(locale: Locale) -> None:
    assert set(Category) == set(WORDS[locale].categories)
    assert set(Blame) == set(WORDS[locale].sides)


CELL = CellInfo(
    production="head",
    dependencies="head",
    migration="head",
    tests="head",
    control="base",
    context="alone",
)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (replace(CELL, passed=3), "✓✓✓"),
        (replace(CELL, passed=17, failed=3), "17\u00d7✓ ✗✗✗"),
        (replace(CELL, timed_out=2), "✗✗ timed out"),
        (replace(CELL, errored=1, missing=1), "? errored ? missing"),
        (replace(CELL, skipped=1), "○ skipped"),
        (CELL, "not run"),
    ],
)
def test_counts_are_drawn(cell: CellInfo, expected: str) -> None:
    assert expected == counts.marks(cell)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (CELL, "head"),
        (replace(CELL, tests="base"), "head with base's tests"),
        (replace(CELL, control="head"), "head, head's control"),
        (
            replace(CELL, dependencies="base"),
            "head with base's dependencies and head's migrations",
        ),
    ],
)
def test_trees_are_named(cell: CellInfo, expected: str) -> None:
    assert expected == counts.tree(cell)


def test_cells_without_attempts_are_not_seen() -> None:
    verdict = replace(VICTIM, evidence=(CELL, replace(CELL, failed=1)))

    assert "alone: head ✗" == counts.seen(verdict)


def test_of_a_search_only_its_end_is_seen() -> None:
    first, second = TestId("a.py::x"), TestId("a.py::y")
    found = replace(CELL, context="after(a.py::x, a.py::y)", failed=2)
    step = replace(CELL, context="after(a.py::x)", passed=1)
    verdict = replace(VICTIM, polluters=(first, second), evidence=(step, found))

    assert "after the polluters: head ✗✗" == counts.seen(verdict)
