"""What the change did to what the tests demand, read from both sides' git objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from fairtrial.domain.demands import Comparison
from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import PathClass
from fairtrial.integrity.compare import Side, compare
from fairtrial.pipeline.brief import Brief
from fairtrial.trees.listing import Listing, Read, bytes_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Files(Mapping[RepoPath, bytes]):
    """Some files of a side, each read when it is asked for."""

    listing: Listing
    paths: AbstractSet[RepoPath]
    read: Read

    def __getitem__(self, path: RepoPath) -> bytes:
        """The bytes of one file; KeyError when it is none of these."""
        if path not in self.paths:
            raise KeyError(path)
        return bytes_of(self.listing[path], self.read)

    def __iter__(self) -> Iterator[RepoPath]:
        """All their paths."""
        return iter(sorted(self.paths))

    def __len__(self) -> int:
        """How many there are."""
        return len(self.paths)

    def __contains__(self, path: object) -> bool:
        """Whether a file is one of these; nothing is read."""
        return path in self.paths


def changed_tests(brief: Brief) -> frozenset[RepoPath]:
    """The files of test code that differ, conftests among them.

    The hooks of a conftest are control; what its fixtures do is what tests demand.
    """
    conftests = (
        path
        for path in brief.paths(PathClass.CONTROL)
        if path.rpartition("/")[2] == "conftest.py"
    )
    return frozenset((*brief.paths(PathClass.TEST), *conftests))


def comparison_of(brief: Brief) -> Comparison:
    """What each test that the change touched demanded at base, and at head."""
    changed = changed_tests(brief)
    if not changed:
        return Comparison()
    sides = brief.subject.sides
    return compare(
        _side(brief, sides.base),
        _side(brief, sides.head),
        changed=changed,
        changed_production=frozenset(brief.paths(PathClass.PRODUCTION)),
    )


def _side(brief: Brief, listing: Listing) -> Side:
    by_class: dict[PathClass, set[RepoPath]] = {each: set() for each in PathClass}
    rules = brief.subject.rules
    for path, entry in listing.items():
        if entry.is_file:
            found = rules.classify(path).path_class
            conftest = path.rpartition("/")[2] == "conftest.py"
            by_class[PathClass.TEST if conftest else found].add(path)
    read = brief.subject.sides.read
    tests = frozenset(by_class[PathClass.TEST])
    production = frozenset(by_class[PathClass.PRODUCTION])
    return Side(
        files=Files(listing=listing, paths=tests, read=read),
        production=Files(listing=listing, paths=production, read=read),
    )
