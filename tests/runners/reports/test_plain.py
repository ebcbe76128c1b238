from __future__ import annotations

from dataclasses import replace

import pytest
from tests.runners.reports.told import A, B, C, asked, exited, judged, told

from fairtrial.domain.experiments import Trust
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import LoadedFile, Outcome
from fairtrial.domain.trials import Ending, TrialOutput
from fairtrial.runners.reports.events import Detail
from fairtrial.runners.reports.plain import Account, inventory, keeps_out

DONE = Account(told=(told(A), told(B)), listed=(A, B), complete=True)


def test_asked_for_and_reported_is_sound() -> None:
    result = judged(DONE, asked(A, B))

    assert (Trust.SOUND, "") == (result.trust, result.distrust)
    assert {A: Outcome.PASSED, B: Outcome.PASSED} == {
        test: one.outcome for test, one in result.results.items()
    }
    assert {"main": (A, B)} == result.orders


@pytest.mark.parametrize(
    ("account", "said"),
    [
        (Account(complete=True), "should have run and was never reported"),
        (Account(complete=True, listed=(A,)), "never reported"),
        (replace(DONE, told=(told(A), told(B), told(C))), "without being asked for"),
        (replace(DONE, told=(told(A), told(A), told(B))), "ran more than once"),
        (replace(DONE, complete=False), "before the report was complete"),
        (replace(DONE, faults=("forged",)), "forged"),
        (
            replace(DONE, told=(told(A), told(B, Outcome.FAILED))),
            "exited with 0 although t/a.x::b failed",
        ),
        (
            replace(DONE, uncollectable={"t/b.x": Detail(message="no")}),
            "exited with 0 although t/b.x could not be built",
        ),
        (
            replace(
                DONE, loaded=(LoadedFile(path=RepoPath("t/a.x"), sha256="0" * 64),)
            ),
            "is not the file of the tried tree",
        ),
    ],
)
def test_whatever_does_not_agree_makes_it_no_evidence(
    account: Account, said: str
) -> None:
    result = judged(account, asked(A, B))

    assert Trust.CONTRADICTORY is result.trust
    assert said in result.distrust


def test_a_selector_that_matches_nothing_is_never_a_pass() -> None:
    nothing = judged(Account(complete=True), asked(A))
    whole = judged(Account(complete=True), asked())

    assert Trust.CONTRADICTORY is nothing.trust
    assert (Trust.CONTRADICTORY, "no test ran") == (whole.trust, whole.distrust)


def test_a_bad_exit_needs_a_failed_test_or_a_reason() -> None:
    unexplained = judged(DONE, asked(A, B), exited(3))
    explained = judged(replace(DONE, explained=True), asked(A, B), exited(3))

    assert "the command exited with 3 without a failed test" == unexplained.distrust
    assert Trust.SOUND is explained.trust


def test_absence_takes_a_complete_list_or_a_missing_file() -> None:
    other = TestId("t/gone.x::a")
    listed = judged(replace(DONE, told=(told(A),), listed=(A,)), asked(A, B))
    gone = judged(Account(told=(told(A),), complete=True), asked(A, other))
    unlisted = judged(Account(told=(told(A),), complete=True), asked(A, B))

    assert (Trust.SOUND, Outcome.MISSING) == (listed.trust, listed.results[B].outcome)
    assert (Trust.SOUND, Outcome.MISSING) == (gone.trust, gone.results[other].outcome)
    assert Trust.CONTRADICTORY is unlisted.trust


def test_another_order_than_asked_proves_nothing() -> None:
    backwards = replace(DONE, told=(told(B), told(A)), fixed_order=True)

    result = judged(backwards, asked(A, B))

    assert Trust.ERRORED is result.trust
    assert "its runner can't choose the order" in result.distrust


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        (exited(1), Outcome.CRASHED),
        (TrialOutput(ending=Ending.SIGNALLED, code=11), Outcome.CRASHED),
        (TrialOutput(ending=Ending.TIMED_OUT, code=9), Outcome.TIMED_OUT),
        (exited(137, watch_json=b'{"cause": "test_timeout"}'), Outcome.TIMED_OUT),
    ],
)
def test_a_test_that_takes_its_process_with_it_leaves_others_unreached(
    output: TrialOutput, outcome: Outcome
) -> None:
    account = Account(told=(told(A),), listed=(A, B, C), running=B)

    result = judged(account, asked(A, B, C), output)
    whole = judged(account, asked(), output)

    for one in (result, whole):
        assert Trust.SOUND is one.trust
        assert outcome is one.results[B].outcome
        assert (B, (C,)) == (one.interrupted_at, one.unreached)


def test_the_trials_time_is_not_a_tests() -> None:
    output = TrialOutput(ending=Ending.TIMED_OUT, code=9)
    account = replace(DONE, uncollectable={"t/b.x": Detail(message="no")})

    assert Trust.ERRORED is judged(account, asked(A, B), output).trust


def test_what_can_not_be_built_is_an_outcome_of_its_tests() -> None:
    broken = Account(
        uncollectable={"t/a.x": Detail(type="SyntaxError", message="line 3")},
        complete=True,
    )

    result = judged(broken, asked(A, B), exited(1))

    assert Trust.SOUND is result.trust
    assert (Outcome.UNBUILDABLE, "line 3") == (
        result.results[A].outcome,
        result.results[A].reason,
    )
    assert {"t/a.x": "line 3"} == result.uncollectable


def test_a_build_that_fails_in_a_trial_tells_its_first_error() -> None:
    output = TrialOutput(
        ending=Ending.EXITED,
        code=70,
        files={
            "build-failed": b"1\n",
            "build.log": b"/w/workspace/src/A.java:7: error: ';' expected\n",
        },
    )

    result = judged(Account(), asked(A, rebuild=("one", "two")), output)

    assert Trust.SOUND is result.trust
    failure = result.results[A].failure
    assert failure is not None
    assert "src/A.java:7: ';' expected" == failure.message
    assert {"": failure.message} == result.uncollectable
    assert keeps_out("", A)


def test_a_list_has_to_be_whole_and_each_name_once() -> None:
    good = inventory(Account(listed=(A, B), complete=True), exited())
    cut = inventory(Account(listed=(A, B)), exited())
    doubled = inventory(Account(listed=(A, A), complete=True), exited())
    none = inventory(Account(complete=True), exited())

    assert (Trust.SOUND, (A, B)) == (good.trust, good.listed)
    for one, said in ((cut, "complete"), (doubled, "more than once"), (none, "read")):
        assert Trust.CONTRADICTORY is one.trust
        assert said in one.distrust
