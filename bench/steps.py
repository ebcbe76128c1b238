"""The gate's steps 3 to 7 on a stand that is up, as `fairtrial.gate` has them."""

from __future__ import annotations

from fairtrial.domain.report import Report
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.comparing import comparison_of
from fairtrial.pipeline.control import with_control
from fairtrial.pipeline.demands import demands_of
from fairtrial.pipeline.earning import earned_findings
from fairtrial.pipeline.inquest import inquire
from fairtrial.pipeline.integrity import integrity_findings
from fairtrial.pipeline.new_tests import new_test_findings
from fairtrial.pipeline.opening import open_suite
from fairtrial.pipeline.reporting import Proceedings, report_of
from fairtrial.pipeline.stand import Stand
from fairtrial.pipeline.verdicts import pronounced


def steps(brief: Brief, one: Stand) -> Report:
    """The report on one suite; nothing of it is rendered."""
    opening = with_control(open_suite(one), brief)
    trials = brief.trials
    demands = demands_of(opening, brief, comparison_of(brief))
    inquiry = inquire(opening, brief, demands.equal)
    findings = (
        *integrity_findings([opening]),
        *earned_findings([opening], [demands], brief),
        *new_test_findings([opening], [demands], brief),
    )
    return report_of(
        Proceedings(
            brief=brief,
            stands=[one],
            openings=[opening],
            verdicts=tuple(pronounced([opening], [inquiry], brief)),
            findings=findings,
            spared=[],
            seconds=0,
            asking=0,
            trials=brief.trials - trials,
        )
    )
