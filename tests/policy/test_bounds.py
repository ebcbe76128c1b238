"""Are there limits to what may be old, inherited or left untried?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind, Unit
from fairtrial.domain.judgements import Judgement
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Failure, Outcome, Phase, Result, Signature
from fairtrial.policy.bounds import (
    Cluster,
    Judged,
    Song,
    bound,
    clusters,
    enough_blocks,
    environment,
    inherit,
    listen,
    needs_canary,
    own_experiments,
    pre_existing_limit,
    untried,
)

OLD = Judgement(
    category=Category.PRE_EXISTING,
    side=Blame.UNKNOWN,
    introduced=False,
    decision=Decision.PASS,
    context=ContextKind.ALONE,
    because="It was here.",
    next="Nothing.",
)
VICTIM = replace(OLD, category=Category.VICTIM)
BRITTLE = replace(OLD, category=Category.BRITTLE)
BLOCKING = replace(
    OLD,
    category=Category.REGRESSION,
    side=Blame.PRODUCTION,
    introduced=True,
    decision=Decision.BLOCK,
)


def failure(
    phase: Phase = Phase.CALL,
    kind: str = "OSError",
    frame: str | None = "db.py::connect",
) -> Failure:
    return Failure(
        phase=phase,
        type=kind,
        message="",
        where=None,
        outside_frame=frame,
        signature=Signature(
            outcome=Outcome.FAILED,
            phase=phase,
            exception=kind,
            test_frame=None,
            production_frame=None,
        ),
    )


def judged(judgement: Judgement, found: Failure | None = None) -> Judged:
    return Judged(test=TestId("t"), judgement=judgement, failure=found or failure())


@pytest.mark.parametrize(
    ("expected", "setting", "tests"),
    [(5, 5, 0), (5, 5, 299), (6, 5, 300), (20, 5, 1000), (0, 0, 49), (1, 0, 50)],
)
def test_two_per_cent_may_be_old_where_that_is_more(
    expected: int, setting: int, tests: int
) -> None:
    assert expected == pre_existing_limit(setting, tests)


def test_as_many_old_failures_as_the_limit_pass() -> None:
    assert (OLD, OLD) == bound([judged(OLD), judged(OLD)], 2)


def test_one_more_makes_all_of_them_environment() -> None:
    over = replace(
        OLD,
        category=Category.ENVIRONMENT,
        decision=Decision.INCONCLUSIVE,
        because="3 tests fail at head and base alike, more than 2: the bench seems to "
        "lack something, and then base proves nothing.",
        next="Give the bench what it lacks, mend the old failures, or raise "
        "policy.pre-existing-max.",
    )
    found = bound([judged(each) for each in (OLD, BLOCKING, OLD, VICTIM, OLD)], 2)

    assert (over, BLOCKING, over, VICTIM, over) == found


@pytest.mark.parametrize("explained", [VICTIM, BRITTLE])
def test_explained_failures_do_not_count_in_their_own_phase(
    explained: Judgement,
) -> None:
    assert (explained,) == bound([judged(explained)], 0)


@pytest.mark.parametrize("phase", [Phase.SETUP, Phase.COLLECT, Phase.TEARDOWN])
@pytest.mark.parametrize("explained", [VICTIM, BRITTLE])
def test_a_failure_outside_the_tests_own_phase_counts(
    phase: Phase, explained: Judgement
) -> None:
    (found,) = bound([judged(explained, failure(phase))], 0)

    assert Category.ENVIRONMENT is found.category


def test_an_explained_failure_that_nobody_can_read_counts() -> None:
    unread = Judged(test=TestId("t"), judgement=VICTIM, failure=None)

    assert Category.ENVIRONMENT is bound([unread], 0)[0].category


def test_flaky_tests_that_pass_count() -> None:
    flaky = replace(OLD, category=Category.NON_DETERMINISTIC)

    assert Decision.INCONCLUSIVE is bound([judged(flaky)], 0)[0].decision


@pytest.mark.parametrize(
    ("expected", "failed", "tests"),
    [
        (False, 10, 1000),
        (True, 11, 1000),
        (True, 6, 20),
        (False, 5, 20),
        (False, 6, 19),
        (True, 10, 33),
        (False, 10, 34),
    ],
)
def test_many_failures_send_a_canary_first(
    expected: bool,  # noqa: FBT001 - a row's value
    failed: int,
    tests: int,
) -> None:
    assert expected is needs_canary(failed, tests)


ONE, TWO, THREE = TestId("one"), TestId("two"), TestId("three")
CLUSTER = Cluster(
    phase=Phase.CALL, exception="OSError", frame="db.py::connect", tests=(ONE, TWO)
)


def test_tests_that_fail_alike_outside_their_bodies_have_one_canary() -> None:
    setup = failure(Phase.SETUP, frame=None)
    found = clusters({ONE: failure(), THREE: setup, TWO: failure()})
    other = Cluster(phase=Phase.SETUP, exception="OSError", frame=None, tests=(THREE,))

    assert (CLUSTER, other) == found
    assert ONE == CLUSTER.canary


@pytest.mark.parametrize(
    "other",
    [failure(Phase.SETUP), failure(kind="KeyError"), failure(frame="api.py::get")],
)
def test_phase_exception_and_frame_each_make_another_cluster(other: Failure) -> None:
    assert 2 == len(clusters({ONE: failure(), TWO: other}))
    assert not CLUSTER.holds(other)


def test_a_failure_in_the_tests_own_body_is_in_no_cluster() -> None:
    assert () == clusters({ONE: failure(frame=None)})


@pytest.mark.parametrize(
    ("expected", "outcome", "found"),
    [
        (Song.SINGS, Outcome.PASSED, None),
        (Song.SINGS, Outcome.SKIPPED, None),
        (Song.SINGS, Outcome.FAILED, failure(kind="KeyError")),
        (Song.SINGS, Outcome.FAILED, None),
        (Song.DEAD, Outcome.FAILED, failure()),
        (Song.DEAD, Outcome.CRASHED, failure()),
        (Song.DEAD, Outcome.UNBUILDABLE, failure()),
        (Song.UNHEARD, Outcome.ERRORED, failure()),
        (Song.UNHEARD, Outcome.MISSING, None),
    ],
)
def test_a_canary_is_dead_only_where_it_fails_alike(
    expected: Song, outcome: Outcome, found: Failure | None
) -> None:
    result = Result(test=ONE, outcome=outcome, failure=found)

    assert expected is listen(CLUSTER, result)


def test_a_canary_without_a_result_is_unheard() -> None:
    assert Song.UNHEARD is listen(CLUSTER, None)


def test_a_dead_canary_makes_its_cluster_environment() -> None:
    expected = Judgement(
        category=Category.ENVIRONMENT,
        side=Blame.UNKNOWN,
        introduced=False,
        decision=Decision.INCONCLUSIVE,
        context=ContextKind.ALONE,
        because="2 tests fail alike with `OSError` in `db.py::connect` in call, and so "
        "does base, alone: the bench seems to lack something.",
        next="Give the bench what it lacks: a service, a submodule, LFS content, "
        "history, a plugin.",
    )

    assert expected == environment(CLUSTER)
    frameless = environment(replace(CLUSTER, frame=None))
    assert "alike with `OSError` in call" in frameless.because


def test_a_member_never_inherits_a_pass() -> None:
    wide = replace(OLD, context=ContextKind.SUITE, unit=Unit.FILE)
    expected = Judgement(
        category=Category.INCONCLUSIVE,
        side=Blame.UNKNOWN,
        introduced=False,
        decision=Decision.INCONCLUSIVE,
        context=ContextKind.SUITE,
        unit=Unit.FILE,
        because="It fails like `one`, which does not count against this change; its "
        "own failure was not tried to the end.",
        next="Run the gate again with a larger budget.",
    )

    assert expected == inherit(wide, ONE)


@pytest.mark.parametrize(
    "decision", [each for each in Decision if each is not Decision.PASS]
)
def test_a_member_inherits_every_other_decision(decision: Decision) -> None:
    heavy = replace(BLOCKING, decision=decision)
    expected = replace(heavy, because="It fails like `one`: It was here.")

    assert expected == inherit(heavy, ONE)


def test_five_proven_blocks_are_enough() -> None:
    assert not enough_blocks([BLOCKING] * 4 + [OLD] * 9)
    assert enough_blocks([BLOCKING] * 5)
    assert enough_blocks([BLOCKING] * 6)


def test_the_first_twenty_five_get_experiments_of_their_own() -> None:
    failed = [TestId(f"t{number}") for number in range(30)]

    assert tuple(failed[:25]) == own_experiments(failed)
    assert (ONE,) == own_experiments([ONE])


def test_an_untried_test_is_inconclusive_and_says_why() -> None:
    expected = Judgement(
        category=Category.UNTRIED,
        side=Blame.UNKNOWN,
        introduced=False,
        decision=Decision.INCONCLUSIVE,
        context=ContextKind.SUITE,
        because="5 other failures block already; it was not tried.",
        next="Mend those first; then this one is tried.",
    )

    assert expected == untried()
