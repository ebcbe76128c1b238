"""How an RSpec suite is run, kept to the asked examples from inside, and what it told.

RSpec's own ids count from the top of a file, so they mean something else at the other
side; here an example is named by its titles, and a file of ours chooses and orders.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib.resources import files as resources
from typing import Final

from fairtrial.domain.experiments import Trust
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

# Examples are named as tests of JavaScript are, and taken apart in the same way.
from fairtrial.runners.javascript.names import file_of, place_of, widen
from fairtrial.runners.reports import plain
from fairtrial.runners.reports.lines import read_lines
from fairtrial.runners.reports.plain import keeps_out
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

LIST: Final = "list"
_PLAN: Final = "plan.txt"
_OWN: Final = ("fairtrial_rspec.rb", "fairtrial_lines.rb")
_GEMFILES: Final = ("Gemfile", "gems.rb")
#: What an installation of gems reads, by the end of its path.
_DECIDING: Final = re.compile(
    r"(?:^|/)(?:Gemfile(?:\.lock)?|gems\.(?:rb|locked)|[^/]+\.gemspec|version\.rb"
    r"|\.ruby-version|\.tool-versions)$"
)
_SPEC: Final = re.compile(r"(?P<folder>(?:[^/]+/)*?)spec/(?:[^/]+/)*[^/]+_spec\.rb")


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; `command` is the suite's own, for `sh -c`."""
    plan = _plan(selection.shape.value, selection, selection.order, places)
    return _command(command, plan, selection, places)


def list_command(
    command: str, selection: Selection, places: Places, order: Order | None = None
) -> Command:
    """What to run to list the suite's examples, in its order, without running one."""
    plan = _plan(LIST, selection, order, places)
    return _command(command, plan, selection, places)


def _plan(
    mode: str, selection: Selection, order: Order | None, places: Places
) -> bytes:
    """The plan as lines of a word and a value in hexadecimal digits.

    Ruby reads that without a library: one that we loaded would hide that the project
    forgot to.
    """
    tests = () if mode == LIST else selection.tests
    lines = [
        ("mode", mode),
        ("token", token_of(mode, tests, places)),
        ("workspace", str(places.workspace)),
        ("outputs", str(places.outputs)),
        ("only", "1" if order and order.only else "0"),
        *(("test", each) for each in tests),
        *(("order", each) for each in (order.first if order else ())),
    ]
    text = "".join(f"{word} {value.encode().hex()}\n" for word, value in lines)
    return text.encode("ascii")


def _command(
    command: str, plan: bytes, selection: Selection, places: Places
) -> Command:
    option = f"--require {shlex.quote(str(places.inputs / _OWN[0]))}"
    script = (
        f"FAIRTRIAL_SPEC_OPTS={shlex.quote(option)}\n"
        'SPEC_OPTS="${SPEC_OPTS:+$SPEC_OPTS }$FAIRTRIAL_SPEC_OPTS"\n'
        "export FAIRTRIAL_SPEC_OPTS SPEC_OPTS\n"
        f"{command}\n"
    )
    folder = resources("fairtrial.injected").joinpath("ruby")
    own = {name: folder.joinpath(name).read_bytes() for name in _OWN}
    return watched_command(
        script,
        selection,
        places,
        growing=("report-*.jsonl",),
        env={
            **environment(places, offline=True),
            "FAIRTRIAL_PLAN": str(places.inputs / _PLAN),
            # It goes before what examples and the project ask rspec-retry for.
            "RSPEC_RETRY_RETRY_COUNT": "1",
        },
        inputs={**own, _PLAN: plan},
        # Ruby has no signal that prints its stacks.
        first=0,
    )


def read_results(
    selection: Selection, output: TrialOutput, tree: TriedTree, places: Places
) -> SuiteResult:
    """What the report amounts to, with its receipt.

    A list is told by its token: no other trial of a suite has that one.
    """
    listing = token_of(LIST, (), places)
    mark = f'"{listing}"'.encode()
    reports = (data for name, data in output.files.items() if name.endswith(".jsonl"))
    lists = any(mark in data[:1000] for data in reports)
    token = (
        listing if lists else token_of(selection.shape.value, selection.tests, places)
    )
    account = read_lines(output, tree, token)
    if account is None:
        built = failed_build(output, selection)
        if built is not None:
            return plain.unbuilt(
                selection, built.step, built.text, str(places.workspace)
            )
        return SuiteResult(results={}, trust=Trust.ERRORED, distrust=_silent(output))
    if lists:
        return plain.inventory(account, output)
    return plain.suite_result(selection, output, account, tree, str(places.workspace))


def _silent(output: TrialOutput) -> str:
    printed = (output.stderr.strip() or output.stdout.strip()).splitlines()
    last = printed[-1][:300].decode("utf-8", "replace") if printed else "nothing"
    return (
        "the suite's command started no RSpec that reports; one that sets SPEC_OPTS"
        f" has to keep what is in it; {ending_of(output)}, and it printed last: {last}"
    )


def again(test: TestId) -> TestId | None:
    """RSpec runs an example once in a process."""
    return None


def forks() -> bool:
    """Its processes could be forked; nothing here does."""
    return False


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """A suite for each folder that holds a `spec` with files of examples in it."""
    found: dict[str, RepoPath] = {}
    for path in sorted(paths):
        match = _SPEC.fullmatch(path)
        if match is not None and "vendor" not in path.split("/"):
            found.setdefault(match["folder"].rstrip("/"), path)
    return tuple(_detected(folder, path, paths) for folder, path in found.items())


def _detected(folder: str, path: RepoPath, paths: Collection[RepoPath]) -> Detected:
    gems = any(name in paths for name in _beside(folder))
    return Detected(
        name=f"rspec-{folder.replace('/', '-')}" if folder else "rspec",
        runner="rspec",
        command="bundle exec rspec" if gems else "rspec",
        folder=folder,
        because=path,
    )


def _beside(folder: str) -> Iterator[str]:
    """Where a suite's Gemfile may lie: beside its `spec`, or further up."""
    above = folder
    while True:
        yield from (f"{above}/{name}" if above else name for name in _GEMFILES)
        if not above:
            return
        above = above.rpartition("/")[0]


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """Gems by Bundler where there is a Gemfile; else those of the machine."""
    gemfile = next((name for name in _beside(folder) if name in files), None)
    if gemfile is None:
        return Setup(origin="no Gemfile")
    deciding = {
        path: content for path, content in files.items() if _DECIDING.search(path)
    }
    return Setup(
        # What the machine's own gems satisfy needs no network.
        prepare=("bundle check || bundle install",),
        prepare_files=deciding,
        origin=gemfile,
    )


def tools() -> tuple[str, ...]:
    """Ruby; what else is called is a gem's own program."""
    return ("ruby",)


def environment(places: Places, *, offline: bool) -> Mapping[str, str]:
    """Where gems are put beside those of the machine, and that no one is asked."""
    return {
        "GEM_HOME": str(places.kept / "gems"),
        "BUNDLE_SILENCE_ROOT_WARNING": "1",
        "BUNDLE_DISABLE_VERSION_CHECK": "1",
        "BUNDLE_IGNORE_MESSAGES": "1",
        "BUNDLE_USER_HOME": str(places.kept / "bundle"),
    }


def channelled() -> bool:
    """The report is written by the process of the examples, which can write it, too."""
    return False
