"""How what a repository holds is written into YAML, its comments and sentences."""

from __future__ import annotations

import re
from typing import Final

import yaml

#: Characters of a name that are shown in a comment.
_LONGEST: Final = 80
#: What a double-quoted text of YAML escapes.
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_PLAIN: Final = re.compile(
    r"[A-Za-z0-9_./][A-Za-z0-9_./=@+,-]*(?: [A-Za-z0-9_./=@+,-]+)*"
)


def scalar(text: str) -> str:
    """A text as YAML reads it back, plain where that is possible."""
    if _PLAIN.fullmatch(text) and yaml.safe_load(text) == text:
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def shown(text: str) -> str:
    """A text for a comment or a sentence: one line, nothing that moves a cursor."""
    safe = "".join(one if one.isprintable() else "?" for one in text)
    return safe if len(safe) <= _LONGEST else safe[: _LONGEST - 1] + "…"


def encodable(text: str) -> bool:
    """Whether a text is Unicode; a path may be any bytes."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _escaped(one: str) -> str:
    if one in _ESCAPES:
        return _ESCAPES[one]
    if one.isprintable():
        return one
    code = ord(one)
    return f"\\x{code:02x}" if code < 0x100 else f"\\U{code:08x}"  # noqa: PLR2004 - a byte
