"""What a test file holds outside of all that its reader tells."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from fairtrial.domain.demands import FileDemands

#: Comments, imports and packages: names that come from elsewhere are followed.
_PLAIN: Final = re.compile(
    r"^(?:#(?!\[|!\[)|//|/\*|\*|--|\"\"\"|'''|import\b|from\b|use\b|using\b|package\b|"
    r"namespace\b|require\b|require_relative\b|export \* from\b|\}? from\b)"
)
#: A name in a list of imports, or a bracket by itself.
_LISTED: Final = re.compile(r"^(?:[\w.]+(?: as \w+)?,?|[()\[\]{},;]+|<\?php)$")


def residue(text: str, file: FileDemands) -> Counter[str]:
    """The lines that belong to no test and no support, without what says nothing.

    Where these differ between two versions of a file, its tests may not be the same
    although their readings are: a reader sees what it knows.
    """
    return Counter(
        " ".join(line.split()) for line in outside(text, file) if _says(line.strip())
    )


def outside(text: str, file: FileDemands) -> list[str]:
    """All lines that belong to no test and no support: headings and imports, too."""
    lines = text.splitlines()
    told = bytearray(len(lines) + 1)
    spans = [(each.line, each.last_line) for each in file.tests]
    spans += [(each.line, each.last_line) for each in file.support.values()]
    for first, last in spans:
        for line in range(max(first, 1), min(last, len(lines)) + 1):
            told[line] = 1
    return [line for number, line in enumerate(lines, 1) if not told[number]]


def _says(line: str) -> bool:
    return bool(line) and not _PLAIN.match(line) and not _LISTED.match(line)
