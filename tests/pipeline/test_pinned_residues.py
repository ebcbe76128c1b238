"""What is concluded from forks, from processes apart, and from files laid down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from types import SimpleNamespace
from typing import cast

import pytest
from tests.inquiry.simulated import failed
from tests.pipeline.scripted_databases import Databases, commits, victim

from fairtrial.domain.experiments import Experiment, Observation, Trust
from fairtrial.domain.names import OverlayId, RepoPath, TestId, TrialId
from fairtrial.domain.report import Leftover
from fairtrial.domain.results import Outcome, Result
from fairtrial.domain.traces import EACH, Resource, Trace, Undone
from fairtrial.domain.trees import HEAD
from fairtrial.domain.trials import LeftFile, Places
from fairtrial.pipeline.pinning_case import Allowance, Pinning
from fairtrial.pipeline.residues import process_left
from fairtrial.pipeline.residues_files import files_left
from fairtrial.pipeline.stand import Stand

P, V = TestId("p"), TestId("v")
FAILED = failed(V, "why")
PASSED = Result(test=V, outcome=Outcome.PASSED)
SIGNATURE = FAILED.failure.signature if FAILED.failure else None
A = Trace(resource=Resource.ENVIRONMENT, name="A", was="(absent)", now="1")
B = Trace(resource=Resource.MODULE, name="m.B", was="1", now="2")
EPOCH = 1_700_000_000.0

#: What an experiment shows: the victim's result, and fields of the observation.
Script = Callable[[Experiment, Mapping[RepoPath, bytes | None]], Observation]


class World:
    """A laboratory that answers by a script, and counts."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.made: list[Experiment] = []
        self.laid: dict[OverlayId, Mapping[RepoPath, bytes | None]] = {}

    def perform(self, experiments: Sequence[Experiment]) -> tuple[Observation, ...]:
        self.made += experiments
        return tuple(
            self.script(each, self.laid.get(each.tree.overlay or OverlayId(""), {}))
            for each in experiments
        )

    def pinning(self, *polluters: str) -> Pinning:
        places = Places(
            workspace=PurePosixPath("/p/workspace"),
            inputs=PurePosixPath("/p/in"),
            outputs=PurePosixPath("/p/out"),
        )
        source = SimpleNamespace(
            lay=self.laid.__setitem__,
            lift=self.laid.pop,
            listing=lambda tree: {RepoPath("tracked.txt"): None},
        )
        laboratory = SimpleNamespace(
            perform=self.perform, source=source, bench=SimpleNamespace(places=places)
        )
        suite = SimpleNamespace(runner="pytest", databases=())
        stand = cast(Stand, SimpleNamespace(suite=suite, laboratory=laboratory))
        assert SIGNATURE is not None
        return Pinning(
            verdict=victim(V, *polluters),
            polluters=tuple(map(TestId, polluters)),
            inquiry=Databases(tests={P: commits(), V: commits()}).inquiry(),
            stand=stand,
            tree=HEAD,
            signatures=frozenset({SIGNATURE}),
            allowance=Allowance(self.perform, 12),
        )


def shown(experiment: Experiment, result: Result, **more: object) -> Observation:
    return Observation(
        trial=TrialId("t"),
        experiment=experiment,
        results={
            P: Result(test=P, outcome=Outcome.PASSED, seconds=0.5),
            V: replace(result, started=1.0, seconds=0.1),
        },
        trust=Trust.SOUND,
        epoch=EPOCH,
        **more,  # type: ignore[arg-type]
    )


def asked(outcome: Outcome, *parts: Trace, fresh: bool = False) -> Undone:
    signature = SIGNATURE if outcome is Outcome.FAILED else None
    return Undone(
        test=V, parts=parts, outcome=outcome, fresh=fresh, signature=signature
    )


def by_forks(*undone: Undone, result: Result = FAILED) -> tuple[Leftover, ...]:
    traces = (replace(A, by=P), replace(B, by=P))
    world = World(lambda one, _: shown(one, result, undone=undone, traces=traces))
    return process_left(world.pinning(P))


F, OK = Outcome.FAILED, Outcome.PASSED


def test_a_part_that_cures_and_is_enough_is_proven() -> None:
    (left,) = by_forks(
        asked(F),
        asked(OK, A, B),
        asked(OK, A),
        asked(F, B),
        asked(OK, fresh=True),
        asked(F, A, fresh=True),
    )

    assert ("environment variable", "A", (P,), True) == (
        left.resource,
        left.name,
        left.by,
        left.proven,
    )
    assert "fresh process this alone" in left.say


def test_a_part_that_only_cures_is_not_said_to_be_enough() -> None:
    (left,) = by_forks(asked(F), asked(OK, A), asked(OK, fresh=True))

    assert (True, False) == (left.proven, "fresh" in left.say)


def test_what_is_enough_says_more_than_what_has_to_be_there_as_well() -> None:
    (left,) = by_forks(
        asked(F),
        asked(OK, A),
        asked(OK, B),
        asked(OK, fresh=True),
        asked(F, B, fresh=True),
    )

    assert "m.B" == left.name


def test_parts_that_are_enough_only_together_are_one_leftover() -> None:
    (left,) = by_forks(
        asked(F),
        asked(OK, A),
        asked(OK, B),
        asked(OK, fresh=True),
        asked(OK, A, fresh=True),
        asked(F, A, B, fresh=True),
    )

    assert "A, m.B" == left.name


