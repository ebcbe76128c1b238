"""A trial that was made is not made again, and one that came to nothing is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.inquiry.simulated import Act, World, always, padding

from fairtrial.clients.answers import AnswerFile
from fairtrial.domain.experiments import (
    ALONE,
    SUITE,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import SuiteName, TestId
from fairtrial.domain.trees import HEAD
from fairtrial.pipeline.remembering import Remembering

WORLD = World(
    tests={
        "a.py::p": always(Act(leaves=frozenset({"dirt"}))),
        **padding(3),
        "a.py::v": always(Act(fails_with=frozenset({frozenset({"dirt"})}))),
    },
    forks="right",
)


def experiment(*tests: str, shape: Shape = Shape.LISTED) -> Experiment:
    chosen = tuple(map(TestId, tests))
    return Experiment(
        suite=SuiteName("unit"),
        tree=HEAD,
        context=SUITE if shape is Shape.FORKED else ALONE,
        shape=shape,
        tests=chosen,
        subjects=chosen[-1:],
        purpose=Purpose.POLLUTER,
    )


class Laboratory:
    """Counts what it is asked."""

    def __init__(self) -> None:
        self.made: list[Experiment] = []
        self.trust = Trust.SOUND

    def __call__(self, experiments: Sequence[Experiment]) -> tuple[Observation, ...]:
        self.made += experiments
        return tuple(
            replace(WORLD.perform(each), trust=self.trust) for each in experiments
        )


def remembering(path: Path, laboratory: Laboratory) -> Remembering:
    return Remembering(file=AnswerFile(path / "kept"), perform=laboratory)


def test_a_second_search_asks_nothing_again(tmp_path: Path) -> None:
    asked = [
        experiment("a.py::v"),
        experiment("a.py::p", "a.py::v"),
        experiment("a.py::p", "pad.py::p0", "a.py::v", shape=Shape.FORKED),
    ]
    first = remembering(tmp_path, Laboratory())(asked)
    laboratory = Laboratory()
    again = remembering(tmp_path, laboratory)
    second = again(asked)

    assert [] == laboratory.made
    assert 3 == again.spared
    for one, other in zip(first, second, strict=True):
        assert one.experiment == other.experiment
        assert {test: each.outcome for test, each in one.results.items()} == {
            test: each.outcome for test, each in other.results.items()
        }
        assert one.searched == other.searched
    victim = TestId("a.py::v")
    failures = [each[1].results[victim].failure for each in (first, second)]
    assert all(failure is not None for failure in failures)
    assert failures[0].signature == failures[1].signature  # type: ignore[union-attr]


def test_a_suite_comes_back_with_its_orders(tmp_path: Path) -> None:
    whole = replace(experiment(), shape=Shape.WHOLE, subjects=(), context=SUITE)
    (first,) = remembering(tmp_path, Laboratory())([whole])
    laboratory = Laboratory()
    (second,) = remembering(tmp_path, laboratory)([whole])

    assert [] == laboratory.made
    assert (first.orders, first.listed) == (second.orders, second.listed)


def test_what_was_to_be_seen_twice_is_seen_twice(tmp_path: Path) -> None:
    asked = [experiment("a.py::p", "a.py::v")]
    laboratory = Laboratory()
    one = remembering(tmp_path, laboratory)
    one(asked)
    one(asked)
    assert 2 == len(laboratory.made)

    again = remembering(tmp_path, laboratory)
    again(asked)
    again(asked)
    assert 2 == len(laboratory.made)
    again(asked)
    assert 3 == len(laboratory.made)


def test_what_came_to_nothing_is_made_again(tmp_path: Path) -> None:
    laboratory = Laboratory()
    laboratory.trust = Trust.ERRORED
    remembering(tmp_path, laboratory)([experiment("a.py::v")])
    laboratory.trust = Trust.SOUND
    (seen,) = remembering(tmp_path, laboratory)([experiment("a.py::v")])

    assert 2 == len(laboratory.made)
    assert Trust.SOUND is seen.trust


def test_what_somebody_wrote_into_the_file_is_made_again(tmp_path: Path) -> None:
    laboratory = Laboratory()
    remembering(tmp_path, laboratory)([experiment("a.py::v")])
    file = tmp_path / "kept"
    for wrong in (
        file.read_text().replace('"passed"', '"perfect"'),
        file.read_text().replace('"results": [', '"results": [7, '),
        file.read_text().replace('"seconds"', '"minutes"'),
    ):
        file.write_text(wrong)
        (seen,) = remembering(tmp_path, laboratory)([experiment("a.py::v")])
        assert TestId("a.py::v") in seen.results

    assert 4 == len(laboratory.made)
