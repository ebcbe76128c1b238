"""How a source text looks as a syntax tree, within bounds for hostile texts.

The grammars are tree-sitter's, as they come with ast-grep. A tree with errors is still
read where the error lies outside what is asked: `broken_at` tells.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from ast_grep_py import SgNode, SgRoot

from fairtrial.integrity.errors import CannotRead

#: Longest source that is read, in characters; generated tests beyond it are "unread".
LONGEST: Final = 2_000_000
#: A node's place is found by counting from the start of its line, so a line of n parts
#: costs n² steps; this many take about half a second, each time they are walked.
MOST_COLUMNS: Final = 500_000_000
LONG_LINE: Final = 5_000
#: Deepest nesting that is walked; the grammars themselves have no such bound.
DEEPEST: Final = 500


def parse(text: str, language: str) -> SgNode:
    """The root of a source's syntax tree; CannotRead where it or a line is too long.

    `language` is ast-grep's name: "python", "javascript", "typescript", "tsx", "java",
    "kotlin", "go", "rust", "ruby", "csharp", "php".
    """
    if len(text) > LONGEST:
        raise CannotRead(f"it is longer than {LONGEST} characters")
    if sum(map(_columns, text.split("\n"))) > MOST_COLUMNS:
        raise CannotRead("its lines are too long")
    return SgRoot(text, language).root()


def _columns(line: str) -> int:
    """About how many steps it takes to place all parts of a line."""
    parts = sum(not char.isalnum() for char in line) if len(line) > LONG_LINE else 0
    return parts * len(line)


def broken_at(node: SgNode) -> int | None:
    """The line of the first part that the grammar could not read; None without one."""
    for each in walk(node):
        if each.kind() == "ERROR":
            return line_of(each)
    return None


def walk(node: SgNode) -> Iterator[SgNode]:
    """A node and everything below it, in the order of the text.

    It uses no recursion; raises CannotRead for nesting deeper than DEEPEST.
    """
    stack = [(node, 0)]
    while stack:
        each, depth = stack.pop()
        yield each
        if depth > DEEPEST:
            raise CannotRead(
                f"line {line_of(each)}: it is nested too deeply to be read"
            )
        stack += [(child, depth + 1) for child in reversed(each.children())]


def line_of(node: SgNode) -> int:
    """The line on which a node begins; the first is 1."""
    return node.range().start.line + 1


def last_line_of(node: SgNode) -> int:
    """The line on which a node ends; the first is 1."""
    return node.range().end.line + 1


def tokens(node: SgNode, whole: frozenset[str] = frozenset()) -> list[str]:
    """The words of a node without comments and formatting.

    Nodes of the kinds in `whole` (string literals, for one) are one word each.
    """
    found = []
    skipped_to = -1
    for each in walk(node):
        if each.range().start.index < skipped_to:
            continue
        kind = each.kind()
        if "comment" in kind:
            skipped_to = each.range().end.index
        elif kind in whole or each.is_leaf():
            skipped_to = each.range().end.index
            if text := each.text().strip():
                found.append(text)
    return found


def digest(words: list[str]) -> str:
    """A short name of some words: equal for equal words."""
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:16]


def one_line(text: str, longest: int = 200) -> str:
    """A piece of source on one line, for people."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"
