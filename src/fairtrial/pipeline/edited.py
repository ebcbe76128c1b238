"""Which of head's tests the change adds or edits."""

from __future__ import annotations

from collections.abc import Iterable

from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.paths import PathClass
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
