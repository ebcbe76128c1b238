"""Which rows of its databases a victim trips over, proven by putting only them in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from fairtrial.domain.databases import Change, Verb
from fairtrial.domain.experiments import Observation, Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.report import Leftover
from fairtrial.domain.traces import Resource
from fairtrial.inquiry.casing import facts_of
from fairtrial.inquiry.ddmin import Answer
from fairtrial.inquiry.ledger import sentences
from fairtrial.inquiry.ledger.net import Left, net, written_by
from fairtrial.inquiry.ledger.proving import Attempt, Proof, changes_of, next_step
from fairtrial.inquiry.ledger.suspicion import Group, groups, words_of
from fairtrial.inquiry.ledger.windows import Owned, before, unjoinable
from fairtrial.pipeline.judging import failure_of
from fairtrial.pipeline.pinning_case import Pinning

#: Rows that are put in for one trial: more take longer than they tell.
MOST: Final = 5_000
#: Trials that have to be left for one that only tells what to try.
LEAST: Final = 2
#: Trials that may come to nothing before rows are not suspected any more.
FRUITLESS: Final = 6
#: Rows of a leftover, and characters of a value, that a report keeps.
ROWS: Final = 20
VALUE: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What was in the databases when the victim began, as one trial shows it."""

    lefts: tuple[Left, ...]
    changes: tuple[Change, ...]
    #: Other tests left rows, and these left none: times may have misled.
    elsewhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trying:
    """What was tried of one trial's rows."""

    groups: tuple[Group, ...]
    proof: Proof | None
    #: Why no trial could be made with them, if one could not.
    failed: str = ""
    #: No trial was left for the next question.
    spent: bool = False


def rows_left(pinning: Pinning) -> tuple[Leftover, ...]:
    """The rows that are enough to make it fail, or why they are not pinned."""
    if not pinning.stand.suite.databases:
        return ()
    why, last, known = "", None, not _made(pinning)
    for seen in _sources(pinning):
        if isinstance(seen, str):
            why, known = why or seen, False
            continue
        if seen.elsewhere:
            continue
        if not seen.lefts or (last is not None and _same(seen, last)):
            break
        last = seen
        tried = _tried(pinning, seen)
        if tried.proof is not None and not _is_by_counters(pinning, tried.proof):
            return tuple(_proven(pinning, tried.proof))
        why = _why_not(pinning, seen, tried)
        known = known and not tried.failed and not tried.spent
    unpinned = _unpinned(pinning, last, why or _nothing(pinning))
    return (replace(unpinned, tried=known),)


def _sources(pinning: Pinning) -> Iterator[_Seen | str]:
    """What trials show of the rows: one of the polluters alone, or of the suite.

    A trial is made for it only where those that were made can't tell.
    """
    made = [one for one in pinning.observations if _is_of(one, pinning)]
    if made:
        yield _seen(made[0], pinning, None)
        return
    opening = pinning.observations[0]
    yield _seen(opening, pinning, frozenset(pinning.polluters) or None)
    if not pinning.polluters or pinning.allowance.left < LEAST:
        return
    if _has_times(opening):
        observation = pinning.allowance.observe(pinning.polluting())
        if observation is not None:
            yield _seen(observation, pinning, None)
        return
    observation = pinning.allowance.observe(pinning.without_victim())
    if observation is not None:
        yield _without_times(observation, pinning)


def _has_times(observation: Observation) -> bool:
    """Whether its record tells when things were committed, as far as it shows."""
    return all(change.at for change in observation.changes)


def _is_of(observation: Observation, pinning: Pinning) -> bool:
    """Whether the polluters, and then the victim, were watched in a trial at head."""
    experiment = observation.experiment
    return (
        bool(pinning.polluters)
        and experiment.tests == (*pinning.polluters, pinning.test)
        and experiment.tree == pinning.tree
        and experiment.watched
        and not unjoinable(observation)
    )


