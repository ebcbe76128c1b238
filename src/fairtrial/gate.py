"""The product in nine steps: a change in, a report out."""

from __future__ import annotations

from contextlib import ExitStack

from fairtrial.domain.report import Report
from fairtrial.domain.request import Request
from fairtrial.pipeline.affected import affected
from fairtrial.pipeline.authority import bounds_findings
from fairtrial.pipeline.brief import read_brief
from fairtrial.pipeline.broken import broken_findings
from fairtrial.pipeline.comparing import comparison_of
from fairtrial.pipeline.control import gating_findings
from fairtrial.pipeline.demands import demands_of
from fairtrial.pipeline.earning import earned_findings
from fairtrial.pipeline.environment import environment_findings
from fairtrial.pipeline.evidence import evidence_of
from fairtrial.pipeline.gathered import gathered
from fairtrial.pipeline.inquest import inquire
from fairtrial.pipeline.integrity import integrity_findings
from fairtrial.pipeline.new_tests import new_test_findings
from fairtrial.pipeline.openings import open_suites
from fairtrial.pipeline.publishing import publish
from fairtrial.pipeline.receipts import receipt_of_gate
from fairtrial.pipeline.recognising import recognition_findings
from fairtrial.pipeline.reporting import Proceedings, nothing_to_judge, report_of
from fairtrial.pipeline.stand import stand_up
from fairtrial.pipeline.steering import steering_findings
from fairtrial.pipeline.verdicts import pronounced
from fairtrial.pipeline.world import World
from fairtrial.subject.workspace import open_repository


def run(request: Request, world: World) -> Report:
    """The report on one change; its decision is the gate's.

    Raises the errors of `domain.errors` when nothing can be judged at all. Whatever
    happens, nothing that the run made is left behind.
    """
    begun = world.clock()
    with open_repository(request.repo, world.environ) as git, ExitStack() as closers:
        # (1) Subject: what is judged, against what, under the base's settings.
        brief = read_brief(git, request, world, closers)
        subject = brief.subject
        world.progress.step(f"{subject.how} Configuration: {subject.settings.source}.")
        suites, spared = affected(brief)
        if subject.equal or not suites:
            return publish(nothing_to_judge(brief, spared), request)

        # (2) Bench: each suite's trees are built once, base first, and frozen.
        stands = [stand_up(suite, brief) for suite in suites]

        # (3) Suite trial at head, with base's inventory beside it; what the change
        #     does to the tests' control is measured here.
        openings = open_suites(stands, brief)

        #     So is, in the sources, what it did to what the tests demand.
        asked, trials = world.clock(), brief.trials
        comparison = comparison_of(brief)
        sound = [opening for opening in openings if opening.sound]
        demands = [demands_of(opening, brief, comparison) for opening in sound]

        # (4) Inquiry: each failure is asked about until nothing is left to learn.
        inquiries = [
            inquire(opening, brief, each.equal)
            for opening, each in zip(sound, demands, strict=True)
        ]

        # (5) Diagnosis: each failure's verdict, which kind of failure it is and where,
        #     and, pinned down by trials of their own, what victims trip over.
        verdicts = tuple(pronounced(sound, inquiries, brief))

        # (6) Integrity: what the change did to the tests, the trees and the gate.
        findings = (
            *gating_findings(brief),
            *broken_findings(stands, brief),
            *integrity_findings(openings),
            *steering_findings(openings, brief),
            *bounds_findings(brief),
            *gathered(earned_findings(sound, demands, brief)),
            *new_test_findings(sound, demands, brief),
            *recognition_findings(brief),
            *environment_findings(sound),
        )

        # (7) Judgement: verdicts and findings to one decision. Pure.
        report = report_of(
            Proceedings(
                brief=brief,
                stands=stands,
                openings=openings,
                verdicts=verdicts,
                findings=findings,
                spared=spared,
                seconds=world.clock() - begun,
                asking=world.clock() - asked,
                trials=brief.trials - trials,
            )
        )
        receipt = receipt_of_gate(brief, report, openings)

    # (8) Rendering and (9) delivery, when nothing of the change runs any more. The
    #     comment is posted by another job.
    return publish(report, request, receipt, evidence_of(openings))
