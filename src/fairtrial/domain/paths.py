"""What a changed path is, and who may change it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from fairtrial.domain.names import RepoPath


class PathClass(StrEnum):
    """What a path holds; the members stand in order of strictness, strictest first."""

    CONTROL = "control"
    MIGRATION = "migration"
    PRODUCTION = "production"
    DEPENDENCIES = "dependencies"
    TEST = "test"
    NEUTRAL = "neutral"


#: "Production" in a cell of evidence means these together.
PRODUCTION_CLASSES = frozenset(
    {
        PathClass.PRODUCTION,
        PathClass.MIGRATION,
        PathClass.DEPENDENCIES,
        PathClass.NEUTRAL,
    }
)

#: Only a person may change these; neutral files go with production but bind nobody.
PERSONS_CLASSES = frozenset(
    {PathClass.PRODUCTION, PathClass.MIGRATION, PathClass.DEPENDENCIES}
)


class Strictness(IntEnum):
    """How strict a class is; the stricter wins where a path could be two things."""

    NEUTRAL = 0
    TEST = 1
    DEPENDENCIES = 2
    PRODUCTION = 3
    MIGRATION = 4
    CONTROL = 5

    @classmethod
    def of(cls, path_class: PathClass) -> Strictness:
        """The strictness of one class."""
        return cls[path_class.name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Classified:
    """One path with its class and the reason, as `explain --paths` prints it."""

    path: RepoPath
    path_class: PathClass
    reason: str


class ChangeKind(StrEnum):
    """What the change did to a path."""

    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedPath:
    """One side of one changed path; a rename is a deletion and an addition.

    A file that mixes classes (`pyproject.toml`) appears once for each class in
    which its part differs.
    """

    path: RepoPath
    kind: ChangeKind
    path_class: PathClass
    reason: str
