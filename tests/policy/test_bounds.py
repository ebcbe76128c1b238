"""Is there a limit to what may be old?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Failure, Outcome, Phase, Signature
from fairtrial.policy.bounds import Judged, bound, pre_existing_limit

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
