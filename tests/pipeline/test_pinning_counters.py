"""Rows whose sequence is what a victim trips over are not blamed for it."""

from __future__ import annotations

from dataclasses import replace

from tests.inquiry.ledgers import Tables, insert
from tests.pipeline.scripted_databases import (
    Body,
    Databases,
    brief,
    commits,
    victim,
    wants,
)

from fairtrial.domain.databases import Alteration, Change, Verb
from fairtrial.domain.report import Leftover
from fairtrial.pipeline.pinning import pinned


class Counting(Tables):
    """Tables whose numbers go on when rows are gone."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def make(self, change: Change) -> None:
        super().make(change)
        self.number += change.verb is Verb.INSERT


def counts(tables: Tables) -> bool:
    return isinstance(tables, Counting) and tables.number == 0


def is_empty(tables: Tables) -> bool:
    return not tables.rows.get("public.orders")


def leftover(want: Body) -> Leftover:
    row = insert("public.orders", id="1", note="x")
    world = Databases({"test_a": commits(row), "test_v": want}, tables=Counting)
    seen = world.inquiry()
    (opening,) = seen.evidence.observations
    moved = Alteration(database="main", kind="sequence", name="orders_id_seq", now="1")
    opening = replace(opening, alterations=(moved,))
    seen = replace(seen, evidence=replace(seen.evidence, observations=(opening,)))
    (told,) = pinned((victim("test_v", "test_a"),), seen, world.stand, brief())
    (only,) = told.leftovers
    return only


def test_a_row_that_does_it_when_it_is_gone_again_is_not_claimed() -> None:
    told = leftover(wants(counts, "assert 2 == 1"))

    assert not told.proven
    assert told.say.startswith("Not pinned: ")
    assert "a sequence that their keys come from has moved" in told.say


def test_a_row_that_has_to_be_there_is() -> None:
    assert leftover(wants(is_empty, "assert 1 == 0")).proven
