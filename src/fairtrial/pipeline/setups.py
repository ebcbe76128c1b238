"""By which steps a suite's bench is made: configured, or found in the tree's files."""

from __future__ import annotations

from dataclasses import replace

from fairtrial.domain.settings import SuiteSettings
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Places, Setup
from fairtrial.laboratory.source import frozen_tree
from fairtrial.pipeline.brief import Brief
from fairtrial.runners import RUNNERS
from fairtrial.runners.building.rebuilding import inside, tolerant
from fairtrial.trees import dependency_files


def setup_for(
    suite: SuiteSettings, brief: Brief, side: Revision, places: Places
) -> Setup:
    """The steps for one side's tree.

    Configured steps are the base's for both sides; detected ones follow what each
    side's own manifests demand. A suite that configures one of the two kinds gets
    no detected steps for the other.
    """
    runner = RUNNERS[suite.runner]
    online = runner.environment(places, offline=False)
    offline = runner.environment(places, offline=True)
    setup = replace(
        _steps(suite, brief, side),
        python=suite.python,
        env={**online, **suite.env},
        offline={**offline, "FAIRTRIAL_COMMAND": suite.command, **suite.env},
    )
    return replace(
        setup,
        prepare=tuple(inside(suite.folder, step) for step in setup.prepare),
        build=tuple(inside(suite.folder, step) for step in setup.build),
        build_tests=tuple(inside(suite.folder, step) for step in setup.build_tests),
    )


def tolerated(setup: Setup, places: Places) -> Setup:
    """The steps as a bench takes them: where tests don't build, trials tell why."""
    tests = tuple(tolerant(step, places) for step in setup.build_tests)
    return replace(setup, build=(*setup.build, *tests), build_tests=())


def _steps(suite: SuiteSettings, brief: Brief, side: Revision) -> Setup:
    if suite.prepare is None and suite.build is None:
        files = brief.source.files(frozen_tree(side))
        return RUNNERS[suite.runner].setup(files, suite.folder, suite.python)
    listing = brief.source.listing(frozen_tree(side))
    return Setup(
        prepare=suite.prepare or (),
        build=suite.build or (),
        prepare_files=dependency_files(
            listing, brief.subject.rules, brief.subject.sides.read
        ),
        origin=brief.settings.source,
    )
