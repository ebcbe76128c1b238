"""How a Go module's tests are run by `go test`, and what it reported."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Final

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Shape, Trust, Unit
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.trials import FileContent, Places, Setup, TrialOutput
from fairtrial.runners import (
    SANCTIONED,
    Command,
    Detected,
    Order,
    Selection,
    SuiteResult,
    TriedTree,
)
from fairtrial.runners.building.rebuilding import failed_build, inside
from fairtrial.runners.golang.accounts import Reading, listing, unloaded
from fairtrial.runners.golang.events import read_streams
from fairtrial.runners.golang.invocation import Invocation, invocation_of
from fairtrial.runners.golang.packages import FIELDS, read_packages
from fairtrial.runners.golang.selecting import (
    METHOD,
    expression,
    folder_of,
    groups,
    native,
    top_of,
)
from fairtrial.runners.reports.fields import Malformed
from fairtrial.runners.reports.plain import (
    WATCH,
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

_PACKAGES: Final = "packages.json"
_LIST: Final = "list.json"
_CHOICE: Final = "choice.json"
#: Production alone, and then everything that the tests are built from. `go test` builds
#: what changed by itself, so neither is due again in a trial.
_BUILD: Final = "go build ./..."
_BUILD_TESTS: Final = "go test -count=1 -exec=true ./... >/dev/null"
#: Most of what tests need of the standard library is compiled once for all trees.
_LIBRARY: Final = "go build net/http/httptest testing/..."
#: What `go test` gets in every trial: once, in the sources' order, in its own form;
#: the gate's own limits of time hold instead of the binary's ten minutes.
_FIXED: Final = ("-json", "-count=1", "-shuffle=off", "-timeout=0")
_MANIFEST: Final = re.compile(r"(?:^|/)(?:go\.(?:mod|sum|work)|go\.work\.sum)$")
_HIDDEN: Final = re.compile(r"(?:^|/)(?:vendor|testdata|node_modules|[._][^/]+)/")


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; raises ConfigurationError for no `go test`."""
    parts = invocation_of(command)
    lines = [_beat(places)]
    match selection.shape:
        case Shape.WHOLE | Shape.FORKED:
            choice = json.dumps({"run": parts.run, "skip": parts.skip})
            lines.append(f"printf %s {shlex.quote(choice)} > {_out(places, _CHOICE)}")
            lines.append(_list_line(parts, parts.packages, places, _PACKAGES))
            lines.append(_test_line(parts, parts.packages, "", places, 0))
        case Shape.LISTED:
            chosen = groups(selection.tests)
            folders = dict.fromkeys(folder for folder, _ in chosen)
            where = tuple(_absolute(each, places) for each in folders)
            lines.append(_list_line(parts, where, places, _PACKAGES))
            for number, (folder, tests) in enumerate(chosen):
                packages = (_absolute(folder, places),)
                pattern = expression(tests)
                lines.append(_test_line(parts, packages, pattern, places, number))
    lines.append('exit "$worst"')
    body = "\n".join(lines)
    return watched_command(
        f"{parts.before} {{\nworst=0\n{body}\n}}\n",
        replace(selection, rebuild=_due(selection.rebuild)),
        places,
        growing=("go-*",),
        env=environment(places, offline=True),
        inputs={},
    )


def list_command(
    command: str,
    selection: Selection,
    places: Places,
    order: Order | None = None,
) -> Command:
    """What to run to list the packages; their sources tell the tests."""
    parts = invocation_of(command)
    choice = json.dumps({"run": parts.run, "skip": parts.skip})
    script = (
        f"{parts.before} {{\n"
        f"printf %s {shlex.quote(choice)} > {_out(places, _CHOICE)}\n"
        f"{_list_line(parts, parts.packages, places, _LIST)}\n}}\n"
    )
    env = {**SANCTIONED, **environment(places, offline=True)}
    return Command(argv=("sh", "-c", script), env=env)


def _due(steps: tuple[str, ...]) -> tuple[str, ...]:
    """The configured steps of a build; `go test` does what our own ones do."""
    own = (_BUILD, _BUILD_TESTS)
    return tuple(
        each
        for each in steps
        if not any(each == inside("", one) or each.endswith(f"&& {one}") for one in own)
    )


