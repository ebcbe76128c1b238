"""A culprit that is a whole class is told by its files and in the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.inquiry.driving import drive
from tests.inquiry.simulated import PASS, Act, World, padding

from fairtrial.domain.names import HunkId, RepoPath, TestId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.trees import Revision, Tree
from fairtrial.pipeline.judging import verdicts_of

TEST = "a.py::t"
FILES = {
    PathClass.DEPENDENCIES: (RepoPath("requirements.txt"), RepoPath("uv.lock")),
    PathClass.MIGRATION: (RepoPath("migrations/1.sql"),),
}


class Blamed(World):
    """A test that fails because of one class, whatever the hunks are."""

    blame: PathClass | None = None

    def act(self, test: TestId, tree: Tree) -> Act | None:
        if str(test) != TEST or self.blame is None:
            return super().act(test, tree)
        at_head = tree.revision_of(self.blame) is Revision.HEAD
        return Act(fails=True) if at_head else PASS


@pytest.mark.parametrize(
    ("blame", "paths", "words"),
    [
        (PathClass.DEPENDENCIES, ["requirements.txt", "uv.lock"], "dependencies"),
        (PathClass.MIGRATION, ["migrations/1.sql"], "migrations"),
    ],
)
def test_a_class_that_cures_the_failure_is_told(
    blame: PathClass, paths: list[str], words: str
) -> None:
    world = Blamed(
        tests={**padding(3), TEST: lambda hunks, tests: PASS},
        hunks=("h1",),
        changed=frozenset({PathClass.DEPENDENCIES, PathClass.MIGRATION}),
    )
    world.blame = blame

    inquiry = replace(drive(world).inquiry, files=FILES)

    (verdict,) = verdicts_of(inquiry, 5, lambda _: "")
    assert paths == [each.path for each in verdict.culprit]
    assert ["whole"] * len(paths) == [each.lines for each in verdict.culprit]
    assert verdict.because.endswith(
        f" With base's {words}, and all else of head, it passes."
    )


def test_lines_that_cure_the_failure_say_nothing_of_classes() -> None:
    world = World(
        tests={
            **padding(3),
            TEST: lambda hunks, tests: (
                Act(fails=True) if HunkId("src/a.py:1-2") in hunks else PASS
            ),
        },
        hunks=("src/a.py:1-2", "src/b.py:5-5"),
        changed=frozenset({PathClass.DEPENDENCIES}),
    )

    inquiry = replace(drive(world).inquiry, files=FILES)

    (verdict,) = verdicts_of(inquiry, 5, lambda _: "")
    assert [("src/a.py", "1-2")] == [(one.path, one.lines) for one in verdict.culprit]
    assert "With base's" not in verdict.because
