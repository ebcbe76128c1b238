"""What the change did to the tests of one suite, sources and inventories together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fairtrial.domain.decisions import Blame, Decision
from fairtrial.domain.demands import Comparison
from fairtrial.domain.experiments import (
    Purpose,
    Trust,
)
from fairtrial.domain.names import TestId
from fairtrial.domain.report import Finding
from fairtrial.domain.results import FAILURES, Outcome
from fairtrial.domain.trees import BASE
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.comparing import changed_tests
from fairtrial.pipeline.opening import Opening, listed_trial, suite_trial
from fairtrial.pipeline.touched import (
    Inventories,
    Touched,
    touched,
    with_equal_demands,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """The tests of base that the change touched, beside those it left alone."""

    comparison: Comparison
    touched: tuple[Touched, ...] = ()
    #: Tests of base that demand at head what they did.
    equal: frozenset[TestId] = frozenset()


def demands_of(opening: Opening, brief: Brief, comparison: Comparison) -> Demands:
    """What the change did to the tests of a suite, before anything of it is tried."""
    if not opening.sound or opening.base is None:
        return Demands(comparison=comparison)
    place_of = opening.stand.laboratory.runner.place_of
    listed = tuple(dict.fromkeys((*opening.listed, *opening.head.results)))
    inventories = Inventories(
        base=opening.inventory,
        head=listed,
        vanished=frozenset(vanished(opening)),
        skipped=frozenset(newly_skipped(opening)),
        places={test: place_of(test) for test in (*opening.inventory, *listed)},
    )
    found = touched(comparison, inventories, changed_tests(brief))
    return Demands(
        comparison=comparison,
        touched=found,
        equal=with_equal_demands(opening.inventory, found),
    )


def unlisted_findings(opening: Opening, comparison: Comparison) -> Iterator[Finding]:
    """Where base's tests could not be listed, nothing shows what became of them."""
    edited = [
        each
        for each in comparison.tests
        if each.base is not None and not each.identical
    ]
    if opening.base is None and edited:
        yield Finding(
            rule="base-unlisted",
            path=None if edited[0].base is None else edited[0].base.path,
            decision=Decision.INCONCLUSIVE,
            side=Blame.UNKNOWN,
            introduced=True,
            because=(
                f"suite {opening.stand.suite.name}: the change edits tests, and base's "
                "can't be listed, so nothing shows whether they still hold"
            ),
        )


def vanished(opening: Opening) -> tuple[TestId, ...]:
    """Tests of base that head's suite does not know, its broken files apart.

    Ids that base itself does not list a second time (a time or an address among the
    parameters) can't vanish: they never were the same test.
    """
    listed = frozenset(opening.listed) | opening.head.results.keys()
    laboratory = opening.stand.laboratory
    order = laboratory.order
    wanted = frozenset(order.first) if order is not None and order.only else None
    gone = tuple(
        test
        for test in opening.inventory
        if test not in listed and (wanted is None or test in wanted)
    )
    if not gone:
        return ()
    tree = replace(BASE, control=opening.control)
    again = suite_trial(opening.stand, tree, Purpose.INVENTORY)
    (second,) = laboratory.perform([again])
    if second.trust is not Trust.SOUND:
        return gone
    stable = frozenset(second.listed)
    return tuple(test for test in gone if test in stable)


def newly_skipped(opening: Opening) -> tuple[TestId, ...]:
    """Tests that head skips and base, asked in one trial of just these, runs."""
    known = frozenset(opening.inventory)
    skipped = tuple(
        test
        for test, result in opening.head.results.items()
        if result.outcome is Outcome.SKIPPED and test in known
    )
    if not skipped:
        return ()
    tree = replace(BASE, control=opening.control)
    trial = listed_trial(opening.stand, tree, skipped, Purpose.SKIPPED)
    (base,) = opening.stand.laboratory.perform([trial])
    if base.trust is not Trust.SOUND:
        return skipped
    ran = FAILURES | {Outcome.PASSED}
    return tuple(
        test
        for test in skipped
        if test not in base.results or base.results[test].outcome in ran
    )
