"""Makes experiments: a tree, a bench, a runner, and what was seen.

The laboratory owns trials and nothing else: it decides no verdict and plans nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import count

from fairtrial.benches import Bench
from fairtrial.domain.experiments import Experiment, Observation, Shape, Trust
from fairtrial.domain.names import TrialId
from fairtrial.domain.settings import SuiteSettings
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Levels
from fairtrial.laboratory.source import TreeSource
from fairtrial.laboratory.surroundings import Surroundings
from fairtrial.laboratory.trial import Conditions, Means, make_trial
from fairtrial.runners import Order, Runner
from fairtrial.runners.building.rebuilding import inside

#: An errored attempt is the bench's doing: it is made once more, then left as it is.
ATTEMPTS = 2


@dataclass(slots=True, kw_only=True)
class Laboratory:
    """One suite's trials on one bench."""

    suite: SuiteSettings
    bench: Bench
    runner: Runner
    source: TreeSource
    clock: Callable[[], float]
    #: Told of each trial when it was made.
    made: Callable[[Observation], None]
    #: Seconds for one test, and for one trial.
    test_timeout: float
    trial_timeout: float
    order: Order | None = None
    surroundings: Surroundings = field(default_factory=Surroundings)
    #: For each frozen tree, the steps that built it, those of its tests last.
    built: Mapping[Revision, tuple[str, ...]] = field(default_factory=dict)
    #: Shared by all laboratories of a run, so that trial names stay unique.
    numbers: count[int] = field(default_factory=lambda: count(1))

    def levels(self) -> Levels:
        """Which isolation trials reach, their databases' too."""
        levels = replace(self.bench.levels(), database=self.surroundings.level)
        if self.runner.channelled():
            return levels
        reported = {"results": "the runner writes its report itself"}
        return replace(
            levels,
            results="same process",
            why_not={**levels.why_not, **reported},
        )

    def fingerprint(self) -> str:
        """A digest of the conditions that are equal between compared trials."""
        versions = self.surroundings.versions
        if not versions:
            return self.bench.fingerprint()
        parts = "\n".join((self.bench.fingerprint(), *versions))
        return f"sha256:{hashlib.sha256(parts.encode()).hexdigest()}"

    def perform(self, experiments: Sequence[Experiment]) -> tuple[Observation, ...]:
        """What each experiment showed, in the order they were asked.

        Those that allow company run side by side as far as the bench bears it; a
        quiet one runs when nothing else does.
        """
        named = [(TrialId(f"t{next(self.numbers)}"), each) for each in experiments]
        company = [pair for pair in named if not pair[1].quiet]
        seen: dict[TrialId, Observation] = {}
        width = min(self.bench.parallel, len(company))
        if width > 1:
            with ThreadPoolExecutor(max_workers=width) as pool:
                try:
                    for one in pool.map(lambda pair: self._perform(*pair), company):
                        seen[one.trial] = one
                except BaseException:
                    # The pool waits for its trials: end them, and begin no more.
                    pool.shutdown(wait=False, cancel_futures=True)
                    self.bench.close()
                    raise
        else:
            for pair in company:
                seen[pair[0]] = self._perform(*pair)
        for trial, experiment in named:
            if trial not in seen:
                seen[trial] = self._perform(trial, experiment)
        return tuple(seen[trial] for trial, _ in named)

    def _perform(self, trial: TrialId, experiment: Experiment) -> Observation:
        """One experiment, made again when the bench let it down."""
        observation = self._attempt(trial, experiment)
        for _ in range(ATTEMPTS - 1):
            if observation.trust is not Trust.ERRORED:
                break
            if observation.environment and self.surroundings.lost():
                # What is still gone would only have each test wait for it again.
                break
            observation = self._attempt(trial, experiment)
        self.made(observation)
        return observation

    def _attempt(self, trial: TrialId, experiment: Experiment) -> Observation:
        conditions = Conditions(
            command=inside(self.suite.folder, self.suite.command),
            one=inside(self.suite.folder, self.suite.one),
            reports=self.suite.reports,
            env=self.suite.env,
            built=self.built,
            test_timeout=_shorter(experiment.test_timeout, self.test_timeout),
            trial_timeout=_shorter(experiment.trial_timeout, self.trial_timeout),
            order=self.order if experiment.shape is Shape.WHOLE else None,
        )
        begun = self.clock()
        means = Means(
            conditions=conditions,
            bench=self.bench,
            runner=self.runner,
            source=self.source,
            surroundings=self.surroundings,
        )
        observation = make_trial(trial, experiment, means)
        return replace(observation, seconds=self.clock() - begun)


def _shorter(asked: float | None, own: float) -> float:
    return own if asked is None else min(asked, own)
