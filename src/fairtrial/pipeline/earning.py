"""Whether green was earned: what the change did to the tests that judge it.

Base's version of each touched test is tried on head's production; where it holds, the
edited one has to kill every mutant that it killed. What follows is policy's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fairtrial.domain.decisions import Decision
from fairtrial.domain.demands import Change, Comparison, Difference
from fairtrial.domain.names import TestId
from fairtrial.domain.report import Finding
from fairtrial.integrity.comparing.rules import Rule
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.demands import Demands, unlisted_findings
from fairtrial.pipeline.gathered import OUT_OF_TIME
from fairtrial.pipeline.kill_sets import KillQuestion, Kills, kill_sets
from fairtrial.pipeline.opening import Opening
from fairtrial.pipeline.oracle import Tried, try_base_tests
from fairtrial.pipeline.overlooked import overlooked_findings
from fairtrial.pipeline.touched import Touched, news
from fairtrial.pipeline.watchful import looks_behind
from fairtrial.policy.effects import (
    Consequence,
    Edit,
    Effect,
    Killed,
    Oracle,
    consequence_of,
    effect_of,
)

#: Of a test's parameter rows, the worst one speaks for it; from light to heavy.
_ORACLES = (
    Oracle.HOLDS,
    Oracle.CONTAMINATED,
    Oracle.BROKEN_BEFORE,
    Oracle.RED_BEFORE,
    Oracle.CONTRACT_REMOVED,
    Oracle.UNKNOWN,
    Oracle.OTHERWISE,
    Oracle.FAILS,
)
_CHANGES = tuple(Change)
#: Differences of one test that are shown side by side.
SHOWN = 4
_HELD = frozenset({Oracle.HOLDS, Oracle.CONTAMINATED})
_KEPT = frozenset({Edit.EQUAL, Edit.STRONGER})
#: Differences that the sources show to be nothing only where an experiment agrees.
_UNSHOWN = frozenset({Rule.MOCK_ADDED.value, Rule.SKIP_ON_PLATFORM.value})


@dataclass(frozen=True, slots=True, kw_only=True)
class Earned:
    """One touched test with all that its experiments showed."""

    one: Touched
    tried: Tried
    killed: Killed = Killed.UNMEASURED
    kills: Kills | None = None
    effect: Effect = field(default=Effect.NOTHING)


def earned_findings(
    openings: Sequence[Opening], demands: Sequence[Demands], brief: Brief
) -> Iterator[Finding]:
    """A finding for each touched test that does not demand what it did."""
    for opening, each in zip(openings, demands, strict=True):
        yield from unlisted_findings(opening, each.comparison)
        yield from _earned(opening, each, brief)


def _earned(opening: Opening, demands: Demands, brief: Brief) -> Iterator[Finding]:
    failed = frozenset(opening.failed)
    # A test that fails at head has a verdict of its own, which base's version is
    # part of.
    asked = [
        one for one in demands.touched if not one.head or not failed >= set(one.head)
    ]
    tests = tuple(dict.fromkeys(test for one in asked for test in one.base))
    tried = try_base_tests(opening, brief, tests)
    results = [Earned(one=one, tried=_worst(one, tried)) for one in asked]
    watchful = looks_behind(brief)
    for earned in _with_kills(opening, brief, results, demands.comparison):
        edit, killed = _shown(earned, watchful=watchful)
        effect = effect_of(edit, earned.tried.oracle, killed)
        authority = brief.subject.authority
        consequence = consequence_of(effect, authority)
        if consequence is not None:
            yield finding_of(replace(earned, effect=effect), consequence)
    known = {test for one in demands.touched for test in one.base}
    yield from overlooked_findings(opening, brief, known)


def _shown(earned: Earned, *, watchful: bool) -> tuple[Edit, Killed]:
    """What happened to a test and its kills, by its source and what could be tried.

    Stand-ins and preparations are nothing by themselves where an experiment shows that
    the test notices what it did. None does where base's version can't be built, where
    the time was over, or where test code can tell a mutant from what it is to judge.
    """
    edit, killed = earned.one.edit, earned.killed
    stands_in = any(each.rule in _UNSHOWN for each in earned.one.differences)
    late = earned.kills is not None and earned.kills.late
    blind = watchful and killed is Killed.KEPT and edit not in _KEPT
    if blind:
        killed = Killed.UNMEASURED
    if earned.one.by_ids and killed is Killed.KEPT:
        # Rows that became tests, or tests that became rows, have other ids.
        edit = Edit.RE_SPECIFIED
    if edit in _KEPT and stands_in:
        unshown = late or earned.tried.oracle is Oracle.CONTRACT_REMOVED
    else:
        unshown = edit is Edit.ARRANGED and (late or blind)
    return Edit.RE_SPECIFIED if unshown and killed is not Killed.LOST else edit, killed


def _worst(one: Touched, tried: Mapping[TestId, Tried]) -> Tried:
    return max(
        (tried[test] for test in one.base), key=lambda each: _ORACLES.index(each.oracle)
    )


def _with_kills(
    opening: Opening, brief: Brief, results: list[Earned], comparison: Comparison
) -> Iterator[Earned]:
    """The same with the mutants that were lost, where base's version holds."""
    places = opening.stand.laboratory.runner.place_of
    at_head: dict[object, list[TestId]] = {}
    for test in opening.listed:
        at_head.setdefault(places(test), []).append(test)
    questions: dict[int, KillQuestion] = {}
    for number, earned in enumerate(results):
        one = earned.one
        head = one.head
        if one.edit not in {Edit.EQUAL, Edit.STRONGER}:
            # What a deleted or divided test killed, new ones beside it may kill.
            new = news(comparison, one.place.path)
            beside = (test for place in new for test in at_head.get(place, ()))
            head = tuple(dict.fromkeys((*head, *beside)))
        if earned.tried.oracle in _HELD and head:
            questions[number] = KillQuestion(base=one.base, head=head)
    seconds = brief.budget.kills * 60
    asked = tuple(dict.fromkeys(questions.values()))
    answers = kill_sets(opening.stand, brief, asked, seconds, control=opening.control)
    for number, earned in enumerate(results):
        question = questions.get(number)
        kills = None if question is None else answers.get(question)
        yield replace(earned, kills=kills, killed=_killed(kills))


