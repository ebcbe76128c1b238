"""Splits setup.cfg: pytest's and coverage's sections, dependencies, the rest."""

from __future__ import annotations

import configparser
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

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

_CONTROL_SECTIONS: Final = ("tool:pytest", "pytest", "coverage:", "tox")
_DEPENDENCY_SECTIONS: Final = ("options.extras_require",)
_DEPENDENCY_OPTIONS: Final = frozenset(
    {
        "install_requires",
        "setup_requires",
        "tests_require",
        "python_requires",
        "dependency_links",
    }
)

_HEADER: Final = re.compile(r"\[([^\]]+)\]")
_OPTION: Final = re.compile(r"([^\s#;\[=:][^=:]*?)\s*(?:[=:].*)?$", re.DOTALL)


def class_of(path: KeyPath) -> PathClass:
    """The class of a section, or of an option in it."""
    if not path:
        return PathClass.PRODUCTION
    section, options = path[0], path[1:]
    if section.startswith(_CONTROL_SECTIONS):
        return PathClass.CONTROL
    if section == "options.entry_points" and options == ("pytest11",):
        return PathClass.CONTROL
    if section in _DEPENDENCY_SECTIONS:
        return PathClass.DEPENDENCIES
    names = {option.lower().replace("-", "_") for option in options}
    if section == "options" and names & _DEPENDENCY_OPTIONS:
        return PathClass.DEPENDENCIES
    return PathClass.PRODUCTION


def parts(text: str) -> Mapping[PathClass, object]:
    """The options of each class, comparable; raises CannotSplit."""
    return collected(_leaves(text))


def _leaves(text: str) -> Iterator[tuple[PathClass, KeyPath, object]]:
    # No section is called that, so that [DEFAULT] is one like any other.
    parser = configparser.RawConfigParser(default_section="\0", allow_no_value=True)
    parser.optionxform = lambda optionstr: optionstr  # type: ignore[method-assign]
    try:
        parser.read_string(text)
    except configparser.Error as wrong:
        first = str(wrong).splitlines()[0]
        raise CannotSplit(f"it is no valid INI file: {first}") from wrong
    for section in parser.sections():
        path: KeyPath = (section,)
        if not parser.options(section) and class_of(path) is not OWNER:
            yield class_of(path), path, None
        for option, value in parser.items(section):
            path = (section, option)
            yield class_of(path), path, value


def compose(texts: Callable[[PathClass], str]) -> str:
    """The owner's file with the sections and options of each class from its text.

    Raises CannotSplit where a file is written so that this does not come out.
    """
    return recomposed(texts, parts, scan)


def scan(text: str) -> Document:
    """An INI text as sections of options."""
    tables = [Table(path=())]
    above = ""
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        header = _HEADER.match(line)
        option = _OPTION.match(line)
        if not stripped or stripped.startswith(("#", ";")):
            above += line
            continue
        table = tables[-1]
        if header is not None:
            path = (header[1],)
            tables.append(
                Table(path=path, header=above + line, path_class=class_of(path))
            )
        elif line[0].isspace() and table.statements:
            # A value goes on, over the blank lines and comments in it.
            *before, last = table.statements
            longer = replace(last, text=last.text + above + line)
            tables[-1] = replace(table, statements=(*before, longer))
        elif option is not None:
            statement = Statement(
                text=above + line, path_class=class_of((*table.path, option[1]))
            )
            tables[-1] = replace(table, statements=(*table.statements, statement))
        else:
            raise CannotSplit(f"this line is neither section nor option: {stripped}")
        above = ""
    return Document(tables=tuple(tables), tail=above)
