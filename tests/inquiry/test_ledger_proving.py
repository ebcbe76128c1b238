"""Which trials prove rows and columns, and how many it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.inquiry.ledgers import Tables, delete, insert, update

from fairtrial.domain.databases import Change
from fairtrial.domain.names import TestId
from fairtrial.inquiry.ddmin import Answer
from fairtrial.inquiry.ledger.net import Left, net
from fairtrial.inquiry.ledger.proving import Attempt, Proof, changes_of, next_step
from fairtrial.inquiry.ledger.suspicion import Words, groups
from fairtrial.inquiry.ledger.windows import Owned

POLLUTER = TestId("test_import")
NOTHING = Words(frozenset(), frozenset())

Rows = dict[str, list[dict[str, str | None]]]


@dataclass
class Trials:
    """A victim that looks at fresh tables with the attempt's rows in them."""

    fails: Callable[[Rows], Answer]
    template: Rows = field(default_factory=dict)
    made: list[Attempt] = field(default_factory=list)
    most: int = 200

    def prove(
        self,
        changes: Sequence[Change],
        words: Words = NOTHING,
        known: tuple[tuple[Left, ...], ...] = (),
    ) -> Proof | None:
        lefts = net(Owned(change=one, tests=(POLLUTER,)) for one in changes)
        return self.prove_left(lefts, changes, words, known)

    def prove_left(
        self,
        lefts: tuple[Left, ...],
        changes: Sequence[Change],
        words: Words = NOTHING,
        known: tuple[tuple[Left, ...], ...] = (),
    ) -> Proof | None:
        ranked = groups(lefts, changes, words)
        answers: dict[Attempt, Answer] = {}
        while True:
            step = next_step(ranked, answers.get, known)
            if step.attempt is None or len(self.made) == self.most:
                return step.proof
            assert step.attempt not in answers
            self.made.append(step.attempt)
            tables = Tables(self.template)
            for change in changes_of(step.attempt, ranked):
                tables.make(change)
            answers[step.attempt] = self.fails(tables.rows)


def said(*names: str) -> Words:
    return Words(frozenset(names), frozenset())


def yes(fails: bool) -> Answer:
    return Answer.YES if fails else Answer.NO


def ids(lefts: Sequence[Left]) -> set[str | None]:
    return {(left.change.values or left.change.key).get("id") for left in lefts}


THREE = [
    insert("public.orders", id="1", discount=None, total="10"),
    insert("public.orders", id="2", discount=None, total="20"),
    insert("public.orders", id="3", discount=None, total="30"),
]


def no_discount(rows: Rows) -> Answer:
    return yes(any(row["discount"] is None for row in rows.get("public.orders", [])))


def test_the_founding_case_takes_three_trials() -> None:
    trials = Trials(no_discount)

    proof = trials.prove(THREE, said("discount"))

    assert proof is not None
    assert {"1", "2", "3"} == ids(proof.enough)
    assert {"3"} == ids(proof.lefts)
    assert ("discount",) == proof.columns
    assert proof.minimal
    assert 3 == len(trials.made)


def test_a_null_is_a_hint_where_the_failure_names_nothing() -> None:
    trials = Trials(no_discount)

    proof = trials.prove(THREE)

    assert proof is not None
    assert ("discount",) == proof.columns
    assert 3 == len(trials.made)


def test_the_single_row_that_is_tried_first_holds_the_null() -> None:
    rows = [
        insert("public.orders", id=str(number), discount=None if number == 2 else "1")
        for number in range(8)
    ]
    trials = Trials(no_discount)

    proof = trials.prove(rows)

    assert proof is not None
    assert {"2"} == ids(proof.lefts)
    assert proof.minimal is True
    assert ("discount",) == proof.columns
    assert proof.enough == proof.columns_of
    assert 3 == len(trials.made)


def test_a_row_that_needs_another_one_is_not_left_alone() -> None:
    trials = Trials(lambda rows: yes(len(rows.get("public.orders", [])) >= 2))

    proof = trials.prove(THREE, said("orders"))

    assert proof is not None
    assert 2 == len(proof.lefts)
    assert proof.minimal
    assert () == proof.columns
    assert ("discount", "total") == proof.alike


def test_what_fails_whatever_rows_hold_says_so() -> None:
    trials = Trials(lambda rows: yes(bool(rows.get("t"))))

    proof = trials.prove([insert("t", id="1", state="open")])

    assert proof is not None
    assert ("state",) == proof.alike
    assert () == proof.columns


def test_a_value_that_counts_is_found_among_others() -> None:
    trials = Trials(
        lambda rows: yes(any(r["state"] == "open" for r in rows.get("t", [])))
    )
    row = insert("t", id="1", a="1", b="2", state="open", c="3", d="4")

    proof = trials.prove([row])

    assert proof is not None
    assert ("state",) == proof.columns


def test_two_values_that_count_together_are_both_told() -> None:
    trials = Trials(
        lambda rows: yes(
            any(r["a"] == "1" and r["c"] == "3" for r in rows.get("t", []))
        )
    )
    row = insert("t", id="1", a="1", b="2", c="3", d="4")

    proof = trials.prove([row])

    assert proof is not None
    # Either one, made neutral by itself, lets it pass: each is needed.
    assert ("a", "c") == proof.columns


def test_the_table_that_the_failure_names_goes_first() -> None:
    rows = [
        insert("public.audit", id="1", text="x"),
        *THREE,
        insert("public.users", id="1", name="x"),
    ]
    trials = Trials(no_discount)

    proof = trials.prove(rows, said("order", "discount"))

    assert proof is not None
    assert {"public.orders"} == {left.change.table for left in trials.made[0].lefts}
    assert 3 == len(trials.made)


