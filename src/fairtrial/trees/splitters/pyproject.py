"""Splits pyproject.toml: pytest's and coverage's tables, dependencies, the rest."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters.tables import (
    CannotSplit,
    Document,
    KeyPath,
    Statement,
    Table,
    collected,
    recomposed,
)

OWNER: Final = PathClass.PRODUCTION

_DEPENDENCIES: Final = (
    ("build-system",),
    ("dependency-groups",),
    ("project", "dependencies"),
    ("project", "optional-dependencies"),
    ("project", "requires-python"),
    ("tool", "hatch", "envs"),
    ("tool", "pdm", "dev-dependencies"),
    ("tool", "pdm", "source"),
    ("tool", "poetry", "dependencies"),
    ("tool", "poetry", "dev-dependencies"),
    ("tool", "poetry", "extras"),
    ("tool", "poetry", "group"),
    ("tool", "poetry", "source"),
    ("tool", "rye", "dev-dependencies"),
    ("tool", "setuptools", "dynamic", "dependencies"),
    ("tool", "setuptools", "dynamic", "optional-dependencies"),
    ("tool", "uv"),
)

#: A plugin that pytest loads by itself is a start-up injector.
_CONTROL: Final = (
    ("project", "entry-points", "pytest11"),
    ("tool", "poetry", "plugins", "pytest11"),
    ("tool", "tox"),
)
_CONTROL_TOOLS: Final = ("pytest", "coverage")

#: Tables that can hold several classes; one written inline can't be split.
_SHARED: Final = frozenset(
    rule[:length] for rule in (*_DEPENDENCIES, *_CONTROL) for length in range(len(rule))
)

_DEPTH: Final = 2


def class_of(path: KeyPath) -> PathClass:
    """The class of what stands under a path of keys."""
    if len(path) >= _DEPTH and path[0] == "tool" and path[1].startswith(_CONTROL_TOOLS):
        return PathClass.CONTROL
    prefixes = {path[:length] for length in range(1, len(path) + 1)}
    if prefixes & set(_CONTROL):
        return PathClass.CONTROL
    if prefixes & set(_DEPENDENCIES):
        return PathClass.DEPENDENCIES
    return PathClass.PRODUCTION


def parts(text: str) -> Mapping[PathClass, object]:
    """The settings of each class, comparable; raises CannotSplit."""
    return collected(_leaves(_parsed(text), ()))


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as wrong:
        raise CannotSplit(f"it is no valid TOML: {wrong}") from wrong


def _leaves(
    table: Mapping[str, Any], above: KeyPath
) -> Iterator[tuple[PathClass, KeyPath, object]]:
    for key, value in table.items():
        path = (*above, key)
        if path in _SHARED and isinstance(value, dict):
            yield from _leaves(value, path)
        else:
            yield class_of(path), path, value


def compose(texts: Callable[[PathClass], str]) -> str:
    """The owner's file with the tables and settings of each class from its text.

    Raises CannotSplit where a file is written so that this does not come out.
    """
    return recomposed(texts, parts, scan)


def scan(text: str) -> Document:
    """A valid TOML text as tables of statements; raises CannotSplit."""
    _parsed(text)
    tables = [Table(path=())]
    start = position = 0
    while position < len(text):
        line_end = _line_end(text, position)
        stripped = text[position:line_end].strip()
        if not stripped or stripped.startswith("#"):
            position = line_end
            continue
        if stripped.startswith("["):
            path = _header_path(text[position:line_end])
            header = text[start:line_end]
            tables.append(Table(path=path, header=header, path_class=class_of(path)))
            start = position = line_end
            continue
        key, end = _statement(text, position)
        path = (*tables[-1].path, *key)
        if path in _SHARED:
            raise CannotSplit(f"`{'.'.join(path)}` is written as an inline table")
        statement = Statement(text=text[start:end], path_class=class_of(path))
        table = tables[-1]
        tables[-1] = Table(
            path=table.path,
            header=table.header,
            statements=(*table.statements, statement),
            path_class=table.path_class,
        )
        start = position = end
    return Document(tables=tuple(tables), tail=text[start:])


def _line_end(text: str, position: int) -> int:
    found = text.find("\n", position)
    return len(text) if found < 0 else found + 1


def _keys(table: Mapping[str, Any]) -> KeyPath:
    """The single path of keys in a table made for it."""
    path: list[str] = []
    value: object = table
    while True:
        if isinstance(value, list):
            value = value[0]
        if not isinstance(value, dict) or not value:
            return tuple(path)
        key, value = next(iter(value.items()))
        path.append(key)


def _header_path(line: str) -> KeyPath:
    return _keys(tomllib.loads(line))


def _statement(text: str, position: int) -> tuple[KeyPath, int]:
    """The keys of the statement at a position, and where it ends."""
    index, equals, depth = position, -1, 0
    while index < len(text):
        character = text[index]
        if character in "\"'":
            index = _string_end(text, index)
            continue
        if character == "#":
            # The line's end stays, since it may end the statement.
            found = text.find("\n", index)
            index = len(text) if found < 0 else found
            continue
        if character == "=" and equals < 0:
            equals = index
        elif character in "[{":
            depth += 1
        elif character in "]}":
            depth -= 1
        elif character == "\n" and depth == 0:
            index += 1
            break
        index += 1
    return _keys(tomllib.loads(text[position:equals] + "= 0")), index


def _string_end(text: str, start: int) -> int:
    """Where the string that begins at `start` is over."""
    quote = text[start]
    mark = quote * 3 if text.startswith(quote * 3, start) else quote
    index = start + len(mark)
    while not text.startswith(mark, index):
        # Only double quotes know escapes.
        index += 2 if quote == '"' and text[index] == "\\" else 1
    index += len(mark)
    # Up to two quotes may stand before the three that end a multi-line string.
    while len(mark) > 1 and text.startswith(quote, index):
        index += 1
    return index
