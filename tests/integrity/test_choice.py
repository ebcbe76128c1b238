"""Which mutants a test is tried on: spread, bounded, and the same each time."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.names import RepoPath
from fairtrial.integrity.mutation.choice import CANDIDATES, Interest, Target, chosen
from fairtrial.integrity.mutation.mutants import Mutant, Operator

PATH = RepoPath("shop.py")


def target(line: int, scope: str = "f", kind: Operator = Operator.CONSTANT) -> Target:
    mutant = Mutant(
        line=line,
        operator=kind,
        was="1",
        now=f"{kind}",
        cut=(line, line + 1),
        reach=frozenset({line}),
        scope=scope,
    )
    return Target(path=PATH, mutant=mutant)


def runs(*lines: int) -> dict[RepoPath, frozenset[int]]:
    return {PATH: frozenset(lines)}


def scopes(targets: tuple[Target, ...]) -> Counter[str]:
    return Counter(each.mutant.scope for each in targets)


EVERY = runs(*range(1, 200))


def test_only_what_the_test_reaches_is_chosen() -> None:
    targets = [target(line) for line in range(1, 20)]
    found = chosen(targets, Interest(lines=runs(3, 5)), 20)

    assert {3, 5} == {each.mutant.line for each in found}
    assert () == chosen(targets, Interest(lines={RepoPath("other.py"): {3}}), 20)


def test_they_are_spread_over_functions() -> None:
    targets = [target(line, f"f{line // 20}") for line in range(1, 100)]
    found = chosen(targets, Interest(lines=EVERY), 10)

    assert {"f0": 2, "f1": 2, "f2": 2, "f3": 2, "f4": 2} == scopes(found)


def test_they_are_spread_over_lines_and_operators() -> None:
    targets = [target(line, kind=kind) for line in (1, 2, 3) for kind in Operator]
    found = chosen(targets, Interest(lines=EVERY), 6)

    assert {1: 2, 2: 2, 3: 2} == Counter(each.mutant.line for each in found)
    assert 6 == len({each.mutant.operator for each in found})


def test_what_the_test_names_has_more_than_what_it_only_runs() -> None:
    targets = [target(line, "A.total" if line < 50 else "low") for line in range(99)]
    found = chosen(targets, Interest(lines=EVERY, words={"total"}), 8)

    assert {"A.total": 6, "low": 2} == scopes(found)


def test_what_head_no_longer_runs_comes_first() -> None:
    targets = [target(line, "a" if line < 50 else "b") for line in range(1, 99)]
    found = chosen(targets, Interest(lines=EVERY, kept=runs(*range(1, 60))), 3)

    assert all(each.mutant.line >= 60 for each in found[:2])


def test_what_few_tests_run_goes_before_what_many_run() -> None:
    company = {(PATH, line): 9 if line < 5 else 1 for line in range(1, 10)}
    targets = [target(line) for line in range(1, 10)]
    found = chosen(targets, Interest(lines=EVERY, company=company), 1)

    assert [5] == [each.mutant.line for each in found]


def test_of_equals_the_one_that_is_tried_in_any_case_is_taken() -> None:
    targets = [target(line) for line in range(1, 10)]
    found = chosen(targets, Interest(lines=EVERY), 1, frozenset({targets[6]}))

    assert (targets[6],) == found


def test_very_many_are_thinned_out_evenly() -> None:
    lines = range(1, 10 * CANDIDATES)
    targets = [target(line, f"f{line}") for line in lines]
    found = chosen(targets, Interest(lines=runs(*lines)), 20)

    assert 20 == len(set(found))


@given(
    st.lists(
        st.builds(
            target,
            st.integers(1, 30),
            st.sampled_from("abc"),
            st.sampled_from(list(Operator)),
        ),
        unique=True,
    ),
    st.sets(st.integers(1, 30)),
    st.integers(0, 40),
)
def test_at_most_so_many_each_once_and_always_the_same(
    targets: list[Target], lines: set[int], limit: int
) -> None:
    interest = Interest(lines={PATH: lines}, words={"a"})
    reached = [each for each in targets if each.mutant.line in lines]
    found = chosen(targets, interest, limit)

    assert found == chosen(targets, interest, limit)
    assert min(limit, len(reached)) == len(found)
    assert len(set(found)) == len(found)
    assert set(found) <= set(reached)
