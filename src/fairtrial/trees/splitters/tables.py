"""A file of tables and settings whose parts can be exchanged, text preserved.

TOML and INI files are both a list of tables, each a header line and statements. Every
statement has a path of keys, and a class by it. Comments and blank lines belong to the
statement or header that follows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from fairtrial.domain.paths import PathClass

KeyPath = tuple[str, ...]

#: What the files of this kind hold; the first is the owner.
CLASSES: Final = (PathClass.PRODUCTION, PathClass.DEPENDENCIES, PathClass.CONTROL)


class CannotSplit(Exception):  # noqa: N818 - an answer, not a failure
    """A mixed file's parts can't be told apart; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One setting with the comments above it."""

    text: str
    path_class: PathClass


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A header line with what stands above it, and its statements.

    The table at the top of a file is always there and has no header. `path_class` is
    the class of everything that a table of this name can hold, production where it
    can hold several.
    """

    path: KeyPath
    header: str = ""
    statements: tuple[Statement, ...] = ()
    path_class: PathClass = PathClass.PRODUCTION

    def text(self) -> str:
        """The table as it stood."""
        return self.header + "".join(one.text for one in self.statements)

    def without(self, path_class: PathClass) -> Table | None:
        """What is left when one class's part is taken out."""
        rest = tuple(one for one in self.statements if one.path_class != path_class)
        if self.path_class == path_class and not rest:
            return None
        return replace(self, statements=rest)

    def only(self, path_class: PathClass) -> Table | None:
        """One class's part."""
        kept = tuple(one for one in self.statements if one.path_class == path_class)
        if not kept and self.path_class != path_class:
            return None
        return replace(self, statements=kept)

    def ended(self) -> Table:
        """The same with a line end after each piece, so that more can follow."""
        return replace(
            self,
            header=_ended(self.header),
            statements=tuple(
                replace(one, text=_ended(one.text)) for one in self.statements
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """All tables of a file, in order, and what stands after the last statement."""

    tables: tuple[Table, ...]
    tail: str = ""

    def text(self) -> str:
        """The file as it stands."""
        return "".join(table.text() for table in self.tables) + self.tail


def exchanged(ground: Document, other: Document, path_class: PathClass) -> Document:
    """The ground with one class's part taken from the other document."""
    left = (table.without(path_class) for table in ground.tables)
    tables = [table for table in left if table is not None]
    taken = (table.only(path_class) for table in other.tables)
    for part in taken:
        if part is not None:
            _insert(tables, part)
    return Document(tables=tuple(tables), tail=ground.tail)


def _insert(tables: list[Table], part: Table) -> None:
    # A table that is wholly of the class goes in as it is; it may be one of an array
    # of tables, which all have the same path.
    whole = all(one.path_class == part.path_class for one in part.statements)
    homes = (index for index, table in enumerate(tables) if table.path == part.path)
    home = None if whole else next(homes, None)
    if home is None:
        if tables:
            tables[-1] = tables[-1].ended()
        tables.append(part)
        return
    table = tables[home].ended()
    statements = (*part.ended().statements, *table.statements)
    tables[home] = replace(table, statements=statements)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def frozen(value: object) -> object:
    """A value that compares by type and content, whatever the order of keys."""
    if isinstance(value, dict):
        return frozenset((str(key), frozen(each)) for key, each in value.items())
    if isinstance(value, list):
        return tuple(frozen(each) for each in value)
    return (type(value).__name__, repr(value))


def collected(
    leaves: Iterable[tuple[PathClass, KeyPath, object]],
) -> dict[PathClass, object]:
    """The leaves of each class, comparable."""
    found: dict[PathClass, set[tuple[KeyPath, object]]] = {
        one: set() for one in CLASSES
    }
    for path_class, path, value in leaves:
        found[path_class].add((path, frozen(value)))
    return {path_class: frozenset(each) for path_class, each in found.items()}


def recomposed(
    texts: Callable[[PathClass], str],
    parts: Callable[[str], Mapping[PathClass, object]],
    scan: Callable[[str], Document],
) -> str:
    """The owner's text with the statements of each class from its own text.

    Raises CannotSplit where a file is written so that the parts that were wanted are
    not what comes out.
    """
    owner = CLASSES[0]
    wanted = {path_class: parts(texts(path_class)) for path_class in CLASSES}
    ground = wanted[owner]
    differing = [one for one in CLASSES if wanted[one][one] != ground[one]]
    if not differing:
        return texts(owner)
    document = scan(texts(owner))
    for path_class in differing:
        document = exchanged(document, scan(texts(path_class)), path_class)
    text = document.text()
    seen = parts(text)
    if any(seen[one] != wanted[one][one] for one in CLASSES):
        raise CannotSplit("it is written so that its parts can't be recombined")
    return text