@pytest.mark.parametrize(
    "undone",
    [
        # It passes in a fork anyway: then passing with a part put back says nothing.
        (asked(OK), asked(OK, A)),
        # Nobody asked it with nothing put back.
        (asked(OK, A),),
        # Nothing cures.
        (asked(F), asked(F, A)),
        # It fails in another way there.
        (replace(asked(F), signature=None), asked(OK, A)),
        (asked(Outcome.ERRORED), asked(OK, A)),
        (asked(F), asked(Outcome.ERRORED, A)),
    ],
)
def test_without_a_control_that_fails_nothing_is_proven(
    undone: tuple[Undone, ...],
) -> None:
    assert () == by_forks(*undone)


def test_where_it_does_not_fail_again_nothing_is_proven() -> None:
    assert () == by_forks(asked(F), asked(OK, A), result=PASSED)


def test_without_forks_each_part_is_tried_in_a_trial() -> None:
    traces = (replace(A, by=P), replace(B, by=P), replace(B, name="own", by=V))

    def script(one: Experiment, _: object) -> Observation:
        cured = {each.name for each in one.undo} & {"m.B"}
        return shown(one, PASSED if cured else FAILED, traces=traces)

    world = World(script)
    (left,) = process_left(world.pinning(P))

    assert ("m.B", True) == (left.name, left.proven)
    assert "fresh" not in left.say
    assert [(EACH.name,), ("A", "m.B"), ("A",), ("m.B",)] == [
        tuple(each.name for each in one.undo) for one in world.made
    ]


def test_without_polluters_no_trial_is_made() -> None:
    world = World(lambda one, _: shown(one, FAILED))

    assert ((), ()) == (process_left(world.pinning()), files_left(world.pinning()))
    assert [] == world.made


def left(name: str, kind: str = "file", data: bytes | None = b"x") -> LeftFile:
    path = name if name.startswith("/") else f"/p/workspace/{name}"
    return LeftFile(path=path, changed=EPOCH + 0.2, kind=kind, data=data)


def files(world: World) -> tuple[Leftover, ...]:
    return files_left(world.pinning(P))


def test_what_passes_in_a_process_of_its_own_trips_over_memory() -> None:
    world = World(lambda one, _: shown(one, PASSED if one.apart else FAILED))
    (found,) = files(world)

    assert ("process", True, 1) == (found.resource, found.proven, len(world.made))
    assert "not pinned" in found.say


def test_memory_is_not_blamed_while_rows_could_not_be_tried() -> None:
    world = World(lambda one, _: shown(one, PASSED if one.apart else FAILED))
    rows = Leftover(resource="database", name="public.orders", tried=False)

    assert () == files_left(replace(world.pinning(P), found=(rows,)))


def test_the_file_that_is_enough_is_laid_down_alone() -> None:
    def script(one: Experiment, laid: Mapping[RepoPath, object]) -> Observation:
        fails = one.apart or "b.txt" in laid
        found = (left("a.txt"), left("b.txt"))
        return shown(one, FAILED if fails else PASSED, left=found)

    world = World(script)
    (found,) = files(world)

    assert ("files", "b.txt", True) == (found.resource, found.name, found.proven)
    assert {} == world.laid


def test_a_removed_file_is_removed_under_the_victim() -> None:
    def script(one: Experiment, laid: Mapping[RepoPath, object]) -> Observation:
        fails = one.apart or laid.get(RepoPath("tracked.txt"), 0) is None
        found = (left("tracked.txt", "removed", None),)
        return shown(one, FAILED if fails else PASSED, left=found)

    (found,) = files(World(script))

    assert "is deleted" in found.say


def test_a_file_outside_the_tree_is_taken_away() -> None:
    def script(one: Experiment, _: object) -> Observation:
        gone = "~/.rc" in {each.name for each in one.undo}
        found = (left("/p/home/.rc"), left("/p/tmp/x"))
        fails = one.apart and not gone
        return shown(one, FAILED if fails else PASSED, left=found)

    (found,) = files(World(script))

    assert ("~/.rc", True) == (found.name, found.proven)
    assert "without it" in found.say


def test_a_file_of_the_tree_is_never_taken_away() -> None:
    found = (left("tracked.txt", data=None),)
    world = World(lambda one, _: shown(one, FAILED, left=found))

    (told,) = files(world)

    assert not told.proven
    assert "left behind for `v` is not pinned: it is outside" in told.say
    assert 1 == len(world.made)


def test_why_it_is_not_pinned_is_told_and_never_twice() -> None:
    other = failed(V, "another thing")
    (unlike,) = files(World(lambda one, _: shown(one, other)))
    pinning = World(lambda one, _: shown(one, FAILED)).pinning(P)
    (spent,) = files_left(replace(pinning, allowance=Allowance(lambda _: (), 0)))

    assert "neither passes nor fails as it did" in unlike.say
    assert "no trial was left" in spent.say
    assert () == files_left(replace(pinning, found=(spent,)))


def test_what_still_runs_is_ended() -> None:
    child = LeftFile(path="serve", changed=EPOCH + 0.2, kind="process")
    port = LeftFile(path="tcp:80", changed=EPOCH + 2, kind="port")

    def script(one: Experiment, _: object) -> Observation:
        fails = one.apart and not one.undo
        return shown(one, FAILED if fails else PASSED, left=(child, port))

    (found,) = files(World(script))

    assert ("port", "tcp:80", True) == (found.resource, found.name, found.proven)


def test_a_disk_that_some_fork_changed_proves_nothing() -> None:
    assert () == by_forks(asked(F), asked(OK, A, B), asked(OK))
    (left,) = by_forks(
        asked(F),
        asked(OK, A),
        asked(F),
        asked(OK, fresh=True),
        asked(F, A, fresh=True),
        asked(F, fresh=True),
    )
    assert "in a fresh process" not in left.say
