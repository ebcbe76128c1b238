"""What the workflow asks for, and which command line that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from fairtrial.domain.errors import ConfigurationError
from fairtrial.reporters import Locale


class ActionCommand(StrEnum):
    """What the action does in this job."""

    #: Tries the change; runs its code, holds no permission to write.
    GATE = "gate"
    #: Posts what a gate job found; runs nothing.
    COMMENT = "comment"
    #: Looks for what no change has tripped over yet; judges none.
    AUDIT = "audit"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionInput:
    """One input of `action.yml`, and the option it becomes."""

    name: str
    #: None: the action itself reads it.
    option: str | None
    commands: frozenset[ActionCommand]
    #: True: one value a line, each an option of its own.
    repeats: bool = False


_GATE: Final = frozenset({ActionCommand.GATE})
_COMMENT: Final = frozenset({ActionCommand.COMMENT})
_TRIES: Final = _GATE | {ActionCommand.AUDIT}
_TELLS: Final = _GATE | _COMMENT
_ALL: Final = frozenset(ActionCommand)

#: Where the report lies in the workspace when the workflow names no other place.
REPORT_DIR: Final = "fairtrial-report"

#: Every input of `action.yml`, in its order.
INPUTS: Final[tuple[ActionInput, ...]] = (
    ActionInput(name="command", option=None, commands=_ALL),
    ActionInput(name="repo", option="--repo", commands=_TRIES),
    ActionInput(name="config", option="--config", commands=_TRIES),
    ActionInput(name="test-command", option="--test-command", commands=_TRIES),
    ActionInput(name="image", option="--image", commands=_TRIES),
    ActionInput(name="python", option="--python", commands=_TRIES),
    ActionInput(name="prepare", option="--prepare", commands=_TRIES, repeats=True),
    ActionInput(name="build", option="--build", commands=_TRIES, repeats=True),
    ActionInput(name="suite", option="--suite", commands=_TRIES, repeats=True),
    ActionInput(name="bench", option="--bench", commands=_TRIES),
    ActionInput(name="authority", option="--authority", commands=_GATE),
    ActionInput(name="test-timeout", option="--test-timeout", commands=_TRIES),
    ActionInput(name="budget", option="--budget", commands=_TRIES),
    ActionInput(name="prior", option="--prior", commands=_GATE),
    ActionInput(name="base", option="--base", commands=_GATE),
    ActionInput(name="head", option="--head", commands=_TRIES),
    ActionInput(name="variant", option="--variant", commands=_TELLS),
    ActionInput(name="locale", option="--locale", commands=_TELLS),
    ActionInput(name="report-dir", option="--report-dir", commands=_ALL),
    ActionInput(name="github-token", option=None, commands=_ALL),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionCall:
    """A command line, and what must not stand on one."""

    command: ActionCommand
    argv: tuple[str, ...]
    #: Relative to the workspace, like the report's folder.
    repo: str
    report_dir: str
    locale: Locale = Locale.EN
    token: str = field(default="", repr=False)


def read_inputs(environ: Mapping[str, str]) -> ActionCall:
    """The call that the runner's INPUT_* variables describe; an empty one is unset.

    Values are joined to their option with `=`, so that none is read as an option.

    Raises `ConfigurationError` for a command that there is not and for a report
    folder outside the workspace.
    """
    values = {known.name: _value(environ, known.name) for known in INPUTS}
    command = _command(values["command"])
    report_dir = values["report-dir"] or REPORT_DIR
    options = tuple(
        f"{known.option}={one}"
        for known in INPUTS
        if known.option and command in known.commands and known.name != "report-dir"
        for one in _each(values[known.name], repeats=known.repeats)
    )
    return ActionCall(
        command=command,
        argv=_argv(command, options, report_dir),
        repo=values["repo"] or ".",
        report_dir=report_dir,
        locale=_locale(values["locale"]),
        token=values["github-token"],
    )


def _argv(
    command: ActionCommand, options: tuple[str, ...], report_dir: str
) -> tuple[str, ...]:
    match command:
        case ActionCommand.GATE | ActionCommand.AUDIT:
            return (command.value, *options, f"--report-dir={report_dir}")
        case ActionCommand.COMMENT:
            return ("comment", *options, "--", f"{report_dir}/report.json")


def _value(environ: Mapping[str, str], name: str) -> str:
    # The runner upper-cases the name and keeps its hyphens.
    return environ.get(f"INPUT_{name.upper()}", "").strip()


def _command(word: str) -> ActionCommand:
    try:
        return ActionCommand(word or ActionCommand.GATE)
    except ValueError:
        known = ", ".join(f"`{one.value}`" for one in ActionCommand)
        raise ConfigurationError(
            f"The action's input `command` is `{word}`.",
            means=f"It is one of {known}.",
            remedy="Correct `with: command:` in the workflow.",
        ) from None


def _locale(word: str) -> Locale:
    # An unknown language is the command line's to refuse; this one is for our page.
    return Locale(word) if word in set(Locale) else Locale.EN


def _each(value: str, *, repeats: bool) -> tuple[str, ...]:
    lines = value.splitlines() if repeats else [value]
    return tuple(stripped for line in lines if (stripped := line.strip()))
