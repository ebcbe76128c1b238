"""What is pinned was proven by a trial; what was not says why."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.inquiry.ledgers import Tables, delete, insert
from tests.pipeline.scripted_databases import (
    Body,
    Databases,
    brief,
    commits,
    victim,
    wants,
)

from fairtrial.domain.databases import Alteration, DatabaseSettings
from fairtrial.domain.decisions import Category
from fairtrial.domain.experiments import ALONE, Purpose
from fairtrial.domain.names import TestId
from fairtrial.domain.report import Leftover, Verdict
from fairtrial.inquiry.casing import Facts
from fairtrial.inquiry.state import Inquiry
from fairtrial.pipeline.pinning import ALL_TRIALS, TRIALS, pinned
from fairtrial.pipeline.pinning_case import Allowance, Pinning
from fairtrial.pipeline.pinning_rows import FRUITLESS, rows_left

IMPORT = commits(
    insert("public.orders", id="1", discount=None, total="10"),
    insert("public.orders", id="2", discount=None, total="20"),
    insert("public.orders", id="3", discount=None, total="30"),
)
NOISE = commits(insert("public.audit", id="1", note="x"))


def has_no_discount(tables: Tables) -> bool:
    return any(row["discount"] is None for row in tables.rows.get("public.orders", []))


CONTRACT = wants(lambda tables: not has_no_discount(tables), "KeyError: 'discount'")

FOUNDING: dict[str, Body] = {
    "test_first": NOISE,
    "test_import": IMPORT,
    "test_contract": CONTRACT,
}


def pin(
    world: Databases, *verdicts: Verdict, inquiry: Inquiry | None = None
) -> tuple[Verdict, ...]:
    return pinned(verdicts, inquiry or world.inquiry(), world.stand, brief())


def pinning_of(world: Databases, inquiry: Inquiry) -> Pinning:
    """The contract's test behind the import, as a pinner is given it."""
    verdict = victim("test_contract", "test_import")
    opening = inquiry.evidence.observations[0]
    failure = opening.results[verdict.test].failure
    assert failure is not None
    return Pinning(
        verdict=verdict,
        polluters=verdict.polluters,
        inquiry=inquiry,
        stand=world.stand,
        tree=inquiry.head,
        signatures=frozenset({failure.signature}),
        allowance=Allowance(world.perform, TRIALS),
    )


def leftover(world: Databases, verdict: Verdict) -> Leftover:
    (told,) = pin(world, verdict)
    (only,) = told.leftovers
    return only


def test_the_founding_case_is_pinned_in_three_trials() -> None:
    world = Databases(FOUNDING)
    verdict = victim("test_contract", "test_import")

    (told,) = pin(world, verdict)

    (left,) = told.leftovers
    assert left.say == (
        "3 rows of `orders` left by `test_import`, `discount` NULL in each, are enough "
        "to make `test_contract` fail; so is one of them. With other values there it "
        "passes. Roll back what `test_import` commits, or empty `orders` before the "
        "test."
    )
    assert left.proven
    assert ("test_import",) == left.by
    assert ("discount",) == left.columns
    assert ["3", "1", "2"] == [row["id"] for row in left.rows]
    assert {"id": "3", "discount": None, "total": "30"} == left.rows[0]
    assert 1 == left.fewest
    assert ("database", "public.orders") == (left.resource, left.name)
    assert "database" == told.resource
    assert 3 == len(world.made)
    assert verdict == replace(told, leftovers=(), resource=None)


def test_trials_of_a_pinning_run_the_victim_alone_and_are_no_evidence() -> None:
    world = Databases(FOUNDING)

    pin(world, victim("test_contract", "test_import"))

    for experiment in world.made:
        assert ("test_contract",) == experiment.tests
        assert ALONE == experiment.context
        assert Purpose.PINNING is experiment.purpose
        assert experiment.rows


@pytest.mark.parametrize(
    "world",
    [
        Databases(FOUNDING, watching=False),
        Databases(FOUNDING, workers=3),
    ],
    ids=["not watched", "several workers"],
)
def test_a_trial_of_the_polluters_tells_what_the_suite_can_t(world: Databases) -> None:
    left = leftover(world, victim("test_contract", "test_import"))

    assert left.proven
    assert ("test_import", "test_contract") == world.made[0].tests
    assert world.made[0].watched
    assert len(world.made) <= 4