def _seen(
    observation: Observation, pinning: Pinning, writers: frozenset[TestId] | None
) -> _Seen | str:
    """What is left when the victim begins, by these tests; None: by any test."""
    why = unjoinable(observation)
    if why:
        return f"what was committed could not be seen: {why}"
    folded = net(before(observation, pinning.test))
    lefts = tuple(written_by(folded, writers))
    if writers and not all(left.certain for left in lefts):
        return "several workers ran at once, and it can't be told whose rows these are"
    if not lefts and facts_of(pinning.inquiry, pinning.test).load_time:
        # Loading the polluter is enough, so its rows came before any test.
        lefts = tuple(left for left in folded if not left.by)
    if len(lefts) > MOST:
        return f"{len(lefts):,} rows are too many to be tried"
    return _Seen(
        lefts=lefts,
        changes=observation.changes,
        elsewhere=not lefts and any(left.by for left in folded),
    )


def _without_times(observation: Observation, pinning: Pinning) -> _Seen | str:
    """All that a trial of the polluters left, for engines that compare at the end.

    Rows that set-up makes are among them; then a trial shows that they don't fit.
    """
    if observation.trust is not Trust.SOUND or not observation.changes:
        return _nothing(pinning)
    owners = pinning.polluters[:1] if len(pinning.polluters) == 1 else ()
    owned = [Owned(change=one, tests=owners) for one in observation.changes]
    return _Seen(lefts=net(owned), changes=observation.changes)


def _same(one: _Seen, other: _Seen) -> bool:
    """Whether two trials show the same rows, but for what names them."""

    def shape(seen: _Seen) -> list[tuple[object, ...]]:
        return [
            (left.change.table, left.change.verb, *sorted(left.change.values))
            for left in seen.lefts
        ]

    return sorted(map(repr, shape(one))) == sorted(map(repr, shape(other)))


def _tried(pinning: Pinning, seen: _Seen) -> _Trying:
    failure = failure_of(pinning.inquiry, pinning.test)
    ranked = groups(seen.lefts, seen.changes, words_of(failure))
    answers: dict[Attempt, Answer] = {}
    known = tuple(_known(pinning, seen.lefts))
    failed = ""
    while True:
        step = next_step(ranked, answers.get, known)
        if step.attempt is None:
            return _Trying(groups=ranked, proof=step.proof, failed=failed)
        rows = changes_of(step.attempt, ranked)
        experiment = replace(pinning.experiment(), rows=rows)
        fruitless = step.proof is None and len(answers) >= FRUITLESS
        answer = None if fruitless else pinning.answer(experiment)
        if answer is None:
            return _Trying(groups=ranked, proof=step.proof, failed=failed, spent=True)
        answers[step.attempt] = answer
        observation = pinning.allowance.observe(experiment)
        if observation is not None and observation.distrust:
            failed = observation.distrust


def _is_by_counters(pinning: Pinning, proof: Proof) -> bool:
    """Whether it fails as well when the rows were put in and taken out again.

    Putting rows in moves the sequences that their keys come from, as making them did;
    then those are what the test trips over, and removing the rows would mend nothing.
    Where a column's value turns the answer, or no sequence moved in the suite, nothing
    is to be asked.
    """
    opening = pinning.observations[0]
    moved = any(one.kind == "sequence" for one in opening.alterations)
    rows = [left.change for left in proof.lefts]
    if proof.columns or not moved or {one.verb for one in rows} != {Verb.INSERT}:
        return False
    gone = [replace(one, verb=Verb.DELETE, key=one.values, values={}) for one in rows]
    experiment = replace(pinning.experiment(), rows=(*rows, *gone))
    return pinning.answer(experiment) is Answer.YES


def _known(pinning: Pinning, lefts: tuple[Left, ...]) -> Iterator[tuple[Left, ...]]:
    """The rows that were proven for another victim of the same polluters."""
    for leftover in pinning.known:
        rows = list(leftover.rows[: leftover.fewest])
        found = tuple(
            left
            for left in lefts
            if _name(pinning, left) == leftover.name and _shown(left) in rows
        )
        if found:
            yield found


