"""How mutants are tried: who is asked again, when it ends, and what is told then.

The trials are played: a table says which version of which test fails on which mutant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fairtrial.domain.experiments import Experiment, Observation, Trust
from fairtrial.domain.names import OverlayId, RepoPath, SuiteName, TestId, TrialId
from fairtrial.domain.results import Outcome, Result
from fairtrial.domain.trees import BASE, HEAD_TESTS
from fairtrial.integrity.mutation.choice import Target
from fairtrial.integrity.mutation.kills import KillQuestion, Kills
from fairtrial.integrity.mutation.mutants import Mutant, Operator
from fairtrial.laboratory import Laboratory
from fairtrial.pipeline.mutant_trials import Case, Mutants, try_mutants

PATH = RepoPath("shop.py")
TEXT = "\n" * 400
#: What a side's test does on a mutant, by the mutant's line: one outcome, or several
#: that come one after another.
Table = Mapping[int, Outcome | Sequence[Outcome | Trust]]

FAILED, PASSED = Outcome.FAILED, Outcome.PASSED


def target(line: int) -> Target:
    mutant = Mutant(
        line=line,
        operator=Operator.CONSTANT,
        was="",
        now=f"{line}\n",
        cut=(line, line),
        reach=frozenset({line}),
        scope="",
    )
    return Target(path=PATH, mutant=mutant)


@dataclass
class Played:
    """A laboratory whose trials take a second each; tests are "base" and "head"."""

    base: Table
    head: Table
    now: float = 0.0
    made: list[Experiment] = field(default_factory=list)
    laid: dict[OverlayId, int] = field(default_factory=dict)
    seen: dict[tuple[str, int], int] = field(default_factory=dict)
    overlays: int = 0

    def lay(self, overlay: OverlayId, files: Mapping[RepoPath, bytes]) -> None:
        self.laid[overlay] = int(files[PATH].decode().strip())
        self.overlays = max(self.overlays, len(self.laid))

    def lift(self, overlay: OverlayId) -> None:
        del self.laid[overlay]

    def perform(self, experiments: Sequence[Experiment]) -> tuple[Observation, ...]:
        return tuple(self.one(each) for each in experiments)

    def one(self, experiment: Experiment) -> Observation:
        self.now += 1
        self.made.append(experiment)
        assert experiment.tree.overlay is not None
        line = self.laid[experiment.tree.overlay]
        results, trust = {}, Trust.SOUND
        for test in experiment.tests:
            side = test[:4]
            table = self.base if side == "base" else self.head
            row = table.get(line, PASSED)
            several = [row] if isinstance(row, Outcome) else row
            times = self.seen[side, line] = self.seen.get((side, line), -1) + 1
            said = several[min(times, len(several) - 1)]
            if isinstance(said, Trust):
                trust = said
            else:
                results[test] = Result(test=test, outcome=said)
        return Observation(
            trial=TrialId("t"),
            experiment=experiment,
            results=results,
            trust=trust,
            distrust="" if trust is Trust.SOUND else "it lies",
        )


def asked(
    played: Played, cases: Sequence[Case], deadline: float = 1e6
) -> tuple[Kills, ...]:
    laboratory = SimpleNamespace(
        suite=SimpleNamespace(name=SuiteName("unit")),
        bench=SimpleNamespace(parallel=2),
        source=played,
        perform=played.perform,
    )
    mutants = Mutants(
        laboratory=cast("Laboratory", cast("Any", laboratory)),
        base_tree=lambda overlay: replace(BASE, overlay=overlay),
        head_tree=lambda overlay: replace(HEAD_TESTS, overlay=overlay),
        texts={PATH: TEXT},
        seconds={},
        whole=1.0,
        clock=lambda: played.now,
        deadline=deadline,
        no_bonus=deadline / 2,
    )
    try_mutants(cases, mutants)
    assert {} == played.laid, "every overlay is forgotten again"
    return tuple(case.kills() for case in cases)


def case(lines: Sequence[int], name: str = "") -> Case:
    tests = TestId(f"base{name}"), TestId(f"head{name}")
    return Case(
        question=KillQuestion(base=tests[:1], head=tests[1:]),
        base=tests[:1],
        head=tests[1:],
        left=[target(line) for line in lines],
    )


def tried(
    base: Table,
    head: Table,
    lines: Sequence[int] = range(1, 31),
    *,
    deadline: float = 1e6,
    change: Callable[[Case], Case] = lambda case: case,
) -> tuple[Kills, Played]:
    played = Played(base, head)
    (kills,) = asked(played, [change(case(lines))], deadline)
    return kills, played


def of(side: str, played: Played) -> int:
    return sum(each.tests == (side,) for each in played.made)


ALL = dict.fromkeys(range(400), FAILED)


def test_a_version_that_kills_the_same_keeps_all() -> None:
    kills, played = tried(ALL, ALL)

    assert Kills(tried=20, killed_by_base=20, measured=True) == kills
    assert kills.kept
    assert (20, 20) == (of("base", played), of("head", played))


def test_mutants_that_base_lets_live_are_not_tried_at_head() -> None:
    kills, played = tried({3: FAILED}, {}, range(1, 11))

    assert [3] == [each.line for each in kills.lost]
    assert (10, 1) == (kills.tried, kills.killed_by_base)
    # One trial and its confirmation.
    assert (11, 2) == (of("base", played), of("head", played))


def test_where_base_kills_few_more_are_tried_up_to_a_bound() -> None:
    kills, _ = tried({3: FAILED}, ALL, range(1, 100))

    assert (40, 1) == (kills.tried, kills.killed_by_base)


def test_no_more_than_the_needed_ones_are_tried_when_half_of_the_time_is_gone() -> None:
    kills, _ = tried({}, {}, range(1, 100), deadline=36)

    assert 20 == kills.tried
    assert kills.measured


def test_what_base_does_not_kill_a_second_time_is_no_loss() -> None:
    kills, _ = tried({3: [FAILED, PASSED]}, {}, range(1, 6))

    assert Kills(tried=5, killed_by_base=0, measured=True) == kills
    assert not kills.kept


def test_what_head_kills_the_second_time_is_no_loss() -> None:
    kills, _ = tried({3: FAILED}, {3: [PASSED, FAILED]}, range(1, 6))

    assert Kills(tried=5, killed_by_base=1, measured=True) == kills


@pytest.mark.parametrize("loud", [Outcome.TIMED_OUT, Outcome.CRASHED])
def test_a_time_out_of_head_alone_is_looked_at_again_in_quiet(loud: Outcome) -> None:
    kills, played = tried({3: FAILED}, {3: [loud, PASSED]}, range(1, 6))

    assert [3] == [each.line for each in kills.lost]
    assert [True, True] == [each.quiet for each in played.made[-2:]]


@pytest.mark.parametrize("loud", [Outcome.TIMED_OUT, Outcome.CRASHED])
def test_a_time_out_of_both_versions_is_a_kill_of_both(loud: Outcome) -> None:
    kills, played = tried({3: loud}, {3: loud}, range(1, 6))

    assert Kills(tried=5, killed_by_base=1, measured=True) == kills
    assert not any(each.quiet for each in played.made)


def test_a_mutant_that_base_can_not_collect_says_nothing() -> None:
    kills, played = tried({3: Outcome.UNBUILDABLE}, {}, range(1, 6))

    assert Kills(tried=5, killed_by_base=0, measured=True) == kills
    assert 0 == of("head", played)


def test_a_mutant_that_head_can_not_collect_is_noticed() -> None:
    kills, _ = tried({3: FAILED}, {3: Outcome.UNBUILDABLE}, range(1, 6))

    assert Kills(tried=5, killed_by_base=1, measured=True) == kills


def test_a_trial_of_base_that_proves_nothing_is_no_kill() -> None:
    kills, _ = tried({3: [Trust.CONTRADICTORY]}, {}, range(1, 6))

    assert Kills(tried=5, killed_by_base=0, measured=True) == kills


@pytest.mark.parametrize("said", [Trust.CONTRADICTORY, Trust.ERRORED, Outcome.MISSING])
def test_where_head_proves_nothing_the_question_stays_open(
    said: Outcome | Trust,
) -> None:
    kills, _ = tried(ALL, {**ALL, 3: [said]}, range(1, 6))

    assert not kills.measured
    assert not kills.kept
    assert kills.why.startswith("its head version could not be tried on a mutant")


def test_tests_that_head_skips_need_no_trial_and_lose_every_kill() -> None:
    kills, played = tried(ALL, {}, change=lambda case: replace(case, head=()))

    assert 3 == len(kills.lost)
    assert 0 == of("head", played)


def test_three_losses_are_enough() -> None:
    kills, _ = tried(ALL, {})

    assert 3 == len(kills.lost)
    assert 5 == kills.tried


def test_a_test_without_a_head_version_is_done_with_its_first_kill() -> None:
    def new(case: Case) -> Case:
        question = KillQuestion(base=case.base, head=())
        return replace(case, question=question, head=())

    kills, played = tried({7: FAILED}, {}, change=new)

    assert (1, True, ()) == (kills.killed_by_base, kills.measured, kills.lost)
    assert 10 == kills.tried == of("base", played)


def test_when_time_ends_the_unfinished_is_not_measured() -> None:
    kills, played = tried(ALL, ALL, deadline=25)

    assert not kills.measured
    assert not kills.kept
    assert 0 < kills.tried < 20
    assert f"the time for it ended after {kills.tried} mutants" == kills.why
    assert played.now <= 25


def test_a_loss_that_was_confirmed_is_told_although_time_ended() -> None:
    kills, _ = tried(ALL, {**ALL, 2: PASSED}, deadline=25)

    assert [2] == [each.line for each in kills.lost]
    assert kills.measured


def test_a_loss_that_could_not_be_confirmed_in_time_is_not_told() -> None:
    kills, _ = tried({1: FAILED}, {}, [1], deadline=2)

    assert () == kills.lost
    assert not kills.measured


def test_overlays_are_forgotten_as_soon_as_they_were_tried() -> None:
    _, played = tried(ALL, ALL)

    assert played.overlays <= 8


def test_a_mutant_of_several_tests_is_tried_once_for_all_of_them() -> None:
    played = Played(ALL, ALL)
    cases = [case(range(1, 21), f" {number}") for number in range(10)]
    kills = asked(played, cases)

    assert [Kills(tried=20, killed_by_base=20, measured=True)] * 10 == list(kills)
    assert 40 == len(played.made)


def test_all_are_looked_at_first_and_then_some_are_brought_to_their_end() -> None:
    played = Played(ALL, ALL)
    cases = [case(range(20 * n, 20 * n + 20), f" {n}") for n in range(20)]
    kills = asked(played, cases, deadline=360)

    finished = [each for each in kills if each.measured]
    assert 4 <= len(finished) < 20
    assert all(each.tried >= 5 for each in kills)
    assert all(each.why for each in kills if not each.measured)