def _beat(places: Places) -> str:
    """While packages are built no test runs, and none takes too long."""
    beat = _out(places, "go-beat")
    return (
        "fairtrial_beat() {\n"
        f'until [ -s "$1" ]; do echo >> {beat}; sleep 1; done >/dev/null 2>&1\n}}'
    )


def _list_line(
    parts: Invocation, packages: tuple[str, ...], places: Places, name: str
) -> str:
    words = ("go", "list", "-e", f"-json={FIELDS}", *parts.build, *packages)
    errors = _out(places, "go-list.txt")
    return f"{_line(parts, words)} > {_out(places, name)} 2> {errors}"


def _test_line(
    parts: Invocation,
    packages: tuple[str, ...],
    pattern: str,
    places: Places,
    number: int,
) -> str:
    chosen = [f"-run={pattern}"] if pattern else []
    if not pattern:
        chosen += [f"-run={parts.run}"] if parts.run else []
        chosen += [f"-skip={parts.skip}"] if parts.skip else []
    first = [each for each in parts.build if each.startswith("-C")]
    build = [each for each in parts.build if each not in first]
    words = (
        *("go", "test", *first, *_FIXED, *build, *parts.test, *chosen, *packages),
        *parts.arguments,
    )
    events = _out(places, f"go-{number}.jsonl")
    return (
        f"fairtrial_beat {events} & beat=$!\n"
        f"{_line(parts, words)} > {events} 2> {_out(places, f'go-{number}.txt')}\n"
        "code=$?\nkill $beat 2>/dev/null\n"
        'if [ "$code" -gt "$worst" ]; then worst=$code; fi'
    )


def _line(parts: Invocation, words: tuple[str, ...]) -> str:
    before = ("env", *parts.environment) if parts.environment else ()
    return shlex.join((*before, *words))


def _out(places: Places, name: str) -> str:
    return shlex.quote(str(places.outputs / name))


def _absolute(folder: str, places: Places) -> str:
    return str(places.workspace / folder) if folder else str(places.workspace)


def read_results(
    selection: Selection,
    output: TrialOutput,
    tree: TriedTree,
    places: Places,
) -> SuiteResult:
    """What the report amounts to, with its receipt."""
    workspace = str(places.workspace)
    due = replace(selection, rebuild=_due(selection.rebuild))
    broken = failed_build(output, due)
    if broken is not None:
        return unbuilt(selection, broken.step, broken.text, workspace)
    is_list = selection.shape is Shape.WHOLE and _LIST in output.files
    data = output.files.get(_LIST if is_list else _PACKAGES)
    if data is None:
        why = f"the suite's command came to no `go test` ({ending_of(output)})"
        return SuiteResult(results={}, trust=Trust.ERRORED, distrust=why)
    try:
        packages = read_packages(data, workspace)
    except Malformed as wrong:
        account = Account(faults=(str(wrong),))
        return suite_result(selection, output, account, tree, workspace)
    tests, unread = listing(packages, tree)
    whole = selection.shape is not Shape.LISTED
    if whole:
        tests = _chosen(tests, output.files.get(_CHOICE, b""))
    said = _said(output.files)
    if not packages:
        unread = unloaded(said, tree, workspace)
    if is_list:
        account = Account(listed=tuple(tests), complete=True, uncollectable=unread)
        return inventory(account, output)
    reading = Reading(
        tree=tree,
        workspace=workspace,
        asked=None if whole else selection.tests,
        packages={each.name: each for each in packages},
        said=said,
        late=WATCH in output.files,
    )
    reading.uncollectable.update(unread)
    account = reading.account(read_streams(output.files), tests)
    return suite_result(due, output, account, tree, workspace)


def _said(files: Mapping[str, bytes]) -> str:
    found = [data for name, data in sorted(files.items()) if _ERRORS.fullmatch(name)]
    return b"\n".join(found)[-1_000_000:].decode("utf-8", "replace")


_ERRORS: Final = re.compile(r"go-(?:list|\d{1,6})\.txt")