def _proven(pinning: Pinning, proof: Proof) -> Iterator[Leftover]:
    """One leftover for each table; the sentence stands with the first."""
    by = _writers(pinning, proof.enough)
    told = (sentences.proven(proof, pinning.test, by), sentences.advice(proof, by))
    say = " ".join(filter(None, told))
    rest = (left for left in proof.enough if left not in proof.lefts)
    tables: dict[str, list[Left]] = {}
    for left in (*proof.lefts, *rest):
        tables.setdefault(_name(pinning, left), []).append(left)
    for table, lefts in tables.items():
        fewest = sum(left in proof.lefts for left in lefts)
        yield Leftover(
            resource=Resource.DATABASE.value,
            name=table,
            by=_writers(pinning, lefts),
            proven=True,
            rows=tuple(map(_shown, lefts[:ROWS])),
            fewest=min(fewest, ROWS),
            columns=proof.columns if len(tables) == 1 else (),
            say=say,
        )
        say = ""


def _name(pinning: Pinning, left: Left) -> str:
    """The table, with its database where the suite has several."""
    several = len(pinning.stand.suite.databases) > 1
    database = f"{left.change.database}: " if several else ""
    return f"{database}{left.change.table}"


def _writers(
    pinning: Pinning, lefts: list[Left] | tuple[Left, ...]
) -> tuple[TestId, ...]:
    """Who left them: of the confirmed polluters those that wrote, else who did."""
    found = dict.fromkeys(test for left in lefts for test in left.by)
    confirmed = tuple(test for test in pinning.polluters if test in found)
    return confirmed or pinning.polluters or tuple(found)


def _shown(left: Left) -> dict[str, str | None]:
    """A row as a report has it: what is there, or of a deleted one what named it."""
    change = left.change
    values = {**change.key, **change.values} if change.values else change.key
    return {
        column: None if value is None else value[:VALUE]
        for column, value in values.items()
    }


def _made(pinning: Pinning) -> list[str]:
    """The databases that the suite's tests made for themselves."""
    return [
        one.name
        for one in pinning.observations[0].alterations
        if one.kind == "database" and one.now
    ]


def _nothing(pinning: Pinning) -> str:
    whose = sentences.tests(pinning.polluters) if pinning.polluters else "earlier tests"
    made = _made(pinning)
    if made:
        return (
            f"the tests made a database of their own, `{made[0]}`, which is not "
            f"watched; in the one that they are given {whose} left no row. Have them "
            "use that one"
        )
    return f"{whose} left no row in its databases"


def _why_not(pinning: Pinning, seen: _Seen, tried: _Trying) -> str:
    by = pinning.polluters
    if tried.spent and tried.proof is None:
        which = "whether" if len(seen.lefts) == 1 else "which of"
        do = "does" if len(seen.lefts) == 1 else "do"
        return (
            f"no trial was left to show {which} {sentences.things(seen.lefts)} {do} it"
        )
    if tried.proof is not None:
        return (
            f"{sentences.things(tried.proof.lefts)} make it fail even when they are "
            "taken out again: a sequence that their keys come from has moved"
        )
    if tried.failed:
        return (
            f"{sentences.things(seen.lefts)} could not be put into a fresh database: "
            f"{tried.failed}"
        )
    return sentences.not_enough(seen.lefts, by)


def _unpinned(pinning: Pinning, seen: _Seen | None, why: str) -> Leftover:
    lefts = () if seen is None else seen.lefts
    named = dict.fromkeys(_name(pinning, left) for left in lefts)
    name = next(iter(named), pinning.stand.suite.databases[0].name)
    opening = pinning.observations[0]
    hints = [f"{one.kind} {one.name}" for one in opening.alterations[:3]]
    also = f" Changed besides in the suite: {', '.join(hints)}." if hints else ""
    return Leftover(
        resource=Resource.DATABASE.value,
        name=name,
        by=pinning.polluters,
        say=f"Not pinned: {why[:VALUE]}.{also}",
    )
