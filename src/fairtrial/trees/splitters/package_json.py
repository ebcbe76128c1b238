"""Splits package.json: what steers the test runners, dependencies, the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NoReturn

from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters.nested import (
    Block,
    Item,
    Leaf,
    combined,
    meanings,
)
from fairtrial.trees.splitters.tables import CannotSplit, frozen

OWNER: Final = PathClass.PRODUCTION

_DEPENDENCIES: Final = frozenset(
    {
        "bundleDependencies",
        "bundledDependencies",
        "catalog",
        "catalogs",
        "cpu",
        "dependencies",
        "dependenciesMeta",
        "devDependencies",
        "devEngines",
        "engines",
        "libc",
        "optionalDependencies",
        "os",
        "overrides",
        "packageManager",
        "patchedDependencies",
        "peerDependencies",
        "peerDependenciesMeta",
        "pnpm",
        "resolutions",
        "trustedDependencies",
        "volta",
        "workspaces",
    }
)

#: Sections of test runners, coverage tools and their reporters.
_CONTROL: Final = re.compile(
    r"@?(?:ava|c8|cypress|jasmine|jest|karma|mocha|nyc|playwright|stryker|tap|uvu"
    r"|vitest)(?![a-z0-9]).*",
    re.DOTALL,
)
#: Scripts that run the tests, or run because the tests do.
_TEST_SCRIPT: Final = re.compile(r"(?:pre|post)?test.*", re.DOTALL)

_SCRIPTS: Final = "scripts"

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
#: Anything that can stand between a value's quotes and brackets.
_PLAIN: Final = re.compile(r'[^"{}\[\],]+')


def class_of(*keys: str) -> PathClass:
    """The class of a member, by its keys from the outermost in."""
    if keys[0] == _SCRIPTS:
        found = any(_TEST_SCRIPT.fullmatch(key) for key in keys[1:])
        return PathClass.CONTROL if found else PathClass.PRODUCTION
    if _CONTROL.fullmatch(keys[0]):
        return PathClass.CONTROL
    if keys[0] in _DEPENDENCIES:
        return PathClass.DEPENDENCIES
    return PathClass.PRODUCTION


def parts(text: str) -> Mapping[PathClass, object]:
    """The members of each class, comparable; raises CannotSplit."""
    return meanings(scan(text))


def compose(texts: Callable[[PathClass], str]) -> str:
    """The owner's file with the members of each class from its text.

    Raises CannotSplit where a file is written so that this does not come out.
    """
    return combined(texts, scan, comma)


def comma(before: str, after: str) -> str:
    """What stands between two members."""
    del before, after
    return ","


def scan(text: str) -> Block:
    """A file as members, those of `scripts` apart; raises CannotSplit."""
    if not text:
        return Block()
    value = _parsed(text)
    if not isinstance(value, dict):
        raise CannotSplit("it is no JSON object")
    start = _space_end(text, 0)
    try:
        root, end = _object(text, start, ())
    except RecursionError as wrong:
        raise CannotSplit("it is nested too deeply") from wrong
    return Block(items=(replace(root, lasts=True),), closing=text[end:])


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError) as wrong:
        raise CannotSplit(f"it is no valid JSON: {wrong}") from wrong


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise CannotSplit("one of its keys stands twice in an object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise CannotSplit(f"{name} is no JSON")


def _object(text: str, start: int, path: tuple[str, ...]) -> tuple[Block, int]:
    """The object that begins at a position, and where it ends."""
    lead = text[:start] if not path else ""
    items: list[Item] = []
    at = start + 1
    while True:
        begun = at
        at = _space_end(text, at)
        if text[at] == "}":
            break
        item, at = _member(text, begun, at, path)
        begun, at = at, _space_end(text, at)
        if text[at] == "}":
            items.append(item)
            break
        items.append(_longer(item, text[begun:at]))
        at += 1
    return (
        Block(
            lead=lead, open="{", items=tuple(items), closing=text[begun:at], close="}"
        ),
        at + 1,
    )


def _member(
    text: str, begun: int, start: int, path: tuple[str, ...]
) -> tuple[Item, int]:
    """The member whose key stands at `start`, and where its value ends."""
    found = _STRING.match(text, start)
    if found is None:
        raise CannotSplit("it is no valid JSON")
    key = json.loads(found[0])
    value = _space_end(text, _space_end(text, found.end()) + 1)
    if not path and key == _SCRIPTS and text[value] == "{":
        block, end = _object(text, value, (key,))
        opened = text[start:value] + block.open
        return replace(block, key=key, lead=text[begun:start], open=opened), end
    end = _value_end(text, value)
    leaf = Leaf(
        key=key,
        lead=text[begun:start],
        text=text[start:end],
        path_class=class_of(*path, key),
        meaning=frozen(json.loads(text[value:end])),
    )
    return leaf, end


def _longer(item: Item, space: str) -> Item:
    """The item with the space before its comma."""
    if isinstance(item, Leaf):
        return replace(item, text=item.text + space)
    return replace(item, close=item.close + space)


def _value_end(text: str, start: int) -> int:
    """Where the value that begins at a position ends."""
    depth, end = 0, start
    for kind, at in _marks(text, start):
        if depth == 0 and kind in {",", "}", "]"}:
            break
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(kind, 0)
        end = at
        if depth == 0 and kind in {"}", "]"}:
            break
    return start + len(text[start:end].rstrip(" \t\r\n"))


def _marks(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Brackets, commas and what stands between them, each with where it ends."""
    at = start
    while at < len(text):
        found = _STRING.match(text, at) or _PLAIN.match(text, at)
        end = at + 1 if found is None else found.end()
        yield (text[at] if found is None else "value"), end
        at = end


def _space_end(text: str, start: int) -> int:
    found = _SPACE.match(text, start)
    return start if found is None else found.end()