def test_an_engine_that_knows_no_times_is_asked_about_the_polluters_alone() -> None:
    world = Databases(FOUNDING, timed=False, unrecorded=("no times are known",))

    left = leftover(world, victim("test_contract", "test_import"))

    assert left.proven
    assert ("test_import",) == left.by
    assert ("test_import",) == world.made[0].tests
    assert 4 == len(world.made)


def test_without_polluters_it_is_told_who_wrote_the_rows() -> None:
    left = leftover(Databases(FOUNDING), victim("test_contract"))

    assert left.proven
    assert ("test_import",) == left.by


def test_a_server_without_a_ledger_pins_nothing_and_says_so() -> None:
    world = Databases(FOUNDING, unrecorded=("wal_level is not logical",))

    left = leftover(world, victim("test_contract", "test_import"))

    assert not left.proven
    assert left.say == (
        "Not pinned: what was committed could not be seen: wal_level is not logical."
    )


def test_rows_alone_that_do_not_do_it_are_not_blamed() -> None:
    world = Databases({**FOUNDING, "test_contract": lambda tables: ((), "")})
    seen = Databases(FOUNDING).inquiry()

    (told,) = pin(world, victim("test_contract", "test_import"), inquiry=seen)

    (left,) = told.leftovers
    assert (False, True) == (left.proven, left.tried)
    assert told.resource is None
    assert left.say == (
        "Not pinned: 3 rows of `orders` left by `test_import` alone did not make it "
        "fail."
    )


def test_another_failure_is_no_proof() -> None:
    other = wants(lambda tables: not tables.rows, "IntegrityError")
    world = Databases({**FOUNDING, "test_contract": other})
    seen = Databases(FOUNDING).inquiry()

    (told,) = pin(world, victim("test_contract", "test_import"), inquiry=seen)

    assert not told.leftovers[0].proven


def test_rows_that_can_t_be_put_in_say_why() -> None:
    world = Databases(FOUNDING, refuses=lambda rows: "no such type" if rows else "")

    left = leftover(world, victim("test_contract", "test_import"))

    assert left.say == (
        "Not pinned: 3 rows of `orders` could not be put into a fresh database: "
        "no such type."
    )
    assert not left.tried


def test_a_polluter_without_rows_is_not_pinned_in_the_database() -> None:
    world = Databases({**FOUNDING, "test_first": commits(), "test_import": commits()})

    left = leftover(world, victim("test_contract", "test_import"))

    assert left.say == "Not pinned: `test_import` left no row in its databases."
    assert not world.made


def test_a_database_that_the_tests_made_is_named_where_no_row_is_seen() -> None:
    world = Databases({**FOUNDING, "test_first": commits(), "test_import": commits()})
    seen = world.inquiry()
    (opening,) = seen.evidence.observations
    made = Alteration(
        database="main", kind="database", name="test_main", now="removed again"
    )
    opening = replace(opening, alterations=(made,))
    seen = replace(seen, evidence=replace(seen.evidence, observations=(opening,)))

    (told,) = pin(world, victim("test_contract", "test_import"), inquiry=seen)

    assert told.leftovers[0].say.startswith(
        "Not pinned: the tests made a database of their own, `test_main`, which is not "
        "watched; in the one that they are given `test_import` left no row. Have them "
        "use that one."
    )


def test_a_clock_that_is_ahead_pins_nothing_on_the_innocent() -> None:
    tests = {**FOUNDING, "test_between": commits(), "test_late": CONTRACT}
    world = Databases(tests, ahead=1.0)

    left = leftover(world, victim("test_late", "test_import"))

    assert left.proven
    assert ("test_import",) == left.by
    assert 5 == len(world.made)


def test_a_polluter_whose_file_is_enough_is_pinned_by_rows_of_its_loading() -> None:
    """Such rows come before the first test."""
    world = Databases(FOUNDING, ahead=-5.0)
    seen = world.inquiry()
    polluters = (TestId("test_import"),)
    alone = pinning_of(world, seen)

    with pytest.MonkeyPatch.context() as patch:
        facts = Facts(load_time=polluters)
        patch.setattr("fairtrial.pipeline.pinning_rows.facts_of", lambda *_: facts)
        (left,) = rows_left(alone)

    assert left.proven
    assert polluters == left.by


def test_a_server_that_is_lost_ends_the_pinning() -> None:
    world = Databases(FOUNDING, lost="the server is gone")

    left = leftover(world, victim("test_contract", "test_import"))

    assert not left.proven
    assert 1 == len(world.made)


