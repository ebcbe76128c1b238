"""An audit as `audit.json`, as a page, and as lines for a terminal.

`audit.schema.json` beside this file is its JSON Schema; fields are only ever added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fairtrial.domain.audit import Audit, AuditedSuite, AuditFinding, AuditState
from fairtrial.reporters import plain_json
from fairtrial.reporters.audit_reader import SCHEMA_NAME
from fairtrial.reporters.hostile import code, console, prose

#: Sets of polluters that a page names, and tests of one set.
_SETS: Final = 5
_TESTS: Final = 10


def dump(audit: Audit) -> str:
    """The audit as JSON text, ASCII only, ending with a line end."""
    return plain_json.dump(SCHEMA_NAME, audit)


def lines(audit: Audit) -> Iterator[str]:
    """What a person who waited for it reads, a line each."""
    for suite in audit.suites:
        yield f"suite {suite.name}: {_state(suite)}"
    for finding in audit.findings:
        yield f"{finding.weakness.value}: {console(finding.test, 300)}"
        yield f"  {finding.because}{_counts(finding)}"
        for word, sets in (("after", finding.polluters), ("needs", finding.setters)):
            for tests in sets[:_SETS]:
                yield f"  {word} {console(_joined(tests), 600)}"
        yield f"  {finding.next}"
    yield _end(audit)


def markdown(audit: Audit) -> str:
    """The same as a page."""
    parts = ["# Audit", "", _end(audit), ""]
    for suite in audit.suites:
        parts += [f"- suite {code(suite.name)}: {prose(_state(suite))}"]
        parts += [
            f"  - fails already, and is not audited: {code(each, 300)}"
            for each in suite.failing[:_TESTS]
        ]
    for finding in audit.findings:
        parts += ["", f"## {finding.weakness.value}: {code(finding.test, 300)}", ""]
        parts += [prose(finding.because + _counts(finding)), ""]
        for word, sets in (("after", finding.polluters), ("needs", finding.setters)):
            for tests in sets[:_SETS]:
                named = ", ".join(code(each, 300) for each in tests[:_TESTS])
                more = len(tests) - _TESTS
                parts += [f"- {word} {named}" + (f" and {more} more" * (more > 0))]
        parts += ["", prose(finding.next)]
    return "\n".join(parts) + "\n"


def _joined(tests: Sequence[str]) -> str:
    more = len(tests) - _TESTS
    named = ", ".join(tests[:_TESTS])
    return f"{named} and {more} more" if more > 0 else named


def _counts(finding: AuditFinding) -> str:
    if not finding.failed:
        return ""
    return f" Failed {finding.failed} of {finding.failed + finding.passed} times."


def _state(suite: AuditedSuite) -> str:
    if suite.state is AuditState.UNTRUSTED:
        return f"not audited: {suite.note}"
    share = 100 * suite.pairs_covered / suite.pairs if suite.pairs else 100
    said = (
        f"{suite.tests} tests, {suite.repeats} times in its own order"
        f"{_bound(suite)}, {suite.twice} twice in a row, {suite.orders} of "
        f"{suite.orders_needed} orders ({share:.0f} % of {suite.pairs} pairs)"
    )
    if suite.failing:
        said += f"; {len(suite.failing)} fail already and are not audited"
    return f"{said}; {suite.note}" if suite.note else said


def _bound(suite: AuditedSuite) -> str:
    if suite.rate_below is None:
        return ""
    return f" (what never failed fails less often than {100 * suite.rate_below:.0f} %)"


def _end(audit: Audit) -> str:
    count = len(audit.findings)
    if count:
        return f"{count} {'test has' if count == 1 else 'tests have'} a weakness."
    if audit.exit_code == 0:
        return "Nothing was found, and every pair was tried."
    return "Nothing was found in what was tried, which is not all."
