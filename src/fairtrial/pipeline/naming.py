"""Which tests somebody means by the names that he gives."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.domain.experiments import SUITE, Experiment, Observation, Purpose
from fairtrial.domain.names import TestId
from fairtrial.domain.trees import HEAD
from fairtrial.pipeline.opening import listed_trial, suite_trial
from fairtrial.pipeline.stand import Stand


def run_named(stand: Stand, names: Sequence[str]) -> Observation:
    """A suite trial of what is named; of everything when nothing is.

    A name is a test's own id, or a folder, file, class or function with all the tests
    that it holds. The suite is only listed where a name is none of its tests.
    """
    if not names:
        return _perform(stand, suite_trial(stand, HEAD, Purpose.SUITE))
    asked = tuple(dict.fromkeys(map(TestId, names)))
    seen = _perform(stand, _chosen(stand, asked))
    if frozenset(asked) <= frozenset(seen.listed):
        return seen
    known = _perform(stand, suite_trial(stand, HEAD, Purpose.INVENTORY)).listed
    found = meant(asked, known)
    if not found or found == asked:
        return seen
    return _perform(stand, _chosen(stand, found))


def meant(names: Sequence[str], listed: Sequence[TestId]) -> tuple[TestId, ...]:
    """The tests that the names stand for, in the order of names, then as listed.

    A name that stands for nothing is kept: it has to be told that there is none such.
    """
    known = dict.fromkeys(listed)
    found: dict[TestId, None] = {}
    for name in names:
        if TestId(name) in known:
            found[TestId(name)] = None
            continue
        folder = name.rstrip("/").removeprefix("./")
        starts = tuple(f"{folder}{sign}" for sign in ("::", "[", "/"))
        everything = folder in {"", "."}
        inside = [test for test in known if everything or test.startswith(starts)]
        found.update(dict.fromkeys(inside or [TestId(name)]))
    return tuple(found)


def _perform(stand: Stand, experiment: Experiment) -> Observation:
    (seen,) = stand.laboratory.perform([experiment])
    return seen


def _chosen(stand: Stand, tests: Sequence[TestId]) -> Experiment:
    return listed_trial(stand, HEAD, tests, Purpose.SUITE, SUITE)
