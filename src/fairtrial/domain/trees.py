"""Which revision each part of a tried tree is taken from."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from fairtrial.domain.names import HunkId, OverlayId
from fairtrial.domain.paths import PathClass


class Revision(StrEnum):
    """One of the two commits that a run compares."""

    BASE = "base"
    HEAD = "head"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A tree picks base or head for each class; neutral files go with production."""

    production: Revision
    dependencies: Revision
    migration: Revision
    tests: Revision
    control: Revision = Revision.BASE
    #: Changed production hunks of head that are taken back (culprit search only).
    reverted: frozenset[HunkId] = frozenset()
    #: Files that stand over the composed ones: a mutant, or single test units of base.
    overlay: OverlayId | None = None

    @property
    def frozen_from(self) -> Revision:
        """The built tree that this one is a delta of: dependencies decide."""
        return self.dependencies

    def revision_of(self, path_class: PathClass) -> Revision:
        """Where paths of this class are taken from."""
        match path_class:
            case PathClass.PRODUCTION | PathClass.NEUTRAL:
                return self.production
            case PathClass.DEPENDENCIES:
                return self.dependencies
            case PathClass.MIGRATION:
                return self.migration
            case PathClass.TEST:
                return self.tests
            case PathClass.CONTROL:
                return self.control


def _tree(production: Revision, tests: Revision) -> Tree:
    return Tree(
        production=production,
        dependencies=production,
        migration=production,
        tests=tests,
    )


#: B of the attribution table: everything from base.
BASE: Final = _tree(Revision.BASE, Revision.BASE)
#: What is judged: head, under base's control.
HEAD: Final = _tree(Revision.HEAD, Revision.HEAD)
#: T: base's production with head's tests.
HEAD_TESTS: Final = _tree(Revision.BASE, Revision.HEAD)
#: X: head's production with base's tests.
BASE_TESTS: Final = _tree(Revision.HEAD, Revision.BASE)
#: Head under head's control: the one experiment that measures a control change.
HEAD_CONTROL: Final = replace(HEAD, control=Revision.HEAD)


def canonical(tree: Tree, changed: AbstractSet[PathClass]) -> Tree:
    """The same tree with base named for each class that the change left alone.

    Trees that are equal share one cell of evidence, so they need one
    name. `changed` holds the classes in which base and head differ.
    """
    production = {PathClass.PRODUCTION, PathClass.NEUTRAL} & changed
    return replace(
        tree,
        production=tree.production if production else Revision.BASE,
        dependencies=tree.dependencies
        if PathClass.DEPENDENCIES in changed
        else Revision.BASE,
        migration=tree.migration if PathClass.MIGRATION in changed else Revision.BASE,
        tests=tree.tests if PathClass.TEST in changed else Revision.BASE,
        control=tree.control if PathClass.CONTROL in changed else Revision.BASE,
    )
