"""What follows for the merge from all that a run found, and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from fairtrial.domain.decisions import Blame, Decision
from fairtrial.domain.report import Next

#: The sides that take a production change.
_PRODUCTION: Final = frozenset({Blame.PRODUCTION, Blame.BOTH})


class Answer(Protocol):
    """A verdict, a finding or a judgement."""

    @property
    def decision(self) -> Decision:
        """What it asks for."""

    @property
    def side(self) -> Blame:
        """What would have to change."""

    @property
    def introduced(self) -> bool:
        """Whether this change brought it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What the suite trials at head prove by their own reports, all suites together.

    A pass stands on a complete one with a passed test: empty is never a pass.
    """

    #: Every suite ran, and its report names each test that was asked for.
    complete: bool
    #: How many tests passed.
    passed: int


def decide(answers: Iterable[Answer], receipt: Receipt) -> Decision:
    """The heaviest decision that any answer asks for.

    A report that is not complete makes the run inconclusive at best, and so does one
    without a passed test where nothing else is asked for.
    """
    heaviest = max((answer.decision for answer in answers), default=Decision.PASS)
    if not receipt.complete:
        return max(heaviest, Decision.INCONCLUSIVE)
    if heaviest is Decision.PASS and receipt.passed == 0:
        return Decision.INCONCLUSIVE
    return heaviest


def requires_production_change(answers: Iterable[Answer]) -> bool:
    """Whether something that this change brought takes a production change.

    What passes takes none: a person has accepted it, or it is only told.
    """
    return any(
        answer.introduced and answer.side in _PRODUCTION
        for answer in answers
        if answer.decision is not Decision.PASS
    )


def whose_turn(answers: Sequence[Answer], receipt: Receipt) -> Next:
    """Who has to act next, and on what; an agent may act where tests suffice.

    Both can have something to do in one run; the person is named then, and the agent's
    part is said.
    """
    repairs = sum(answer.decision is Decision.REPAIR for answer in answers)
    meanwhile = (
        f" Tests can be repaired meanwhile, for {_failures(repairs)}."
        if repairs
        else ""
    )
    match decide(answers, receipt):
        case Decision.PASS:
            return Next(actor="none", say=_passing(answers))
        case Decision.REPAIR:
            say = f"Only tests have to change, for {_failures(repairs)}."
            return Next(actor="agent", say=say)
        case Decision.INCONCLUSIVE:
            return Next(actor="person", say=_undecided(answers, receipt) + meanwhile)
        case Decision.BLOCK:
            return Next(actor="person", say=_blocked(answers) + meanwhile)


def _passing(answers: Sequence[Answer]) -> str:
    if answers:
        return "Nothing that failed counts against this change."
    return "Nothing failed."


def _undecided(answers: Sequence[Answer], receipt: Receipt) -> str:
    undecided = sum(each.decision is Decision.INCONCLUSIVE for each in answers)
    if undecided:
        return (
            f"{_failures(undecided)} could not be judged; this blocks until "
            "somebody looks."
        )
    if not receipt.complete:
        return (
            "The suites' reports are not complete, so nothing is proven; look at them."
        )
    return "No test passed, so nothing is proven; check that the suites run any."


def _blocked(answers: Sequence[Answer]) -> str:
    if requires_production_change(answers):
        return "A person has to decide: passing would take a production change."
    return "A person has to decide: it is not shown that tests alone have to change."


def _failures(count: int) -> str:
    return "1 failure" if count == 1 else f"{count} failures"
