"""How the name of a test gets into the configured command for one test.

What stands for a name becomes a variable of the shell, in whatever quotes the template
has it, so that no name is ever read as a part of the command.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from fairtrial.domain.names import TestId

#: What a template may name, each with the variable that holds it.
VARIABLES: Final[Mapping[str, str]] = {
    "test": "FAIRTRIAL_TEST",
    "class": "FAIRTRIAL_CLASS",
    "name": "FAIRTRIAL_NAME",
    "file": "FAIRTRIAL_FILE",
}
_HOLE: Final = re.compile(r"\{(test|class|name|file)\}")


def filled(template: str) -> str:
    """The template as a line for `sh -c`, its names taken from variables."""
    line: list[str] = []
    quote, position = "", 0
    while position < len(template):
        hole = _HOLE.match(template, position)
        if hole is not None:
            line.append(_variable(VARIABLES[hole[1]], quote))
            position = hole.end()
            continue
        letter = template[position]
        if letter == "\\" and quote != "'":
            line.append(template[position : position + 2])
            position += 2
            continue
        if letter in {"'", '"'} and quote in {"", letter}:
            quote = "" if quote else letter
        line.append(letter)
        position += 1
    return "".join(line)


def _variable(name: str, quote: str) -> str:
    inside = f"${{{name}}}"
    if quote == "'":
        return f"'\"{inside}\"'"
    return inside if quote else f'"{inside}"'


def names_of(test: TestId) -> Mapping[str, str]:
    """The variables' values for a test: its whole native name, and its parts."""
    file, _, native = test.partition("::")
    holder, _, name = native.partition("::")
    return {
        VARIABLES["test"]: f"{holder}.{name}" if holder else name,
        VARIABLES["class"]: holder,
        VARIABLES["name"]: name,
        VARIABLES["file"]: file,
    }
