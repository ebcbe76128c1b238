"""What a change did by changing a test, and what follows under whose authority.

Patterns choose which tests are tried; what is said of them comes from experiments:
base's version on head's production, and the mutants that both versions kill.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.settings import Authority


class Edit(StrEnum):
    """What happened to what a test demands, as its source shows it."""

    EQUAL = "equal"
    STRONGER = "stronger"
    #: Only what it does before it looks was added to: clean-up, isolation, or seeding.
    ARRANGED = "arranged"
    RE_SPECIFIED = "re-specified"
    WEAKENED = "weakened"
    #: Deleted, skipped, or no longer collected.
    GONE = "gone"


class Oracle(StrEnum):
    """What base's version of a test shows on head's production."""

    #: It holds there.
    HOLDS = "holds"
    #: It holds alone; in company it fails there as it does on base's production.
    CONTAMINATED = "contaminated"
    #: It fails there by an assertion, and on base's production in the same way.
    RED_BEFORE = "red-before"
    #: The same, but by an error: set-up, import, wiring.
    BROKEN_BEFORE = "broken-before"
    #: It can't be built there: production has no longer what it uses.
    CONTRACT_REMOVED = "contract-removed"
    #: It fails at both sides, in different ways.
    OTHERWISE = "otherwise"
    #: It fails there and holds on base's production.
    FAILS = "fails"
    #: It could not be told.
    UNKNOWN = "unknown"


class Killed(StrEnum):
    """Whether the edited test kills what base's version killed."""

    KEPT = "kept"
    LOST = "lost"
    UNMEASURED = "unmeasured"


class Effect(StrEnum):
    """What the edit amounts to."""

    NOTHING = "nothing"
    HIDES_FAILURE = "hides-failure"
    #: Fails at both sides in different ways: what it hides can't be told.
    HIDES_UNPROVEN = "hides-unproven"
    CHANGES_EXPECTATION = "changes-expectation"
    REMOVES_CONTRACT = "removes-contract"
    WEAKENS = "weakens"
    #: Its source asks for less, and no experiment shows it.
    LOOKS_WEAKER = "looks-weaker"
    UNTOLD = "untold"


def effect_of(edit: Edit, oracle: Oracle, killed: Killed) -> Effect:
    """What an edit amounts to, from its experiments.

    Nothing is excused by what the source looks like: an edit that looks equal and
    hides a failure is a hidden failure all the same.
    """
    match oracle:
        case Oracle.HOLDS | Oracle.CONTAMINATED:
            return _where_it_holds(edit, killed)
        case Oracle.FAILS:
            return _where_it_fails(edit, Effect.HIDES_FAILURE)
        case Oracle.OTHERWISE:
            return _where_it_fails(edit, Effect.HIDES_UNPROVEN)
        case Oracle.RED_BEFORE:
            return _where_it_fails(edit, Effect.WEAKENS)
        case Oracle.BROKEN_BEFORE:
            return _where_it_could_not_run(edit)
        case Oracle.CONTRACT_REMOVED:
            return _without_contract(edit)
        case Oracle.UNKNOWN:
            return Effect.UNTOLD


def _where_it_fails(edit: Edit, less: Effect) -> Effect:
    """`less` is what it comes to when the test now demands less, or no more."""
    match edit:
        case Edit.RE_SPECIFIED | Edit.ARRANGED:
            return Effect.CHANGES_EXPECTATION
        case Edit.EQUAL | Edit.STRONGER | Edit.WEAKENED | Edit.GONE:
            return less


def _where_it_could_not_run(edit: Edit) -> Effect:
    match edit:
        # A test that could not even run was mended, and asks what it asked.
        case Edit.EQUAL | Edit.STRONGER | Edit.ARRANGED:
            return Effect.NOTHING
        case Edit.RE_SPECIFIED:
            return Effect.CHANGES_EXPECTATION
        case Edit.WEAKENED | Edit.GONE:
            return Effect.WEAKENS


def _without_contract(edit: Edit) -> Effect:
    match edit:
        # A renamed subject is the same demand under another name.
        case Edit.EQUAL | Edit.STRONGER:
            return Effect.NOTHING
        case Edit.ARRANGED | Edit.RE_SPECIFIED | Edit.WEAKENED | Edit.GONE:
            return Effect.REMOVES_CONTRACT


def _where_it_holds(edit: Edit, killed: Killed) -> Effect:
    match killed:
        case Killed.KEPT:
            # Twenty mutants are strong evidence and no proof, so it is told.
            return Effect.LOOKS_WEAKER if edit is Edit.WEAKENED else Effect.NOTHING
        case Killed.LOST:
            return Effect.WEAKENS
        case Killed.UNMEASURED:
            match edit:
                case Edit.EQUAL | Edit.STRONGER | Edit.ARRANGED:
                    return Effect.NOTHING
                case Edit.RE_SPECIFIED:
                    return Effect.CHANGES_EXPECTATION
                case Edit.WEAKENED | Edit.GONE:
                    return Effect.WEAKENS


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """What follows from an effect: its name, whose part it is, what is asked for."""

    category: Category
    decision: Decision
    side: Blame


def consequence_of(effect: Effect, authority: Authority) -> Consequence | None:
    """What follows for the merge under somebody's authority; None for nothing.

    A person may change what tests expect, and is told what changed; an agent may not,
    until a person accepts it.
    """
    match effect:
        case Effect.NOTHING:
            return None
        case Effect.HIDES_FAILURE:
            return _block(Category.HIDDEN_REGRESSION, Blame.PRODUCTION)
        case Effect.HIDES_UNPROVEN:
            return _block(Category.UNPROVEN, Blame.UNKNOWN)
        case Effect.CHANGES_EXPECTATION:
            return _changed(Category.EXPECTATIONS_CHANGED, authority)
        case Effect.REMOVES_CONTRACT:
            return _changed(Category.CONTRACT_REMOVED, authority)
        case Effect.WEAKENS:
            return _weakened(authority)
        case Effect.LOOKS_WEAKER:
            return _notice(Category.WEAKENED)
        case Effect.UNTOLD:
            return Consequence(
                category=Category.INCONCLUSIVE,
                decision=Decision.INCONCLUSIVE,
                side=Blame.UNKNOWN,
            )


def _weakened(authority: Authority) -> Consequence:
    match authority:
        case Authority.PERSON:
            return _notice(Category.WEAKENED)
        case Authority.FEATURE | Authority.REPAIR:
            return _block(Category.WEAKENED, Blame.TESTS)


def _changed(category: Category, authority: Authority) -> Consequence:
    match authority:
        case Authority.PERSON:
            return _notice(category)
        case Authority.FEATURE:
            return _block(category, Blame.UNKNOWN)
        case Authority.REPAIR:
            return _block(Category.ORACLE_DISPUTE, Blame.UNKNOWN)


def _block(category: Category, side: Blame) -> Consequence:
    return Consequence(category=category, decision=Decision.BLOCK, side=side)


def _notice(category: Category) -> Consequence:
    return Consequence(category=category, decision=Decision.PASS, side=Blame.UNKNOWN)
