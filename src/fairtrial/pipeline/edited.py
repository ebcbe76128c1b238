"""Which of head's tests the change adds or edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.paths import PERSONS_CLASSES, PathClass
from fairtrial.pipeline.brief import Brief
from fairtrial.trees.edited import is_edited


def edited_tests(
    brief: Brief, listed: Iterable[TestId], inventory: frozenset[TestId]
) -> frozenset[TestId]:
    """Tests that base lacks, and those whose own text differs."""
    changed = frozenset(brief.paths(PathClass.TEST))
    texts: dict[RepoPath, tuple[bytes | None, bytes | None]] = {}
    found = set()
    for test in listed:
        file, *names = test.partition("[")[0].split("::")
        path = RepoPath(file)
        if path in changed:
            if path not in texts:
                texts[path] = brief.read(path)
            if test not in inventory or is_edited(*texts[path], names):
                found.add(test)
    return frozenset(found)


def edits_beside_production(brief: Brief) -> Iterator[str]:
    """What a reader has to know where a change edits the tests that judge it."""
    at_base = brief.subject.sides.base
    edited = [
        path
        for path in brief.paths(PathClass.TEST)
        if path in at_base or PurePosixPath(path).name == "conftest.py"
    ]
    if edited and PERSONS_CLASSES & brief.changed:
        more = f" and {len(edited) - 1} more" if len(edited) > 1 else ""
        yield (
            f"The change edits what tests it ({edited[0]}{more}) beside production. A "
            "test that passes counts as it is at head; whether it demands as much as "
            "before is not compared yet, and takes a reviewer."
        )
