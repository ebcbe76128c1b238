"""A report with a little of everything, for the tests of what is made of it."""

from __future__ import annotations

from dataclasses import replace

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.names import SuiteName, TestId
from fairtrial.domain.report import (
    CellInfo,
    Cost,
    Culprit,
    FailureInfo,
    Finding,
    Next,
    Report,
    RunInfo,
    SubjectInfo,
    SuiteInfo,
    Verdict,
)

HEAD = "a" * 40
BASE = "b" * 40


def cell(context: str, production: str = "head", tests: str = "head") -> CellInfo:
    """An empty cell; fill it with `replace`."""
    return CellInfo(
        production=production,
        dependencies=production,
        migration=production,
        tests=tests,
        control="base",
        context=context,
    )


REGRESSION = Verdict(
    suite=SuiteName("unit"),
    test=TestId("tests/test_cart.py::test_total"),
    category=Category.REGRESSION,
    side=Blame.PRODUCTION,
    introduced=True,
    decision=Decision.BLOCK,
    context="alone",
    unit="test",
    culprit=(Culprit(path="src/cart.py", lines="41-47"),),
    failure=FailureInfo(
        kind="assertion",
        phase="call",
        type="AssertionError",
        message="assert 13 == 7\n +  where 13 = total()",
        expected="7",
        actual="13",
        where="tests/test_cart.py:12",
    ),
    evidence=(
        replace(cell("alone", "base", "base"), passed=3),
        replace(cell("alone"), failed=3),
    ),
    because="reverting src/cart.py:41-47 makes it pass",
    next="a person decides whether the production change is meant",
)

VICTIM = Verdict(
    suite=SuiteName("unit"),
    test=TestId("tests/test_state.py::test_empty"),
    category=Category.VICTIM,
    side=Blame.UNKNOWN,
    introduced=False,
    decision=Decision.PASS,
    context="suite",
    unit="test",
    polluters=(TestId("tests/test_a.py::test_first"),),
    evidence=(
        replace(cell("suite"), failed=2),
        replace(cell("suite", "base", "base"), failed=2),
        replace(cell("alone"), passed=3),
    ),
    because="it fails after tests/test_a.py::test_first at base, too",
    next="nothing in this change",
)

LEAK = replace(
    VICTIM,
    test=TestId("tests/test_orders.py::test_import"),
    decision=Decision.REPAIR,
    side=Blame.TESTS,
    introduced=True,
)

REPORT = Report(
    run=RunInfo(id="500", attempt=1),
    decision=Decision.BLOCK,
    requires_production_change=True,
    next=Next(actor="person", say="Decide whether src/cart.py may change."),
    subject=SubjectInfo(
        head=HEAD,
        base=BASE,
        authority="person",
        configuration="base:.fairtrial.yml",
        changed={"production": ("src/cart.py",), "test": ()},
    ),
    suites=(
        SuiteInfo(
            name=SuiteName("unit"),
            runner="pytest",
            listed=1000,
            passed=998,
            failed=2,
            seconds=48.25,
        ),
    ),
    verdicts=(VICTIM, REGRESSION),
    findings=(
        Finding(rule="coverage-threshold", because="the threshold of 80 % was missed"),
    ),
    conditions={"files": "container", "user": "dropped", "fingerprint": "sha256:0"},
    cost=Cost(trials=22, seconds=31.0, suite_seconds=48.25),
    exit_code=12,
    notices=("Settings were detected: no .fairtrial.yml at base.",),
)

PASSED = replace(
    REPORT,
    decision=Decision.PASS,
    requires_production_change=False,
    next=Next(actor="none", say=""),
    verdicts=(),
    findings=(),
    notices=(),
    exit_code=0,
)
