"""How much may be old, inherited or left untried before a run says nothing more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.domain.names import TestId
from fairtrial.domain.results import FAILURES, Failure, Outcome, Phase, Result

#: Old failures may be this share of all tests where that is more than the setting.
PRE_EXISTING_SHARE: Final = 2  # per cent

#: More failures at head than this, or this share of at least so many tests, and a
#: canary goes first.
CANARY_FAILURES: Final = 10
CANARY_SHARE: Final = 30  # per cent
CANARY_TESTS: Final = 20

#: After so many proven blocks the rest is not tried.
ENOUGH_BLOCKS: Final = 5

#: So many tests get experiments of their own.
OWN_EXPERIMENTS: Final = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A judgement with what the bounds read of its test's failure."""

    test: TestId
    judgement: Judgement
    #: The failure that opened the inquiry; None where there was none to read.
    failure: Failure | None


def pre_existing_limit(setting: int, tests: int) -> int:
    """How many old failures a run may have; `tests` is how many the suite has."""
    return max(setting, tests * PRE_EXISTING_SHARE // 100)


def counts_as_old(judged: Judged) -> bool:
    """Whether an acquittal counts toward the bound.

    Victims and brittle tests whose polluter or setter is confirmed are explained, and
    do not; a failure outside the test's own phase points at the bench, and does.
    """
    if judged.judgement.decision is not Decision.PASS:
        return False
    if judged.judgement.category not in (Category.VICTIM, Category.BRITTLE):
        return True
    return judged.failure is None or judged.failure.phase is not Phase.CALL


def bound(judged: Sequence[Judged], limit: int) -> tuple[Judgement, ...]:
    """The judgements in their order, with too many old failures made environment.

    All that count fall together: which of them the bench made up can't be told.
    """
    old = sum(counts_as_old(each) for each in judged)
    if old <= limit:
        return tuple(each.judgement for each in judged)
    return tuple(
        _over_bound(each.judgement, old, limit)
        if counts_as_old(each)
        else each.judgement
        for each in judged
    )


def _over_bound(judgement: Judgement, old: int, limit: int) -> Judgement:
    return replace(
        judgement,
        category=Category.ENVIRONMENT,
        side=Blame.UNKNOWN,
        decision=Decision.INCONCLUSIVE,
        because=f"{old} tests fail at head and base alike, more than {limit}: the "
        "bench seems to lack something, and then base proves nothing.",
        next="Give the bench what it lacks, mend the old failures, or raise "
        "policy.pre-existing-max.",
    )


def needs_canary(failed: int, tests: int) -> bool:
    """Whether so many tests fail at head that the bench is asked first."""
    share = failed * 100 >= tests * CANARY_SHARE
    return failed > CANARY_FAILURES or (tests >= CANARY_TESTS and share)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Tests that fail alike; the first one speaks for them."""

    phase: Phase
    exception: str
    #: The innermost frame outside the test's own body.
    frame: str | None
    #: In the order they were given; never empty.
    tests: tuple[TestId, ...]

    @property
    def canary(self) -> TestId:
        """The test that is run alone at base."""
        return self.tests[0]

    def holds(self, failure: Failure) -> bool:
        """Whether a failure looks like those of this cluster."""
        return (self.phase, self.exception, self.frame) == _key(failure)


def clusters(failures: Mapping[TestId, Failure]) -> tuple[Cluster, ...]:
    """The failures at head in groups that look alike, in the order they were given.

    A failure in the test's own body says nothing of the bench: such tests are in no
    group, lest an old failure speak for a regression that only has the same type.
    """
    grouped: dict[tuple[Phase, str, str | None], list[TestId]] = {}
    for test, failure in failures.items():
        if failure.phase is Phase.CALL and failure.outside_frame is None:
            continue
        grouped.setdefault(_key(failure), []).append(test)
    return tuple(
        Cluster(phase=phase, exception=exception, frame=frame, tests=tuple(tests))
        for (phase, exception, frame), tests in grouped.items()
    )


def _key(failure: Failure) -> tuple[Phase, str, str | None]:
    return (failure.phase, failure.type, failure.outside_frame)


class Song(StrEnum):
    """What a canary's run alone at base says of the bench."""

    #: It passes, or fails otherwise: the inquiry goes on.
    SINGS = "sings"
    #: It fails alike: the bench lacks something at both sides.
    DEAD = "dead"
    #: Its run proves nothing; the inquiry goes on, which acquits nobody by itself.
    UNHEARD = "unheard"


def listen(cluster: Cluster, result: Result | None) -> Song:
    """What the canary of a cluster says by its result alone at base."""
    if result is None or result.outcome in (Outcome.ERRORED, Outcome.MISSING):
        return Song.UNHEARD
    failing = result.outcome in FAILURES or result.outcome is Outcome.UNBUILDABLE
    if failing and result.failure is not None and cluster.holds(result.failure):
        return Song.DEAD
    return Song.SINGS


def environment(cluster: Cluster) -> Judgement:
    """The judgement of each test in a cluster whose canary failed alike at base."""
    where = f" in `{cluster.frame}`" if cluster.frame else ""
    return Judgement(
        category=Category.ENVIRONMENT,
        side=Blame.UNKNOWN,
        introduced=False,
        decision=Decision.INCONCLUSIVE,
        context=ContextKind.ALONE,
        because=f"{len(cluster.tests)} tests fail alike with `{cluster.exception}`"
        f"{where} in {cluster.phase.value}, and so does base, alone: the bench seems "
        "to lack something.",
        next="Give the bench what it lacks: a service, a submodule, LFS content, "
        "history, a plugin.",
    )


def inherit(representative: Judgement, spoken_for: TestId) -> Judgement:
    """What a member of a cluster takes from its representative: never a pass."""
    if representative.decision is Decision.PASS:
        return Judgement(
            category=Category.INCONCLUSIVE,
            side=Blame.UNKNOWN,
            introduced=False,
            decision=Decision.INCONCLUSIVE,
            context=representative.context,
            unit=representative.unit,
            because=f"It fails like `{spoken_for}`, which does not count against this "
            "change; its own failure was not tried to the end.",
            next="Run the gate again with a larger budget.",
        )
    return replace(
        representative,
        because=f"It fails like `{spoken_for}`: {representative.because}",
    )


def enough_blocks(judgements: Iterable[Judgement]) -> bool:
    """Whether so many blocks are proven that the rest need not be tried."""
    blocks = sum(each.decision is Decision.BLOCK for each in judgements)
    return blocks >= ENOUGH_BLOCKS


def own_experiments(failed: Sequence[TestId]) -> tuple[TestId, ...]:
    """The failed tests that get experiments of their own, in the order they ran."""
    return tuple(failed[:OWN_EXPERIMENTS])


def untried() -> Judgement:
    """The judgement of a test that was not tried after enough proven blocks."""
    return Judgement(
        category=Category.UNTRIED,
        side=Blame.UNKNOWN,
        introduced=False,
        decision=Decision.INCONCLUSIVE,
        context=ContextKind.SUITE,
        because=f"{ENOUGH_BLOCKS} other failures block already; it was not tried.",
        next="Mend those first; then this one is tried.",
    )
