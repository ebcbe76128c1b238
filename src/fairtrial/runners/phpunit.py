"""How PHPUnit is run with an extension of ours, which chooses, orders and tells tests.

PHP puts a file of ours before each script (`auto_prepend_file`, by one more ini file);
where the script is PHPUnit, that adds one option to its arguments. The suite's command
and its phpunit.xml stay as they are.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from importlib.resources import files as packaged
from typing import Any, Final

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Unit
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
from fairtrial.runners.reports.lines import read_lines
from fairtrial.runners.reports.plain import (
    EVERYTHING,
    Account,
    inventory,
    keeps_out,
    suite_result,
)
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

_LIST: Final = "list"
_PLAN: Final = "phpunit-plan.json"
_FIRST: Final = "fairtrial_phpunit.php"
_INJECTED: Final = (
    _FIRST,
    "fairtrial_report.php",
    "fairtrial_phpunit9.php",
    "fairtrial_phpunit11.php",
)
_INI: Final = "fairtrial.ini"
_CONFIGURATIONS: Final = ("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")
#: What PHPUnit calls an empty run; where it was asked for one, it is none.
_EMPTY: Final = b"No tests executed!"


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; `command` is the suite's own, for `sh -c`."""
    mode = selection.shape.value
    return _command(mode, command, selection, places, selection.order)


def list_command(
    command: str, selection: Selection, places: Places, order: Order | None = None
) -> Command:
    """What to run to list the suite's tests, in its order, without running one."""
    return _command(_LIST, command, replace(selection, tests=()), places, order)


def _command(
    mode: str,
    command: str,
    selection: Selection,
    places: Places,
    order: Order | None,
) -> Command:
    plan = {
        "mode": mode,
        "tests": list(selection.tests),
        "order": list(order.first) if order else [],
        "only": bool(order and order.only),
        "workspace": str(places.workspace),
        "outputs": str(places.outputs),
        "token": token_of(mode, selection.tests, places),
    }
    folder = packaged("fairtrial.injected").joinpath("php")
    # An empty first part stands for the folder that PHP looks in by itself.
    folders = f"${{PHP_INI_SCAN_DIR:-}}:{places.inputs}"
    script = f'export PHP_INI_SCAN_DIR="{folders}"\n{command}\n'
    return watched_command(
        script,
        selection,
        places,
        growing=("report-*.jsonl",),
        env={
            **environment(places, offline=True),
            "FAIRTRIAL_PHPUNIT_PLAN": str(places.inputs / _PLAN),
        },
        inputs={
            **{name: folder.joinpath(name).read_bytes() for name in _INJECTED},
            _INI: f'auto_prepend_file = "{places.inputs / _FIRST}"\n'.encode(),
            _PLAN: json.dumps(plan).encode("ascii"),
        },
    )


def read_results(
    selection: Selection, output: TrialOutput, tree: TriedTree, places: Places
) -> SuiteResult:
    """What the report amounts to, with its receipt."""
    token = token_of(selection.shape.value, selection.tests, places)
    listing = token_of(_LIST, (), places)
    listed = _is_list(output, listing)
    account = read_lines(output, tree, listing if listed else token) or Account()
    told = account.uncollectable.get(EVERYTHING)
    if told is not None and not told.message:
        said = _last_words(output)
        broken = {**account.uncollectable, EVERYTHING: replace(told, message=said)}
        account = replace(account, uncollectable=broken)
    if listed:
        return inventory(account, output)
    if not account.told and _EMPTY in output.stdout:
        account = replace(account, explained=True)
    return suite_result(selection, output, account, tree, str(places.workspace))


def _is_list(output: TrialOutput, token: str) -> bool:
    """Whether every process of a trial was asked for a list alone."""
    reports = [
        data for name, data in output.files.items() if name.startswith("report-")
    ]
    begun = [data.partition(b"\n")[0] for data in reports]
    return bool(begun) and all(token.encode("ascii") in each for each in begun)


