"""How a Maven suite is run: whole by Maven, single tests in JVMs like its forks."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Final

from fairtrial.domain.experiments import Shape, Trust
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
from fairtrial.runners.jvm import handed, reading
from fairtrial.runners.jvm.names import file_of, place_of, widen
from fairtrial.runners.reports.plain import (
    Account,
    inventory,
    keeps_out,
    suite_result,
)
from fairtrial.runners.reports.sentences import ending_of
from fairtrial.runners.reports.watched import token_of, watched_command

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

_SCRIPT: Final = "fairtrial_maven.sh"
_MAIN: Final = f'sh "$FAIRTRIAL_KEPT/{_SCRIPT}" main'
_TESTS: Final = f'sh "$FAIRTRIAL_KEPT/{_SCRIPT}" tests'
_PREPARE: Final = (
    f'sh "$FAIRTRIAL_WORKSPACE/{handed.FOLDER}/{_SCRIPT}" prepare'
    f' "$FAIRTRIAL_WORKSPACE/{handed.FOLDER}"'
)
#: Surefire's own reports, for what it kept of what JVMs printed.
_REPORTS: Final = "maven"
_TEST_FILE: Final = re.compile(
    r"(?:^|/)src/(?:test|it)/|(?:Test|Tests|TestCase|IT)\.(?:java|kt|groovy|scala)$"
)


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; `command` is the suite's own, for `sh -c`."""
    tests = selection.tests
    if selection.shape is Shape.WHOLE:
        script = _whole(command, places)
    else:
        script = handed.listed(places)
    return _command(command, selection, places, script, Shape.LISTED.value, tests)


def list_command(
    command: str, selection: Selection, places: Places, order: Order | None = None
) -> Command:
    """What to run to list the suite's tests, in its order, without running one."""
    script = handed.listed(places)
    return _command(command, selection, places, script, handed.LIST, ())


def _whole(command: str, places: Places) -> str:
    """Maven as the suite calls it, with our participant loaded by Maven itself."""
    own = handed.home(places)
    reports = shlex.quote(str(places.outputs / _REPORTS))
    options = (
        f"-Dmaven.repo.local={own}/m2 -Duser.home=$HOME"
        f" -Dmaven.ext.class.path={own}/extension"
    )
    return (
        # The signal that asks for stacks is for JVMs; a shell would only end by it.
        "trap '' QUIT\n"
        f"{handed.pulsing(places)}"
        f'MAVEN_OPTS="${{MAVEN_OPTS:+$MAVEN_OPTS }}{options}"\n'
        "FAIRTRIAL_MAVEN=run\n"
        f"FAIRTRIAL_REPORTS={reports}\n"
        "export MAVEN_OPTS FAIRTRIAL_MAVEN FAIRTRIAL_REPORTS\n"
        'mvn() { command mvn -o -B "$@"; }\n'
        f"{command}\n"
    )


def _command(  # noqa: PLR0917 - all of them differ between trials
    command: str,
    selection: Selection,
    places: Places,
    script: str,
    mode: str,
    tests: tuple[TestId, ...],
) -> Command:
    inputs = {
        handed.PLAN: handed.own_plan(mode, tests, places),
        handed.LISTENED: handed.listener_plan(selection.shape, tests, places),
        **handed.inputs(),
    }
    env = {
        **environment(places, offline=True),
        "FAIRTRIAL_JVM_PLAN": str(places.inputs / handed.LISTENED),
        "FAIRTRIAL_COMMAND": f"cd {shlex.quote(str(places.workspace))} && {command}",
    }
    return watched_command(
        _ensured(script, selection, places),
        selection,
        places,
        growing=handed.GROWING,
        env=env,
        inputs=inputs,
    )