def _killed(kills: Kills | None) -> Killed:
    if kills is None:
        return Killed.UNMEASURED
    if kills.lost:
        return Killed.LOST
    return Killed.KEPT if kills.kept else Killed.UNMEASURED


def finding_of(earned: Earned, consequence: Consequence) -> Finding:
    """What is told of one touched test."""
    one, effect = earned.one, earned.effect
    heavy = _heaviest(one.differences)
    difference = heavy[0] if heavy else None
    path = one.place.path if difference is None else difference.path
    rule = _rule(earned) if difference is None else difference.rule
    return Finding(
        rule=rule,
        path=path,
        line=None if difference is None else difference.line,
        test=str(one.place),
        change=change_word(one.edit),
        effect=effect.value,
        was=_texts(each.was for each in heavy),
        now=_texts(each.now for each in heavy),
        decision=consequence.decision,
        side=consequence.side,
        introduced=consequence.decision is not Decision.PASS,
        because=_because(earned),
        category=consequence.category,
    )


def change_word(edit: Edit) -> str:
    """The edit in the four words of a difference."""
    match edit:
        case Edit.EQUAL:
            return Change.EQUAL.value
        case Edit.STRONGER:
            return Change.STRONGER.value
        case Edit.ARRANGED | Edit.RE_SPECIFIED:
            return Change.RE_SPECIFIED.value
        case Edit.WEAKENED | Edit.GONE:
            return Change.WEAKENED.value


def _heaviest(differences: Sequence[Difference]) -> list[Difference]:
    """The differences that say what the test's edit is; none stands for the others."""
    change = max(
        (each.change for each in differences), key=_CHANGES.index, default=None
    )
    return [each for each in differences if each.change is change]


def _texts(pieces: Iterable[str]) -> str | None:
    """Pieces of source beside each other, as many as a reader takes in."""
    found = list(dict.fromkeys(piece for piece in pieces if piece))
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return "; ".join(found[:SHOWN]) + more or None


def _rule(earned: Earned) -> str:
    """What the edit is called where the sources show no difference."""
    if earned.one.edit is Edit.GONE:
        return "test-gone"
    return "mutant-survives" if earned.killed is Killed.LOST else "test-edited"


def _because(earned: Earned) -> str:
    told = earned.tried.because
    match earned.effect:
        case Effect.NOTHING:
            return ""
        case Effect.HIDES_FAILURE:
            verdict = earned.tried.verdict
            lines = () if verdict is None else verdict.culprit
            where = ", ".join(f"{each.path}:{each.lines}" for each in lines[:3])
            culprit = f"; reverting {where} makes it pass" if where else ""
            return (
                "base's version of it fails on head's production and holds on "
                f"base's{culprit}"
            )
        case Effect.HIDES_UNPROVEN:
            return "base's version of it fails at both sides, in different ways"
        case Effect.CHANGES_EXPECTATION:
            return _about_expectation(earned)
        case Effect.REMOVES_CONTRACT:
            return "production no longer has what base's version of it uses"
        case Effect.WEAKENS:
            return _about_weakening(earned)
        case Effect.LOOKS_WEAKER:
            return (
                "its source demands less; base's version still holds, and none of the "
                "mutants that it notices is lost"
            )
        case Effect.UNTOLD:
            return f"whether base's version of it still holds can't be told: {told}"


def _about_expectation(earned: Earned) -> str:
    match earned.tried.oracle:
        case Oracle.FAILS:
            return "it demands something else, and what it demanded does not hold now"
        case Oracle.RED_BEFORE | Oracle.BROKEN_BEFORE | Oracle.OTHERWISE:
            return (
                "it demands something else, and what it demanded held at neither side"
            )
        case (
            Oracle.HOLDS
            | Oracle.CONTAMINATED
            | Oracle.CONTRACT_REMOVED
            | Oracle.UNKNOWN
        ):
            return (
                "it demands something else; whether it demands as much could not be "
                f"measured: {_unmeasured(earned.kills)}"
            )


def _unmeasured(kills: Kills | None) -> str:
    """Why it is not known which mutants both versions kill."""
    if kills is None or not kills.why:
        return "it was not tried"
    return OUT_OF_TIME if kills.late else kills.why


def _about_weakening(earned: Earned) -> str:
    if earned.kills is not None and earned.kills.lost:
        lost = earned.kills.lost[0]
        more = len(earned.kills.lost) - 1
        also = f" (and {more} more)" if more else ""
        return (
            f"base's version notices when {lost.path}:{lost.line} has `{lost.now}` for "
            f"`{lost.was}`{also}, and the edited one does not"
        )
    match earned.tried.oracle:
        case Oracle.RED_BEFORE | Oracle.BROKEN_BEFORE:
            return "base's version fails at both sides: the red was removed, not mended"
        case (
            Oracle.HOLDS
            | Oracle.CONTAMINATED
            | Oracle.CONTRACT_REMOVED
            | Oracle.OTHERWISE
            | Oracle.FAILS
            | Oracle.UNKNOWN
        ):
            if earned.one.edit is Edit.GONE:
                return "base's version still holds, and head no longer runs it"
            return "it demands less than base's version, which still holds"
