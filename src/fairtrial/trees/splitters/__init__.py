"""Files that mix classes, and how each is split: one module a file name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Final, Protocol

from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters import (
    build_gradle,
    conftest,
    package_json,
    pom_xml,
    pyproject,
    setup_cfg,
)


class Splitter(Protocol):
    """A module that knows one kind of mixed file.

    Both functions raise CannotSplit for what they don't understand.
    """

    @property
    def OWNER(self) -> PathClass:  # noqa: N802 - a module's constant
        """The class of whatever is in no other part; it decides if the file exists."""

    def parts(self, text: str) -> Mapping[PathClass, object]:
        """The meaning of each class's part, to be compared; every class it can hold."""

    def compose(self, texts: Callable[[PathClass], str]) -> str:
        """A file that has each class's part from the text given for that class."""


SPLITTERS: Final[Mapping[str, Splitter]] = {
    "build.gradle": build_gradle,
    "build.gradle.kts": build_gradle,
    "conftest.py": conftest,
    "package.json": package_json,
    "pom.xml": pom_xml,
    "pyproject.toml": pyproject,
    "setup.cfg": setup_cfg,
}


def splitter_of(path: RepoPath) -> Splitter | None:
    """The splitter for a file of this name, where there is one."""
    return SPLITTERS.get(PurePosixPath(path).name)
