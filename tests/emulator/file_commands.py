"""What a step says to the runner by file: outputs, environment, state, summary.

After the runner's FileCommandManager.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from pathlib import Path

#: A longer summary is dropped whole.
SUMMARY_LIMIT = 1024 * 1024

#: Variable (without GITHUB_) and the prefix of its file.
PREFIXES = {
    "PATH": "add_path_",
    "ENV": "set_env_",
    "STEP_SUMMARY": "step_summary_",
    "STATE": "save_state_",
    "OUTPUT": "set_output_",
}


class FileCommandError(Exception):
    """A file that the runner can't read; the step fails."""


def parse_pairs(text: str) -> list[tuple[str, str]]:
    r"""Names and values in order.

    Lines end at \n alone: a \r stays in the value.

    Raises `FileCommandError`.
    """
    pairs: list[tuple[str, str]] = []
    lines = text.split("\n")
    # Each line with whether a newline ended it.
    ended = [(line, index < len(lines) - 1) for index, line in enumerate(lines)]
    if not ended[-1][0]:
        ended.pop()
    at = 0
    while at < len(ended):
        line = ended[at][0]
        at += 1
        if not line:
            continue
        equals, heredoc = line.find("="), line.find("<<")
        if equals >= 0 and (heredoc < 0 or equals < heredoc):
            name, _, value = line.partition("=")
        elif heredoc >= 0:
            name, _, delimiter = line.partition("<<")
            if not name or not delimiter:
                raise FileCommandError(
                    f"Invalid format '{line}'. Name must not be empty and delimiter "
                    "must not be empty"
                )
            value, at = _heredoc(ended, at, delimiter)
        else:
            raise FileCommandError(f"Invalid format '{line}'")
        pairs.append((name, value))
    return pairs


def _heredoc(ended: list[tuple[str, bool]], at: int, delimiter: str) -> tuple[str, int]:
    taken: list[str] = []
    while at < len(ended):
        line, newline = ended[at]
        at += 1
        if line == delimiter:
            return "\n".join(taken), at
        if not newline:
            raise FileCommandError("Invalid value. EOF marker missing new line.")
        taken.append(line)
    raise FileCommandError(f"Invalid value. Matching delimiter not found '{delimiter}'")


@dataclass(frozen=True, slots=True)
class StepFiles:
    """One step's files, empty when it begins, under a name no other step has."""

    folder: Path
    suffix: str

    @classmethod
    def create(cls, folder: Path) -> StepFiles:
        made = cls(folder, str(uuid.uuid4()))
        for name in PREFIXES:
            made.path(name).touch()
        return made

    def path(self, name: str) -> Path:
        return self.folder / f"{PREFIXES[name]}{self.suffix}"

    def read(self, name: str) -> str:
        path = self.path(name)
        return path.read_bytes().decode() if path.exists() else ""

    def pairs(self, name: str) -> list[tuple[str, str]]:
        return parse_pairs(self.read(name))

    def remove(self) -> None:
        for name in PREFIXES:
            self.path(name).unlink(missing_ok=True)
