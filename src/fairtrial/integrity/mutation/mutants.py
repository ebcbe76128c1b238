"""Which small faults a piece of production code could have: mutants, by language.

A mutant is one edit of one file. Whether a test notices it is for a trial to show; here
nothing runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final, Protocol

from fairtrial.domain.names import RepoPath
from fairtrial.integrity.mutation import python as python_mutants
from fairtrial.integrity.mutation.edits import Mutant, Operator

__all__ = ["MUTATORS", "Mutant", "Mutator", "Operator", "mutator_of"]


class Mutator(Protocol):
    """A module of this package; it needs to import or subclass nothing."""

    #: How the names of its files end, with the dot: (".py",).
    SUFFIXES: tuple[str, ...]

    def mutants(self, text: str, lines: frozenset[int]) -> tuple[Mutant, ...]:
        """Every mutant that one of these lines reaches; raises CannotRead.

        Each builds as far as the syntax goes, and they stand in the order of the text.
        """

    def words_of(self, text: str, names: tuple[str, ...]) -> frozenset[str]:
        """The identifiers in one test of a file of tests; all of them without it."""


#: A module per language, by its own name. Other languages come with their runners.
MUTATORS: Final[Mapping[str, Mutator]] = MappingProxyType({"python": python_mutants})


def mutator_of(path: RepoPath) -> Mutator | None:
    """What makes mutants of a file, by its name; None where nothing does."""
    suffix = PurePosixPath(path).suffix.lower()
    for mutator in MUTATORS.values():
        if suffix in mutator.SUFFIXES:
            return mutator
    return None
