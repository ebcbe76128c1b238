"""When a report is believed: exit code, events, inventory and tree have to agree."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import pytest
from tests.runners.specimen import Specimen, outcomes

from fairtrial.domain.experiments import Shape, Trust, Unit
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.trials import Ending, Places, TrialOutput
from fairtrial.runners import RUNNERS, Selection, SuiteResult
from fairtrial.runners import pytest as runner

PLACES = Places(
    workspace=PurePosixPath("/w"),
    inputs=PurePosixPath("/i"),
    outputs=PurePosixPath("/o"),
)
ONE = TestId("test_a.py::test_1")
TWO = TestId("test_a.py::test_2")
WHOLE = Selection(shape=Shape.WHOLE, test_timeout=60)
LISTED = Selection(shape=Shape.LISTED, tests=(ONE, TWO), test_timeout=60)
Event = dict[str, Any]


def token(selection: Selection) -> str:
    inputs = runner.run_command("pytest", selection, PLACES).inputs
    return str(json.loads(inputs["plan.json"])["token"])


def begin(selection: Selection) -> Event:
    return {"e": "begin", "token": token(selection), "mode": selection.shape.value}


def session() -> Event:
    return {"e": "session", "rootdir": "/w", "covered": ["test_a.py"]}


def ran(test: str, *, call: str = "passed") -> list[Event]:
    phases = (("setup", "passed"), ("call", call), ("teardown", "passed"))
    reports = [
        {"e": "phase", "id": test, "when": when, "outcome": outcome, "seconds": 0.1}
        for when, outcome in phases
    ]
    return [{"e": "start", "id": test, "t": 1.0}, *reports, {"e": "stop", "id": test}]


def complete(selection: Selection = WHOLE, *, code: int = 0) -> list[Event]:
    return [
        begin(selection),
        session(),
        {"e": "collected", "ids": [ONE, TWO]},
        *ran(ONE),
        *ran(TWO),
        {"e": "finish", "stopped": ""},
        {"e": "exit", "code": code},
    ]


def read(
    events: list[Event],
    selection: Selection = WHOLE,
    *,
    code: int = 0,
    tree: Mapping[RepoPath, str] | None = None,
    more: Mapping[str, bytes] | None = None,
) -> SuiteResult:
    lines = b"".join(json.dumps(event).encode() + b"\n" for event in events)
    output = TrialOutput(
        ending=Ending.EXITED,
        code=code,
        files={"events-main-1.jsonl": lines, **(more or {})},
    )
    return runner.read_results(selection, output, tree or {}, PLACES)


def distrust(result: SuiteResult, trust: Trust = Trust.CONTRADICTORY) -> str:
    assert trust is result.trust
    return result.distrust


def test_a_complete_report_is_believed() -> None:
    assert {ONE: "passed", TWO: "passed"} == outcomes(read(complete()))
    assert {ONE: "passed", TWO: "passed"} == outcomes(read(complete(LISTED), LISTED))


@pytest.mark.parametrize(
    ("events", "selection", "code", "sentence"),
    [
        (
            [*complete()[:3], *ran(ONE, call="failed"), *ran(TWO), *complete()[-2:]],
            WHOLE,
            0,
            "the command exited with 0 although test_a.py::test_1 failed",
        ),
        (complete(), WHOLE, 1, "the command exited with 1 without a failed test"),
        (
            [*complete()[:3], *ran(ONE), *complete()[-2:]],
            WHOLE,
            0,
            "test_a.py::test_2 was collected and never reported",
        ),
        (
            [*complete()[:3], *ran(ONE), *ran(TWO), *ran(ONE), *complete()[-2:]],
            WHOLE,
            0,
            "test_a.py::test_1 ran more than once",
        ),
        (
            [*complete()[:2], {"e": "collected", "ids": []}, *complete()[-2:]],
            WHOLE,
            5,
            "no test ran",
        ),
        (
            complete()[:-2],
            WHOLE,
            0,
            "the command exited with 0 before pytest's report was complete",
        ),
        (complete(LISTED), WHOLE, 0, "events-main-1.jsonl belongs to another trial"),
        (
            [*complete(LISTED)[:3], *ran(TWO), *ran(ONE), *complete()[-2:]],
            LISTED,
            0,
            "the tests did not run in the order that was asked for",
        ),
        (
            [*complete(LISTED)[:-2], *ran("test_a.py::x"), *complete()[-2:]],
            LISTED,
            0,
            "test_a.py::x ran without being asked for",
        ),
        (
            [*complete()[:-2], {"e": "internal_error", "text": "a\nE  Oops"}],
            WHOLE,
            3,
            "pytest failed inside: E  Oops",
        ),
    ],
)
def test_a_report_that_contradicts_itself_is_no_evidence(
    events: list[Event], selection: Selection, code: int, sentence: str
) -> None:
    assert sentence == distrust(read(events, selection, code=code))


def test_nothing_reported_at_all_is_the_benchs_doing() -> None:
    output = TrialOutput(
        ending=Ending.EXITED, code=127, stderr=b"sh: pytest: not found\n"
    )

    result = runner.read_results(WHOLE, output, {}, PLACES)

    assert (
        "the suite's command started no pytest that reports"
        " (exited 127; it printed last: sh: pytest: not found)"
    ) == distrust(result, Trust.ERRORED)


def test_a_command_that_hides_the_plug_in_is_told_how_it_does_not() -> None:
    said = (
        b"ImportError: plugin \"fairtrial_pytest\": No module named 'fairtrial_pytest'"
    )
    output = TrialOutput(ending=Ending.EXITED, code=1, stderr=said)

    result = runner.read_results(WHOLE, output, {}, PLACES)

    assert "write PYTHONPATH=src:$PYTHONPATH" in distrust(result, Trust.ERRORED)


def test_a_file_that_is_not_the_trees_own_is_told() -> None:
    loaded = {"e": "loaded", "path": "cart.py", "sha256": "b" * 64}
    generated = {"e": "loaded", "path": "version.py", "sha256": "c" * 64}
    events = [*complete()[:3], loaded, generated, *complete()[3:]]

    same = read(events, tree={RepoPath("cart.py"): "b" * 64})
    other = read(events, tree={RepoPath("cart.py"): "a" * 64})

    assert Trust.SOUND is same.trust
    assert ["cart.py", "version.py"] == [file.path for file in same.loaded]
    assert "cart.py, as it was loaded, is not the file of the tried tree" == (
        distrust(other)
    )


def test_a_clock_that_a_test_turns_back_spoils_nothing() -> None:
    events = complete()
    for event in events:
        if event["e"] == "phase" and event["id"] == ONE:
            event["seconds"] = -1e18
        if event["e"] == "start" and event["id"] == TWO:
            event["t"] = 0.0

    result = read(events)

    assert {ONE: "passed", TWO: "passed"} == outcomes(result)
    assert {"main": (ONE, TWO)} == result.orders


def test_an_installed_copy_of_the_project_is_told(specimen: Specimen) -> None:
    specimen.write(
        {
            "src/cart/__init__.py": "",
            "src/cart/prices.py": "value = 1\n",
            "env/site-packages/cart/__init__.py": "",
            "env/site-packages/cart/prices.py": "value = 1\n",
            "tests/test_a.py": "import cart.prices\ndef test_a(): pass\n",
        }
    )
    installed = str(specimen.workspace / "env/site-packages")

    result = specimen.whole(env={"PYTHONPATH": installed})

    assert Trust.CONTRADICTORY is result.trust
    assert result.distrust.startswith("the suite tests an installed copy of src/cart/")
    assert installed in result.distrust


@pytest.mark.parametrize(
    "line",
    [
        b"no json",
        b"[]",
        b"{}",
        b'{"e": 3}',
        b'{"e": "unheard of"}',
        b'{"e": "start", "id": 3, "t": 1}',
        b'{"e": "start", "id": "' + b"x" * 20_000 + b'", "t": 1}',
        b'{"e": "start", "id": "a", "t": NaN}',
        b'{"e": "start", "id": "a", "t": true}',
        b'{"e": "phase", "id": "nobody", "when": "call", "outcome": "passed"}',
        b'{"e": "collected", "ids": [1]}',
        b'{"e": "uncollectable", "id": "a", "frames": [[1, 2]]}',
        b'{"e": "uncollectable", "id": "a", "frames": "x"}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_a_line_that_the_plugin_cant_have_written_spoils_the_report(
    line: bytes,
) -> None:
    data = b"".join(json.dumps(event).encode() + b"\n" for event in complete())
    output = TrialOutput(
        ending=Ending.EXITED, code=0, files={"events-main-1.jsonl": data + line + b"\n"}
    )

    result = runner.read_results(WHOLE, output, {}, PLACES)

    assert distrust(result).startswith("the report can't be read: line 16 of ")


def test_half_a_line_at_the_end_is_a_process_that_died() -> None:
    data = b"".join(json.dumps(event).encode() + b"\n" for event in complete()[:8])
    output = TrialOutput(
        ending=Ending.OUT_OF_MEMORY,
        code=137,
        files={"events-main-1.jsonl": data + b'{"e": "sta'},
    )

    result = runner.read_results(WHOLE, output, {}, PLACES)

    assert [ONE] == list(result.results)
    sentence = "the command ran out of memory before pytest's report was complete"
    assert sentence == distrust(result)


def test_the_running_test_of_a_process_without_memory_crashed() -> None:
    events = [*complete()[:3], *ran(ONE), {"e": "start", "id": TWO, "t": 2.0}]
    data = b"".join(json.dumps(event).encode() + b"\n" for event in events)
    output = TrialOutput(
        ending=Ending.OUT_OF_MEMORY, code=137, files={"events-main-1.jsonl": data}
    )

    result = runner.read_results(WHOLE, output, {}, PLACES)

    assert {ONE: "passed", TWO: "crashed"} == outcomes(result)
    failure = result.results[TWO].failure
    assert failure is not None
    assert "OutOfMemory" == failure.type


JUNIT = """<testsuites><testsuite name="pytest" errors="0" failures="{failures}">
<testcase classname="test_a" name="test_1" time="0.1">{first}</testcase>
<testcase classname="test_a" name="test_2" time="0.1"/></testsuite></testsuites>"""


SUITE = "pytest's JUnit report: suite 'pytest'"


@pytest.mark.parametrize(
    ("failures", "first", "sentence"),
    [
        (0, "", ""),
        (
            1,
            '<failure message="x"/>',
            f"{ONE}: pytest's JUnit report says failed, the plugin saw passed",
        ),
        (
            1,
            "",
            f"{SUITE} counts 1 failures and errors, its cases show 0",
        ),
        (
            0,
            "<oops",
            "pytest's JUnit report can't be read: the report is truncated or no XML",
        ),
    ],
)
def test_pytests_own_report_has_to_say_the_same(
    failures: int, first: str, sentence: str
) -> None:
    xml = JUNIT.format(failures=failures, first=first).encode()

    result = read(complete(), more={"junit-main-1.xml": xml})

    assert sentence == result.distrust


def test_other_files_of_the_outputs_are_no_reports() -> None:
    more = {"events-main-x.jsonl": b"?", "notes.txt": b"?", "junit-main-9.xml": b"?"}

    assert Trust.SOUND is read(complete(), more=more).trust


def test_units_around_a_test_widen_in_listed_order() -> None:
    listed = tuple(
        map(
            TestId,
            [
                "a/b/test_x.py::TestC::test_1[a::b]",
                "a/b/test_x.py::test_f[1]",
                "a/b/test_x.py::TestC::Inner::test_2",
                "a/b/test_x.py::test_f[2]",
                "a/b/test_y.py::test_1",
                "a/b/c/test_z.py::test_1",
                "a/bb/test_w.py::test_1",
            ],
        )
    )

    def widened(test: int, unit: Unit) -> list[int]:
        return [listed.index(each) for each in runner.widen(listed[test], unit, listed)]

    assert [0] == widened(0, Unit.TEST)
    assert [0, 2] == widened(0, Unit.CLASS)
    assert [1, 3] == widened(1, Unit.CLASS)
    assert [0, 1, 2, 3] == widened(0, Unit.FILE)
    assert [0, 1, 2, 3, 4, 5] == widened(0, Unit.DIRECTORY)
    assert "a/b/test_x.py" == runner.file_of(listed[0])


def test_the_runner_is_registered() -> None:
    assert runner is RUNNERS["pytest"]
