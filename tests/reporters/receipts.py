"""One receipt of each kind, made up."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from tests.reporters.sample import BASE, HEAD, REPORT

from fairtrial.domain.decisions import Decision
from fairtrial.domain.names import SuiteName, TestId
from fairtrial.domain.receipts import (
    Configuration,
    Receipt,
    Result,
    Scope,
    SuiteRan,
)
from fairtrial.reporters import report_json

TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

UNIT: Final = SuiteRan(
    name=SuiteName("unit"),
    runner="pytest",
    tried=TREE,
    passed=tuple(TestId(f"tests/test_a.py::test_{n}") for n in range(998)),
    acquitted=(TestId("tests/test_a.py::test_old"),),
    failed=(TestId("tests/test_cart.py::test_total"),),
    skipped=3,
)
#: `tests.reporters.sample.REPORT`'s own.
BLOCKED: Final = Receipt(
    tool="1.0.0",
    command="gate",
    scope=Scope.SUITE,
    result=Result.FAILED,
    exit_code=12,
    decision=Decision.BLOCK,
    head_tree=TREE,
    head_commit=HEAD,
    base_tree=TREE,
    base_commit=BASE,
    configuration=Configuration(
        name="base:.fairtrial.yml", digest={"gitBlob": "a" * 40}
    ),
    suites=(UNIT,),
    conditions={"files": "container", "fingerprint": "sha256:0"},
    report=sha256(report_json.dump(REPORT).encode()).hexdigest(),
    url="https://example.com/runs/500",
    run="500",
)
