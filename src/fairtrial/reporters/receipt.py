"""The receipt as an in-toto statement with a test-result predicate.

https://github.com/in-toto/attestation: `spec/v1/statement.md` and
`spec/predicates/test-result.md`; what that predicate has no field for stands under
`fairtrial`, as its rules for extension fields have it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from fairtrial.domain.receipts import Receipt, SuiteRan

STATEMENT: Final = "https://in-toto.io/Statement/v1"
PREDICATE: Final = "https://in-toto.io/attestation/test-result/v0.1"
#: Names the fields under `fairtrial`; they are only ever added to.
SCHEMA_NAME: Final = "fairtrial/receipt/v1"


def statement(receipt: Receipt) -> dict[str, Any]:
    """The statement about one run, in JSON's own types."""
    subject = [{"name": "tree", "digest": {"gitTree": receipt.head_tree}}]
    if receipt.head_commit is not None:
        digest = {"gitCommit": receipt.head_commit}
        subject.append({"name": "commit", "digest": digest})
    return {
        "_type": STATEMENT,
        "subject": subject,
        "predicateType": PREDICATE,
        "predicate": _predicate(receipt),
    }


def dump(receipt: Receipt) -> str:
    """The statement as JSON text, ASCII only, ending with a line end."""
    return json.dumps(statement(receipt), indent=1, allow_nan=False) + "\n"


def _predicate(receipt: Receipt) -> dict[str, Any]:
    configuration = receipt.configuration
    named = {"name": configuration.name, "digest": dict(configuration.digest)}
    suites = receipt.suites
    return {
        "result": receipt.result.value,
        "configuration": [named],
        **({"url": receipt.url} if receipt.url else {}),
        "passedTests": _names((suite.name, suite.passed) for suite in suites),
        "warnedTests": _names((suite.name, suite.acquitted) for suite in suites),
        "failedTests": _names((suite.name, suite.failed) for suite in suites),
        "fairtrial": {
            "schema": SCHEMA_NAME,
            "tool": receipt.tool,
            "command": receipt.command,
            "scope": receipt.scope.value,
            "decision": None if receipt.decision is None else receipt.decision.word,
            "exit_code": receipt.exit_code,
            "base": {"gitCommit": receipt.base_commit, "gitTree": receipt.base_tree},
            "suites": [_suite(suite) for suite in suites],
            "conditions": dict(receipt.conditions),
            "report": None if receipt.report is None else {"sha256": receipt.report},
            "run": {
                "id": receipt.run,
                "attempt": receipt.attempt,
                "variant": receipt.variant,
            },
        },
    }


def _names(tests: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    """Each test behind its suite's name, which has no blank; all of it valid Unicode.

    A lone surrogate stands for a byte that was no UTF-8, which JSON can't carry.
    """
    return [
        f"{suite} {test}".encode("utf-8", "backslashreplace").decode("utf-8")
        for suite, several in tests
        for test in several
    ]


def _suite(suite: SuiteRan) -> dict[str, Any]:
    return {
        "name": suite.name,
        "runner": suite.runner,
        "tried": {"gitTree": suite.tried},
        "sound": suite.sound,
        "passed": len(suite.passed),
        "acquitted": len(suite.acquitted),
        "failed": len(suite.failed),
        "skipped": suite.skipped,
    }
