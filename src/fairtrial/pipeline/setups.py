"""By which steps a suite's bench is made: configured, or found in the tree's files."""

from __future__ import annotations

from dataclasses import replace

from fairtrial.domain.settings import SuiteSettings
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Setup
from fairtrial.laboratory.source import frozen_tree
from fairtrial.pipeline.brief import Brief
from fairtrial.runners.detection import setup_of
from fairtrial.trees import dependency_files


def setup_for(suite: SuiteSettings, brief: Brief, side: Revision) -> Setup:
    """The steps for one side's tree.

    Configured steps are the base's for both sides; detected ones follow what each
    side's own manifests demand. A suite that configures one of the two kinds gets
    no detected steps for the other.
    """
    if suite.prepare is None and suite.build is None:
        files = brief.source.files(frozen_tree(side))
        return replace(setup_of(files, suite.python), python=suite.python)
    listing = brief.source.listing(frozen_tree(side))
    return Setup(
        prepare=suite.prepare or (),
        build=suite.build or (),
        prepare_files=dependency_files(
            listing, brief.subject.rules, brief.subject.sides.read
        ),
        python=suite.python,
        origin=brief.settings.source,
    )
