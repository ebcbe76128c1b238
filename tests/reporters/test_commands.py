"""The commands that we print name exactly the test that they are about."""

from __future__ import annotations

import subprocess
from dataclasses import replace

import pytest
from hypothesis import given, settings
from tests.reporters.hostile_text import hostile
from tests.reporters.sample import BASE, HEAD, REGRESSION, REPORT, VICTIM

from fairtrial.domain.decisions import Category
from fairtrial.domain.names import TestId
from fairtrial.domain.report import Verdict
from fairtrial.reporters.commands import replay_argv, replay_command

SUBJECT = REPORT.subject
NON_DETERMINISTIC = replace(
    VICTIM, category=Category.NON_DETERMINISTIC, polluters=(), context="suite"
)


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (REGRESSION, ("alone", REGRESSION.test)),
        (VICTIM, ("polluter", VICTIM.test)),
        (replace(VICTIM, polluters=()), ("polluter", VICTIM.test)),
        (NON_DETERMINISTIC, ("gate", "--suite=unit")),
    ],
)
def test_the_command_fits_the_verdict(verdict: Verdict, words: tuple[str, str]) -> None:
    revisions = ("--base", BASE[:12], "--head", HEAD[:12])

    assert ("fairtrial", words[0], *revisions, words[1]) == replay_argv(
        verdict, SUBJECT
    )


def test_a_name_with_blanks_is_quoted() -> None:
    verdict = replace(REGRESSION, test=TestId("tests/test_a.py::test_b[x y]"))

    assert replay_command(verdict, None) == (
        "fairtrial alone 'tests/test_a.py::test_b[x y]'"
    )


def test_a_test_that_looks_like_an_option_is_none() -> None:
    verdict = replace(REGRESSION, test=TestId("--help"))

    assert ("fairtrial", "alone", "--", "--help") == replay_argv(verdict, None)


def test_a_working_tree_is_not_named() -> None:
    assert SUBJECT is not None
    subject = replace(SUBJECT, head="working tree")

    assert "--head" not in replay_argv(REGRESSION, subject)


@given(hostile.filter(lambda text: "\0" not in text))
@settings(max_examples=40, deadline=None)
def test_a_shell_runs_exactly_the_words(test: str) -> None:
    """`fairtrial` is a function of the shell here, which shows what it was given."""
    verdict = replace(REGRESSION, test=TestId(test))
    line = replay_command(verdict, SUBJECT)
    script = f'fairtrial() {{ printf "%s\\0" "$@"; }}\n{line}\n'

    ran = subprocess.run(
        ["bash", "--norc"], input=script.encode(), capture_output=True, check=True
    )

    words = [
        word.encode("utf-8", "surrogatepass") for word in replay_argv(verdict, SUBJECT)
    ]
    given_words = ran.stdout.split(b"\0")[:-1]
    assert len(words) - 1 == len(given_words)
    if "\udc80" not in test:
        assert words[1:] == given_words
