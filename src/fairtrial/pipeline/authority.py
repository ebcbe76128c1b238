"""Whether a change stays within what its author may change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.paths import PathClass
from fairtrial.domain.report import Finding
from fairtrial.domain.settings import Authority
from fairtrial.pipeline.brief import Brief

#: What an agent that mends tests never touches.
_OUT_OF_BOUNDS: Final = (
    PathClass.PRODUCTION,
    PathClass.MIGRATION,
    PathClass.DEPENDENCIES,
    PathClass.CONTROL,
)


def bounds_findings(brief: Brief) -> Iterator[Finding]:
    """A finding for each class of paths that its author may not change."""
    match brief.subject.authority:
        case Authority.PERSON | Authority.FEATURE:
            return
        case Authority.REPAIR:
            for path_class in _OUT_OF_BOUNDS:
                paths = brief.paths(path_class)
                if paths:
                    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
                    yield Finding(
                        rule=Category.OUT_OF_BOUNDS.value,
                        path=paths[0],
                        decision=Decision.BLOCK,
                        side=Blame.UNKNOWN,
                        introduced=True,
                        category=Category.OUT_OF_BOUNDS,
                        because=(
                            f"authority `repair` may change tests only, and {paths[0]}"
                            f"{more} is {path_class.value}"
                        ),
                    )
