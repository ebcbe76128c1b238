"""What a Python source consists of, as plain objects without comments and brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ast_grep_py import SgNode

from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.syntax import DEEPEST, line_of, parse

#: What says nothing, as the structure is in the tree.
SKIPPED: Final = frozenset({"comment", "line_continuation", ",", "(", ")"})
UNKNOWN: Final = "line {}: this is not Python as we know it"
#: Where a part stands is counted from the start of its line, so a line of many parts
#: takes its square: lines beyond these are refused. A quoted text is one part.
LONG_LINE: Final = 5_000
MOST_COLUMNS: Final = 3_000_000_000
QUOTED: Final = re.compile(r"\"[^\"\\]*\"|'[^'\\]*'")
GROUPING: Final = "parenthesized_expression"
#: What the grammar puts in, without a character, where a source lacks it.
INVENTED: Final = frozenset({"identifier", "block", "integer", *"()[]{}:=,"})
#: Characters that mark arguments in rendered text (see _python_text); a source that
#: holds them raw loses them.
UNMARKED: Final = dict.fromkeys(range(1, 5), "\ufffd")


class Node:
    """A part of a source: its grammar's kind, its parts, and where it stands.

    It is no dataclass because a file has tens of thousands of them.
    """

    __slots__ = ("end", "kids", "kind", "last", "line", "source", "start")

    def __init__(self, kind: str, source: str, span: tuple[int, int, int, int]) -> None:
        self.kind = kind
        self.source = source
        self.start, self.end, self.line, self.last = span
        self.kids: list[Node] = []

    @property
    def text(self) -> str:
        """As written."""
        return self.source[self.start : self.end]

    def first(self, *kinds: str) -> Node | None:
        """Its first direct part of one of these kinds."""
        for kid in self.kids:
            if kid.kind in kinds:
                return kid
        return None

    def every(self, *kinds: str) -> list[Node]:
        """Its direct parts of these kinds."""
        return [kid for kid in self.kids if kid.kind in kinds]

    def after(self, token: str) -> Node | None:
        """The direct part that follows a token such as "=" or "in"."""
        for kid, following in zip(self.kids, self.kids[1:], strict=False):
            if kid.kind == token:
                return following
        return None

    def walk(self) -> Iterator[Node]:
        """It and everything below it, in the order of the text."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.kids))


def tree(text: str) -> Node:
    """A source's tree; raises CannotRead where the grammar does not follow."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").translate(UNMARKED)
    _bounded(text)
    holder: list[Node] = []
    stack: list[tuple[SgNode, list[Node], int]] = [(parse(text, "python"), holder, 0)]
    while stack:
        each, into, depth = stack.pop()
        kind = each.kind()
        if kind in SKIPPED:
            if kind in INVENTED and not each.text():
                raise CannotRead(UNKNOWN.format(line_of(each)))
            continue
        if kind == "ERROR" or (kind in INVENTED and not each.text()):
            raise CannotRead(UNKNOWN.format(line_of(each)))
        if depth > DEEPEST:
            raise CannotRead(
                f"line {line_of(each)}: it is nested too deeply to be read"
            )
        kids = each.children()
        if kind == GROUPING:
            stack.extend((kid, into, depth + 1) for kid in reversed(kids))
            continue
        where = each.range()
        first, last = where.start, where.end
        node = Node(
            kind, text, (first.index, last.index, first.line + 1, last.line + 1)
        )
        into.append(node)
        stack.extend((kid, node.kids, depth + 1) for kid in reversed(kids))
    return holder[0]


def _bounded(text: str) -> None:
    """Raise CannotRead for lines whose length times parts would take too long."""
    columns = 0
    for at, line in enumerate(text.split("\n"), start=1):
        if len(line) > LONG_LINE:
            columns += len(QUOTED.sub("", line)) * len(line)
            if columns > MOST_COLUMNS:
                raise CannotRead(f"line {at}: it is too long: {len(line)} characters")


def statements(node: Node | None) -> list[Node]:
    """The statements of a block or module, without its docstring and semicolons."""
    if node is None:
        return []
    found = [kid for kid in node.kids if kid.kind != ";"]
    if found and is_text(found[0]):
        return found[1:]
    return found


def is_text(node: Node) -> bool:
    """Whether a statement is a string and nothing else."""
    return (
        node.kind == "expression_statement"
        and len(node.kids) == 1
        and node.kids[0].kind in {"string", "concatenated_string"}
    )


def block(node: Node) -> Node | None:
    """The block that belongs to a compound statement or clause."""
    return node.first("block")


def name_of(node: Node) -> str:
    """The name of a function or class."""
    name = node.first("identifier")
    return name.text if name else ""
