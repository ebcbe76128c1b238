"""One suite's audit: its own order again and again, twice in a row, other orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from fairtrial.domain.audit import AuditedSuite, AuditFinding, AuditState, Weakness
from fairtrial.domain.experiments import Observation, Purpose, Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.trees import HEAD
from fairtrial.inquiry.audit.bounds import rate_below
from fairtrial.inquiry.audit.orders import Group, grouped
from fairtrial.inquiry.audit.readings import failed_in, fails_again, steadiness
from fairtrial.pipeline.audit_confirming import Confirming, finding
from fairtrial.pipeline.audit_ground import Ground
from fairtrial.pipeline.opening import suite_trial

#: How often a doubled run of one test has to show the same.
_TWICE: Final = 2

Audited = tuple[AuditedSuite, tuple[AuditFinding, ...]]


def audit_suite(ground: Ground, repeats: int) -> Audited:
    """What a suite's tests depend on without saying so, as far as the time allows."""
    suite = ground.stand.suite
    blank = AuditedSuite(
        name=suite.name, runner=suite.runner, state=AuditState.UNTRUSTED
    )
    ground.say("its own run")
    (first,) = ground.perform([suite_trial(ground.stand, HEAD, Purpose.AUDIT)])
    blank = replace(blank, seconds=round(first.seconds, 3))
    tests = tuple(test for test in first.listed if test in first.results)
    if first.trust is not Trust.SOUND or not tests:
        return replace(blank, note=first.distrust or "no test ran"), ()
    audit = _SuiteAudit(ground=ground, tests=tests, wanted=repeats)
    audit.repeat()
    blank = replace(blank, tests=len(tests), repeats=len(audit.own))
    if not audit.own:
        note = "its tests do not run one behind the other in one process: "
        return replace(blank, note=note + audit.distrust), ()
    steady = steadiness(audit.own, tests)
    audit.good = tuple(test for test in tests if steady[test].always_passes)
    failing = tuple(test for test in tests if steady[test].always_fails)
    blank = replace(blank, failing=failing, rate_below=rate_below(len(audit.own)))
    if not audit.good:
        return replace(blank, note="no test passes in the suite's own order"), ()
    confirming = Confirming(ground=ground, own=audit.own[0])
    for test in tests:
        if steady[test].is_mixed:
            seen = steady[test]
            confirming.note_mixed(test, seen.passed, seen.failed)
    audit.double()
    audit.reorder(confirming)
    findings = (*confirming.findings.values(), *audit.doubled)
    return audit.reached(blank), findings


@dataclass(slots=True, kw_only=True)
class _SuiteAudit:
    """How far it has come."""

    ground: Ground
    #: All tests, in the suite's own order.
    tests: tuple[TestId, ...]
    #: Runs in that order that are asked for.
    wanted: int
    #: Those that were made and can be believed.
    own: list[Observation] = field(default_factory=list)
    distrust: str = ""
    #: The tests that pass in all of them.
    good: tuple[TestId, ...] = ()
    doubled: list[AuditFinding] = field(default_factory=list)
    twice: int = 0
    #: Orders that were made, those of them that can be believed, and their pairs.
    made: int = 0
    orders: int = 0
    covered: int = 0
    #: The time was over before something that was due.
    ended: bool = False

    @property
    def group(self) -> Group:
        """The tests by file and group."""
        runner = self.ground.stand.laboratory.runner
        return grouped(self.tests, runner.file_of, runner.widen)

    def repeat(self) -> None:
        """The own order, until it ran often enough or half of the time is over."""
        half = self.ground.left / 2
        width = max(1, self.ground.stand.laboratory.bench.parallel)
        made = 0
        while made < self.wanted and (made == 0 or self.ground.left > half):
            batch = min(width, self.wanted - made)
            self.ground.say(f"its own order, {made + 1} of {self.wanted}")
            for run in self.ground.run(*[self.tests] * batch):
                if run.trust is Trust.SOUND:
                    self.own.append(run)
                else:
                    self.distrust = run.distrust
            made += batch
        self.ended = made < self.wanted

    def double(self) -> None:
        """Each test twice in a row; one that fails then, twice more by itself."""
        again = self.ground.stand.laboratory.runner.again
        second = {test: other for test in self.good if (other := again(test))}
        if not second:
            return
        if not self.ground.may_take(2 * self.own[0].seconds):
            self.ended = True
            return
        self.ground.say("each test twice in a row")
        order = [one for test, other in second.items() for one in (test, other)]
        (run,) = self.ground.run(order)
        self.twice = len(second) if run.trust is Trust.SOUND else 0
        for test in fails_again(run, second):
            if not self.ground.left:
                self.ended = True
                return
            alone = self.ground.run(*[(test, second[test])] * _TWICE)
            if all(fails_again(each, {test: second[test]}) for each in alone):
                self.doubled.append(finding(self.ground, test, Weakness.NON_IDEMPOTENT))

    def reorder(self, confirming: Confirming) -> None:
        """The own order backwards, then one order for each row, while there is time."""
        group = self.group
        takes = self.own[0].seconds
        if not self.ground.may_take(takes):
            self.ended = True
            return
        self.ground.say("backwards")
        self._look(group.backwards(), confirming)
        while self.made < group.needed:
            number = self.made
            order = group.order(number)
            if not self.ground.may_take(takes * len(order) / len(self.tests)):
                self.ended = True
                return
            self.ground.say(f"order {number + 1} of {group.needed}")
            if self._look(order, confirming):
                self.orders += 1
                self.covered += group.covered(number + 1) - group.covered(number)
            self.made += 1

    def _look(self, order: Sequence[TestId], confirming: Confirming) -> bool:
        """Whether a run in this order can be believed; what fails there is looked into.

        One that can't be shows nothing: its pairs stay uncovered.
        """
        (run,) = self.ground.run(order)
        confirming.explain(run, failed_in(run, self.good))
        if run.trust is not Trust.SOUND:
            self.distrust = run.distrust
        return run.trust is Trust.SOUND

    def reached(self, known: AuditedSuite) -> AuditedSuite:
        """The same with all that was counted."""
        group = self.group
        done = self.orders == group.needed and not self.ended
        return replace(
            known,
            state=AuditState.COMPLETE if done else AuditState.UNFINISHED,
            note="" if done else self._why(),
            orders=self.orders,
            orders_needed=group.needed,
            pairs=group.pairs,
            pairs_covered=self.covered,
            twice=self.twice,
        )

    def _why(self) -> str:
        if self.ended:
            return "the time was over before all of it was tried"
        lost = self.made - self.orders
        return f"{lost} orders can't be believed: {self.distrust}"
