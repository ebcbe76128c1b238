"""What the runner makes of the lines that a step prints.

After the runner's ActionCommandManager, OutputManager and ExecutionContext.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from tests.emulator.log_lines import LogCommand, parse
from tests.emulator.masks import Masks
from tests.emulator.results import Annotation

COMMANDS = frozenset(
    {
        "stop-commands",
        "add-mask",
        "add-path",
        "set-env",
        "set-output",
        "save-state",
        "add-matcher",
        "remove-matcher",
        "debug",
        "warning",
        "error",
        "notice",
        "group",
        "endgroup",
        "echo",
        "internal-set-repo-path",
    }
)

#: Of each level, so many are kept a step; the rest stays in the log.
PER_LEVEL = 10
MESSAGE_LIMIT = 4096


@dataclass(slots=True)
class StepLog:
    """One step's log while it is written; both streams arrive here, line by line."""

    masks: Masks
    #: From a path in the container to one relative to the repository.
    relative: Callable[[str], str] = str
    lines: list[str] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)
    state: dict[str, str] = field(default_factory=dict)
    matchers: list[str] = field(default_factory=list)
    failed: bool = False
    _stop_token: str | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def line(self, text: str) -> None:
        """Takes one line: a command is obeyed, all else is logged."""
        with self._lock:
            token = self._stop_token
            registered = COMMANDS if token is None else {*COMMANDS, token}
            command = parse(text, registered)
            if command is None or (token is not None and command.name != token):
                self.say(text)
            elif token is not None:
                self._stop_token = None
                self.say(text)
            else:
                self._obey(command, text)

    def say(self, text: str) -> None:
        self.lines.append(self.masks.apply(text))

    def fault(self, message: str) -> None:
        """An error of the runner's own."""
        self._annotate("error", message, {})

    def _obey(self, command: LogCommand, text: str) -> None:
        match command.name:
            case "stop-commands":
                self._stop(command.data, text)
            case "add-mask":
                self.masks.add(command.data)
            case "debug" | "echo":
                pass
            case "warning" | "error" | "notice":
                self._annotate(command.name, command.data, dict(command.properties))
            case "set-output" | "save-state":
                kept = self.outputs if command.name == "set-output" else self.state
                if name := command.properties.get("name"):
                    kept[name] = command.data
                else:
                    self._refuse(text, "Required field 'name' is missing.")
            case "set-env" | "add-path":
                self._refuse(text, f"The `{command.name}` command is disabled.")
            case "add-matcher":
                self.matchers.append(command.data)
            case _:
                self.say(text)

    def _stop(self, token: str, text: str) -> None:
        if not token or token.lower() in {*COMMANDS, "pause-logging"}:
            self._refuse(text, "An invalid stop token.")
            return
        if len(token) > len("6chars"):
            self.masks.add(token)
        self._stop_token = token.lower()
        self.say(text)

    def _refuse(self, text: str, why: str) -> None:
        self.fault(f"Unable to process command '{text}' successfully.")
        self.fault(why)
        self.failed = True

    def _annotate(self, level: str, message: str, properties: dict[str, str]) -> None:
        message = self.masks.apply(message)
        self.lines.append(f"##[{level}]{message}")
        if sum(one.level == level for one in self.annotations) >= PER_LEVEL:
            return
        file = properties.get("file", "")
        self.annotations.append(
            Annotation(
                level=level,
                message=message[:MESSAGE_LIMIT],
                title=properties.get("title", ""),
                file=self.relative(file) if file else "",
                line=properties.get("line", ""),
            )
        )


def relative_to(workspace: PurePosixPath) -> Callable[[str], str]:
    """Paths below the workspace, said from there; others stay as they are."""

    def relative(path: str) -> str:
        pure = PurePosixPath(path)
        inside = pure.is_relative_to(workspace)
        return str(pure.relative_to(workspace)) if inside else path

    return relative
