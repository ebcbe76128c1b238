"""How `cargo test` is run so that each binary's tests are chosen and told one by one.

Cargo calls a program of ours for each test binary (as its `runner`) and for the
examples of documentation (as RUSTDOC). So the suite's own command stays as it is, with
its packages, features and profile, and each binary is asked for the tests of a trial.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Final

from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.trials import Ending, FileContent, Places, Setup, TrialOutput
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
    Account,
    inventory,
    keeps_out,
    suite_result,
    unbuilt,
)
from fairtrial.runners.reports.watched import token_of
from fairtrial.runners.rust import crates
from fairtrial.runners.rust.between import LIST, between, is_list
from fairtrial.runners.rust.crates import environment
from fairtrial.runners.rust.ids import file_of, place_of, widen

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

_INJECTED: Final = (
    "fairtrial_doctests.py",
    "fairtrial_libtest.py",
    "fairtrial_rust_places.py",
    "fairtrial_rust_report.py",
)
#: Cargo's exit code where something does not compile, or a test failed.
_FAILED: Final = 101


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; `command` is the suite's own, for `sh -c`."""
    return _command(selection.shape.value, command, selection, places)


def list_command(
    command: str, selection: Selection, places: Places, order: Order | None = None
) -> Command:
    """What to run to list the suite's tests; libtest's order can't be chosen."""
    return _command(LIST, command, replace(selection, tests=()), places)


def _command(mode: str, command: str, selection: Selection, places: Places) -> Command:
    return between(
        mode,
        command,
        selection,
        places,
        entry="fairtrial_cargo.py",
        injected=_INJECTED,
        growing="report-*.jsonl",
    )


def read_results(
    selection: Selection, output: TrialOutput, tree: TriedTree, places: Places
) -> SuiteResult:
    """What the report amounts to, with its receipt."""
    listed = is_list(output, places)
    mode = LIST if listed else selection.shape.value
    account = read_lines(output, tree, token_of(mode, selection.tests, places))
    if account is None and _did_not_compile(output):
        said = output.stderr.decode("utf-8", "replace")
        return unbuilt(selection, "cargo test", said, str(places.workspace))
    if account is None:
        account = Account()
    ended = any(name.endswith("-end.jsonl") for name in output.files)
    account = replace(account, complete=account.complete and ended, fixed_order=True)
    if listed:
        return inventory(account, output)
    return suite_result(selection, output, account, tree, str(places.workspace))


def _did_not_compile(output: TrialOutput) -> bool:
    """Whether cargo ended before it ran anything, for want of something to run."""
    return (
        output.ending is Ending.EXITED
        and output.code == _FAILED
        and b"error: could not compile" in output.stderr
    )


def again(test: TestId) -> None:
    """Libtest runs no test twice in a process."""


def forks() -> bool:
    """Threads and forks do not go together."""
    return False


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """A suite for each workspace that has no settings of nextest's."""
    return tuple(
        Detected(
            name="-".join(("cargo", *filter(None, top.split("/")))),
            runner="cargo",
            command="cargo test --workspace",
            folder=top,
            because=f"{top}/Cargo.toml" if top else "Cargo.toml",
        )
        for top in crates.tops(paths, read)
        if not crates.uses_nextest(top, paths)
    )


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """Packages fetched; production and tests compiled as `cargo test` wants them."""
    return crates.setup(
        files,
        folder,
        "cargo build --workspace",
        "cargo test --workspace --no-run",
    )


def tools() -> tuple[str, ...]:
    """Cargo, with rustc and rustdoc beside it, and a linker."""
    return ("cargo", "cc")


def channelled() -> bool:
    """A binary reports on its own tests."""
    return False
