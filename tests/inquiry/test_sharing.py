from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.databases import Change, Verb
from fairtrial.domain.experiments import (
    SUITE,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import SuiteName, TestId, TrialId
from fairtrial.domain.results import Outcome, Result
from fairtrial.domain.trees import HEAD
from fairtrial.inquiry.sharing import Shared, Sharing, sharing
from fairtrial.pipeline.shared_tables import shared_tables

EPOCH = 1000.0
#: Name, worker, start and length in seconds.
Ran = tuple[str, str, float, float]


def watched(ran: Sequence[Ran], written: Sequence[tuple[str, float]]) -> Observation:
    return Observation(
        trial=TrialId("t1"),
        experiment=Experiment(
            suite=SuiteName("unit"),
            tree=HEAD,
            context=SUITE,
            shape=Shape.WHOLE,
            purpose=Purpose.SUITE,
            watched=True,
        ),
        results={
            TestId(name): Result(
                test=TestId(name),
                outcome=Outcome.PASSED,
                worker=worker,
                started=started,
                seconds=seconds,
            )
            for name, worker, started, seconds in ran
        },
        trust=Trust.SOUND,
        epoch=EPOCH,
        changes=tuple(
            Change(database="orders", table=table, verb=Verb.INSERT, at=EPOCH + at)
            for table, at in written
        ),
    )


TWO = [("a", "gw0", 0.0, 2.0), ("b", "gw1", 1.0, 2.0)]


def test_two_writers_at_one_time_share_a_table() -> None:
    seen = watched(TWO, [("t", 0.5), ("t", 1.5), ("t", 2.5), ("u", 0.5)])
    assert Sharing(
        shared=(
            Shared(
                database="orders",
                table="t",
                tests=(TestId("a"), TestId("b")),
                workers=("gw0", "gw1"),
            ),
        )
    ) == sharing(seen)


def test_writers_one_after_the_other_share_nothing() -> None:
    ran = [("a", "gw0", 0.0, 1.0), ("b", "gw1", 2.0, 1.0)]
    assert Sharing() == sharing(watched(ran, [("t", 0.5), ("t", 2.5)]))


def test_writers_in_one_worker_share_nothing() -> None:
    ran = [("a", "gw0", 0.0, 1.0), ("b", "gw0", 0.5, 1.0), ("c", "gw1", 9.0, 1.0)]
    assert Sharing() == sharing(watched(ran, [("t", 0.2), ("t", 1.2)]))


def test_one_worker_alone_shares_nothing() -> None:
    assert Sharing() == sharing(watched([TWO[0]], [("t", 0.5)]))


def test_what_only_time_tells_is_not_claimed() -> None:
    assert Sharing(untold=(("orders", "t"),)) == sharing(watched(TWO, [("t", 1.5)]))


def test_a_known_writer_explains_what_time_does_not_tell() -> None:
    assert Sharing() == sharing(watched(TWO, [("t", 0.5), ("t", 1.5)]))


def test_another_trial_tells_who_writes_where() -> None:
    alone = [("a", "main", 0.0, 1.0), ("b", "main", 1.0, 1.0)]
    other = watched(alone, [("t", 0.5), ("t", 1.5)])
    (shared,) = sharing(watched(TWO, [("t", 1.5)]), [other]).shared
    assert (TestId("a"), TestId("b")) == shared.tests


def test_further_pairs_of_a_table_are_counted() -> None:
    ran = [*TWO, ("c", "gw1", 3.0, 1.0), ("d", "gw0", 3.5, 1.0)]
    one_by_one = [(name, "main", float(at), 1.0) for at, name in enumerate("abcd")]
    other = watched(one_by_one, [("t", at + 0.5) for at in range(4)])
    (shared,) = sharing(watched(ran, [("t", 1.5)]), [other]).shared
    assert (TestId("a"), TestId("b")) == shared.tests
    assert 1 == shared.others


def test_a_trial_that_was_not_watched_says_nothing() -> None:
    assert () == shared_tables(watched(TWO, []))


def test_the_notice_names_tests_table_and_what_to_do() -> None:
    (finding,) = shared_tables(watched(TWO, [("t", 0.5), ("t", 2.5)]))
    assert "shared-table" == finding.rule
    assert "a and b both write table t of database orders" in finding.because
    assert "a logical database of its own" in finding.because
    (untold,) = shared_tables(watched(TWO, [(f"t{n}", 1.5) for n in range(5)]))
    assert "tables t0, t1, t2 and 2 more of database orders" in untold.because


@given(
    ran=st.lists(
        st.tuples(
            st.sampled_from("abcdefgh"),
            st.sampled_from(["gw0", "gw1", "gw2"]),
            st.floats(0, 10),
            st.floats(0, 3),
        ),
        max_size=8,
        unique_by=lambda each: each[0],
    ),
    written=st.lists(st.tuples(st.sampled_from("tu"), st.floats(0, 13)), max_size=10),
)
def test_what_is_named_ran_side_by_side_in_two_workers(
    ran: list[Ran], written: list[tuple[str, float]]
) -> None:
    seen = watched(ran, written)
    for shared in sharing(seen).shared:
        first, second = (seen.results[test] for test in shared.tests)
        assert first.worker != second.worker
        assert first.started < second.started + second.seconds
        assert second.started < first.started + first.seconds or (
            first.started == second.started
        )
        assert shared.table in {table for table, _ in written}
