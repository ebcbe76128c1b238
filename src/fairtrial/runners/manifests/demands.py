"""What a project says it needs to run its tests, from whichever file says it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

#: Names of extras and dependency groups for tests; where none exists, those for work.
TEST_NAMES: Final = ("test", "tests", "testing")
WORK_NAMES: Final = ("dev", "develop", "development")
_NAME: Final = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """Requirements as pip reads them, and where they were found."""

    requirements: tuple[str, ...] = ()
    #: What is needed to build the project in place; None: there is nothing to build.
    build_requirements: tuple[str, ...] | None = None
    #: Requirement files that are to be installed, by path.
    files: tuple[str, ...] = ()
    #: Short names of the places, in order: "extra test", "group dev".
    sources: tuple[str, ...] = ()
    #: Some of `requirements` are for tests, not only for running the project.
    for_tests: bool = False
    #: What could not be read without running it.
    unread: tuple[str, ...] = ()
    #: The project's own name, normalised; empty where it has none.
    name: str = ""

    def plus(self, other: Demands) -> Demands:
        """Both together, this one first."""
        build = self.build_requirements
        if other.build_requirements is not None:
            build = (*(build or ()), *other.build_requirements)
        return Demands(
            requirements=(*self.requirements, *other.requirements),
            build_requirements=build,
            files=(*self.files, *other.files),
            sources=(*self.sources, *other.sources),
            for_tests=self.for_tests or other.for_tests,
            unread=(*self.unread, *other.unread),
            name=self.name or other.name,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """Optional requirements by normalised name, and what to call them."""

    word: str
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def chosen(self, also: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """The names that a test run needs: those for tests, else those for work.

        Those in `also` come on top, where the project has them.
        """
        tests = [name for name in TEST_NAMES if name in self.lists]
        work = [name for name in WORK_NAMES if name in self.lists]
        more = sorted(also & self.lists.keys())
        return tuple(dict.fromkeys((*(tests or work), *more)))


def normalised(name: str) -> str:
    """A distribution's or extra's name as the packaging specifications compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def name_of(requirement: str) -> str:
    """The normalised name that a requirement begins with; empty for a bare address."""
    matched = _NAME.match(requirement)
    rest = requirement[matched.end() :].lstrip() if matched else ""
    if matched is None or rest.startswith((":", "+", "/")):
        return ""
    return normalised(matched.group(1))


def extras_of(requirement: str) -> tuple[str, ...]:
    """The normalised extras that a requirement asks for."""
    matched = _NAME.match(requirement)
    listed = matched.group(2) if matched and matched.group(2) else ""
    return tuple(normalised(each.strip()) for each in listed.split(",") if each.strip())


def expanded(
    requirements: Iterable[str], own_name: str, extras: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """Requirements with references to the project's own extras resolved.

    `mypkg[test]` inside mypkg's own lists means the contents of that extra; the
    project itself is never fetched from an index.
    """
    found: list[str] = []
    seen: set[str] = set()
    waiting = list(requirements)
    while waiting:
        requirement = waiting.pop(0)
        if not own_name or name_of(requirement) != own_name:
            found.append(requirement)
            continue
        for extra in extras_of(requirement):
            if extra not in seen:
                seen.add(extra)
                waiting.extend(extras.get(extra, ()))
    return tuple(found)


def strings(value: Any) -> tuple[str, ...]:
    """The texts in a list that may hold anything."""
    if isinstance(value, str):
        return (value,)
    return tuple(each for each in value or () if isinstance(each, str))


def table(value: Any, *path: str) -> Mapping[str, Any]:
    """The table at a path inside a table; empty where there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}
