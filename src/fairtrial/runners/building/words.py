"""Which part of a suite's shell line starts the tool, and its words."""

from __future__ import annotations

import re
import shlex
from typing import Final

_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=")
_SHELL: Final = re.compile(r"[$`|&;<>()\n]")


def last_command(line: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """What runs before the last command, its own environment, and its words.

    No words: it is more than a plain command, or can't be read.
    """
    before, last = _split(line.strip())
    if _SHELL.search(re.sub(r"'[^']*'", "", last)):
        return before, (), ()
    try:
        words = shlex.split(last)
    except ValueError:
        return before, (), ()
    environment = []
    while words and (words[0] in {"env", "exec"} or _ASSIGNMENT.match(words[0])):
        word = words.pop(0)
        environment += [] if word in {"env", "exec"} else [word]
    return before, tuple(environment), tuple(words)


def _split(line: str) -> tuple[str, str]:
    """The line around its last `&&`, `;` or line break outside quotes."""
    quote, cut, at = "", 0, 0
    while at < len(line):
        letter = line[at]
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif line.startswith("&&", at):
            cut = at = at + 2
            continue
        elif letter in ";\n":
            cut = at + 1
        at += 1
    return line[:cut], line[cut:]
