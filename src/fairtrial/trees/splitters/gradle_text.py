"""Which statements a Gradle script consists of, in Groovy as in Kotlin.

Both languages end a statement with the line on which nothing is left open. What is open
is told by brackets, outside of strings and comments; a text where that can't be told
(Groovy's strings between slashes, for one) is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from fairtrial.trees.splitters.tables import CannotSplit

#: Longest script, in characters, and deepest nesting of strings in strings.
LONGEST: Final = 500_000
DEEPEST: Final = 20

_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/|\A#![^\n]*", re.DOTALL)
_WORD: Final = re.compile(r"[\w$@]+|`[^`\n]*`")
#: A slash behind one of these begins a string in Groovy, and divides nothing.
_BEFORE_VALUE: Final = frozenset(("", *"=(,[{:;!&|?+-*~<>%$\n"))
_BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}
#: A statement goes on behind these, and before those.
_OPEN_ENDED: Final = frozenset((*".,=&|:\\", "else"))
_GOING_ON: Final = frozenset((*".?&|:{", "else", "catch", "finally"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One statement, by positions in the text."""

    #: Where what stands before it (space, comments) begins.
    begun: int
    start: int
    #: Behind its line's end where that ends it.
    end: int
    #: Its text without comments and formatting.
    flat: str
    #: The same, up to its block.
    head: str
    #: Where its one block, with which it ends, has its `{` and `}`.
    block: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int
    #: How many brackets are open behind it.
    depth: int


def statements(text: str, start: int, end: int) -> list[Statement]:
    """The statements between two positions, in order; raises CannotSplit."""
    if len(text) > LONGEST:
        raise CannotSplit(f"it is longer than {LONGEST} characters")
    tokens = list(_tokens(text, start, end))
    following = _following(tokens)
    found: list[Statement] = []
    begun, real = start, list[_Token]()
    for at, token in enumerate(tokens):
        if token.text not in {"\n", ";"} or token.depth:
            real.append(token)
            continue
        if not real or (token.text == "\n" and _goes_on(real, following[at])):
            continue
        found.append(_statement(begun, real, token.end))
        begun, real = token.end, []
    return found


def _tokens(text: str, start: int, end: int) -> Iterator[_Token]:
    """Words, strings, marks and line ends; comments and blanks are left out."""
    brackets: list[str] = []
    at, before = start, ""
    while at < end:
        character = text[at]
        begun = at
        if found := _COMMENT.match(text, at, end):
            at = _comment_end(found)
            continue
        if character in "\"'":
            at = _string_end(text, at, end, 0)
        elif found := _WORD.match(text, at, end):
            at = found.end()
        else:
            if character == "/" and before in _BEFORE_VALUE:
                raise CannotSplit("it has a string between slashes")
            at += 1
            _count(brackets, character)
        if character == "\n" or not character.isspace():
            before = character
            yield _Token(text[begun:at], begun, at, len(brackets))
    if brackets:
        raise CannotSplit("one of its brackets is never closed")
    yield _Token("\n", end, end, 0)


def _comment_end(found: re.Match[str]) -> int:
    """Where a comment is over; Kotlin's may hold another one, Groovy's do not."""
    if found[0].startswith("/*") and "/*" in found[0][2:]:
        raise CannotSplit("it has a comment in a comment")
    return found.end()


def _count(brackets: list[str], character: str) -> None:
    """Open or close a bracket."""
    if character in _BRACKETS:
        brackets.append(_BRACKETS[character])
    elif character in ")]}" and (not brackets or brackets.pop() != character):
        raise CannotSplit("its brackets do not match")


def _string_end(text: str, start: int, end: int, depth: int) -> int:
    """Where the string that begins at a position is over, with all that is in it."""
    quote = text[start]
    mark = quote * 3 if text.startswith(quote * 3, start) else quote
    at = start + len(mark)
    while at < end and not text.startswith(mark, at):
        if text[at] == "\\":
            if len(mark) > 1 and text.startswith(mark, at + 1):
                # Kotlin's string is over there, Groovy's is not.
                raise CannotSplit("one of its strings ends in a backslash")
            at += 2
        elif quote == '"' and text.startswith("${", at):
            at = _expression_end(text, at + 2, end, depth + 1)
        elif text[at] == "\n" and len(mark) == 1:
            break
        else:
            at += 1
    if not text.startswith(mark, at) or at >= end:
        raise CannotSplit("one of its strings is never closed")
    at += len(mark)
    # Up to two quotes may stand before the three that end a long string.
    while len(mark) > 1 and text.startswith(quote, at):
        at += 1
    return at


def _expression_end(text: str, start: int, end: int, depth: int) -> int:
    """Where `${…}` in a string is over."""
    if depth > DEEPEST:
        raise CannotSplit("it has strings in strings without an end")
    at, braces = start, 1
    while at < end and braces:
        if text[at] in "\"'":
            at = _string_end(text, at, end, depth)
            continue
        braces += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at


def _following(tokens: Sequence[_Token]) -> list[str]:
    """For each token the first one behind it that is no line's end."""
    found = [""] * len(tokens)
    for at in range(len(tokens) - 2, -1, -1):
        behind = tokens[at + 1].text
        found[at] = found[at + 1] if behind == "\n" else behind
    return found


def _goes_on(real: Sequence[_Token], following: str) -> bool:
    if real[0].text in {"import", "package"}:
        return False
    return real[-1].text in _OPEN_ENDED or following in _GOING_ON


def _statement(begun: int, tokens: Sequence[_Token], end: int) -> Statement:
    opened = [each for each in tokens if each.text == "{" and each.depth == 1]
    last = tokens[-1]
    ends_in_block = last.text == "}" and last.depth == 0 and len(opened) == 1
    block = (opened[0].start, last.start) if ends_in_block else None
    before = [each for each in tokens if block is None or each.start < block[0]]
    return Statement(
        begun=begun,
        start=tokens[0].start,
        end=end,
        flat=_flat(tokens),
        head=_flat(before),
        block=block,
    )


def _flat(tokens: Sequence[_Token]) -> str:
    """Words with one blank between them, marks without."""
    found = ""
    for token in tokens:
        if token.text == "\n":
            continue
        glued = not found or not _wordy(found[-1]) or not _wordy(token.text[0])
        found += token.text if glued else f" {token.text}"
    return found


def _wordy(character: str) -> bool:
    return character.isalnum() or character in "_$@`\"'"
