"""Whose a file is that was changed at some time, and what it is called."""

from __future__ import annotations

import pytest

from fairtrial.domain.experiments import (
    ALONE,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.left import is_in_workspace, name_of, path_of
from fairtrial.domain.names import SuiteName, TestId, TrialId
from fairtrial.domain.results import Outcome, Result
from fairtrial.domain.traces import Resource
from fairtrial.domain.trees import HEAD
from fairtrial.domain.trials import LeftFile
from fairtrial.inquiry.residues import files_before, left_traces

EPOCH = 1_700_000_000.0
WORK = "/place/workspace"
ONE, TWO, THREE = map(TestId, ("one", "two", "three"))


def observed(
    *left: LeftFile, shape: Shape = Shape.LISTED, workers: int = 1
) -> Observation:
    tests = (ONE, TWO, THREE)
    return Observation(
        trial=TrialId("t1"),
        experiment=Experiment(
            suite=SuiteName("unit"),
            tree=HEAD,
            context=ALONE,
            shape=shape,
            tests=tests,
            purpose=Purpose.PINNING,
        ),
        results={
            test: Result(
                test=test, outcome=Outcome.PASSED, started=place * 1.0, seconds=0.9
            )
            for place, test in enumerate(tests)
        },
        trust=Trust.SOUND,
        orders={f"w{number}": tests for number in range(workers)},
        epoch=EPOCH,
        left=left,
    )


def file(seconds: float, name: str = "out.txt", kind: str = "file") -> LeftFile:
    return LeftFile(path=f"{WORK}/{name}", changed=EPOCH + seconds, kind=kind)


@pytest.mark.parametrize(
    ("seconds", "owner"),
    [(0.0, ONE), (0.5, ONE), (0.98, ONE), (0.995, TWO), (1.5, TWO), (9.0, THREE)],
)
def test_a_file_belongs_to_the_test_in_whose_time_it_was_changed(
    seconds: float, owner: TestId
) -> None:
    (trace,) = left_traces(observed(file(seconds)), WORK)

    assert (Resource.FILES, "out.txt", owner) == (trace.resource, trace.name, trace.by)


def test_in_a_whole_suite_nobody_is_named_where_the_clock_is_too_coarse() -> None:
    near, far = file(0.995, "near"), file(1.5, "far")
    traces = left_traces(observed(near, far, shape=Shape.WHOLE), WORK)

    assert [None, TWO] == [each.by for each in traces]


def test_what_was_there_before_the_first_test_is_no_leftover() -> None:
    assert () == left_traces(observed(file(-1.0)), WORK)


def test_where_several_workers_ran_files_are_nobodys() -> None:
    observation = observed(file(0.5), shape=Shape.WHOLE, workers=2)

    assert () == left_traces(observation, WORK)


def test_ports_have_no_time_and_processes_begin_in_one() -> None:
    port = LeftFile(path="tcp:80", changed=EPOCH + 9, kind="port")
    child = LeftFile(path="sleep 9", changed=EPOCH + 1.5, kind="process")
    traces = left_traces(observed(port, child), WORK)

    assert [
        (Resource.PORT, "tcp:80", None),
        (Resource.CHILD, "sleep 9", TWO),
    ] == [(each.resource, each.name, each.by) for each in traces]


def test_only_what_came_before_the_victim_can_be_in_its_way() -> None:
    files = (file(-1, "old"), file(0.5, "a"), file(1.5, "b"), file(2.5, "own"))
    found = files_before(observed(*files), THREE)

    assert [f"{WORK}/a", f"{WORK}/b"] == [each.path for each in found]
    assert () == files_before(observed(*files), TestId("another"))


@pytest.mark.parametrize(
    ("path", "name", "inside"),
    [
        (f"{WORK}/tests/out.txt", "tests/out.txt", True),
        ("/place/home/.rc", "~/.rc", False),
        ("/place/tmp/x", "$TMPDIR/x", False),
        ("/var/tmp/x", "/var/tmp/x", False),
    ],
)
def test_a_file_has_one_name_everywhere(path: str, name: str, inside: bool) -> None:
    assert name == name_of(path, WORK)
    assert path == path_of(name, WORK)
    assert inside is is_in_workspace(name)