def test_no_trial_is_begun_when_the_time_is_over() -> None:
    world = Databases(FOUNDING)
    now = iter([0.0, *[1e9] * 100])

    (told,) = pinned(
        [victim("test_contract", "test_import")],
        world.inquiry(),
        world.stand,
        brief(lambda: next(now)),
    )

    assert not world.made
    assert "no trial was left" in told.leftovers[0].say


def test_rows_that_come_to_nothing_leave_trials_for_other_pinners() -> None:
    noise = commits(*(insert(f"t{n}", id="1", x="a") for n in range(20)))
    tests = {"test_import": noise, "test_contract": CONTRACT}
    world = Databases(tests)

    leftover(world, victim("test_contract", "test_import"))

    assert len(world.made) <= FRUITLESS < TRIALS


def test_tables_of_several_databases_are_told_apart() -> None:
    both = (DatabaseSettings(name="main"), DatabaseSettings(name="other"))
    world = Databases(FOUNDING, databases=both)

    left = leftover(world, victim("test_contract", "test_import"))

    assert "main: public.orders" == left.name


def test_what_else_differs_is_told_as_a_hint() -> None:
    world = Databases({**FOUNDING, "test_import": commits()})
    seen = world.inquiry()
    (opening,) = seen.evidence.observations
    moved = Alteration(database="main", kind="sequence", name="orders_id_seq")
    opening = replace(opening, alterations=(moved,))
    seen = replace(seen, evidence=replace(seen.evidence, observations=(opening,)))

    (told,) = pin(world, victim("test_contract", "test_import"), inquiry=seen)

    assert told.leftovers[0].say.endswith(
        "Changed besides in the suite: sequence orders_id_seq."
    )


def test_a_suite_without_databases_has_nothing_to_say() -> None:
    world = Databases(FOUNDING, databases=())

    (told,) = pin(world, victim("test_contract", "test_import"))

    assert () == told.leftovers
    assert not world.made


def test_a_deletion_is_told_as_one() -> None:
    gone = delete("public.rates", {"id": "7"})
    world = Databases(
        {
            "test_clean": lambda tables: ([gone], ""),
            "test_rate": lambda tables: ((), ""),
        }
    )
    template = {"public.rates": [{"id": "7", "rate": "1.5"}]}

    class Seeded(Tables):
        def __init__(self) -> None:
            super().__init__(template)

    def rate(tables: Tables) -> bool:
        return any(row["id"] == "7" for row in tables.rows["public.rates"])

    world.tables = Seeded
    world.tests["test_rate"] = wants(rate, "no rate")

    left = leftover(world, victim("test_rate", "test_clean"))

    assert left.say == (
        "The deletion of 1 row of `rates` by `test_clean` is enough to make "
        "`test_rate` fail. Roll back what `test_clean` commits."
    )
    assert ({"id": "7"},) == left.rows


def test_a_verdict_costs_no_more_than_its_trials() -> None:
    def every_third(tables: Tables) -> bool:
        here = {row["id"] for row in tables.rows.get("t", [])}
        return not {str(number) for number in range(0, 60, 3)} <= here

    rows = [insert("t", id=str(number), x="a") for number in range(60)]
    world = Databases({"p": commits(*rows), "v": wants(every_third, "too many")})

    left = leftover(world, victim("v", "p"))

    assert len(world.made) == TRIALS
    assert left.proven
    assert len(left.rows) == 20


def test_only_so_many_trials_are_made_and_who_gets_none_is_told() -> None:
    names = [f"v{number}" for number in range(ALL_TRIALS + 1)]
    world = Databases({**FOUNDING, **dict.fromkeys(names, CONTRACT)})

    told = pin(world, *(victim(name, "test_import") for name in names))

    assert ALL_TRIALS == len(world.made)
    assert told[5].leftovers[0].proven
    assert not told[-1].leftovers[0].proven
    assert "no trial was left" in told[-1].leftovers[0].say


def test_victims_of_the_same_polluters_share_what_was_proven() -> None:
    world = Databases({**FOUNDING, "test_other": CONTRACT})

    told = pin(
        world,
        victim("test_contract", "test_import"),
        victim("test_other", "test_import"),
    )

    first, second = (one.leftovers[0] for one in told)
    assert first.rows[: first.fewest] == second.rows[: second.fewest]
    assert 1 == len(world.made[3].rows)
    assert 5 == len(world.made)


def test_verdicts_that_trip_over_nothing_are_left_as_they_are() -> None:
    world = Databases(FOUNDING)
    regression = replace(victim("test_contract"), category=Category.REGRESSION)

    assert (regression,) == pin(world, regression)
    assert not world.made
