"""What an inquiry amounts to: one verdict for each failed test."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from fairtrial.diagnosis import kind_of
from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.evidence import Cell
from fairtrial.domain.experiments import Context, ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.domain.names import HunkId, TestId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.report import CellInfo, Culprit, FailureInfo, Verdict
from fairtrial.domain.results import Failure, Outcome, Signature
from fairtrial.domain.trees import Revision, Tree, canonical
from fairtrial.inquiry.casing import Facts, Halt, case_of, facts_of
from fairtrial.inquiry.state import Inquiry
from fairtrial.policy.bounds import Judged, bound, pre_existing_limit
from fairtrial.verdicts import judge

#: Longest message and value kept of a failure, in characters.
MESSAGE = 2_000
VALUE = 500


def verdicts_of(
    inquiry: Inquiry, pre_existing_max: int, replay: Callable[[Verdict], str]
) -> tuple[Verdict, ...]:
    """A verdict for each failed test of one suite, in the order they ran."""
    facts = {test: facts_of(inquiry, test) for test in inquiry.failed}
    judged = [
        Judged(
            test=test,
            judgement=halted(facts[test], judge(case_of(inquiry, test))),
            failure=failure_of(inquiry, test),
        )
        for test in inquiry.failed
    ]
    limit = pre_existing_limit(pre_existing_max, len(inquiry.listed))
    bounded = bound(judged, limit)
    return tuple(
        _verdict(inquiry, one, judgement, facts[one.test], replay)
        for one, judgement in zip(judged, bounded, strict=True)
    )


def halted(facts: Facts, judgement: Judgement) -> Judgement:
    """The judgement of a test that was not tried to the end: it can't pass on that.

    A block or repair that the evidence already shows stands.
    """
    heavy = judgement.decision is Decision.BLOCK
    match facts.halt:
        case Halt.ANSWERED:
            return judgement
        case Halt.LOST if not heavy:
            return _untold(
                judgement,
                Category.ENVIRONMENT,
                f"Something that the suite needs went away meanwhile: {facts.lost}",
                "Look why it ended, and run again: this says nothing about the code.",
            )
        case Halt.ENVIRONMENT if not heavy:
            return _untold(
                judgement,
                Category.ENVIRONMENT,
                "Many tests fail alike, and so does one of them alone at base: the "
                "bench seems to lack something.",
                "Give the bench what it lacks: a service, a submodule, LFS content, "
                "a plug-in.",
            )
        case Halt.ENOUGH if not heavy:
            return _untold(
                judgement,
                Category.UNTRIED,
                "Other failures block already; it was not tried to the end.",
                "Mend those first; then this one is tried.",
            )
        case Halt.BEYOND if judgement.decision is Decision.PASS:
            return _untold(
                judgement,
                Category.INCONCLUSIVE,
                "Too many tests fail to try each one to the end, and this one can't "
                "pass on the little that was tried.",
                "Mend the others first, or give the run a larger budget.",
            )
        case Halt.BUDGET if judgement.decision is Decision.PASS:
            return _untold(
                judgement,
                Category.INCONCLUSIVE,
                "The budget ended before the inquiry did.",
                "Give the run a larger budget (`--budget`, or `budget.minutes`).",
            )
        case Halt.LOST | Halt.ENVIRONMENT | Halt.ENOUGH | Halt.BEYOND | Halt.BUDGET:
            return judgement


def _untold(
    judgement: Judgement, category: Category, because: str, remedy: str
) -> Judgement:
    return Judgement(
        category=category,
        side=Blame.UNKNOWN,
        introduced=False,
        decision=Decision.INCONCLUSIVE,
        context=judgement.context,
        unit=judgement.unit,
        because=because,
        next=remedy,
    )


def failure_of(inquiry: Inquiry, test: TestId) -> Failure | None:
    """The failure that opened the inquiry into a test."""
    opening = inquiry.evidence.opening
    result = opening.results.get(test) if opening is not None else None
    return result.failure if result is not None else None


def _verdict(
    inquiry: Inquiry,
    judged: Judged,
    judgement: Judgement,
    facts: Facts,
    command: Callable[[Verdict], str],
) -> Verdict:
    failure = judged.failure
    production = judgement.side in {Blame.PRODUCTION, Blame.BOTH}
    verdict = Verdict(
        suite=inquiry.suite,
        test=judged.test,
        category=judgement.category,
        side=judgement.side,
        introduced=judgement.introduced,
        decision=judgement.decision,
        context=judgement.context.value,
        unit=judgement.unit.name.lower(),
        signature=None if failure is None else digest(failure.signature),
        polluters=facts.polluters,
        setters=facts.setters,
        cleaners=facts.cleaners,
        culprit=_culprits(inquiry, facts) if production else (),
        failure=None if failure is None else _failure(failure),
        evidence=tuple(_cells(inquiry, judged.test)),
        because=judgement.because
        + (_cured_by(facts) if production else "")
        + _cold(facts),
        next=judgement.next,
    )
    return replace(verdict, replay=command(verdict))


def digest(signature: Signature) -> str:
    """A signature in one short line, the same for the same failure."""
    frames = (signature.test_frame, signature.production_frame)
    parts = (signature.outcome.value, signature.phase.value, signature.exception)
    return " ".join((*parts, *(frame for frame in frames if frame)))


def _culprits(inquiry: Inquiry, facts: Facts) -> tuple[Culprit, ...]:
    """The lines that have to be taken back; of a whole class, its files."""
    files = (inquiry.files.get(each, ()) for each in facts.culprit_classes)
    whole = (Culprit(path=path, lines="whole") for paths in files for path in paths)
    return (*whole, *map(culprit, facts.culprit))


def _cured_by(facts: Facts) -> str:
    """What was seen of whole classes, to follow a sentence."""
    words = {
        PathClass.DEPENDENCIES: "dependencies",
        PathClass.MIGRATION: "migrations",
    }
    named = [words.get(each, each.value) for each in facts.culprit_classes]
    if not named:
        return ""
    return f" With base's {' and '.join(named)}, and all else of head, it passes."


def _cold(facts: Facts) -> str:
    """Why the search took trials of its own, to follow a sentence."""
    if not facts.hostile:
        return ""
    return f" Forks could not tell whose company it is ({facts.hostile}); trials did."


def culprit(hunk: HunkId) -> Culprit:
    """A hunk as path and lines."""
    path, _, lines = hunk.rpartition(":")
    first, _, last = lines.partition("-")
    if first == "after":
        return Culprit(path=path, lines=f"after {last}")
    return Culprit(path=path, lines=first if first == last else lines)


def _failure(failure: Failure) -> FailureInfo:
    return FailureInfo(
        kind=kind_of(failure),
        phase=failure.phase.value,
        type=failure.type,
        message=failure.message[:MESSAGE],
        expected=None if failure.expected is None else failure.expected[:VALUE],
        actual=None if failure.actual is None else failure.actual[:VALUE],
        where=failure.where,
    )


def _cells(inquiry: Inquiry, test: TestId) -> Iterable[CellInfo]:
    """Every cell in which a test was tried, in the order they were first tried."""
    changed = inquiry.evidence.changed
    keys: dict[tuple[Tree, Context], None] = {}
    for observation in inquiry.evidence.observations[1:]:
        experiment = observation.experiment
        mine = not experiment.subjects or test in experiment.subjects
        if mine and not experiment.tree.reverted and test in observation.results:
            context = experiment.context_of(test)
            keys[canonical(experiment.tree, changed), context] = None
    # Trees that are equal share a cell; it is told under the name that a reader
    # looks for first.
    known = (inquiry.head, inquiry.base, inquiry.head_tests, inquiry.base_tests)
    names = {canonical(tree, changed): tree for tree in reversed(known)}
    for tree, context in keys:
        cell = inquiry.evidence.cell(test, tree, context)
        plain = replace(tree, overlay=None)
        yield _cell(names.get(plain) or _filled(plain, changed), context, cell)


def _filled(tree: Tree, changed: frozenset[PathClass]) -> Tree:
    """The same tree with head named for each class that the change left alone."""
    return replace(
        tree,
        production=tree.production
        if {PathClass.PRODUCTION, PathClass.NEUTRAL} & changed
        else Revision.HEAD,
        dependencies=tree.dependencies
        if PathClass.DEPENDENCIES in changed
        else Revision.HEAD,
        migration=tree.migration if PathClass.MIGRATION in changed else Revision.HEAD,
        tests=tree.tests if PathClass.TEST in changed else Revision.HEAD,
    )


def _cell(tree: Tree, context: Context, cell: Cell) -> CellInfo:
    return CellInfo(
        production=tree.production.value,
        dependencies=tree.dependencies.value,
        migration=tree.migration.value,
        tests=tree.tests.value,
        control=tree.control.value,
        context=_context_word(context),
        passed=cell.count(Outcome.PASSED),
        failed=cell.count(Outcome.FAILED),
        skipped=cell.count(Outcome.SKIPPED),
        timed_out=cell.count(Outcome.TIMED_OUT),
        crashed=cell.count(Outcome.CRASHED),
        errored=cell.count(Outcome.ERRORED),
        missing=cell.count(Outcome.MISSING),
        unbuildable=cell.count(Outcome.UNBUILDABLE),
    )


def _context_word(context: Context) -> str:
    match context.kind:
        case ContextKind.SUITE:
            return "suite"
        case ContextKind.ALONE:
            unit = context.unit.name.lower()
            return "alone" if unit == "test" else f"alone:{unit}"
        case ContextKind.AFTER:
            return f"after({', '.join(context.after)})"
