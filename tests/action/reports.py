"""Reports for the action to deliver."""

from __future__ import annotations

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.names import SuiteName, TestId
from fairtrial.domain.report import Finding, Next, Report, RunInfo, SuiteInfo, Verdict


def _verdict(decision: Decision) -> Verdict:
    return Verdict(
        suite=SuiteName("unit"),
        test=TestId("tests/test_a.py::test_b"),
        category=Category.REGRESSION,
        side=Blame.PRODUCTION,
        introduced=True,
        decision=decision,
        context="alone",
        unit="test",
        because="Because.",
        next="Next.",
    )


REPORT = Report(
    run=RunInfo(id="1"),
    decision=Decision.BLOCK,
    requires_production_change=True,
    next=Next(actor="person", say="Decide."),
    subject=None,
    suites=(
        SuiteInfo(
            name=SuiteName("unit"), runner="pytest", passed=8, failed=2, skipped=1
        ),
        SuiteInfo(name=SuiteName("slow"), runner="pytest", passed=3, failed=1),
    ),
    verdicts=tuple(
        map(_verdict, (Decision.BLOCK, Decision.PASS, Decision.REPAIR)),
    ),
    findings=(
        Finding(rule="a", decision=Decision.BLOCK),
        Finding(rule="b", decision=Decision.INCONCLUSIVE),
    ),
)

CLEAN = Report(
    run=RunInfo(id="1"),
    decision=Decision.PASS,
    requires_production_change=False,
    next=Next(actor="none", say="Merge."),
    subject=None,
)
