"""How a pytest suite is run through the injected plugin, and what it reported."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Collection, Mapping

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Shape, Unit
from fairtrial.domain.left import path_of
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.traces import Resource
from fairtrial.domain.trials import FileContent, Places, Setup, TrialOutput
from fairtrial.injected import pytest_plugin
from fairtrial.runners import (
    SANCTIONED,
    Command,
    Detected,
    Order,
    Selection,
    SuiteResult,
)
from fairtrial.runners.detection import looks_like_pytest
from fairtrial.runners.python.claims import claim_of
from fairtrial.runners.python.projects import name_in, projects
from fairtrial.runners.python.setups import setup_in
from fairtrial.runners.reports.asked import keeps_out
from fairtrial.runners.reports.watched import token_of
from fairtrial.runners.reports.witnessed import LIST, Tool, witnessed

__all__ = [
    "again",
    "channelled",
    "detect",
    "environment",
    "file_of",
    "forks",
    "keeps_out",
    "list_command",
    "place_of",
    "read_results",
    "run_command",
    "setup",
    "tools",
    "widen",
]

PLAN = "plan.json"
#: The plan of a process that runs after another one of the same trial.
SECOND = "plan-2.json"
TOOL = Tool(name="pytest", unfound="No module named 'fairtrial_pytest'")
#: As `injected/fairtrial_state_files.py` has it.
FIRST = "FAIRTRIAL_FIRST"
#: As `injected/fairtrial_again.py` has it.
AGAIN = "::fairtrial-again"


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; `command` is the suite's own, for `sh -c`."""
    order = selection.order
    forked = selection.shape is Shape.FORKED
    plan = {
        # A forked trial is a listed one that asks its copies besides.
        "mode": Shape.LISTED.value if forked else selection.shape.value,
        "subjects": list(selection.subjects) if forked else [],
        "tests": list(selection.tests),
        "order": list(order.first) if order else [],
        "only": bool(order and order.only),
        "test_timeout": selection.test_timeout,
        "thresholds": selection.thresholds,
        "lines": sorted(selection.lines),
        "watched": selection.watched,
        "undo": [[each.resource.value, each.name] for each in selection.undo],
        "token": token_of(selection.shape.value, selection.tests, places),
    }
    if selection.apart:
        return _apart(command, plan, selection, places)
    return _command(command, plan, places)


def _apart(
    command: str, plan: Mapping[str, object], selection: Selection, places: Places
) -> Command:
    """The command twice: for all tests but the last, and for that one."""
    first = _command(
        command, {**plan, "tests": list(selection.tests[:-1]), "undo": []}, places
    )
    files = (one.name for one in selection.undo if one.resource is Resource.FILES)
    started = {Resource.CHILD, Resource.PORT} & {it.resource for it in selection.undo}
    mark = token_of("apart", selection.tests, places)[:32]
    last = {
        **plan,
        "tests": list(selection.tests[-1:]),
        "undo": [],
        "remove": [path_of(name, str(places.workspace)) for name in files],
        "end": mark if started else "",
    }
    second = _command(command, last, places)
    script = (
        f"( export {FIRST}={mark}\n{first.argv[-1]})\nfirst=$?\n"
        f"export FAIRTRIAL_PLAN={shlex.quote(str(places.inputs / SECOND))}\n"
        f"(\n{second.argv[-1]})\nsecond=$?\n"
        'if [ "$first" -gt "$second" ]; then exit "$first"; fi\nexit "$second"\n'
    )
    return Command(
        argv=("sh", "-c", script),
        env=first.env,
        inputs={**first.inputs, SECOND: second.inputs[PLAN]},
    )


def list_command(
    command: str, selection: Selection, places: Places, order: Order | None = None
) -> Command:
    """What to run to list the suite's tests, in its order, without running one."""
    plan = {
        "mode": LIST,
        "tests": [],
        "order": list(order.first) if order else [],
        "only": bool(order and order.only),
        "test_timeout": 3600.0,
        "thresholds": False,
        "token": token_of(LIST, (), places),
    }
    return _command(command, plan, places)


def _command(command: str, plan: Mapping[str, object], places: Places) -> Command:
    full = {
        **plan,
        "workspace": str(places.workspace),
        "outputs": str(places.outputs),
        "channel": None if places.channel is None else str(places.channel),
    }
    # Appended, never put first: the project's own modules and options keep their
    # places. The plugin takes both back before any code of the project runs.
    folder = shlex.quote(str(places.inputs))
    script = (
        'PYTEST_ADDOPTS="${PYTEST_ADDOPTS:+$PYTEST_ADDOPTS }-p fairtrial_pytest"\n'
        f'PYTHONPATH="${{PYTHONPATH:+$PYTHONPATH:}}"{folder}\n'
        "export PYTEST_ADDOPTS PYTHONPATH\n"
        f"{command}\n"
    )
    return Command(
        argv=("sh", "-c", script),
        env={"FAIRTRIAL_PLAN": str(places.inputs / PLAN), **SANCTIONED},
        inputs={**pytest_plugin(), PLAN: json.dumps(full).encode("ascii")},
    )


def read_results(
    selection: Selection,
    output: TrialOutput,
    tree: Mapping[RepoPath, str],
    places: Places,
) -> SuiteResult:
    """What the report amounts to, with its receipt.

    `tree` maps each path of the tried tree to the SHA-256 of its content.
    """
    return witnessed(TOOL, selection, output, tree, places)


def widen(test: TestId, unit: Unit, listed: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """The listed tests that make up the unit around a test, in listed order."""
    match unit:
        case Unit.TEST:
            return (test,)
        case Unit.CLASS:
            around = _class_of(test)
            return tuple(each for each in listed if _class_of(each) == around)
        case Unit.FILE:
            file = file_of(test)
            return tuple(each for each in listed if file_of(each) == file)
        case Unit.DIRECTORY:
            folder = _folder_of(test)
            return tuple(
                each for each in listed if f"{_folder_of(each)}/".startswith(folder)
            )


def _class_of(test: TestId) -> str:
    """File and outermost class; for a plain function, all rows of its parameters."""
    file, _, rest = test.partition("::")
    return f"{file}::{rest.partition('[')[0].partition('::')[0]}"


def _folder_of(test: TestId) -> str:
    return file_of(test).rpartition("/")[0] + "/"


def again(test: TestId) -> TestId:
    """The id under which a second run of a test in the same process is asked for."""
    return TestId(f"{test}{AGAIN}")


def file_of(test: TestId) -> RepoPath:
    """The file that holds a test."""
    return RepoPath(test.partition("::")[0])


def forks() -> bool:
    """Whether it can make a forked trial."""
    return True


def place_of(test: TestId) -> Place:
    """Where a test is written; all parameter rows of a test have one place."""
    path, *names = test.partition("[")[0].split("::")
    return Place(path=RepoPath(path), names=tuple(names))


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """A suite for each project with tests; most trees are one project."""
    if claim_of(paths, read) is not None:
        return ()
    return tuple(
        Detected(
            name=name_in("pytest", folder),
            runner="pytest",
            command="pytest",
            folder=folder,
            because=test,
        )
        for folder, test in projects(paths, looks_like_pytest).items()
    )


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """What the manifests in the suite's folder demand."""
    return setup_in(files, folder, python, "pytest")


def tools() -> tuple[str, ...]:
    """Nothing but Python, which every bench has."""
    return ()


def environment(places: Places, *, offline: bool) -> Mapping[str, str]:
    """Nothing beyond what the benches set for Python."""
    return {}


def channelled() -> bool:
    """The plugin speaks to the bench's collector."""
    return True
