"""What a first configuration and a first workflow of a repository are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from fairtrial.clients.git import Git
from fairtrial.domain.errors import ConfigurationError, NothingToJudge
from fairtrial.domain.names import RepoPath
from fairtrial.pipeline.starting.around import Around, around
from fairtrial.pipeline.starting.configuration import configuration_text
from fairtrial.pipeline.starting.files import Stand, state_of, write_new
from fairtrial.pipeline.starting.ground import OURS, Ground, ground_of
from fairtrial.pipeline.starting.suites import Found, configured, found_suites
from fairtrial.pipeline.starting.toolchains import toolchains
from fairtrial.pipeline.starting.workflow import workflow_text
from fairtrial.runners import RUNNERS
from fairtrial.settings import load
from fairtrial.subject.configuration import NAMES

WORKFLOW: Final = PurePosixPath(OURS)
#: What a workflow that runs Fairtrial already says.
_RUNS_IT: Final = ("fairtrial/fairtrial@", "fairtrial gate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A file as it would be written."""

    path: PurePosixPath
    text: str
    #: Another file that does the same, so that this one is not needed.
    instead: PurePosixPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Both files, the suites in them, and what could not be decided."""

    drafts: tuple[Draft, ...]
    suites: tuple[Found, ...]
    said: tuple[str, ...]


def start(git: Git) -> Start:
    """What to write for a repository; nothing is written here.

    A configuration that is there already counts: the workflow is for its suites. Raises
    NothingToJudge where there is no suite, ConfigurationError for a configuration that
    can't be read.
    """
    ground = ground_of(git)
    name = next((each for each in NAMES if each in ground.listing), None)
    own = () if name is None else _configured(ground, name)
    found, said = found_suites(ground)
    if found:
        seen = around(ground, jdbc=_speaks_jdbc(found))
        text = _checked(found, seen)
        said += _submodules(ground) + seen.said
    elif name is not None:
        text = ground.read(name)
    else:
        raise _nothing(said)
    suites = [each.suite for each in own or found]
    tools = toolchains(ground, suites)
    drafts = (
        Draft(path=PurePosixPath(name or NAMES[0]), text=text),
        Draft(
            path=WORKFLOW,
            text=workflow_text(suites, tools),
            instead=_other_workflow(ground),
        ),
    )
    return Start(drafts=drafts, suites=own or found, said=(*said, *tools.said))


def write(top: Path, drafts: Sequence[Draft]) -> tuple[Stand, ...]:
    """Write what is not there; all are looked at before the first is written."""
    for draft in drafts:
        if draft.instead is None:
            state_of(top, draft.path, draft.text)
    return tuple(
        Stand.SAME if draft.instead else write_new(top, draft.path, draft.text)
        for draft in drafts
    )


def _configured(ground: Ground, name: RepoPath) -> tuple[Found, ...]:
    entry = ground.listing[name]
    if not entry.is_file:
        raise ConfigurationError(
            f"{name} is no regular file, so nothing is read from it or written to it.",
            means="A link may lead out of the repository, and a commit holds no file.",
            remedy="Move it away, and run `fairtrial init` again.",
        )
    return configured(load(ground.read(name), name).suites)


def _checked(found: Sequence[Found], seen: Around) -> str:
    """The configuration's text, which has to mean the suites that were found."""
    text = configuration_text(found, seen)
    if load(text, NAMES[0]).suites != tuple(each.suite for each in found):
        raise RuntimeError("the configuration does not say what was found")
    return text


def _nothing(said: Sequence[str]) -> NothingToJudge:
    return NothingToJudge(
        "There is no suite of tests here that is known, so nothing is written.",
        means=" ".join(said) or f"Looked for: {', '.join(RUNNERS)}.",
        remedy=f"Where there is one, write a {NAMES[0]} that names it: `suites:` with"
        " `runner:` and `command:` (docs/configuration.md).",
    )


def _speaks_jdbc(found: Sequence[Found]) -> bool:
    return any("java" in RUNNERS[each.suite.runner].tools() for each in found)


def _submodules(ground: Ground) -> tuple[str, ...]:
    count = sum(ground.is_submodule(path) for path in ground.listing)
    one = "1 submodule is another repository, and is not looked into."
    many = f"{count} submodules are other repositories, and are not looked into."
    return () if not count else (one if count == 1 else many,)


def _other_workflow(ground: Ground) -> PurePosixPath | None:
    for path in ground.workflows():
        text = ground.read(path)
        if any(each in text for each in _RUNS_IT):
            return PurePosixPath(path)
    return None
