"""Splits build.gradle and build.gradle.kts: what runs tests, dependencies, the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters.gradle_text import Statement, statements
from fairtrial.trees.splitters.nested import (
    DEEPEST,
    Block,
    Item,
    Leaf,
    combined,
    meanings,
)
from fairtrial.trees.splitters.tables import CannotSplit

OWNER: Final = PathClass.PRODUCTION

#: Blocks that can hold several classes.
_SHARED: Final = re.compile(
    r"tasks|allprojects|subprojects|plugins|ext|extra|android|sourceSets"
    r"|configure\(.*\)|project\(.*\)",
    re.DOTALL,
)

_DEPENDENCIES: Final = re.compile(
    r"(?:buildscript|configurations|dependencies|dependencyLocking"
    r"|dependencyManagement|dependencyResolutionManagement|pluginManagement"
    r"|repositories)\b.*"
    r"|apply\b(?!.*\bfrom\b).*",
    re.DOTALL,
)
#: A variable that dependencies are written with.
_VERSION: Final = re.compile(
    r"(?:(?:private |const |final )*(?:def|val|var|String) |(?:project\.)?ext(?:ra)?"
    r"(?:\.|\[[\"']|\.set\([\"']))\w*[vV]ersion\w*\b.*",
    re.DOTALL,
)
_VERSION_IN_BLOCK: Final = re.compile(r"(?:set\([\"'])?\w*[vV]ersion\w*\b.*", re.DOTALL)

_TASK: Final = r"(?:test|check|\w*Test|\w*_test)"
#: Statements about tasks that run tests, and about what judges these.
_CONTROL: Final = re.compile(
    rf"(?:tasks\.)?{_TASK}(?:\b(?! ?=>).*)?"
    rf"|task {_TASK}\b.*"
    rf"|(?:val|def|var) {_TASK} by .*"
    rf"|tasks\.\w+(?:<[\w.]+>)?\(?[\"']{_TASK}[\"'].*"
    rf"|sourceSets(?:\.{_TASK}|\[[\"']{_TASK}[\"']\]|\.named\([\"']{_TASK}[\"']\)).*"
    r"|(?:tasks\.)?(?:jacoco|kover|pitest|testOptions|testing|testlogger|testRetry)"
    r"\w*\b.*",
    re.DOTALL,
)
#: Whatever mentions one of these may decide what a test's result means.
_MENTIONS: Final = re.compile(
    r"\b(?:useJUnit\w*|useTestNG|testLogging|ignoreFailures|\w*jacoco\w*|\w*pitest\w*"
    r"|kover\w*|\w*[tT]estsMatching|failOnNo\w*Tests\w*|maxParallelForks|forkEvery"
    r"|testOptions|includeTags|excludeTags|failFast|AbstractTestTask)\b"
    r"|\bTest::class\b|<Test>|[(:]Test[),]|\btype:Test\b|,Test[),]|[\"']test[\"']"
    r"|\btesting\b|test-retry|testRetry|test-logger",
    re.IGNORECASE,
)
_REST_OF_LINE: Final = re.compile(r"[ \t]*\n")
#: Parameters of a block's function: what is in it is no list of statements.
_PARAMETERS: Final = re.compile(r"\s*[\w, :()]*->")


def parts(text: str) -> Mapping[PathClass, object]:
    """The statements of each class, comparable; raises CannotSplit."""
    return meanings(scan(text))


def compose(texts: Callable[[PathClass], str]) -> str:
    """The owner's file with the statements of each class from its text.

    Raises CannotSplit where a file is written so that this does not come out.
    """
    return combined(texts, scan, _between)


def _between(before: str, after: str) -> str:
    """Statements that were not neighbours need a line's end between them."""
    apart = before.rstrip(" \t").endswith(("\n", ";", "{")) or "\n" in _space(after)
    return "" if apart else "\n"


def _space(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def scan(text: str) -> Block:
    """A script as statements of one class each, in blocks that hold several."""
    return _block(text, 0, len(text), ())


def class_of(path: tuple[str, ...], statement: Statement) -> PathClass:
    """The class of a statement, by the blocks that it stands in, outermost first.

    What may be about tests counts as control, wherever it stands; but not in what
    only names dependencies.
    """
    flat, last = statement.flat, path[-1] if path else ""
    if last != "plugins" and _DEPENDENCIES.fullmatch(flat):
        plugin = flat.startswith("apply") and _MENTIONS.search(flat)
        return PathClass.CONTROL if plugin else PathClass.DEPENDENCIES
    if _CONTROL.fullmatch(flat) or _MENTIONS.search(flat):
        return PathClass.CONTROL
    in_block = last in {"ext", "extra"} and _VERSION_IN_BLOCK.fullmatch(flat)
    if last == "plugins" or in_block or _VERSION.fullmatch(flat):
        return PathClass.DEPENDENCIES
    return PathClass.PRODUCTION


def _block(text: str, start: int, end: int, path: tuple[str, ...]) -> Block:
    if len(path) > DEEPEST:
        raise CannotSplit("it is nested too deeply")
    items: list[Item] = []
    at = start
    for statement in statements(text, start, end):
        items.append(_item(text, statement, path))
        at = statement.end
    return Block(items=tuple(items), closing=text[at:end])


def _item(text: str, statement: Statement, path: tuple[str, ...]) -> Item:
    lead = text[statement.begun : statement.start]
    if statement.block is not None and _SHARED.fullmatch(statement.head):
        first, last = statement.block
        if _PARAMETERS.match(text, first + 1, last) is None:
            line_end = _REST_OF_LINE.match(text, first + 1, last)
            first = first + 1 if line_end is None else line_end.end()
            inner = _block(text, first, last, (*path, statement.head))
            return Block(
                key=statement.head,
                lead=lead,
                open=text[statement.start : first],
                items=inner.items,
                closing=inner.closing,
                close=text[last : statement.end],
            )
    path_class = class_of(path, statement)
    name = statement.head.partition("=")[0]
    return Leaf(
        key=f"{path_class.value} {name}",
        lead=lead,
        text=text[statement.start : statement.end],
        path_class=path_class,
        meaning=statement.flat,
    )
