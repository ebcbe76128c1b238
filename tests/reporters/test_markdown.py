"""A reviewer sees the decision first, one row a verdict, and nothing smuggled in."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from tests.reporters.hostile_text import hostile
from tests.reporters.rendered import LINKED, page
from tests.reporters.sample import LEAK, PASSED, REGRESSION, REPORT, VICTIM

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.names import SuiteName, TestId
from fairtrial.domain.report import (
    CellInfo,
    Culprit,
    FailureInfo,
    Finding,
    Next,
    Report,
    SuiteInfo,
    Verdict,
)
from fairtrial.reporters import markdown
from fairtrial.reporters.hostile import line
from fairtrial.reporters.words import Locale

#: Every element that we make ourselves.
OURS = frozenset(
    {"h3", "p", "strong", "code", "pre", "details", "summary", "sub", "ul", "li"}
    | {"table", "thead", "tbody", "tr", "th", "td"}
)


def first_line(report: Report) -> str:
    return markdown.comment(report).split("\n", 1)[0]


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (PASSED, "### ✅ Nothing here needs a production change"),
        (
            REPORT,
            "### ⛔ A person has to decide: passing would take a production change",
        ),
        (
            replace(REPORT, requires_production_change=False),
            "### ⛔ A person has to decide: not shown to be a matter of tests alone",
        ),
        (replace(PASSED, decision=Decision.REPAIR), "### 🔧 Only tests have to change"),
        (
            replace(PASSED, decision=Decision.INCONCLUSIVE),
            "### ⚠️ Could not be judged: until it can, this check blocks",
        ),
        (
            replace(PASSED, stopped="no bench"),
            "### ⚠️ Fairtrial stopped before a judgement",
        ),
    ],
)
def test_the_first_line_is_the_decision(report: Report, expected: str) -> None:
    assert expected == first_line(report)


def test_a_bench_that_lacks_something_is_told_apart() -> None:
    lacks = replace(
        VICTIM, category=Category.ENVIRONMENT, decision=Decision.INCONCLUSIVE
    )
    other = replace(lacks, category=Category.UNTRIED)
    report = replace(PASSED, decision=Decision.INCONCLUSIVE, verdicts=(lacks,))

    assert "The bench lacked something" in first_line(report)
    assert "Could not be judged" in first_line(replace(report, verdicts=(lacks, other)))


def test_a_variant_is_named_in_the_first_line() -> None:
    report = replace(PASSED, run=replace(PASSED.run, variant="py3.14"))

    assert first_line(report).endswith(" (`py3.14`)")


def test_there_is_one_row_a_verdict_the_heaviest_first() -> None:
    rows = [
        row
        for row in markdown.comment(REPORT).splitlines()
        if row.startswith("| `tests/")
    ]

    assert 2 == len(rows)
    assert rows[0] == (
        "| `tests/test_cart.py::test_total` | regression | **production**,"
        " `src/cart.py:41-47`: reverting these lines makes it pass |"
        " alone: head ✗✗✗ · base ✓✓✓ |"
    )
    assert rows[1] == (
        "| `tests/test_state.py::test_empty` | victim, here before |"
        " nothing in this change; polluter `tests/test_a.py::test_first` |"
        " suite: head ✗✗ · base ✗✗; alone: head ✓✓✓ |"
    )


def test_a_leak_that_tests_brought_names_its_polluter() -> None:
    report = replace(PASSED, decision=Decision.REPAIR, verdicts=(LEAK,))

    assert (
        "| victim, brought by this change | **tests**: polluter"
        " `tests/test_a.py::test_first`; it fails after" in markdown.comment(report)
    )


def test_the_failure_the_step_and_the_command_are_told() -> None:
    text = markdown.comment(REPORT)

    assert (
        "`AssertionError` at `tests/test_cart.py:12`: expected `7`, got `13`." in text
    )
    assert "**Next:** Decide whether `src/cart.py` may change." in text
    assert "fairtrial alone --base bbbbbbbbbbbb --head aaaaaaaaaaaa tests/" in text
    assert "22 trials, 31 s beyond the suite (48 s)" in text
    assert "files: container · user: dropped · Fairtrial" in text
    assert "sha256" not in text


def test_old_and_new_expectations_stand_side_by_side_before_anything_else() -> None:
    finding = Finding(
        rule="expected-changed",
        category=Category.EXPECTATIONS_CHANGED,
        path="tests/test_label.py",
        test="tests/test_label.py::test_label",
        line=3,
        was='"item: 1"',
        now='"item = 1"',
        because="both hold",
    )

    other = Finding(rule="coverage-threshold", because="the threshold was missed")
    text = markdown.comment(replace(REPORT, findings=(other, finding)))

    _, told, heads, _, row, *rest = [each for each in text.splitlines() if each]
    assert "**Expectations changed here: 1.** Are they meant?" == told
    assert "| test | before | after | what it is |" == heads
    assert '`tests/test_label.py::test_label` | `"item: 1"` | `"item = 1"` |' in row
    assert any("the threshold was missed" in each for each in rest)
    assert 1 == text.count("item = 1")


def test_a_finding_with_old_and_new_shows_both() -> None:
    finding = Finding(
        rule="assertion-removed", was="assert total() == 3", now="", because="gone"
    )

    text = markdown.comment(replace(PASSED, findings=(finding,)))

    assert "| where | what it is | what would have to change | before | after |" in text
    assert "| `assert total() == 3` |" in text


def test_korean_readers_see_the_decision_and_the_heads_in_korean() -> None:
    text = markdown.comment(REPORT, Locale.KO)

    assert text.startswith("### ⛔ 사람이 결정해야 합니다")
    assert "| 테스트 | 무엇인가 | 바뀌어야 할 것 | 관찰 |" in text
    assert "회귀" in text


def test_there_is_one_sign_and_no_other_emoji() -> None:
    text = markdown.comment(REPORT)

    assert 1 == sum(text.count(sign) for sign in "⛔✅🔧⚠")


def of_text(one: str, two: str) -> Report:
    """A report in which every text came from a test."""
    cell = CellInfo(
        production="head",
        dependencies="head",
        migration="head",
        tests="base",
        control="head",
        context=two,
        failed=3,
    )
    verdict = Verdict(
        suite=SuiteName(two),
        test=TestId(one),
        category=Category.VICTIM,
        side=Blame.BOTH,
        introduced=True,
        decision=Decision.BLOCK,
        context=one,
        unit=two,
        signature=one,
        bound=two,
        polluters=(TestId(two), TestId(one)),
        setters=(TestId(one),),
        cleaners=(TestId(one),),
        resource=two,
        failure=FailureInfo(
            kind=one, phase=two, type=one, message=two, where=one, expected=None
        ),
        evidence=(cell,),
        because=one,
        next=two,
        replay=one,
    )
    failure = FailureInfo(
        kind=two, phase=one, type=two, message=one, expected=one, actual=two
    )
    second = replace(
        verdict,
        culprit=(Culprit(path=one, lines=two),),
        failure=failure,
        category=Category.REGRESSION,
    )
    finding = Finding(rule=one, path=two, line=3, was=one, now=two, because=two)
    assert REPORT.subject is not None
    return replace(
        REPORT,
        run=replace(REPORT.run, variant=one),
        next=Next(actor="person", say=two),
        subject=replace(REPORT.subject, base=one, head=two, configuration=one),
        suites=(SuiteInfo(name=SuiteName(one), runner=two, state=one, note=two),),
        verdicts=(verdict, second),
        findings=(finding, replace(finding, path=None, line=None, test=one)),
        conditions={one: two, "files": one},
        notices=(one, two),
        tool=two,
        stopped=None,
    )


#: Names that leave something to show: a report leaves out what is empty.
names = hostile.filter(lambda text: line(text, 100) != "")


@given(names, names)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_tests_wrote_the_page_is_ours(one: str, two: str) -> None:
    made = page(markdown.comment(of_text(one, two)))
    plain = page(markdown.comment(of_text("name", "name two")))

    assert set(made.elements) <= OURS
    assert {"code.class", "pre.lang"} >= made.attributes
    assert plain.rows == made.rows
    for element in ("table", "details", "summary", "sub", "h3", "pre", "tr"):
        assert plain.elements[element] == made.elements[element], element
    assert LINKED.search(made.text) is None
    assert 0 == made.comments


@given(hostile)
@settings(deadline=None)
def test_the_reason_of_a_stop_is_only_text(text: str) -> None:
    made = page(markdown.comment(replace(PASSED, stopped=text)))

    assert 1 == made.elements["pre"]
    assert set(made.elements) <= OURS


@given(hostile)
@settings(deadline=None)
def test_the_reason_of_a_refusal_is_only_text(text: str) -> None:
    made = page(markdown.unreadable(text))

    assert {"h3", "p", "code"} >= set(made.elements)


def huge(count: int, size: int) -> Report:
    text = "`|<é한😀" * (size // 6)
    one = of_text(text, text)
    return replace(
        one,
        verdicts=one.verdicts * count,
        findings=one.findings * count,
        suites=one.suites * count,
        notices=one.notices * count,
        conditions={f"{n}{text}": text for n in range(count)},
    )


@pytest.mark.parametrize(
    ("count", "size"), [(1, 100), (30, 50), (80, 300), (1200, 40), (3, 1_000_000)]
)
def test_whatever_the_size_the_comment_fits_and_is_whole(count: int, size: int) -> None:
    text = markdown.comment(huge(count, size))
    made = page(text)

    assert len(text.encode()) <= markdown.COMMENT_LIMIT
    assert text.count("<details>") == text.count("</details>")
    assert text.rstrip().endswith("</sub>")
    assert set(made.elements) <= OURS


def test_a_summary_fits_and_says_more_than_the_comment() -> None:
    report = huge(80, 300)

    text = markdown.summary(report)

    assert len(markdown.comment(report)) < len(text)
    assert len(text.encode()) <= markdown.SUMMARY_LIMIT


def test_what_there_was_no_room_for_is_counted() -> None:
    many = tuple(
        replace(VICTIM, test=TestId(f"tests/test_{n}.py::test_it")) for n in range(2000)
    )

    text = markdown.comment(replace(PASSED, verdicts=many))

    shown = text.count("| `tests/test_")
    assert f"{2000 - shown:,} more in the report." in text


@pytest.mark.parametrize("limit", [60_000, 30_000, 8_000])
def test_a_smaller_limit_is_kept(limit: int) -> None:
    assert len(markdown.comment(huge(50, 300), limit=limit).encode()) <= limit


def test_the_next_step_is_not_said_twice() -> None:
    say = "A person has to decide: passing would take a production change."
    report = replace(REPORT, next=Next(actor="person", say=say))

    assert 1 == markdown.comment(report).count("passing would take")


def test_an_acquitted_failure_is_not_spread_out() -> None:
    assert REGRESSION.failure is not None
    acquitted = replace(VICTIM, failure=REGRESSION.failure)

    text = markdown.comment(replace(PASSED, verdicts=(acquitted,)))

    assert "expected `7`" not in text
    assert "assert 13 == 7" in text


def test_a_regression_without_a_culprit_gives_its_reason() -> None:
    report = replace(REPORT, verdicts=(replace(REGRESSION, culprit=()),))

    assert "**production**: reverting `src/cart.py:41-47`" in markdown.comment(report)
