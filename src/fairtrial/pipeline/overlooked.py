"""Which tests of base fall on head's production although no source shows them touched.

What a change does to tests can't all be read: tests are generated, imported by others,
written in documents; a new module may patch production for the whole session. So all
of base's suite is tried on head's production once. What falls there and passes at head
was held up by something of the change; taking that back piece by piece shows by what.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from fairtrial.domain.decisions import Decision
from fairtrial.domain.demands import Difference
from fairtrial.domain.experiments import (
    ALONE,
    Observation,
    Purpose,
    Trust,
)
from fairtrial.domain.names import OverlayId, RepoPath, TestId
from fairtrial.domain.paths import PERSONS_CLASSES, PathClass
from fairtrial.domain.report import Finding
from fairtrial.domain.results import FAILURES, Failure, Outcome, Phase
from fairtrial.domain.settings import Authority
from fairtrial.domain.trees import BASE_TESTS, HEAD, Revision, canonical
from fairtrial.integrity import language_of
from fairtrial.integrity.comparing.resources import difference_of, text_of
from fairtrial.integrity.comparing.rules import Rule
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.comparing import changed_tests
from fairtrial.pipeline.opening import (
    Opening,
    listed_trial,
    suite_trial,
    with_uncollected,
)
from fairtrial.pipeline.oracle import Tried, asserted, inquired, performed
from fairtrial.pipeline.stood_back import docstrings_of, stood_back
from fairtrial.pipeline.unbuilt import try_by_itself
from fairtrial.policy.effects import (
    Edit,
    Killed,
    Oracle,
    consequence_of,
    effect_of,
)

#: Tests that are inquired into and told; more of them say no more.
MOST: Final = 5
#: Files of the change that are taken back by themselves, one trial each.
_MOST_CAUSES: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlooked:
    """One test of base that falls on head's production, and what holds it up."""

    test: TestId
    tried: Tried
    failure: Failure | None
    #: It passes at head in the company of the suite only.
    masked: bool = False
    #: Base's version of this file alone makes it fall at head.
    cause: RepoPath | None = None


def overlooked_findings(
    opening: Opening, brief: Brief, asked: AbstractSet[TestId]
) -> Iterator[Finding]:
    """A finding for each test that only the experiment shows, beside those `asked`."""
    left = [test for test in opening.inventory if test not in asked]
    if not left or not _matters(brief):
        return
    back = stood_back(opening, brief)
    if not back and not changed_tests(brief):
        return
    overlay = None
    if back:
        overlay = OverlayId(f"stood back {opening.stand.suite.name}")
        brief.source.lay(overlay, back)
    whole = _whole(opening, brief, overlay)
    if whole.trust is not Trust.SOUND:
        yield Finding(
            rule="base-tests-untried",
            decision=Decision.INCONCLUSIVE,
            introduced=True,
            because=(
                f"suite {opening.stand.suite.name}: base's tests can't be tried on "
                f"head's production: {whole.distrust}"
            ),
        )
        return
    at_head, on_head = opening.head.results, whole.results
    suspects = tuple(
        test
        for test in left
        if test in on_head
        and on_head[test].outcome in FAILURES
        and test in at_head
        and at_head[test].outcome is Outcome.PASSED
    )[: MOST * 2]
    if not suspects:
        return
    fallen = _fallen(opening, brief, whole, suspects, overlay)
    causes = {path: brief.read(path)[0] for path in sorted(changed_tests(brief))}
    told: set[tuple[str | None, int | None, object]] = set()
    for one in _explained(opening, brief, fallen[:MOST], {**causes, **back}):
        # What could not even run is mended by whatever makes it run.
        if one.tried.oracle is Oracle.BROKEN_BEFORE and not one.masked:
            continue
        finding = _finding(one, opening, brief)
        if finding is None:
            continue
        # What one file brings about is told once.
        key = (finding.path, finding.line, finding.category)
        if one.cause is None or key not in told:
            told.add(key)
            yield finding


def _matters(brief: Brief) -> bool:
    """Whether it would be told what only such a trial shows.

    Where no production changes, all that can be hidden is that base was red: that is
    for a person to do.
    """
    match brief.subject.authority:
        case Authority.PERSON:
            return bool(PERSONS_CLASSES & brief.changed)
        case Authority.FEATURE | Authority.REPAIR:
            return True


def _whole(opening: Opening, brief: Brief, overlay: OverlayId | None) -> Observation:
    changed = brief.changed - {PathClass.TEST}
    tree = canonical(replace(BASE_TESTS, control=opening.control), changed)
    trial = suite_trial(opening.stand, tree, Purpose.ORACLE)
    (seen,) = performed(opening, [trial], overlay)
    return with_uncollected(opening.stand, seen, opening.inventory)


def _fallen(
    opening: Opening,
    brief: Brief,
    whole: Observation,
    suspects: tuple[TestId, ...],
    overlay: OverlayId | None,
) -> list[Overlooked]:
    """Those of the suspects that were never seen to hold on head's production."""
    found = []
    unbuilt = [test for test in suspects if _is_unbuilt(whole, test)]
    built = tuple(test for test in suspects if test not in unbuilt)
    shown = dict(inquired(opening, brief, whole, built, overlay)) if built else {}
    for test in unbuilt[:MOST]:
        oracle, because = try_by_itself(opening, brief, test, whole)
        shown[test] = Tried(oracle=oracle, because=because)
    for test, tried in shown.items():
        if _told(tried):
            failure = whole.results[test].failure
            found.append(Overlooked(test=test, tried=tried, failure=failure))
    return found


