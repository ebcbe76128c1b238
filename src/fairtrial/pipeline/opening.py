"""What a suite shows at head before anything is asked about a failure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fairtrial.domain.experiments import (
    SUITE,
    Context,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.report import Finding
from fairtrial.domain.results import (
    FAILURES,
    Failure,
    Outcome,
    Phase,
    Result,
    Signature,
)
from fairtrial.domain.trees import BASE, HEAD, Revision, Tree
from fairtrial.pipeline.stand import Stand


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The suite trial at head, beside what base has."""

    stand: Stand
    head: Observation
    #: What base lists; None where base could not be asked.
    base: Observation | None
    #: Suite trials that were made besides, and count as evidence.
    beside: tuple[Observation, ...] = ()
    #: Head's control, where it was found only to add; else base's.
    control: Revision = Revision.BASE
    #: Repository files that act on the runner itself, under base's control.
    steering: frozenset[RepoPath] = frozenset()
    base_steering: frozenset[RepoPath] = frozenset()
    findings: tuple[Finding, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def inventory(self) -> tuple[TestId, ...]:
        """All tests that base has, in its own order."""
        return self.base.listed if self.base is not None else ()

    @property
    def listed(self) -> tuple[TestId, ...]:
        """All tests that head has, in its own order."""
        return self.head.listed

    @property
    def failed(self) -> tuple[TestId, ...]:
        """The tests that did not hold at head, in the order they ran."""
        return tuple(
            test
            for test, result in self.head.results.items()
            if result.outcome in FAILURES
        )

    @property
    def sound(self) -> bool:
        """Whether head's report can be believed."""
        return self.head.trust is Trust.SOUND


def listed_trial(
    stand: Stand,
    tree: Tree,
    tests: Sequence[TestId],
    purpose: Purpose,
    context: Context = SUITE,
) -> Experiment:
    """Exactly these tests, each of which counts, in one process."""
    return Experiment(
        suite=stand.suite.name,
        tree=tree,
        context=context,
        shape=Shape.LISTED,
        tests=tuple(tests),
        subjects=tuple(tests),
        purpose=purpose,
    )


def suite_trial(stand: Stand, tree: Tree, purpose: Purpose) -> Experiment:
    """The whole suite, as its own command has it.

    Where it has databases, it is recorded which test leaves which rows: that costs
    little, and no failure has to be awaited and made again to be explained.
    """
    return Experiment(
        suite=stand.suite.name,
        tree=tree,
        context=SUITE,
        shape=Shape.WHOLE,
        purpose=purpose,
        watched=purpose is Purpose.SUITE and bool(stand.suite.databases),
    )


def open_suite(stand: Stand) -> Opening:
    """The suite at head, and base's inventory beside it."""
    trials = [suite_trial(stand, HEAD, Purpose.SUITE)]
    if Revision.BASE in stand.broken:
        (head,) = stand.laboratory.perform(trials)
        return Opening(stand=stand, head=with_uncollected(stand, head, ()), base=None)
    trials.append(suite_trial(stand, BASE, Purpose.INVENTORY))
    head, base = stand.laboratory.perform(trials)
    usable = base.trust is Trust.SOUND
    return Opening(
        stand=stand,
        head=with_uncollected(stand, head, base.listed if usable else ()),
        base=base if usable else None,
        steering=head.steering,
        base_steering=base.steering,
        notices=tuple(_about_base(stand, base)),
    )


def _about_base(stand: Stand, base: Observation) -> Iterator[str]:
    """What a reader has to know of base's inventory."""
    if base.trust is not Trust.SOUND:
        yield f"suite {stand.suite.name}: base's tests can't be listed"
        yield base.distrust
        return
    broken = list(base.uncollectable.items())
    for file, reason in broken[:1]:
        more = f" (nor {len(broken) - 1} more)" if len(broken) > 1 else ""
        yield (
            f"suite {stand.suite.name}: base can't collect {file}{more}, so nothing "
            f"shows which tests it has in there: {reason}"
        )


def with_uncollected(
    stand: Stand, head: Observation, inventory: tuple[TestId, ...]
) -> Observation:
    """Head's results, with a failure for each test of a file that did not collect.

    Such a file is a failure of every test that base has in it; one that base does
    not have is a failure under the file's own name, so that it can't be lost.
    """
    results = dict(head.results)
    keeps_out = stand.laboratory.runner.keeps_out
    for file, reason in head.uncollectable.items():
        inside = [test for test in inventory if keeps_out(file, test)]
        for test in inside or [TestId(file)]:
            results[test] = uncollected(test, file, reason)
    return replace(head, results=results)


def uncollected(test: TestId, file: str, reason: str) -> Result:
    """The failure of one test whose file did not collect at head."""
    exception = reason.partition(":")[0].strip()
    return Result(
        test=test,
        outcome=Outcome.FAILED,
        failure=Failure(
            phase=Phase.COLLECT,
            type=exception,
            message=reason,
            where=file,
            signature=Signature(
                outcome=Outcome.FAILED,
                phase=Phase.COLLECT,
                exception=exception,
                test_frame=file,
                production_frame=None,
            ),
            outside_frame=file,
        ),
    )
