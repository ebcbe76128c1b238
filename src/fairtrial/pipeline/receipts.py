"""What a run's receipt says: read off its brief and what its suites showed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from fairtrial import __version__
from fairtrial.domain.decisions import Decision
from fairtrial.domain.experiments import Observation, Trust
from fairtrial.domain.names import RepoPath, SuiteName, TestId
from fairtrial.domain.receipts import (
    Configuration,
    Receipt,
    Scope,
    SuiteRan,
    result_of,
)
from fairtrial.domain.report import Report
from fairtrial.domain.results import Outcome
from fairtrial.domain.settings import Settings
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.opening import Opening
from fairtrial.pipeline.reporting import levels_reached
from fairtrial.pipeline.stand import Stand
from fairtrial.trees.identity import tree_id

_BASE: Final = "base:"

#: Did not hold, or nothing shows that it did.
_BAD: Final = frozenset(Outcome) - {Outcome.PASSED, Outcome.SKIPPED}


def receipt_of_gate(
    brief: Brief, report: Report, openings: Sequence[Opening]
) -> Receipt | None:
    """The receipt of a judged change; None where no suite was tried."""
    acquitted = {
        (verdict.suite, verdict.test)
        for verdict in report.verdicts
        if verdict.decision is Decision.PASS
    }
    suites = tuple(_suite(each.stand, each.head, brief, acquitted) for each in openings)
    if not suites:
        return None
    found = _receipt(brief, suites, report.exit_code, report.decision)
    return replace(found, command="gate", conditions=report.conditions)


def receipt_of_run(
    brief: Brief,
    ran: Sequence[tuple[Stand, Observation]],
    *,
    exit_code: int,
    scope: Scope,
) -> Receipt | None:
    """The receipt of a run that nobody judged; None where nothing ran."""
    suites = tuple(_suite(stand, seen, brief, frozenset()) for stand, seen in ran)
    if not suites:
        return None
    conditions = levels_reached([stand for stand, _ in ran])
    found = _receipt(brief, suites, exit_code, None)
    return replace(found, scope=scope, conditions=conditions)


def _receipt(
    brief: Brief,
    suites: tuple[SuiteRan, ...],
    exit_code: int,
    decision: Decision | None,
) -> Receipt:
    subject, event = brief.subject, brief.request.event
    sides = subject.sides
    attempt = event.get("GITHUB_RUN_ATTEMPT", "")
    return Receipt(
        tool=__version__,
        command="run",
        scope=Scope.SUITE,
        result=result_of(suites, exit_code, decision),
        exit_code=exit_code,
        decision=decision,
        head_tree=tree_id(sides.head),
        head_commit=None if subject.working_tree else subject.head,
        base_tree=tree_id(sides.base),
        base_commit=subject.base,
        configuration=_configuration(brief),
        suites=suites,
        url=_url(event),
        run=event.get("GITHUB_RUN_ID") or "local",
        attempt=int(attempt) if attempt.isdecimal() else 1,
        variant=brief.request.variant,
    )


def _suite(
    stand: Stand,
    seen: Observation,
    brief: Brief,
    acquitted: Collection[tuple[SuiteName, TestId]],
) -> SuiteRan:
    name = stand.suite.name
    outcomes = {test: result.outcome for test, result in seen.results.items()}
    bad = [test for test, outcome in outcomes.items() if outcome in _BAD]
    return SuiteRan(
        name=name,
        runner=stand.suite.runner,
        tried=tree_id(brief.source.listing(seen.experiment.tree)),
        passed=tuple(t for t, each in outcomes.items() if each is Outcome.PASSED),
        acquitted=tuple(test for test in bad if (name, test) in acquitted),
        failed=tuple(test for test in bad if (name, test) not in acquitted),
        skipped=sum(each is Outcome.SKIPPED for each in outcomes.values()),
        sound=seen.trust is Trust.SOUND,
    )


def _configuration(brief: Brief) -> Configuration:
    """The base's file by git's id; else what was given or found, by its content."""
    source = brief.settings.source
    entry = brief.subject.sides.base.get(RepoPath(source.removeprefix(_BASE)))
    if source.startswith(_BASE) and entry is not None:
        return Configuration(name=source, digest={"gitBlob": entry.blob})
    return Configuration(name=source, digest={"sha256": _digest(brief.settings)})


def _digest(settings: Settings) -> str:
    plain = json.dumps(asdict(settings), sort_keys=True, default=str, skipkeys=True)
    return hashlib.sha256(plain.encode()).hexdigest()


def _url(event: Mapping[str, Any]) -> str | None:
    server, repository = event.get("GITHUB_SERVER_URL"), event.get("GITHUB_REPOSITORY")
    run = event.get("GITHUB_RUN_ID")
    if not (server and repository and run):
        return None
    return f"{server}/{repository}/actions/runs/{run}"