def test_rows_of_two_tables_are_proven_together() -> None:
    def joined(rows: Rows) -> Answer:
        orders = {row["id"] for row in rows.get("orders", [])}
        return yes(any(row["order"] in orders for row in rows.get("lines", [])))

    changes = [
        insert("orders", id="1", x="a"),
        insert("orders", id="2", x="a"),
        insert("lines", id="7", order="2"),
        insert("lines", id="8", order="9"),
        insert("noise", id="1", x="a"),
    ]
    proof = Trials(joined).prove(changes)

    assert proof is not None
    assert [("lines", "7"), ("orders", "2")] == sorted(
        (left.change.table, left.change.values["id"]) for left in proof.lefts
    )
    assert proof.minimal


def test_rows_that_are_not_enough_prove_nothing() -> None:
    assert Trials(lambda rows: Answer.NO).prove(THREE) is None


def test_trials_that_can_t_be_made_prove_nothing() -> None:
    trials = Trials(lambda rows: Answer.NEITHER)

    assert trials.prove(THREE) is None
    assert 1 == len(trials.made)


def test_a_column_whose_other_value_is_refused_is_not_claimed() -> None:
    """Another failure than the one that is looked for is no pass."""

    def picky(rows: Rows) -> Answer:
        here = rows.get("public.orders", [])
        if any(row["discount"] is not None for row in here):
            return Answer.NEITHER
        return yes(bool(here))

    proof = Trials(picky).prove(THREE, said("discount"))

    assert proof is not None
    assert () == proof.columns
    assert () == proof.alike
    assert {"3"} == ids(proof.lefts)


def test_a_deletion_is_put_back_like_a_row() -> None:
    template: Rows = {"rates": [{"id": "1"}, {"id": "2"}, {"id": "3"}]}
    trials = Trials(
        lambda rows: yes(not any(r["id"] == "2" for r in rows["rates"])), template
    )

    proof = trials.prove([delete("rates", {"id": "1"}), delete("rates", {"id": "2"})])

    assert proof is not None
    assert {"2"} == ids(proof.lefts)
    assert () == proof.columns


def test_of_an_update_the_column_that_it_changed_is_told() -> None:
    was: dict[str, str | None] = {"id": "1", "rate": "7", "name": "a"}
    trials = Trials(lambda rows: yes(rows["rates"][0]["rate"] == "9"), {"rates": [was]})

    proof = trials.prove([update("rates", was, {**was, "rate": "9"})])

    assert proof is not None
    assert ("rate",) == proof.columns


def test_of_an_update_that_hides_what_was_there_no_column_is_told() -> None:
    """Another value than the template's may be as wrong as the one that was left."""
    was: dict[str, str | None] = {"id": "1", "rate": "7", "name": "a"}
    trials = Trials(lambda rows: yes(rows["rates"][0]["rate"] != "7"), {"rates": [was]})

    proof = trials.prove([update("rates", {"id": "1"}, {**was, "rate": "9"})])

    assert proof is not None
    assert () == proof.columns
    assert () == proof.alike
    assert 1 == len(trials.made)


def test_what_was_proven_for_another_test_is_tried_first() -> None:
    lefts = net(Owned(change=one, tests=(POLLUTER,)) for one in THREE)
    trials = Trials(no_discount)

    proof = trials.prove_left(lefts, THREE, said("discount"), known=((lefts[1],),))

    assert proof is not None
    assert [(lefts[1],), (lefts[1],)] == [each.lefts for each in trials.made]
    assert ("discount",) == proof.columns


@pytest.mark.parametrize("most", range(8))
def test_when_trials_run_out_only_what_was_shown_is_told(most: int) -> None:
    trials = Trials(
        lambda rows: yes(len(rows.get("public.orders", [])) >= 2), most=most
    )

    proof = trials.prove(THREE)

    if most == 0:
        assert proof is None
        return
    assert proof is not None
    seen = {attempt.lefts: attempt for attempt in trials.made if not attempt.neutral}
    assert proof.lefts in seen
    assert len(proof.lefts) >= 2


SMALL = st.sets(st.integers(0, 9), min_size=1, max_size=3)


@settings(max_examples=60)
@given(needed=SMALL, tables=st.integers(1, 4))
def test_a_conjunction_of_rows_is_found_exactly(needed: set[int], tables: int) -> None:
    changes = [insert(f"t{n % tables}", id=str(n), x="a") for n in range(10)]

    def fails(rows: Rows) -> Answer:
        here = {row["id"] for held in rows.values() for row in held}
        return yes({str(number) for number in needed} <= here)

    proof = Trials(fails).prove(changes)

    assert proof is not None
    assert {str(number) for number in needed} == ids(proof.lefts)
    assert proof.minimal


@settings(max_examples=60)
@given(st.data())
def test_no_answers_make_a_proof_of_what_was_not_tried(data: st.DataObject) -> None:
    answers = st.sampled_from(list(Answer))
    trials = Trials(lambda rows: data.draw(answers), most=40)
    changes = [insert(f"t{n % 3}", id=str(n), x="a", y=None) for n in range(6)]

    proof = trials.prove(changes)

    if proof is not None:
        tried = [attempt.lefts for attempt in trials.made if not attempt.neutral]
        assert proof.enough in tried
        assert proof.lefts in tried
        assert not (proof.columns and proof.alike)
