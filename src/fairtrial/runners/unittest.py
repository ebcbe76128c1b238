"""How a unittest suite is run, whatever starts it, and what it reported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent, Places, Setup, TrialOutput
from fairtrial.runners import Detected, Selection, SuiteResult, TriedTree
from fairtrial.runners.building.rebuilding import failed_build
from fairtrial.runners.python.claims import claim_of
from fairtrial.runners.python.commands import list_command, run_command
from fairtrial.runners.python.names import again, file_of, place_of, widen
from fairtrial.runners.python.setups import setup_in
from fairtrial.runners.reports.asked import keeps_out
from fairtrial.runners.reports.plain import unbuilt
from fairtrial.runners.reports.witnessed import Tool, witnessed

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

TOOL: Final = Tool(
    name="unittest",
    unheard=(
        "; it has to start Python with its own path, so not by `python -I`, `-E` or"
        " `-S`, and to run its tests through unittest"
    ),
)


def read_results(
    selection: Selection, output: TrialOutput, tree: TriedTree, places: Places
) -> SuiteResult:
    """What the report amounts to, with its receipt."""
    broken = failed_build(output, selection)
    if broken is not None:
        return unbuilt(selection, broken.step, broken.text, str(places.workspace))
    return witnessed(TOOL, selection, output, tree, places)


def forks() -> bool:
    """Whether it can make a forked trial."""
    return False


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """One suite, where the project's own files say that it is this runner's."""
    claim = claim_of(paths, read)
    if claim is None or claim.runner != "unittest":
        return ()
    return (
        Detected(
            name="unittest",
            runner="unittest",
            command=claim.command,
            folder=claim.folder,
            because=claim.because,
        ),
    )


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """What the manifests demand: unittest itself is in every Python."""
    return setup_in(files, folder, python, "")


def tools() -> tuple[str, ...]:
    """Nothing but Python, which every bench has."""
    return ()


def environment(places: Places, *, offline: bool) -> Mapping[str, str]:
    """Nothing beyond what the benches set for Python."""
    return {}


def channelled() -> bool:
    """What reports from inside speaks to the bench's collector."""
    return True