def _chosen(tests: list[TestId], data: bytes) -> list[TestId]:
    """The tests that the suite's own `-run` and `-skip` leave, by their functions."""
    try:
        value = json.loads(data or b"{}")
        run, skip = str(value.get("run", "")), str(value.get("skip", ""))
        wanted = re.compile(run.partition("/")[0]) if run else None
        # What skips subtests skips no function.
        unwanted = re.compile(skip) if skip and "/" not in skip else None
    except (ValueError, AttributeError, re.error):
        return tests
    return [
        test
        for test in tests
        if (wanted is None or wanted.search(native(test).partition("/")[0]))
        and (unwanted is None or not unwanted.search(native(test).partition("/")[0]))
    ]


def widen(test: TestId, unit: Unit, listed: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """The listed tests that make up the unit around a test, in listed order.

    The widest one is the package: no process runs the tests of two.
    """
    match unit:
        case Unit.TEST:
            return (test,)
        case Unit.CLASS:
            return tuple(each for each in listed if top_of(each) == top_of(test))
        case Unit.FILE:
            return tuple(each for each in listed if file_of(each) == file_of(test))
        case Unit.DIRECTORY:
            return tuple(each for each in listed if folder_of(each) == folder_of(test))


def again(test: TestId) -> TestId | None:
    """`-count` repeats whole selections, so one test can't follow itself."""
    return None


def file_of(test: TestId) -> RepoPath:
    """The file that holds a test."""
    return RepoPath(test.partition("::")[0])


def forks() -> bool:
    """A process of Go can't be forked."""
    return False


def place_of(test: TestId) -> Place:
    """The function that a test is written in, or a suite's type and its method."""
    path, _, name = test.partition("::")
    top, _, rest = name.partition("/")
    method = METHOD.fullmatch(rest.partition("/")[0])
    names = (top,) if method is None else (method[1], method[2])
    return Place(path=RepoPath(path), names=names)


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """A suite for each module that has tests of its own."""
    modules = sorted(
        path.rpartition("/")[0]
        for path in paths
        if path.rpartition("/")[2] == "go.mod" and not _HIDDEN.search(path)
    )
    tested: set[str] = set()
    for path in paths:
        if path.endswith("_test.go") and not _HIDDEN.search(path):
            around = [each for each in modules if f"{path}/".startswith(_below(each))]
            tested |= {max(around, key=len)} if around else set()
    return tuple(
        Detected(
            name="-".join(("go", *re.findall(r"[A-Za-z0-9._]+", folder)))[:64],
            runner="go",
            command="go test ./...",
            folder=folder,
            because=f"{_below(folder)}go.mod",
        )
        for folder in modules
        if folder in tested
    )


def _below(folder: str) -> str:
    return f"{folder}/" if folder else ""


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """Modules are downloaded once; each tree's production and tests are compiled."""
    manifests = {
        path: content for path, content in files.items() if _MANIFEST.search(path)
    }
    vendored = RepoPath(f"{_below(folder)}vendor/modules.txt") in files
    return Setup(
        prepare=(_LIBRARY,) if vendored else ("go mod download", _LIBRARY),
        prepare_files=manifests,
        build=(_BUILD,),
        build_tests=(_BUILD_TESTS,),
        python=python,
        origin=f"detected: {_below(folder)}go.mod",
    )


def tools() -> tuple[str, ...]:
    """The toolchain; a `toolchain` line of go.mod is followed by `go` itself."""
    return ("go",)


def environment(places: Places, *, offline: bool) -> Mapping[str, str]:
    """Modules and compiled packages are kept beside the tree."""
    kept = places.kept
    found = {
        "GOPATH": str(kept / "go"),
        "GOMODCACHE": str(kept / "go/pkg/mod"),
        "GOCACHE": str(kept / "go-build"),
        # The workspace is no checkout, so there is no commit to stamp.
        "GOFLAGS": "-buildvcs=false",
    }
    return {**found, "GOPROXY": "off", "GOSUMDB": "off"} if offline else found


def channelled() -> bool:
    """`go test` passes on what the test binary prints."""
    return False
