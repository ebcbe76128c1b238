"""Where a suite is tried: its bench, with base and head built and frozen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from fairtrial.benches import Bench
from fairtrial.domain.errors import TreeBroken
from fairtrial.domain.experiments import Observation
from fairtrial.domain.settings import SuiteSettings
from fairtrial.domain.trees import Revision
from fairtrial.laboratory import Laboratory
from fairtrial.laboratory.source import frozen_tree
from fairtrial.laboratory.surroundings import Surroundings
from fairtrial.pipeline.benches import bench_for
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.setups import setup_for, tolerated
from fairtrial.pipeline.telemetry import with_sink
from fairtrial.runners import RUNNERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """One suite's laboratory, and what did not build."""

    suite: SuiteSettings
    laboratory: Laboratory
    #: Where the steps that build the bench came from, for the report.
    origin: str
    broken: Mapping[Revision, TreeBroken]

    @property
    def stands(self) -> bool:
        """Whether head can be tried at all."""
        return Revision.HEAD not in self.broken

    @property
    def state(self) -> str:
        """`state` of a suite's line in the report, where it was not tried."""
        return "environment" if Revision.BASE in self.broken else "head-broken"


def stand_up(
    suite: SuiteSettings,
    brief: Brief,
    sides: Sequence[Revision] = (Revision.BASE, Revision.HEAD),
) -> Stand:
    """A suite's bench with each tree built once, base first, and frozen.

    A tree that does not build is told, not raised: which side it is decides what it
    means. Raises BenchUnavailable when the bench itself can't stand.
    """
    suite = with_sink(suite, brief)
    bench = brief.closing(bench_for(suite, brief))
    surroundings = _surroundings(suite, bench, brief)
    places = bench.places
    steps = {side: setup_for(suite, brief, side, places) for side in sides}
    broken: dict[Revision, TreeBroken] = {}
    for side in sides:
        brief.world.progress.doing(f"suite {suite.name}: building {side.value}")
        try:
            files = brief.source.files(frozen_tree(side))
            bench.freeze(side, files, tolerated(steps[side], places))
            surroundings.prepare(side)
        except TreeBroken as failed:
            broken[side] = failed
    request, settings = brief.request, brief.settings
    laboratory = Laboratory(
        suite=suite,
        bench=bench,
        runner=RUNNERS[suite.runner],
        source=brief.source,
        clock=brief.world.clock,
        made=partial(_say, brief, suite),
        test_timeout=request.test_timeout or settings.timeouts.test,
        trial_timeout=settings.timeouts.suite,
        order=brief.order_of(suite),
        surroundings=surroundings,
        built={side: (*each.build, *each.build_tests) for side, each in steps.items()},
        numbers=brief.numbers,
    )
    return Stand(
        suite=suite,
        laboratory=laboratory,
        origin=steps[sides[-1]].origin,
        broken=broken,
    )


def _surroundings(suite: SuiteSettings, bench: Bench, brief: Brief) -> Surroundings:
    if not suite.databases and not suite.services:
        return Surroundings()
    # The databases' clients are slow to load, and most suites need none.
    from fairtrial.pipeline.databases import surroundings_for  # noqa: PLC0415

    return surroundings_for(suite, bench, brief)


def _say(brief: Brief, suite: SuiteSettings, observation: Observation) -> None:
    experiment = observation.experiment
    what = experiment.purpose.value
    subjects = experiment.subjects[:1]
    of = f" of {subjects[0]}" if subjects else ""
    brief.world.progress.doing(f"suite {suite.name}: {observation.trial} {what}{of}")
