"""Which suites a project without a configuration gets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from fairtrial.domain.names import RepoPath, SuiteName
from fairtrial.domain.settings import Settings, SuiteSettings
from fairtrial.runners import RUNNERS, Detected

SOURCE: Final = "detected"
#: The one that needs no configuration beside others; the rest take `fairtrial init`.
_FIRST: Final = "pytest"


def all_detected(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """Every suite that the tree seems to have, in the order of the runners."""
    return tuple(
        each for runner in RUNNERS.values() for each in runner.detect(paths, read)
    )


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Settings, tuple[str, ...]] | None:
    """The settings for a project that names none, with sentences; None: no suite.

    How a suite's bench is prepared and built stays open: its runner finds that out.
    """
    found = all_detected(paths, read)
    chosen = [each for each in found if each.runner == _FIRST]
    chosen = chosen or [each for each in found if not each.folder] or list(found)
    if not chosen:
        return None
    suites = tuple(
        _suite(each, name) for each, name in zip(chosen, _names(chosen), strict=True)
    )
    said = f"No configuration: {_listed([each.runner for each in chosen])} detected."
    others = [each for each in found if each not in chosen]
    if not others:
        return Settings(source=SOURCE, suites=suites), (said,)
    more = ", ".join(f"{each.runner} in {each.folder or 'the root'}" for each in others)
    also = f"Not tried: {more}; `fairtrial init` writes a configuration with all."
    return Settings(source=SOURCE, suites=suites), (said, also)


def _names(found: Sequence[Detected]) -> Iterator[str]:
    """A name for each: folders such as `a-b` and `a/b` may come to one."""
    taken: set[str] = set()
    for each in found:
        name, number = each.name, 2
        while name in taken:
            name, number = f"{each.name}-{number}", number + 1
        taken.add(name)
        yield name


def _suite(found: Detected, name: str) -> SuiteSettings:
    return SuiteSettings(
        name=SuiteName(name),
        runner=found.runner,
        command=found.command,
        folder=found.folder,
    )


def _listed(runners: list[str]) -> str:
    if len(runners) == 1:
        return f"one {runners[0]} suite was"
    return f"{len(runners)} suites ({', '.join(runners)}) were"
