"""What a tree that does not build amounts to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairtrial.domain.decisions import Blame, Decision
from fairtrial.domain.errors import TreeBroken
from fairtrial.domain.paths import PathClass
from fairtrial.domain.report import Finding
from fairtrial.domain.trees import Revision
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.stand import Stand
from fairtrial.runners.building.compilers import first_error

#: Last characters of a failed step's output that a report keeps.
OUTPUT = 1_500


def broken_findings(stands: Sequence[Stand], brief: Brief) -> Iterator[Finding]:
    """A finding for each suite of which a tree does not build.

    Head alone broken blocks; both broken, or base alone, says nothing about head.
    A broken base is let pass where the change only adds tests and leaves control
    alone: then head's own suite can't have lost one.
    """
    for stand in stands:
        yield from _of(stand, brief)


def _of(stand: Stand, brief: Brief) -> Iterator[Finding]:
    base, head = (stand.broken.get(side) for side in Revision)
    if head is not None and base is None:
        yield Finding(
            rule="head-broken",
            decision=Decision.BLOCK,
            side=Blame.PRODUCTION,
            introduced=True,
            because=f"suite {stand.suite.name}: base builds and head does not: "
            f"{_story(head, stand, brief)}",
        )
    elif head is not None and base is not None:
        yield Finding(
            rule="environment",
            decision=Decision.INCONCLUSIVE,
            because=f"suite {stand.suite.name}: neither base nor head builds: "
            f"{_story(base, stand, brief)}",
        )
    elif base is not None and not _only_adds(brief):
        yield Finding(
            rule="base-broken",
            decision=Decision.INCONCLUSIVE,
            because=f"suite {stand.suite.name}: base does not build, so nothing "
            f"shows which tests it has: {_story(base, stand, brief)}",
        )


def _only_adds(brief: Brief) -> bool:
    touched = {PathClass.TEST, PathClass.CONTROL}
    return not any(
        change.path_class in touched and change.path in brief.subject.sides.base
        for change in brief.subject.changed
    )


def _story(broken: TreeBroken, stand: Stand, brief: Brief) -> str:
    """Which step failed, what a compiler complained of first, and the output's end."""
    workspace = str(stand.laboratory.bench.places.workspace)
    found = first_error(broken.output, workspace, stand.suite.folder)
    first = ""
    if found is not None:
        what = brief.subject.rules.classify(found.path).path_class
        first = f" with {found.where} ({what.value}): {found.message}"
    tail = broken.output.strip()[-OUTPUT:]
    return f"`{broken.step}` failed{first}\n{tail}".rstrip()
