"""How `cargo nextest run` is run so that each test's process is chosen and told apart.

nextest starts each test by a program of ours (as cargo's `runner`), which runs what the
trial asks for and nothing else. So filters, retries, fail-fast and profiles of the
suite's own may stay as they are, and no format of nextest's has to be read.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final

from fairtrial.domain.experiments import Shape
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import Outcome
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
from fairtrial.runners.rust.ids import file_of, parsed, place_of, widen

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
    "fairtrial_cargo.py",
    "fairtrial_doctests.py",
    "fairtrial_libtest.py",
    "fairtrial_rust_places.py",
    "fairtrial_rust_report.py",
)
#: nextest's own exit codes: 100 a test failed, 101 something does not compile.
_UNBUILT: Final = 101
_SUMMARY: Final = re.compile(rb"Summary \[[^\]]*\] +(\d+)(?:/(\d+))? tests? run")
#: Tests that are named to nextest; beyond that it starts all, and ours skips.
_NAMED: Final = 2_000


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; `command` is the suite's own, for `sh -c`."""
    script = command
    if selection.shape is Shape.LISTED:
        script = "\n".join(_parts(command, selection.tests))
    return _command(selection.shape.value, script, selection, places)


def list_command(
    command: str, selection: Selection, places: Places, order: Order | None = None
) -> Command:
    """What to run to list the suite's tests: each is started, and not run."""
    return _command(LIST, command, replace(selection, tests=()), places)


def _command(mode: str, script: str, selection: Selection, places: Places) -> Command:
    return between(
        mode,
        f"export NEXTEST_RETRIES=0\n{script}",
        selection,
        places,
        entry="fairtrial_nextest.py",
        injected=_INJECTED,
        growing="report-*.jsonl",
    )


def _parts(command: str, tests: tuple[TestId, ...]) -> Iterator[str]:
    """The command once for each part of the tests that nextest runs in their order.

    One at a time it takes binaries by their names and tests by theirs; what it takes
    otherwise shows in the report.
    """
    yield "export NEXTEST_TEST_THREADS=1\nworst=0"
    part: list[TestId] = []
    for test in tests:
        if part and _key(test) <= _key(part[-1]):
            yield _part(command, part)
            part = []
        part.append(test)
    yield _part(command, part)
    yield 'exit "$worst"'


def _key(test: TestId) -> tuple[bytes, bytes]:
    one = parsed(test)
    return one.binary.encode(), one.name.encode()


def _part(command: str, tests: list[TestId]) -> str:
    """The command with what is wanted put before its own words.

    A function stands for cargo: it sees the words of the command, however it is built
    up, as long as the shell itself starts cargo. Elsewhere all tests are started.
    """
    wanted = [_expression(test) for test in tests[:_NAMED]]
    words = shlex.join([each for one in wanted for each in ("-E", one)])
    if len(tests) > _NAMED:
        words = ""
    return f"""\
cargo() {{
  if [ "$1" = nextest ] && {{ [ "$2" = run ] || [ "$2" = r ]; }}; then
    shift 2; command cargo nextest run {words} "$@"
  else
    command cargo "$@"
  fi
}}
( {command}
)
code=$?; [ "$code" -gt "$worst" ] && worst=$code"""


def _expression(test: TestId) -> str:
    # An unknown binary is an error to nextest, where an unknown test is none; ours
    # keeps out tests of that name in other binaries.
    return f"test(={_escaped(parsed(test).name)})"


def _escaped(name: str) -> str:
    """A name as filtersets take it: what ends or escapes there is written by code."""
    return "".join(
        each if each.isalnum() or each in "_:-./#" else f"\\u{{{ord(each):x}}}"
        for each in name
    )


def read_results(
    selection: Selection, output: TrialOutput, tree: TriedTree, places: Places
) -> SuiteResult:
    """What the report amounts to, with its receipt."""
    listed = is_list(output, places)
    mode = LIST if listed else selection.shape.value
    account = read_lines(output, tree, token_of(mode, selection.tests, places))
    account = account or Account()
    if not account.told and account.running is None and _did_not_compile(output):
        said = output.stderr.decode("utf-8", "replace")
        return unbuilt(selection, "cargo nextest run", said, str(places.workspace))
    if listed:
        return inventory(account, output)
    faults = (*account.faults, *_miscounted(selection, output, account))
    account = replace(account, faults=faults, fixed_order=True)
    return suite_result(selection, output, account, tree, str(places.workspace))


def _did_not_compile(output: TrialOutput) -> bool:
    return output.code == _UNBUILT and b"error: could not compile" in output.stderr


def _miscounted(
    selection: Selection, output: TrialOutput, account: Account
) -> Iterator[str]:
    """Whether nextest counts other tests than those that were told."""
    if selection.shape is not Shape.WHOLE or account.running is not None:
        return
    counts = [int(one[1][:9]) for one in _SUMMARY.finditer(output.stderr)]
    ran = sum(one.outcome is not Outcome.SKIPPED for one in account.told)
    if counts and sum(counts) != ran:
        yield f"nextest counts {sum(counts)} tests and {ran} were told of"


def again(test: TestId) -> None:
    """Each test has a process of its own."""


def forks() -> bool:
    """There is no process that could be copied."""
    return False


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """A suite for each workspace that has settings of nextest's."""
    return tuple(
        Detected(
            name="-".join(("nextest", *filter(None, top.split("/")))),
            runner="nextest",
            command="cargo nextest run --workspace",
            folder=top,
            because=f"{top}/.config/nextest.toml" if top else ".config/nextest.toml",
        )
        for top in crates.tops(paths, read)
        if crates.uses_nextest(top, paths)
    )


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """Packages fetched; production and tests compiled as nextest wants them."""
    return crates.setup(
        files,
        folder,
        "cargo build --workspace",
        "cargo test --workspace --no-run --lib --bins --tests --examples",
    )


def tools() -> tuple[str, ...]:
    """Cargo, with rustc beside it, nextest and a linker."""
    return ("cargo", "cargo-nextest", "cc")


def channelled() -> bool:
    """What stands between reports; its files are within the tests' reach."""
    return False
