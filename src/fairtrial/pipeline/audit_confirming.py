"""What a failure in another order comes from, confirmed by trials of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from fairtrial.domain.audit import AuditFinding, Weakness
from fairtrial.domain.evidence import LOUD, Evidence
from fairtrial.domain.experiments import ALONE, SUITE, Observation
from fairtrial.domain.names import TestId
from fairtrial.domain.results import FAILURES, Outcome
from fairtrial.domain.trees import HEAD
from fairtrial.inquiry.audit.readings import Sets, is_explained
from fairtrial.inquiry.bounds import TESTS
from fairtrial.inquiry.casing import facts_of
from fairtrial.inquiry.state import Inquiry
from fairtrial.pipeline.audit_ground import Ground
from fairtrial.pipeline.inquest import pursued

#: Attempts alone that tell a victim from a brittle test, as in every inquiry.
_ALONE = 3
_MINUTE = 60.0


@dataclass(slots=True, kw_only=True)
class Confirming:
    """What is known of a suite's tests so far; grows with each order."""

    ground: Ground
    #: The suite in its own order, all of whose `steady` tests pass.
    own: Observation
    findings: dict[TestId, AuditFinding] = field(default_factory=dict)

    def explain(self, run: Observation, failed: Sequence[TestId]) -> None:
        """Find out about each test that fails in a run and passes in the own order."""
        new = [test for test in failed if not self._is_known(run, test)][:TESTS]
        if not new or not self.ground.left:
            return
        self.ground.say(f"{len(new)} tests fail in another order: why?")
        loud = [test for test in new if run.results[test].outcome in LOUD]
        calm = [test for test in new if test not in loud]
        alone = (
            *self.ground.alone(calm, _ALONE),
            *self.ground.quietly(
                self.ground.trial((test,), ALONE)
                for test in loud
                for _ in range(_ALONE)
            ),
        )
        evidence = Evidence(observations=(run, *alone))
        victims, brittles = [], []
        for test in new:
            cell = evidence.cell(test, HEAD, ALONE)
            passed, failures = cell.count(Outcome.PASSED), cell.count(*FAILURES)
            if passed and failures:
                self.note_mixed(test, passed, failures, "It passed and failed alone.")
            elif passed:
                victims.append(test)
            elif failures:
                brittles.append(test)
        self._inquire(run, tuple(victims), alone)
        self._inquire(self.own, tuple(brittles), alone)

    def _is_known(self, run: Observation, test: TestId) -> bool:
        known = self.findings.get(test)
        if known is None:
            return False
        if known.weakness is Weakness.NON_DETERMINISTIC:
            return True
        return is_explained(run, test, polluters=known.polluters, setters=known.setters)

    def _inquire(
        self,
        opening: Observation,
        tests: tuple[TestId, ...],
        alone: tuple[Observation, ...],
    ) -> None:
        """Who pollutes them in that order, or sets them up."""
        if not tests:
            return
        stand, brief = self.ground.stand, self.ground.brief
        runner, listed = stand.laboratory.runner, self.own.listed
        inquiry = Inquiry(
            suite=stand.suite.name,
            evidence=Evidence(observations=(opening, *alone)),
            failed=tests,
            touches_production=False,
            orders=opening.orders,
            listed=listed,
            base_listed=listed,
            widen=lambda one, unit: runner.widen(one, unit, listed),
            forks=runner.forks(),
            prior={
                test: (*known.polluters, *known.setters)
                for test, known in self.findings.items()
            },
            budget=replace(brief.budget, minutes=self.ground.left / _MINUTE),
            suite_seconds=opening.seconds,
        )
        done = pursued(inquiry, stand.laboratory.perform, brief.world.clock)
        for test in tests:
            self._conclude(done, test, polluted=opening is not self.own)

    def _conclude(self, done: Inquiry, test: TestId, *, polluted: bool) -> None:
        facts = facts_of(done, test)
        cell = done.evidence.cell(test, HEAD, SUITE)
        passed, failed = cell.count(Outcome.PASSED), cell.count(*FAILURES)
        if facts.polluters:
            self._add(test, Weakness.VICTIM, polluters=(facts.polluters,))
        elif facts.setters:
            self._add(test, Weakness.BRITTLE, setters=(facts.setters,))
        elif polluted and passed:
            because = "It failed in one order and then passed in the same one."
            self.note_mixed(test, passed, failed + 1, because)
        elif polluted:
            self._add(test, Weakness.VICTIM)
        else:
            self._add(test, Weakness.BRITTLE)

    def note_mixed(
        self, test: TestId, passed: int, failed: int, because: str = ""
    ) -> None:
        """A test that did both under the same conditions."""
        found = finding(self.ground, test, Weakness.NON_DETERMINISTIC)
        self.findings[test] = replace(
            found, passed=passed, failed=failed, because=because or found.because
        )

    def _add(
        self, test: TestId, weakness: Weakness, polluters: Sets = (), setters: Sets = ()
    ) -> None:
        known = self.findings.get(test)
        if known is not None and known.weakness is weakness:
            polluters = tuple(dict.fromkeys((*known.polluters, *polluters)))
            setters = tuple(dict.fromkeys((*known.setters, *setters)))
        found = finding(self.ground, test, weakness, found=bool(polluters or setters))
        self.findings[test] = replace(found, polluters=polluters, setters=setters)


def finding(
    ground: Ground, test: TestId, weakness: Weakness, *, found: bool = True
) -> AuditFinding:
    """What is said of a weakness; `found` is whose doing it is."""
    return AuditFinding(
        suite=ground.stand.suite.name,
        test=test,
        weakness=weakness,
        because=_because(weakness, found=found),
        next=_next(weakness),
    )


def _because(weakness: Weakness, *, found: bool) -> str:
    match weakness:
        case Weakness.VICTIM if found:
            return "It passes alone and fails behind these tests, each time."
        case Weakness.VICTIM:
            return (
                "It passes alone and fails each time in another order; behind whom was "
                "not found in the time."
            )
        case Weakness.BRITTLE if found:
            return "It fails alone and passes behind these tests, each time."
        case Weakness.BRITTLE:
            return (
                "It fails alone and passes in the suite's own order; what it needs was "
                "not found in the time."
            )
        case Weakness.NON_IDEMPOTENT:
            return "It passes, and fails when it runs again in the same process."
        case Weakness.NON_DETERMINISTIC:
            return "It passed and failed in the suite's own order."


def _next(weakness: Weakness) -> str:
    match weakness:
        case Weakness.VICTIM:
            return (
                "Let those tests take back what they leave behind, or let this one set "
                "up what it relies on."
            )
        case Weakness.BRITTLE:
            return "Let it set up by itself what those tests leave behind for it."
        case Weakness.NON_IDEMPOTENT:
            return "Let it take back what it leaves behind."
        case Weakness.NON_DETERMINISTIC:
            return (
                "Look for time, randomness, the order of sets, threads and the network "
                "in it."
            )
