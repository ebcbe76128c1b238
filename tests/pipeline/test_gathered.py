from __future__ import annotations

from dataclasses import replace

from fairtrial.domain.decisions import Decision
from fairtrial.domain.report import Finding
from fairtrial.pipeline.gathered import OUT_OF_TIME, gathered

FOUND = Finding(
    rule="fixture-changed",
    path="tests/common.py",
    line=8,
    test="tests/test_a.py::test_0",
    effect="weakens",
    decision=Decision.PASS,
    because="it demands less",
)


def test_one_line_that_many_tests_use_is_told_once_with_their_number() -> None:
    findings = [replace(FOUND, test=f"tests/test_a.py::test_{n}") for n in range(6)]

    (only,) = gathered(findings)

    assert (
        "it demands less; the same line does this to others: tests/test_a.py::test_1, "
        "tests/test_a.py::test_2, tests/test_a.py::test_3 and 2 more"
    ) == only.because
    assert "tests/test_a.py::test_0" == only.test


def test_what_blocks_is_never_gathered_under_what_does_not() -> None:
    blocking = replace(FOUND, decision=Decision.BLOCK, test="tests/test_a.py::test_1")

    assert [Decision.PASS, Decision.BLOCK] == [
        each.decision for each in gathered([FOUND, blocking])
    ]


def test_what_has_no_line_or_no_test_stays_apart() -> None:
    gone = replace(FOUND, line=None)
    other = replace(FOUND, test=None)

    assert [gone, gone, other, other] == list(gathered([gone, gone, other, other]))


def test_another_effect_of_the_same_line_is_told_by_itself() -> None:
    other = replace(FOUND, effect="hides-failure", test="tests/test_a.py::test_1")

    assert [FOUND, other] == list(gathered([FOUND, other]))


def test_what_time_alone_kept_from_being_measured_is_told_once() -> None:
    late = replace(FOUND, because=f"whether it demands as much: {OUT_OF_TIME}")
    other = replace(late, test="tests/test_b.py::test_1", line=3, rule="row-changed")

    (only,) = gathered([late, other])

    assert (
        "whether it demands as much: the time for it ended before that; so it is for "
        "another test: tests/test_b.py::test_1"
    ) == only.because
