"""How the words of an expression become the one text that is compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

OPENERS: Final = {"(": ")", "[": "]", "{": "}", "#{": "}", "${": "}"}
CLOSERS: Final = frozenset(")]}")
#: Comparisons, with how they are said; the longest first.
COMPARISONS: Final = ("===", "!==", "==", "!=", "<=", ">=", "<", ">")
_WORD: Final = re.compile(r"[\w$@\"'`#]")
_SPACED: Final = frozenset(
    [
        "=>",
        "~",
        "=",
        "==",
        "===",
        "!=",
        "!==",
        "<",
        ">",
        "<=",
        ">=",
        "+",
        "*",
        "/",
        "%",
        "&&",
        "||",
        "??",
        "?",
        "|",
        "&",
        "and",
        "or",
        "not",
        "+=",
        "-=",
        "in",
        "of",
    ]
)
_NOT_CALLED: Final = frozenset(
    [
        "return",
        "new",
        "await",
        "typeof",
        "delete",
        "void",
        "in",
        "of",
        "instanceof",
        "throw",
        "yield",
        "case",
        "if",
        "while",
        "for",
        "switch",
        "and",
        "or",
        "not",
        "unless",
        "echo",
        "print",
        "function",
        "fn",
        "=>",
    ]
)


def joined(words: Sequence[str]) -> str:
    """The words as one text, with spaces only where they are needed to read it."""
    found: list[str] = []
    before = ""
    for word in words:
        if not word:
            continue
        if before and (
            before == ","
            or word in _SPACED
            or before in _SPACED
            or (before == ":" and word != ":")
            or (_WORD.match(before[-1]) and _WORD.match(word[0]))
        ):
            found.append(" ")
        found.append(word)
        before = word
    return "".join(found)


def quoted(value: str) -> str:
    """A text as one word, whatever its quotes were."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def is_text(word: str) -> bool:
    """Whether a word is a quoted text."""
    return word[:1] == '"'


def blanked(words: Sequence[str]) -> tuple[str, str]:
    """A subject with the arguments of its calls and look-ups blanked, and these.

    `total([1], 2).sum` becomes ("total(_).sum", "[1], 2"); the arguments of several
    calls are parted by " ; ".
    """
    subject: list[str] = []
    inputs: list[list[str]] = []
    waiting: list[str] = []
    for word in words:
        if waiting:
            if word in OPENERS:
                waiting.append(OPENERS[word])
            elif word == waiting[-1]:
                waiting.pop()
            if waiting:
                inputs[-1].append(word)
                continue
            if inputs[-1]:
                subject.append("_")
            else:
                inputs.pop()
            subject.append(word)
            continue
        if word in {"(", "["} and subject and _is_called(subject[-1]):
            waiting.append(OPENERS[word])
            inputs.append([])
        subject.append(word)
    return joined(subject), " ; ".join(joined(each) for each in inputs)


def _is_called(word: str) -> bool:
    if word in {")", "]", "?."}:
        return True
    return bool(re.fullmatch(r"[\w$@#?!]+", word)) and word not in _NOT_CALLED


def parted(words: Sequence[str], operators: Sequence[str]) -> tuple[int, str] | None:
    """Where the only operator of some stands outside all brackets, and which.

    None where there is none or more than one, or a weaker operator beside it.
    """
    depth = 0
    found: list[tuple[int, str]] = []
    for place, word in enumerate(words):
        if word in OPENERS:
            depth += 1
        elif word in CLOSERS:
            depth -= 1
        elif depth == 0:
            if word in {"&&", "||", "??", "?", "=>", "and", "or", "="}:
                return None
            if word in operators and 0 < place < len(words) - 1:
                found.append((place, word))
    return found[0] if len(found) == 1 else None


def without_trailing_commas(words: Sequence[str]) -> list[str]:
    """The words without commas that end a list and semicolons that end a statement."""
    found: list[str] = []
    for word in words:
        while found and word in CLOSERS and found[-1] in {",", ";"}:
            found.pop()
        found.append(word)
    while found and found[-1] in {",", ";"}:
        found.pop()
    return found


def number(word: str) -> str:
    """A number in its one way of writing; the word itself where it is no number."""
    plain = word.replace("_", "").lower()
    try:
        if plain[:2] in {"0x", "0b", "0o"} and len(plain) < 20:  # noqa: PLR2004
            return str(int(plain, 0))
        value = float(plain)
    except ValueError:
        return plain
    if value.is_integer() and abs(value) < 1e15:  # noqa: PLR2004 - exact in a double
        return str(int(value))
    return repr(value) if abs(value) != float("inf") else plain
