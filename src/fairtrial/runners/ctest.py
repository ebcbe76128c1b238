"""How CTest's tests are run, GoogleTest's cases among them, and what came of them."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Collection, Mapping
from importlib.resources import files
from typing import Final

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Shape, Trust, Unit
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.trials import FileContent, Places, Setup, TrialOutput
from fairtrial.runners import (
    Command,
    Detected,
    Order,
    Selection,
    SuiteResult,
    TriedTree,
)
from fairtrial.runners.building.rebuilding import failed_build
from fairtrial.runners.cmake.accounts import Reading
from fairtrial.runners.cmake.entries import SEPARATOR, Entry, read_entries
from fairtrial.runners.cmake.invocation import invocation_of, is_parallel
from fairtrial.runners.reports.fields import Malformed
from fairtrial.runners.reports.plain import (
    Account,
    inventory,
    keeps_out,
    suite_result,
    unbuilt,
)
from fairtrial.runners.reports.sentences import ending_of
from fairtrial.runners.reports.watched import watched_command

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

_DRIVER: Final = "fairtrial_ctest.py"
_PLAN: Final = "ctest-plan.json"
_LISTING: Final = "ctest-listing"
_PARALLEL: Final = "ctest-parallel"
_LIST_MODE: Final = "list"
_CONFIGURE: Final = 'cmake -S . -B build -G "Unix Makefiles" -DBUILD_TESTING=ON'
#: Everything is built as far as it goes; what does not build and is no test's source
#: is production's.
_TESTS: Final = (
    r"(^|/)tests?/|_(unit)?tests?\.(c|cc|cpp|cxx|h|hh|hpp):|(^|/)test_[^/]*\.[a-z]+:"
)
_BUILD: Final = (
    "cmake --build build -- -k > build/fairtrial-build.log 2>&1 || {\n"
    "cat build/fairtrial-build.log\n"
    "! grep -E '^[^ ]+:[0-9]+:([0-9]+:)? (fatal )?error:' build/fairtrial-build.log"
    f" | grep -qvE '{_TESTS}'\n}}"
)
_BUILD_TESTS: Final = "cmake --build build -- -k"
_ENABLED: Final = re.compile(
    r"^\s*(?:enable_testing\s*\(|include\s*\(\s*CTest\s*\))",
    re.MULTILINE | re.IGNORECASE,
)
_ADDED: Final = re.compile(
    r"^\s*(?:add_test|gtest_discover_tests|gtest_add_tests)\s*\(",
    re.MULTILINE | re.IGNORECASE,
)
_STARTED: Final = re.compile(r"^ +Start +(\d+): ", re.MULTILINE)
_LISTS: Final = "CMakeLists.txt"
#: Files of one project that are looked into.
_READ: Final = 200
_HIDDEN: Final = re.compile(r"(?:^|/)(?:third_party|external|extern|vendor|_deps)/")


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; raises ConfigurationError for no `ctest`."""
    return _command(command, selection, places, selection.shape.value)


def list_command(
    command: str,
    selection: Selection,
    places: Places,
    order: Order | None = None,
) -> Command:
    """What to run to list the tests; binaries of GoogleTest list their cases."""
    return _command(command, selection, places, _LIST_MODE)


def _command(command: str, selection: Selection, places: Places, mode: str) -> Command:
    parts = invocation_of(command)
    plan = {
        "mode": mode,
        "argv": list(parts.argv),
        "place": list(parts.place),
        "tests": [native(test) for test in selection.tests],
        "outputs": str(places.outputs),
    }
    marks = [_LISTING] if mode == _LIST_MODE else []
    marks += [_PARALLEL] if is_parallel(parts.argv) else []
    touch = [f": > {shlex.quote(str(places.outputs / each))}" for each in marks]
    before = ("env", *parts.environment) if parts.environment else ()
    words = (*before, "python3", "-I", "-S", str(places.inputs / _DRIVER))
    line = shlex.join((*words, str(places.inputs / _PLAN)))
    own = files("fairtrial.injected").joinpath(_DRIVER).read_bytes()
    script = "\n".join((f"{parts.before} {{", *touch, line, "}"))
    return watched_command(
        f"{script}\n",
        selection,
        places,
        growing=("ctest-*.txt", "list.json"),
        env=environment(places, offline=True),
        inputs={_DRIVER: own, _PLAN: json.dumps(plan).encode("ascii")},
        # A binary of C++ prints no stacks when it is asked to.
        first=0,
    )


def native(test: str) -> str:
    """The name of a test in CTest, and of its case."""
    return test.partition("::")[2]


