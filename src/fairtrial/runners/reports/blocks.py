"""What of a source text a frame stands for, so that shifted lines change nothing.

Python's frames carry a digest of their function's syntax tree, made where it runs.
Elsewhere the function is found by its name and by how its lines are set in: from the
nearest line above that names it, to the next one that is set in no deeper.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

#: Lines above a frame that are searched for its function's name.
_ABOVE: Final = 400
_BELOW: Final = 2_000
_CLOSING: Final = re.compile(r"[\s)\]};,]*(end)?[\s)\]};,]*")


def digest_of(text: str, line: int, name: str) -> str:
    """Twelve hexadecimal digits for the function around a line; "" for no such line.

    `line` counts from 1; `name` is the function's own, or qualified by dots, colons
    or dollar signs. Where no line names it, the line alone stands for it.
    """
    lines = text.splitlines()
    if not 0 < line <= len(lines):
        return ""
    own = re.split(r"[.:$#\s]+", name)[-1] if name else ""
    block = _block(lines, line - 1, own)
    plain = "\n".join(" ".join(each.split()) for each in block if each.strip())
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()[:12]


def _block(lines: list[str], at: int, own: str) -> list[str]:
    if not own:
        return [lines[at]]
    pattern = re.compile(rf"(?<![\w.]){re.escape(own)}(?!\w)")
    for first in range(at, max(-1, at - _ABOVE), -1):
        within = first == at or _indent(lines[first]) < _indent(lines[at])
        if within and pattern.search(lines[first]):
            break
    else:
        return [lines[at]]
    outer = _indent(lines[first])
    block = [lines[first]]
    for following in lines[first + 1 : first + _BELOW]:
        if following.strip() and _indent(following) <= outer:
            if not _CLOSING.fullmatch(following):
                break
            block.append(following)
            break
        block.append(following)
    # A call of that name on the frame's own line is no function around it.
    return block if first + len(block) > at else [lines[at]]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