def _last_words(output: TrialOutput) -> str:
    printed = (output.stdout.strip() + b"\n" + output.stderr.strip()).strip()
    lines = printed.decode("utf-8", "replace").splitlines()
    return "\n".join(lines[-5:])[-1_000:] or "PHPUnit ended before it had any test"


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
            folder = file_of(test).rpartition("/")[0]
            below = f"{folder}/" if folder else ""
            return tuple(each for each in listed if file_of(each).startswith(below))


def _class_of(test: TestId) -> list[str]:
    return test.split("::", 2)[:2]


def again(test: TestId) -> None:
    """PHPUnit runs no test twice in a process."""


def file_of(test: TestId) -> RepoPath:
    """The file that holds a test's class."""
    return RepoPath(test.partition("::")[0])


def forks() -> bool:
    """PHP has no forks that PHPUnit lives through."""
    return False


def place_of(test: TestId) -> Place:
    """Class and method; all data sets of a test have one place."""
    path, *names = test.split("::", 2)
    if len(names) > 1:
        names = [
            names[0].rpartition("\\")[2],
            names[1].partition(" with data set ")[0],
        ]
    return Place(path=RepoPath(path), names=tuple(names))


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """A suite for each folder with PHPUnit's configuration, or that requires it."""
    found: list[Detected] = []
    taken: set[str] = set()
    for path in sorted(paths, key=lambda each: (each.count("/"), each)):
        folder, name = posixpath.split(path)
        manifest = RepoPath(posixpath.join(folder, "composer.json"))
        known = read(manifest) if manifest in paths else ""
        mine = name in _CONFIGURATIONS or (
            name == "composer.json" and '"phpunit/phpunit"' in known
        )
        if not mine or folder in taken or "vendor" in path.split("/"):
            continue
        taken.add(folder)
        # Pest runs its tests by a program of its own.
        if '"pestphp/pest"' in known:
            continue
        own = '"phpunit/phpunit"' in known
        found.append(
            Detected(
                name="-".join(("phpunit", *filter(None, folder.split("/")))),
                runner="phpunit",
                command="vendor/bin/phpunit" if own else "phpunit",
                folder=folder,
                because=path,
            )
        )
    return tuple(found)


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """Packages by Composer, without plug-ins and scripts; its autoloader after that."""
    manifest = RepoPath(posixpath.join(folder, "composer.json"))
    if manifest not in files:
        return Setup()
    plain = "--no-interaction --no-scripts --no-plugins"
    names = ("composer.json", "composer.lock")
    kept = {path: one for path, one in files.items() if path.endswith(names)}
    fetch = f"composer install {plain} --no-progress --no-autoloader"
    return Setup(
        prepare=(fetch,) if _requires(files[manifest].data) else (),
        build=(f"composer dump-autoload {plain}",),
        prepare_files=kept,
        origin=manifest,
    )


def _requires(data: bytes) -> bool:
    """Whether a manifest asks for packages, not only for PHP and its extensions."""
    try:
        manifest: Any = json.loads(data)
    except (ValueError, RecursionError):
        return True
    if not isinstance(manifest, dict):
        return True
    wanted = [
        name
        for key in ("require", "require-dev")
        if isinstance(section := manifest.get(key), dict)
        for name in section
    ]
    return any("/" in name for name in wanted)


def tools() -> tuple[str, ...]:
    """PHP; Composer and PHPUnit come from the system or from the project."""
    return ("php",)


def environment(places: Places, *, offline: bool) -> Mapping[str, str]:
    """Where Composer keeps what it fetched, and that there is no network."""
    variables = {
        "COMPOSER_HOME": str(places.kept / "composer"),
        "COMPOSER_CACHE_DIR": str(places.kept / "composer/cache"),
        "COMPOSER_ALLOW_SUPERUSER": "1",
        "COMPOSER_NO_INTERACTION": "1",
    }
    return {**variables, "COMPOSER_DISABLE_NETWORK": "1"} if offline else variables


def channelled() -> bool:
    """PHPUnit's own process writes the report."""
    return False
