"""Is this an audit? Reads `audit.json` as data that an attacker may have made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fairtrial.domain.names import SuiteName, TestId
from fairtrial.reporters.strict_json import JsonRefused, check, parse

SCHEMA_NAME: Final = "fairtrial/audit/v1"
#: Bytes.
SIZE_LIMIT: Final = 32_000_000


class AuditRefused(ValueError):  # noqa: N818 - said as people say it
    """It is no audit; the message says why, in a part of a sentence."""


def guesses(data: bytes) -> Mapping[SuiteName, Mapping[TestId, Any]]:
    """By suite and test, the sets that an audit confirmed; raises AuditRefused."""
    found: dict[SuiteName, dict[TestId, tuple[tuple[TestId, ...], ...]]] = {}
    for each in load(data)["findings"]:
        sets = tuple(
            tuple(map(TestId, one)) for one in (*each["polluters"], *each["setters"])
        )
        tests = found.setdefault(SuiteName(each["suite"]), {})
        test = TestId(each["test"])
        tests[test] = (*tests.get(test, ()), *sets)
    return found


def load(data: bytes) -> Mapping[str, Any]:
    """The document, of which every field has its type; raises AuditRefused only."""
    try:
        document = parse(data, SIZE_LIMIT)
        check(document, "audit")
    except JsonRefused as wrong:
        raise AuditRefused(str(wrong)) from wrong
    loaded: Mapping[str, Any] = document
    return loaded
