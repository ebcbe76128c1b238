"""What a change to the tests' control does: measured, never guessed.

Control is always base's. Control that only adds (under it base lists the same tests
with the same results, and no failure of head is hidden) is applied, with a notice.
Otherwise the suite runs once under head's control, and what that loses or turns better
is a finding that blocks, until a person accepts it: then head's control is applied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import Observation, Purpose, Trust
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.report import Finding
from fairtrial.domain.results import FAILURES, Outcome
from fairtrial.domain.trees import BASE, HEAD_CONTROL, Revision
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.masking import cured, masked
from fairtrial.pipeline.opening import Opening, suite_trial, with_uncollected
from fairtrial.trees.listing import bytes_of

#: Control that no test process reads: workflows, hooks, agents' instructions, and
#: the gate's own configuration, which is read from base in any case.
_UNREAD_FOLDERS: Final = frozenset(
    {".github", ".circleci", ".claude", ".cursor", ".codex"}
)
_UNREAD_NAMES: Final = frozenset(
    {
        ".fairtrial.yml",
        ".fairtrial.yaml",
        ".gitlab-ci.yml",
        "azure-pipelines.yml",
        "AGENTS.md",
        "CLAUDE.md",
        "CODEOWNERS",
        "Jenkinsfile",
        "codecov.yml",
    }
)
#: What makes a workflow the gating one.
_GATING: Final = (b"fairtrial",)
_WORKFLOWS: Final = ".github/workflows/"

RULE: Final = "control-effect"


def reaches_tests(path: RepoPath) -> bool:
    """Whether a control file is one that a test process may read."""
    pure = PurePosixPath(path)
    return pure.parts[0] not in _UNREAD_FOLDERS and pure.name not in _UNREAD_NAMES


def gating_findings(brief: Brief) -> Iterator[Finding]:
    """A finding for each change to a workflow that runs the gate."""
    for path in brief.paths(PathClass.CONTROL):
        if not path.startswith(_WORKFLOWS):
            continue
        if not any(_gates(text) for text in brief.read(path)):
            continue
        first = _sets_up(brief)
        yield Finding(
            rule=RULE,
            category=Category.CONTROL_EFFECT,
            path=path,
            decision=Decision.PASS if first else Decision.BLOCK,
            introduced=True,
            because="the first workflow that runs this gate comes with this change"
            if first
            else "the workflow that runs this gate itself changes",
        )


def _gates(text: bytes | None) -> bool:
    return any(word in (text or b"").lower() for word in _GATING)


def _sets_up(brief: Brief) -> bool:
    """Whether this is a set-up on a laptop: no workflow of base's runs the gate.

    In a job something runs it, so whatever adds another one is a person's to accept.
    """
    if brief.request.event:
        return False
    sides = brief.subject.sides
    return not any(
        _gates(bytes_of(entry, sides.read))
        for path, entry in sides.base.items()
        if path.startswith(_WORKFLOWS)
    )


def with_control(opening: Opening, brief: Brief) -> Opening:
    """The opening with head's control applied where it only adds, else measured."""
    changed = tuple(filter(reaches_tests, brief.paths(PathClass.CONTROL)))
    if not changed or opening.base is None:
        return opening
    stand = opening.stand
    under = replace(BASE, control=Revision.HEAD)
    own, other, head = stand.laboratory.perform(
        [
            suite_trial(stand, BASE, Purpose.CONTROL_EFFECT),
            suite_trial(stand, under, Purpose.CONTROL_EFFECT),
            suite_trial(stand, HEAD_CONTROL, Purpose.SUITE),
        ]
    )
    names = ", ".join(changed)
    additive = is_additive(own, other)
    if additive and not masked(opening, cured(opening.head, head)):
        return replace(
            opening,
            head=with_uncollected(stand, head, opening.inventory),
            beside=(own,),
            control=Revision.HEAD,
            notices=(
                *opening.notices,
                (
                    f"Control changes ({names}) only add: base lists the same tests "
                    "with the same results under them, so they are applied."
                ),
            ),
        )
    findings = (
        *_effects(opening.head, head, changed),
        *_lowered(own.threshold, other.threshold, changed),
    )
    if findings and brief.acceptance.given:
        return _accepted(opening, (own, other, head), findings, names)
    return replace(
        opening,
        beside=(own,),
        findings=(*opening.findings, *findings),
        notices=(
            *opening.notices,
            (
                f"Control changes ({names}) are not applied: the suite was judged "
                "under base's control."
            ),
        ),
    )


def _accepted(
    opening: Opening,
    seen: tuple[Observation, Observation, Observation],
    findings: tuple[Finding, ...],
    names: str,
) -> Opening:
    """The opening under head's control, which a person has accepted with its effects.

    Base is held against it under the same control, where that works there at all.
    """
    own, other, head = seen
    base = other if other.trust is Trust.SOUND else opening.base
    return replace(
        opening,
        head=with_uncollected(opening.stand, head, base.listed if base else ()),
        base=base,
        beside=(own,),
        control=Revision.HEAD,
        findings=(*opening.findings, *findings),
        notices=(
            *opening.notices,
            (
                f"Control changes ({names}) have been accepted with what they do: the "
                "suite was judged under head's control."
            ),
        ),
    )


def is_additive(own: Observation, other: Observation) -> bool:
    """Whether base under head's control lists and shows what it does under its own."""
    return (
        own.trust is Trust.SOUND
        and other.trust is Trust.SOUND
        and own.listed == other.listed
        and _outcomes(own) == _outcomes(other)
        and own.notices == other.notices
        and own.threshold <= other.threshold
    )


def _outcomes(observation: Observation) -> Mapping[TestId, Outcome]:
    return {test: result.outcome for test, result in observation.results.items()}


def _effects(
    judged: Observation, under: Observation, paths: tuple[RepoPath, ...]
) -> Iterator[Finding]:
    """What head's control loses, turns better, or breaks."""
    if under.trust is not Trust.SOUND:
        yield _finding(paths, f"head's suite proves nothing under it: {under.distrust}")
        return
    before, after = _outcomes(judged), _outcomes(under)
    lost = [test for test in judged.listed if test not in after]
    better = [
        test
        for test, outcome in before.items()
        if outcome in FAILURES and after.get(test) is Outcome.PASSED
    ]
    hidden = [
        test
        for test, outcome in before.items()
        if outcome is not Outcome.SKIPPED and after.get(test) is Outcome.SKIPPED
    ]
    worse = [
        test
        for test, outcome in after.items()
        if outcome in FAILURES and before.get(test) not in FAILURES
    ]
    for tests, what in (
        (lost, "is no longer run"),
        (hidden, "is skipped"),
        (better, "passes only"),
        (worse, "fails"),
    ):
        for test in tests[:1]:
            more = f" (and {len(tests) - 1} more)" if len(tests) > 1 else ""
            yield replace(
                _finding(paths, f"under head's control {test} {what}{more}"),
                test=test,
            )


def _lowered(
    own: float, other: float, paths: tuple[RepoPath, ...]
) -> Iterator[Finding]:
    """The coverage that the suite demands of itself, where head's control lowers it."""
    if other < own:
        yield _finding(
            paths,
            f"head's control lowers the coverage threshold: {other:g} instead of "
            f"{own:g} percent",
        )


def _finding(paths: tuple[RepoPath, ...], because: str) -> Finding:
    return Finding(
        rule=RULE,
        category=Category.CONTROL_EFFECT,
        path=paths[0],
        decision=Decision.BLOCK,
        side=Blame.UNKNOWN,
        introduced=True,
        because=because,
    )
