"""Whether a receipt agrees with itself, with a report, and with a tree."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from fairtrial.domain.decisions import Decision
from fairtrial.domain.receipts import Result, Scope
from fairtrial.domain.report import Report
from fairtrial.reporters.receipt_reader import GivenReceipt


class Holds(Enum):
    """What a check came to."""

    YES = "holds"
    NO = "does not hold"
    UNKNOWN = "can't be told"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at, and a sentence about it."""

    what: str
    holds: Holds
    say: str


def all_of(checks: Iterable[Check]) -> Holds:
    """What all of them come to; nothing checked is nothing known."""
    found = {check.holds for check in checks}
    if Holds.NO in found:
        return Holds.NO
    return Holds.YES if found == {Holds.YES} else Holds.UNKNOWN


def agrees_with_itself(given: GivenReceipt) -> Check:
    """Whether the result is one that its own counts and decision allow."""
    wrong = _ambiguity(given) or _contradiction(given)
    if wrong:
        return Check(what="result", holds=Holds.NO, say=wrong)
    passed = len(given.predicate["passedTests"])
    failed = len(given.predicate["failedTests"])
    warned = len(given.predicate["warnedTests"])
    say = f"{given.result.value}: {passed} passed, {failed} failed"
    if warned:
        say += f", {warned} acquitted"
    if given.scope is Scope.LISTED:
        say += ", of tests that somebody chose"
    decision = given.more["decision"]
    if decision is not None:
        say += f"; the decision is {decision}"
    return Check(what="result", holds=Holds.YES, say=f"{say}.")


def _ambiguity(given: GivenReceipt) -> str:
    """A name under one receipt must not be one under other trees as well."""
    for what in ("gitTree", "gitCommit"):
        if len(given.digests(what)) > 1:
            return f"It is about several subjects ({what}), and a run is about one."
    return ""


def _contradiction(given: GivenReceipt) -> str:
    more, predicate = given.more, given.predicate
    lists = (
        ("passed", "passedTests"),
        ("acquitted", "warnedTests"),
        ("failed", "failedTests"),
    )
    names = [suite["name"] for suite in more["suites"]]
    if len(set(names)) != len(names):
        return "A suite is in it twice."
    for count, field in lists:
        said = {suite["name"]: suite[count] for suite in more["suites"]}
        if {name: n for name, n in said.items() if n} != dict(given.names(field)):
            return f"Its suites' counts and its list of {count} tests disagree."
    good = given.result is not Result.FAILED
    decision = more["decision"]
    if more["command"] == "gate" and decision is None:
        return "A gate decides, and this one did not."
    if more["command"] == "gate" and Decision[decision.upper()] != more["exit_code"]:
        return f"Its decision is {decision}, its exit code {more['exit_code']}."
    if good and more["exit_code"] != 0:
        return f"It says {given.result.value}, and exit code {more['exit_code']}."
    if good and not all(suite["sound"] for suite in more["suites"]):
        return f"It says {given.result.value}, and that a report can't be believed."
    if good and (predicate["failedTests"] or not predicate["passedTests"]):
        return f"It says {given.result.value}, and its lists of tests do not."
    if given.result is Result.PASSED and predicate["warnedTests"]:
        return "It says PASSED, and names failures that were acquitted."
    return ""


def agrees_with_report(given: GivenReceipt, data: bytes, report: Report) -> Check:
    """Whether these bytes are the report that the receipt is about."""

    def no(say: str) -> Check:
        return Check(what="report", holds=Holds.NO, say=say)

    digest = given.more["report"]
    if digest is None:
        return no("The receipt is about a run without a report.")
    if digest.get("sha256") != hashlib.sha256(data).hexdigest():
        return no("The report is not the one that the receipt is about.")
    if given.more["decision"] != report.decision.word:
        return no("The report has another decision.")
    if report.exit_code != given.more["exit_code"]:
        return no("The report has another exit code.")
    tried = {each.name: each for each in report.suites if each.state == "tried"}
    for suite in given.more["suites"]:
        one = tried.pop(suite["name"], None)
        if one is None and not suite["sound"]:
            continue
        if one is None or one.passed != suite["passed"]:
            return no(f"The report knows another run of suite {suite['name']}.")
    if tried:
        return no(f"The report knows a suite that the receipt lacks: {min(tried)}.")
    return Check(what="report", holds=Holds.YES, say="It is the report of this run.")


def is_about(given: GivenReceipt, tree: str, what: str) -> bool:
    """Whether its subject is a tree or commit, by git's id of one algorithm."""
    return tree in given.digests(what)
