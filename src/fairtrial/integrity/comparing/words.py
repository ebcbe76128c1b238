"""Which words a normalised piece of a demand is made of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from fairtrial.domain.demands import Demand

#: Strings, names (a loop's value or a part of it is one), numbers, other characters.
#: Linear in its input.
_WORD: Final = re.compile(
    r'\$each\d+(?:\.\d+)*|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[A-Za-z_$@][\w$]*|\d[\w.]*|\S'
)
#: Longest text that is taken apart; what lies beyond counts as one word.
LONGEST: Final = 20_000


def words(text: str) -> list[str]:
    """The words of a text, without spaces."""
    found: list[str] = _WORD.findall(text[:LONGEST])
    return [*found, text[LONGEST:]] if len(text) > LONGEST else found


def is_name(word: str) -> bool:
    """Whether a word is a name, not a number, a string or a sign."""
    return word[:1].isalpha() or word[:1] in {"_", "$", "@"}


def filled(demand: Demand) -> str:
    """What is looked at with its arguments put back where they were blanked."""
    if not demand.inputs:
        return demand.subject
    if "_" in (parts := words(demand.subject)):
        at = parts.index("_")
        return " ".join([*parts[:at], demand.inputs, *parts[at + 1 :]])
    return f"{demand.subject} {demand.inputs}"


def contains(whole: str, part: str) -> bool:
    """Whether all words of a part stand in a whole, one after the other."""
    inner = words(part)
    if not inner:
        return False
    joined = "\0".join(["", *words(whole), ""])
    return "\0".join(["", *inner, ""]) in joined


def renamed(text: str, names: Mapping[str, str]) -> str:
    """A text with whole names replaced; strings are left, dotted paths are not."""
    if not names or not text:
        return text
    return _WORD.sub(lambda found: _word_renamed(found[0], names), text)


def _word_renamed(word: str, names: Mapping[str, str]) -> str:
    if word[0] in "\"'" and len(word) > 2:  # noqa: PLR2004 - two quotes and something
        inner = word[1:-1]
        if _DOTTED.fullmatch(inner):
            return (
                word[0] + _NAME.sub(lambda it: names.get(it[0], it[0]), inner) + word[0]
            )
        return word
    return names.get(word, word)


#: A string that names a thing, as targets of stand-ins are written.
_DOTTED: Final = re.compile(r"[A-Za-z_$][\w$]*(?:[./:\\#][A-Za-z_$][\w$]*)*")
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")
