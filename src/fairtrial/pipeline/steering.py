"""Which code of the repository acts on the runner itself, as plugins do.

Control files are base's in what is judged, but an entry point, say, may make a plugin
of any module, and any module can replace the runner's own functions. What acts on the
runner at head and did not at base decides what results mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import Observation, Purpose, Trust
from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import PathClass
from fairtrial.domain.report import Finding
from fairtrial.domain.trees import BASE
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.control import RULE
from fairtrial.pipeline.opening import Opening, suite_trial
from fairtrial.trees.splitters import conftest
from fairtrial.trees.splitters.tables import CannotSplit


def steering_findings(openings: Sequence[Opening], brief: Brief) -> Iterator[Finding]:
    """A finding for each new plugin, and for each changed one that is production.

    In a project that is a plugin itself, nothing tells a hook that is tested from one
    that decides: there both are only told.
    """
    changed = {change.path for change in brief.subject.changed}
    for opening in openings:
        old = {path for path in opening.base_steering if _is_plugin(path)}
        own = {path for path in old if _is_production(path, brief)}
        now = {path for path in opening.steering if _is_plugin(path)}
        if now - old:
            # Base was only listed; what acts while tests run shows when they do.
            base = _run_of_base(opening)
            if base is not None and base.trust is Trust.ERRORED:
                yield _not_compared(opening, base)
                continue
            old |= base.steering if base and base.trust is Trust.SOUND else frozenset()
        for path in sorted(now - old):
            yield _finding(
                path,
                Decision.PASS if own else Decision.BLOCK,
                "acts on the runner at head (hooks, or other code in place of the "
                "runner's) and did not at base, though no file of control brings it",
            )
        for path in sorted((now & old & changed) - own):
            if _hooks_differ(*brief.read(path)):
                yield _finding(path, Decision.BLOCK, "changes its hooks of the runner")
        for path in sorted(now & own & changed):
            yield _finding(
                path,
                Decision.PASS,
                "is production, holds hooks of the runner and changes: what these "
                "hooks hide can't be seen",
            )


def _run_of_base(opening: Opening) -> Observation | None:
    """A whole run of base; None where it can't be listed."""
    if opening.base is None:
        return None
    stand = opening.stand
    (base,) = stand.laboratory.perform([suite_trial(stand, BASE, Purpose.SUITE)])
    return base


def _not_compared(opening: Opening, base: Observation) -> Finding:
    """Base's run broke down, so nothing is known of what acts there."""
    return Finding(
        rule="not-compared",
        category=Category.ENVIRONMENT if base.environment else None,
        decision=Decision.INCONCLUSIVE,
        because=f"suite {opening.stand.suite.name}: what acts on the runner at head "
        f"can't be compared with base, whose run broke down: {base.distrust}",
    )


def _is_plugin(path: RepoPath) -> bool:
    """The hooks of a conftest are control, wherever it stands."""
    return PurePosixPath(path).name != "conftest.py"


def _hooks_differ(*sides: bytes | None) -> bool:
    """Whether two versions of a plugin steer the runner differently, or can't be read.

    What counts is the same as in a conftest.
    """
    try:
        parts = [conftest.parts((side or b"").decode()) for side in sides]
    except (CannotSplit, UnicodeDecodeError):
        return True
    first, *others = [each[PathClass.CONTROL] for each in parts]
    return any(each != first for each in others)


def _is_production(path: RepoPath, brief: Brief) -> bool:
    return brief.subject.rules.classify(path).path_class is PathClass.PRODUCTION


def _finding(path: RepoPath, decision: Decision, what: str) -> Finding:
    # The injected plugin names what was replaced where no file shows who did it.
    nobodys = path.startswith("<")
    subject = f"something in place of {path.strip('<>')}" if nobodys else path
    return Finding(
        rule=RULE,
        category=Category.CONTROL_EFFECT,
        path=None if nobodys else path,
        decision=decision,
        side=Blame.UNKNOWN,
        introduced=decision is Decision.BLOCK,
        because=f"{subject} {what}",
    )