def _ensured(script: str, selection: Selection, places: Places) -> str:
    """The script, behind what a configured `build` has not done for it."""
    own = any(_SCRIPT in step for step in selection.rebuild)
    folder = places.inputs / "jvm"
    missing = f"[ ! -d {shlex.quote(str(handed.home(places) / 'forks'))} ]"
    due = "true" if selection.stale and not own else missing
    return (
        f"if {due}; then sh {shlex.quote(str(folder / _SCRIPT))} ensure"
        f" {shlex.quote(str(folder))} || exit $?; fi\n{script}"
    )


def read_results(
    selection: Selection, output: TrialOutput, tree: TriedTree, places: Places
) -> SuiteResult:
    """What the report amounts to, with its receipt."""
    listing = token_of(handed.LIST, (), places)
    account = reading.account(output, tree, listing)
    if account is not None and not account.faults:
        return inventory(account, output)
    token = token_of(selection.shape.value, selection.tests, places)
    account = reading.account(output, tree, token)
    if account is None and failed_build(output, selection) is None:
        return SuiteResult(results={}, trust=Trust.ERRORED, distrust=_no_report(output))
    result = suite_result(
        selection, output, account or Account(), tree, str(places.workspace)
    )
    running = result.interrupted_at
    return replace(result, waits=reading.waits(output, tree, running))


def _no_report(output: TrialOutput) -> str:
    lines = (
        (output.stdout + b"\n" + output.stderr).decode(errors="replace").splitlines()
    )
    errors = [line for line in lines if line.startswith("[ERROR] ")] or lines[-1:]
    said = errors[0].strip()[:300] if errors and errors[0].strip() else "nothing"
    return (
        "no JVM of the suite reported: its tests are none of JUnit 4 or the Platform,"
        f" or none was started ({ending_of(output)}; it said: {said})"
    )


def again(test: TestId) -> TestId | None:
    """A test runs once in a JVM."""
    return None


def forks() -> bool:
    """A JVM can't be forked."""
    return False


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """A suite for each outermost pom.xml with tests below it."""
    poms = sorted(path for path in paths if path.rpartition("/")[2] == "pom.xml")
    tops: list[str] = []
    for path in sorted(poms, key=lambda it: it.count("/")):
        folder = path.rpartition("/")[0]
        if not any(not top or f"{folder}/".startswith(f"{top}/") for top in tops):
            tops.append(folder)
    found = []
    for top in sorted(tops):
        inside = [path for path in paths if not top or path.startswith(f"{top}/")]
        if not any(_TEST_FILE.search(path) for path in inside):
            continue
        own = [path for path in poms if path in inside]
        late = any("maven-failsafe-plugin" in read(path) for path in own)
        name = f"maven-{top.replace('/', '-')}" if top else "maven"
        found.append(
            Detected(
                name=re.sub(r"[^A-Za-z0-9._-]", "-", name)[:64],
                runner="maven",
                command="mvn verify" if late else "mvn test",
                folder=top,
                because=f"{top}/pom.xml" if top else "pom.xml",
            )
        )
    return tuple(found)


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """All that poms ask for is fetched first; then nothing but the tree is built."""
    manifests = {
        path: content
        for path, content in files.items()
        if path.rpartition("/")[2] == "pom.xml"
        or path.startswith(".mvn/")
        or "/.mvn/" in path
    }
    return Setup(
        prepare=(_PREPARE,),
        build=(_MAIN,),
        build_tests=(_TESTS,),
        prepare_files={**manifests, **handed.sources()},
        python=python,
        origin="pom.xml",
    )


def tools() -> tuple[str, ...]:
    """A JDK, since the bench compiles the helper itself, and Maven."""
    return ("java", "javac", "mvn")


def environment(places: Places, *, offline: bool) -> Mapping[str, str]:
    """Where the helper is kept; Maven's own local repository lies in there."""
    return {
        "FAIRTRIAL_KEPT": str(handed.home(places)),
        "FAIRTRIAL_WORKSPACE": str(places.workspace),
    }


def channelled() -> bool:
    """Reports are written by the JVMs that run the tests."""
    return False
