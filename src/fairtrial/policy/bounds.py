"""How many failures may be old before a run says nothing of the change any more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from fairtrial.domain.decisions import Category, Decision
from fairtrial.domain.judgements import Judgement
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Failure, Phase

#: Old failures may be this share of all tests where that is more than the setting.
PRE_EXISTING_SHARE: Final = 2  # per cent


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
        decision=Decision.INCONCLUSIVE,
        because=f"{old} tests fail at head and base alike, more than {limit}: the "
        "bench seems to lack something, and then base proves nothing.",
        next="Give the bench what it lacks, mend the old failures, or raise "
        "policy.pre-existing-max.",
    )
