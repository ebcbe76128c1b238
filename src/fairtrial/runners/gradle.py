"""How a Gradle suite is run: whole by Gradle, single tests in its tasks' own JVMs."""

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

_SCRIPT: Final = "fairtrial_gradle.sh"
_PREPARE: Final = (
    f'sh "$FAIRTRIAL_WORKSPACE/{handed.FOLDER}/{_SCRIPT}" prepare'
    f' "$FAIRTRIAL_WORKSPACE/{handed.FOLDER}"'
)
_MAIN: Final = f'sh "$FAIRTRIAL_KEPT/{_SCRIPT}" main'
_TESTS: Final = f'sh "$FAIRTRIAL_KEPT/{_SCRIPT}" tests'
#: What configures a build: scripts, version catalogues, the wrapper, the build's build.
_MANIFEST: Final = re.compile(
    r"(?:^|/)(?:[^/]+\.gradle(?:\.kts)?|gradle\.properties|gradle\.lockfile|gradlew)$"
    r"|(?:^|/)(?:gradle|buildSrc|build-logic)/.+\.(?:toml|properties|jar|kts|gradle"
    r"|kt|java|groovy|xml|lockfile)$"
)
_SCRIPTS: Final = ("settings.gradle", "settings.gradle.kts")
_BUILDS: Final = ("build.gradle", "build.gradle.kts")
_TEST_FILE: Final = re.compile(r"(?:^|/)src/(?:\w*[tT]est\w*)/.+\.(?:java|kt|groovy)$")


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; `command` is the suite's own, for `sh -c`."""
    if selection.shape is Shape.WHOLE:
        script = f"trap '' QUIT\nexport FAIRTRIAL_GRADLE=run\n{command}\n"
    else:
        script = handed.listed(places)
    return _command(selection, places, script, Shape.LISTED.value, selection.tests)


def list_command(
    command: str, selection: Selection, places: Places, order: Order | None = None
) -> Command:
    """What to run to list the suite's tests, in its order, without running one."""
    return _command(selection, places, handed.listed(places), handed.LIST, ())


def _command(
    selection: Selection,
    places: Places,
    script: str,
    mode: str,
    tests: tuple[TestId, ...],
) -> Command:
    return watched_command(
        _ensured(script, selection, places),
        selection,
        places,
        growing=handed.GROWING,
        env={
            **environment(places, offline=True),
            "FAIRTRIAL_JVM_PLAN": str(places.inputs / handed.LISTENED),
        },
        inputs={
            handed.PLAN: handed.own_plan(mode, tests, places),
            handed.LISTENED: handed.listener_plan(selection.shape, tests, places),
            **handed.inputs(),
        },
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
    text = (output.stdout + b"\n" + output.stderr).decode(errors="replace")
    after = text.partition("* What went wrong:\n")[2] or text.strip()
    said = " ".join(after.split("\n\n")[0].split())[:300] or "nothing"
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
    """A suite for each outermost Gradle build with tests below it."""
    marks = sorted(
        (path for path in paths if path.rpartition("/")[2] in {*_SCRIPTS, *_BUILDS}),
        key=lambda path: (path.count("/"), path.rpartition("/")[2] not in _SCRIPTS),
    )
    tops: dict[str, RepoPath] = {}
    for path in marks:
        folder = path.rpartition("/")[0]
        if not any(not top or f"{folder}/".startswith(f"{top}/") for top in tops):
            tops[folder] = path
    found = []
    for top, because in sorted(tops.items()):
        inside = [path for path in paths if not top or path.startswith(f"{top}/")]
        if not any(_TEST_FILE.search(path) for path in inside):
            continue
        wrapper = RepoPath(f"{top}/gradlew" if top else "gradlew")
        name = f"gradle-{top.replace('/', '-')}" if top else "gradle"
        found.append(
            Detected(
                name=re.sub(r"[^A-Za-z0-9._-]", "-", name)[:64],
                runner="gradle",
                command="sh ./gradlew test" if wrapper in paths else "gradle test",
                folder=top,
                because=because,
            )
        )
    return tuple(found)


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """All that the build asks for is fetched first; then nothing but the tree is built.

    Gradle's build scripts are programs: they run in `prepare`, too.
    """
    manifests = {p: content for p, content in files.items() if _MANIFEST.search(p)}
    return Setup(
        prepare=(_PREPARE,),
        build=(_MAIN,),
        build_tests=(_TESTS,),
        prepare_files={**manifests, **handed.sources()},
        python=python,
        origin="Gradle's build scripts",
    )


def tools() -> tuple[str, ...]:
    """A JDK, since the bench compiles the helper itself; Gradle where no wrapper is."""
    return ("java", "javac", "gradle?")


def environment(places: Places, *, offline: bool) -> Mapping[str, str]:
    """Where the helper is kept, and Gradle's own home beside it."""
    home = handed.home(places)
    return {
        "FAIRTRIAL_KEPT": str(home),
        "FAIRTRIAL_WORKSPACE": str(places.workspace),
        "GRADLE_USER_HOME": str(home / "gradle"),
    }


def channelled() -> bool:
    """Reports are written by the JVMs that run the tests."""
    return False
