"""A suite that went on after a break has one clock."""

from __future__ import annotations

from fairtrial.domain.experiments import Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Outcome, Result
from fairtrial.laboratory.trial import joined
from fairtrial.runners import SuiteResult


def part(name: str, started: float, epoch: float) -> SuiteResult:
    result = Result(test=TestId(name), outcome=Outcome.PASSED, started=started)
    results = {result.test: result}
    return SuiteResult(results=results, trust=Trust.SOUND, epoch=epoch)


def test_times_behind_a_break_count_from_the_first_beginning() -> None:
    whole = joined(part("a", 1.5, 1000.0), part("b", 0.25, 1007.5))

    assert 1000.0 == whole.epoch
    assert [1.5, 7.75] == [each.started for each in whole.results.values()]


def test_without_a_clock_times_stay_as_they_are() -> None:
    whole = joined(part("a", 1.5, 0.0), part("b", 0.25, 1007.5))

    assert [1.5, 0.25] == [each.started for each in whole.results.values()]
