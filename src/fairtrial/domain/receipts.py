"""What a receipt says: which tree took the sanctioned path, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fairtrial.domain.decisions import Decision
from fairtrial.domain.names import SuiteName, TestId


class Scope(StrEnum):
    """How much of a suite was run."""

    #: All of it.
    SUITE = "suite"
    #: Only tests that somebody named.
    LISTED = "listed"


class Result(StrEnum):
    """What in-toto's test-result predicate calls the outcome of a run."""

    PASSED = "PASSED"
    #: It does not count against the tree, and not everything passed.
    WARNED = "WARNED"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRan:
    """What one suite's own report proves of its run."""

    name: SuiteName
    runner: str
    #: git's id of the tree as it was tried: head's, under base's control.
    tried: str
    passed: tuple[TestId, ...] = ()
    #: Failures that do not count against the tree.
    acquitted: tuple[TestId, ...] = ()
    failed: tuple[TestId, ...] = ()
    skipped: int = 0
    #: Its exit code, report and inventory agree.
    sound: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What the run went by: "base:.fairtrial.yml", and its digest by algorithm."""

    name: str
    digest: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Everything that a receipt says; ids are git's, digests are SHA-256."""

    tool: str
    #: "gate" or "run".
    command: str
    scope: Scope
    result: Result
    exit_code: int
    #: None: the command judges nothing.
    decision: Decision | None = None
    head_tree: str
    #: None: a working tree.
    head_commit: str | None = None
    base_tree: str
    base_commit: str
    configuration: Configuration
    suites: tuple[SuiteRan, ...] = ()
    #: Levels of isolation by name, and `fingerprint`.
    conditions: Mapping[str, str] = field(default_factory=dict)
    #: The digest of `report.json`; None: there is none.
    report: str | None = None
    #: Where the run can be looked at; None outside a workflow.
    url: str | None = None
    #: The run's own id, attempt and variant.
    run: str = "local"
    attempt: int = 1
    variant: str | None = None


def result_of(
    suites: tuple[SuiteRan, ...], exit_code: int, decision: Decision | None
) -> Result:
    """The one word for a run; PASSED only where tests ran and every one passed."""
    sound = bool(suites) and all(suite.sound for suite in suites)
    passed = sum(len(suite.passed) for suite in suites)
    if exit_code or not sound or not passed:
        return Result.FAILED
    if decision not in {None, Decision.PASS}:
        return Result.FAILED
    if any(suite.failed for suite in suites):
        return Result.FAILED
    warned = any(suite.acquitted for suite in suites)
    return Result.WARNED if warned else Result.PASSED