def _is_unbuilt(whole: Observation, test: TestId) -> bool:
    failure = whole.results[test].failure
    return failure is not None and failure.phase is Phase.COLLECT


def _told(tried: Tried) -> bool:
    match tried.oracle:
        case Oracle.FAILS | Oracle.OTHERWISE | Oracle.CONTRACT_REMOVED:
            return True
        case Oracle.UNKNOWN:
            # A test that flakes is nothing that the change holds up.
            cells = () if tried.verdict is None else tried.verdict.evidence
            head = Revision.HEAD.value
            return not any(cell.passed for cell in cells if cell.production == head)
        case Oracle.RED_BEFORE | Oracle.BROKEN_BEFORE:
            return True
        case Oracle.HOLDS | Oracle.CONTAMINATED:
            return False


def _explained(
    opening: Opening,
    brief: Brief,
    fallen: Sequence[Overlooked],
    causes: Mapping[RepoPath, bytes | None],
) -> Iterator[Overlooked]:
    tree = replace(HEAD, control=opening.control)
    alone = opening.stand.laboratory.perform(
        [
            listed_trial(opening.stand, tree, (one.test,), Purpose.ORACLE, ALONE)
            for one in fallen
        ]
    )
    sound = []
    for one, seen in zip(fallen, alone, strict=True):
        if _passes(seen, one.test):
            sound.append(one)
        else:
            yield replace(one, masked=True)
    tests = tuple(one.test for one in sound)
    paths = list(causes)[:_MOST_CAUSES] if tests else []
    trials = []
    for path in paths:
        overlay = OverlayId(f"taken back {path}")
        brief.source.lay(overlay, {path: causes[path]})
        laid = replace(tree, overlay=overlay)
        trials.append(listed_trial(opening.stand, laid, tests, Purpose.ORACLE))
    back = opening.stand.laboratory.perform(trials)
    for one in sound:
        by = (
            p
            for p, seen in zip(paths, back, strict=True)
            if not _passes(seen, one.test)
        )
        yield replace(one, cause=next(by, None))


def _passes(seen: Observation, test: TestId) -> bool:
    result = seen.results.get(test)
    return (
        seen.trust is Trust.SOUND
        and result is not None
        and result.outcome is Outcome.PASSED
    )


def _finding(one: Overlooked, opening: Opening, brief: Brief) -> Finding | None:
    effect = effect_of(_edit(one), one.tried.oracle, Killed.UNMEASURED)
    consequence = consequence_of(effect, brief.subject.authority)
    if consequence is None:
        return None
    difference = _difference(one.cause, one.test, brief)
    path = opening.stand.laboratory.runner.file_of(one.test)
    return Finding(
        rule="test-edited" if difference is None else difference.rule,
        path=path if difference is None else difference.path,
        line=None if difference is None else difference.line or None,
        test=one.test,
        effect=effect.value,
        was=None if difference is None else difference.was or None,
        now=None if difference is None else difference.now or None,
        decision=consequence.decision,
        side=consequence.side,
        introduced=consequence.decision is not Decision.PASS,
        category=consequence.category,
        because=_because(one),
    )


def _edit(one: Overlooked) -> Edit:
    """What is not recognised is taken for less.

    Values that only data holds are re-specified by an edit of it, and so is a test
    whose set-up goes with head's production: that it can't run is no finding of its.
    """
    if one.masked:
        return Edit.WEAKENED
    if one.cause is not None and (
        language_of(one.cause) is None or _is_doctest(one.test, one.cause)
    ):
        return Edit.RE_SPECIFIED
    return Edit.WEAKENED if asserted(one.failure) else Edit.RE_SPECIFIED


def _difference(
    cause: RepoPath | None, test: TestId, brief: Brief
) -> Difference | None:
    if cause is None:
        return None
    base, head = brief.read(cause)
    if cause not in changed_tests(brief) and _is_doctest(test, cause):
        was, now = docstrings_of(base or b""), docstrings_of(head or b"")
        found = difference_of(Rule.EXPECTED_CHANGED, cause, was, now)
        return replace(found, line=0)
    code = language_of(cause) is not None
    rule = Rule.FIXTURE_CHANGED if code else Rule.GOLDEN_CHANGED
    return difference_of(rule, cause, text_of(base), text_of(head))


def _is_doctest(test: TestId, path: RepoPath) -> bool:
    """Whether a test is what a docstring of this file says."""
    file, _, name = test.partition("::")
    return file == path and "." in name and "::" not in name


def _because(one: Overlooked) -> str:
    message = "" if one.failure is None else one.failure.message.partition("\n")[0]
    told = f" ({message})" if message else ""
    where = (
        "it passes at head only in the company of what the change adds"
        if one.masked
        else "the change's own version of other files makes it pass at head"
        if one.cause is None
        else f"what the change made of {one.cause} makes it pass at head"
    )
    return (
        f"base's version of it fails {_where_it_fails(one.tried.oracle)}{told}; "
        f"nothing of the test itself changes, and {where}"
    )


def _where_it_fails(oracle: Oracle) -> str:
    match oracle:
        case Oracle.RED_BEFORE | Oracle.BROKEN_BEFORE | Oracle.OTHERWISE:
            return "at both sides"
        case Oracle.FAILS | Oracle.CONTRACT_REMOVED:
            return "on head's production and holds on base's"
        case Oracle.UNKNOWN | Oracle.HOLDS | Oracle.CONTAMINATED:
            return "on head's production"
