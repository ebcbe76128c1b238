"""Which trials of a search need not be made again, because they were made before."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from fairtrial.clients.answers import AnswerFile
from fairtrial.domain.experiments import Experiment, Observation, Shape, Trust
from fairtrial.domain.names import TestId, TrialId
from fairtrial.domain.results import Failure, Outcome, Phase, Result, Signature
from fairtrial.domain.traces import Searched

Perform = Callable[[Sequence[Experiment]], tuple[Observation, ...]]


@dataclass(slots=True, kw_only=True)
class Remembering:
    """Makes trials once, across interruptions; `key` names tree and conditions.

    The n-th time that the same tests are asked is a question of its own: what was to
    be seen twice is seen twice.
    """

    file: AnswerFile
    perform: Perform
    #: Trials that were answered from the file.
    spared: int = 0
    _known: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    _asked: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        for answer in self.file.read():
            key = answer.get("key")
            if isinstance(key, str):
                self._known[key] = answer

    def __call__(self, experiments: Sequence[Experiment]) -> tuple[Observation, ...]:
        """What each experiment showed, now or when it was made."""
        keys = [self._key(each) for each in experiments]
        seen: dict[int, Observation] = {}
        for place, (key, experiment) in enumerate(zip(keys, experiments, strict=True)):
            known = _read(self._known.get(key), experiment)
            if known is not None:
                seen[place] = known
                self.spared += 1
        open_places = [place for place in range(len(keys)) if place not in seen]
        made = self.perform([experiments[place] for place in open_places])
        for place, observation in zip(open_places, made, strict=True):
            seen[place] = observation
            if observation.trust is Trust.SOUND:
                self.file.add(_written(keys[place], observation))
        return tuple(seen[place] for place in range(len(keys)))

    def _key(self, experiment: Experiment) -> str:
        asked = [
            experiment.shape.value,
            list(experiment.tests),
            list(experiment.subjects),
            experiment.quiet,
        ]
        digest = hashlib.sha256(json.dumps(asked).encode("ascii")).hexdigest()
        self._asked[digest] += 1
        return f"{digest}-{self._asked[digest]}"


def _written(key: str, observation: Observation) -> dict[str, Any]:
    subjects = frozenset(observation.experiment.subjects)
    return {
        "key": key,
        "results": [
            [
                test,
                result.outcome.value,
                _failure(result) if test in subjects or not subjects else None,
            ]
            for test, result in observation.results.items()
        ],
        "orders": {name: list(order) for name, order in observation.orders.items()}
        if observation.experiment.shape is Shape.WHOLE
        else {},
        "listed": list(observation.listed)
        if observation.experiment.shape is Shape.WHOLE
        else [],
        "searched": [asdict(each) for each in observation.searched],
        "seconds": observation.seconds,
    }


def _failure(result: Result) -> list[Any] | None:
    failure = result.failure
    if failure is None:
        return None
    signature = failure.signature
    return [
        failure.type,
        failure.message[:2000],
        failure.phase.value,
        signature.exception,
        signature.test_frame,
        signature.production_frame,
        signature.phase.value,
    ]


def _read(
    answer: Mapping[str, Any] | None, experiment: Experiment
) -> Observation | None:
    """The observation that was kept; None where what stands there is no such."""
    if answer is None:
        return None
    try:
        results = {
            TestId(test): _result(TestId(test), Outcome(outcome), failure)
            for test, outcome, failure in answer["results"]
        }
        return Observation(
            trial=TrialId(f"kept-{answer['key']}"),
            experiment=experiment,
            results=results,
            trust=Trust.SOUND,
            orders={
                name: tuple(map(TestId, order))
                for name, order in answer["orders"].items()
            },
            listed=tuple(map(TestId, answer["listed"])),
            searched=tuple(_searched(each) for each in answer["searched"]),
            seconds=float(answer["seconds"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _result(test: TestId, outcome: Outcome, failure: list[Any] | None) -> Result:
    if failure is None:
        return Result(test=test, outcome=outcome)
    kind, message, phase, exception, test_frame, production_frame, where = failure
    return Result(
        test=test,
        outcome=outcome,
        failure=Failure(
            phase=Phase(phase),
            type=kind,
            message=message,
            where=None,
            signature=Signature(
                outcome=outcome,
                phase=Phase(where),
                exception=exception,
                test_frame=test_frame,
                production_frame=production_frame,
            ),
        ),
    )


def _searched(kept: Mapping[str, Any]) -> Searched:
    return Searched(
        victim=TestId(kept["victim"]),
        sets=tuple(tuple(map(TestId, each)) for each in kept["sets"]),
        load_time=kept["load_time"] is True,
        cleaners=tuple(map(TestId, kept["cleaners"])),
        hostile=str(kept["hostile"]),
        asked=int(kept["asked"]),
        seconds=float(kept["seconds"]),
    )
