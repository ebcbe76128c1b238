"""What test code demands, read from its syntax trees; nothing here runs anything.

A language is a module of this package and one line in `LANGUAGES`.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final, Protocol

from fairtrial.domain.demands import FileDemands
from fairtrial.domain.names import RepoPath
from fairtrial.integrity import (
    csharp,
    gherkin,
    go,
    java,
    javascript,
    kotlin,
    php,
    python,
    ruby,
    rust,
    typescript,
)
from fairtrial.integrity.errors import CannotRead

__all__ = ["LANGUAGES", "CannotRead", "Language", "language_of"]


class Language(Protocol):
    """A module of this package; it needs to import or subclass nothing."""

    #: How the names of its files end, with the dot: (".py",).
    SUFFIXES: tuple[str, ...]

    def read(self, text: str) -> FileDemands:
        """What one file of test code demands; raises CannotRead."""


#: A module per language, by its own name.
LANGUAGES: Final[dict[str, Language]] = {
    "csharp": csharp,
    "gherkin": gherkin,
    "go": go,
    "java": java,
    "javascript": javascript,
    "kotlin": kotlin,
    "php": php,
    "python": python,
    "ruby": ruby,
    "rust": rust,
    "typescript": typescript,
}


def language_of(path: RepoPath) -> Language | None:
    """The language that reads a file, by its name; None where none does."""
    suffix = PurePosixPath(path).suffix.lower()
    for language in LANGUAGES.values():
        if suffix in language.SUFFIXES:
            return language
    return None
