"""Who pollutes, or sets up, one test of head: an inquiry that compares with nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fairtrial import __version__
from fairtrial.clients.answers import AnswerFile
from fairtrial.domain.evidence import Evidence
from fairtrial.domain.experiments import Experiment, Observation, Purpose, Shape, Trust
from fairtrial.domain.names import TestId, TrialId
from fairtrial.domain.request import Request
from fairtrial.domain.trees import HEAD, Revision
from fairtrial.inquiry.lone import Lone, lone
from fairtrial.inquiry.state import Inquiry
from fairtrial.laboratory.source import TreeSource
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.opening import suite_trial
from fairtrial.pipeline.remembering import Remembering
from fairtrial.pipeline.single import standing_one
from fairtrial.pipeline.stand import Stand
from fairtrial.pipeline.world import World
from fairtrial.trees import Sides
from fairtrial.trees.identity import tree_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is looked for, and how."""

    test: TestId
    #: The recorded order, where it is known; empty: the suite is run to learn it.
    order: tuple[TestId, ...] = ()
    #: All sets, until the order without them does it no more; else the first.
    every: bool = False
    #: Take no answer of an earlier call.
    fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What came of it; `inquiry` is None when the test is not in the suite."""

    inquiry: Inquiry | None
    found: Lone
    #: Trials that were made, and those that an earlier call had made.
    trials: int = 0
    spared: int = 0
    #: From the standing bench to the answer, and what it took to stand it up.
    seconds: float = 0.0
    setup_seconds: float = 0.0


def search(request: Request, world: World, asked: Asked) -> Search:
    """The search for the tests that make one test fail, or that it needs."""
    called = world.clock()
    with standing_one(request, world, Revision.HEAD, change=against_itself) as (
        brief,
        stand,
    ):
        begun = world.clock()
        file = AnswerFile(world.cache / "polluter" / f"{_key(brief, stand)}.jsonl")
        if asked.fresh:
            file.forget()
        perform = Remembering(file=file, perform=stand.laboratory.perform)
        opening = _opening(stand, asked, perform)
        if asked.test not in (*opening.results, *asked.order):
            return Search(inquiry=None, found=Lone())
        begin = _inquiry(opening, asked.test, stand, brief)
        inquiry, found = _pursued(begin, asked, perform, world)
    made = len(inquiry.evidence.observations) - (1 if asked.order else 0)
    return Search(
        inquiry=inquiry,
        found=found,
        trials=made - perform.spared,
        spared=perform.spared,
        seconds=world.clock() - begun,
        setup_seconds=begun - called,
    )


def against_itself(brief: Brief) -> Brief:
    """The same run with head in the place of base: only company can differ then."""
    head = brief.source.listing(HEAD)
    sides = Sides(base=head, head=head, classes={}, read=brief.subject.sides.read)
    return replace(
        brief,
        subject=replace(brief.subject, sides=sides, changed=()),
        source=TreeSource(sides=sides),
    )


def _pursued(
    inquiry: Inquiry, asked: Asked, perform: Remembering, world: World
) -> tuple[Inquiry, Lone]:
    begun = world.clock()
    while (found := lone(inquiry, asked.test, every=asked.every)).asks:
        spent = world.clock() - begun
        world.progress.doing(_doing(found.asks, inquiry, spent))
        observations = perform(found.asks)
        inquiry = inquiry.plus(observations, spent=world.clock() - begun)
    return inquiry, found


def _doing(asks: Sequence[Experiment], inquiry: Inquiry, spent: float) -> str:
    """What is being asked, in one line: the longest trial of a batch tells most."""
    most = max(asks, key=lambda each: len(each.tests))
    others = max(0, len(most.tests) - 1)
    what = {
        Purpose.ALONE: "running it alone",
        Purpose.REPLAY: f"running it behind its {others} earlier tests",
        Purpose.NECESSITY: f"looking whether the other {others} tests do it too",
        Purpose.CONFIRM: f"confirming {others} of {len(inquiry.listed)} tests",
    }.get(most.purpose, f"asking which of {others} tests do it")
    if most.shape is Shape.FORKED:
        what = f"asking forks of one run which of {others} tests do it"
    trials = "1 trial" if len(asks) == 1 else f"{len(asks)} trials"
    return f"{what} ({trials}; {spent:.0f} s so far)"


def _opening(stand: Stand, asked: Asked, perform: Remembering) -> Observation:
    """The suite at head; where the order is known, nothing of it was seen."""
    trial = suite_trial(stand, HEAD, Purpose.SUITE)
    if not asked.order:
        return perform([trial])[0]
    return Observation(
        trial=TrialId("order"),
        experiment=trial,
        results={},
        trust=Trust.SOUND,
        orders={"main": asked.order},
        listed=asked.order,
    )


def _inquiry(suite: Observation, test: TestId, stand: Stand, brief: Brief) -> Inquiry:
    runner = stand.laboratory.runner
    return Inquiry(
        suite=stand.suite.name,
        evidence=Evidence(observations=(suite,)),
        failed=(test,),
        touches_production=False,
        orders=suite.orders,
        listed=suite.listed,
        base_listed=suite.listed,
        widen=lambda one, unit: runner.widen(one, unit, suite.listed),
        forks=runner.forks(),
        budget=brief.budget,
        suite_seconds=suite.seconds,
    )


def _key(brief: Brief, stand: Stand) -> str:
    """The tree, the conditions, and whoever reads them: an answer holds for these."""
    laboratory = stand.laboratory
    asked = [
        __version__,
        tree_id(brief.source.listing(HEAD)),
        laboratory.fingerprint(),
        stand.suite.name,
        stand.suite.command,
        sorted(stand.suite.env.items()),
        laboratory.test_timeout,
        laboratory.trial_timeout,
        repr(laboratory.order),
    ]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:32]


def read_order(path: Path) -> tuple[TestId, ...]:
    """The ids of a file, one a line, each once; raises OSError and UnicodeError."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(dict.fromkeys(TestId(line) for line in lines if line))