def read_results(
    selection: Selection,
    output: TrialOutput,
    tree: TriedTree,
    places: Places,
) -> SuiteResult:
    """What the reports amount to, with their receipt."""
    workspace = str(places.workspace)
    broken = failed_build(output, selection)
    if broken is not None:
        return unbuilt(selection, broken.step, broken.text, workspace)
    data = output.files.get("list.json")
    if data is None:
        said = output.files.get("ctest-list.txt", b"").decode("utf-8", "replace")
        last = (said.strip().splitlines() or [""])[-1][:300]
        why = f"the suite's command listed no tests ({ending_of(output)}; {last})"
        return SuiteResult(results={}, trust=Trust.ERRORED, distrust=why)
    try:
        entries = read_entries(data, workspace)
    except Malformed as wrong:
        account = Account(faults=(str(wrong),))
        return suite_result(selection, output, account, tree, workspace)
    whole = selection.shape is not Shape.LISTED
    listed = [test for entry in entries for test in entry.ids]
    if whole and _LISTING in output.files:
        account = Account(listed=tuple(listed), complete=True)
        return inventory(account, output)
    reading = Reading(
        tree=tree,
        workspace=workspace,
        entries=entries,
        files=output.files,
        asked=None if whole else selection.tests,
        parallel=_PARALLEL in output.files,
    )
    known = _ran(entries, output.files) if whole else listed
    return suite_result(selection, output, reading.account(known), tree, workspace)


def _ran(entries: tuple[Entry, ...], outputs: Mapping[str, bytes]) -> list[TestId]:
    """The tests that the suite's own filters left; CTest itself tells them first."""
    said = outputs.get("ctest-0.txt", b"").decode("utf-8", "replace")
    report = outputs.get("junit-0.xml")
    if report is None:
        return [test for entry in entries for test in entry.ids]
    begun = {int(found) for found in _STARTED.findall(said)}
    return [test for entry in entries if entry.index in begun for test in entry.ids]


def widen(test: TestId, unit: Unit, listed: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """The listed tests that make up the unit around a test, in listed order."""
    match unit:
        case Unit.TEST:
            return (test,)
        case Unit.CLASS:
            return tuple(each for each in listed if _suite(each) == _suite(test))
        case Unit.FILE:
            return tuple(each for each in listed if file_of(each) == file_of(test))
        case Unit.DIRECTORY:
            folder = file_of(test).rpartition("/")[0]
            return tuple(
                each for each in listed if file_of(each).rpartition("/")[0] == folder
            )


def _suite(test: str) -> str:
    """A binary and a suite in it; for other tests, what stands before the last dot."""
    return test.rpartition(".")[0] or test


def again(test: TestId) -> TestId | None:
    """A filter can't name a case twice."""
    return None


def file_of(test: TestId) -> RepoPath:
    """The file that holds a test."""
    return RepoPath(test.partition("::")[0])


def forks() -> bool:
    """Binaries are not forked."""
    return False


def place_of(test: TestId) -> Place:
    """The suite and the name that `TEST` is given, without values and types."""
    name = native(test).rpartition(SEPARATOR)[2]
    plain = re.sub(r"/[^.]*$", "", name)
    suite, _, case = plain.rpartition(".")
    suite = re.sub(r"/\d+$", "", suite.rpartition("/")[2] or suite)
    names = (suite, case) if suite else (case,)
    return Place(path=file_of(test), names=names)


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """A suite for each outermost CMake project that has tests."""
    lists = [
        path
        for path in sorted(paths, key=lambda path: (path.count("/"), path))
        if path.rpartition("/")[2] == _LISTS and not _HIDDEN.search(path)
    ]
    tops: dict[str, list[RepoPath]] = {}
    for path in lists:
        folder = path.rpartition("/")[0]
        around = (top for top in tops if not top or f"{folder}/".startswith(f"{top}/"))
        tops.setdefault(next(around, folder), []).append(path)
    found = []
    for top, own in tops.items():
        texts = [read(path) for path in own[:_READ]]
        if any(map(_ENABLED.search, texts)) and any(map(_ADDED.search, texts)):
            name = f"ctest-{top.replace('/', '-')}" if top else "ctest"
            found.append(
                Detected(
                    name=re.sub(r"[^A-Za-z0-9._-]", "-", name)[:64],
                    runner="ctest",
                    command="ctest --test-dir build",
                    folder=top,
                    because=own[0],
                )
            )
    return tuple(found)


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """Configured and built without network, below `build`."""
    return Setup(
        build=(_CONFIGURE, _BUILD),
        build_tests=(_BUILD_TESTS,),
        python=python,
        origin=f"detected: {folder}/CMakeLists.txt".replace(": /", ": "),
    )


def tools() -> tuple[str, ...]:
    """CMake's own; compilers are found by CMake."""
    return ("cmake", "ctest")


def environment(places: Places, *, offline: bool) -> Mapping[str, str]:
    """FetchContent is told that there is no network by finding none."""
    return {"CTEST_NO_TESTS_ACTION": "error"}


def channelled() -> bool:
    """CTest and the binaries write their reports themselves."""
    return False
