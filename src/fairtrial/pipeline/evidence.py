"""What a run keeps beside its report: the telemetry of its suite trials."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from fairtrial.domain.experiments import Observation
from fairtrial.pipeline.opening import Opening

#: The file, and what its `schema` says.
FILE: Final = "telemetry.json"
SCHEMA: Final = "fairtrial/telemetry/v1"


def evidence_of(openings: Sequence[Opening]) -> Mapping[str, str]:
    """Files by name: each span that head's suites sent; none where nothing was sent."""
    kept = [
        _kept(opening, observation)
        for opening in openings
        for observation in (opening.head, *opening.beside)
        if observation.telemetry.requests
    ]
    if not kept:
        return {}
    return {FILE: json.dumps({"schema": SCHEMA, "trials": kept}, indent=1) + "\n"}


def _kept(opening: Opening, observation: Observation) -> dict[str, Any]:
    return {
        "suite": opening.stand.suite.name,
        "trial": observation.trial,
        **asdict(observation.telemetry),
    }


def telemetry_notices(opening: Opening) -> Iterator[str]:
    """A line on what a suite's trial sent, with its slowest span."""
    told = opening.head.telemetry
    if not told.requests:
        return
    sent = ", ".join(f"{count} of {name}" for name, count in told.requests.items())
    line = (
        f"suite {opening.stand.suite.name}: telemetry was taken in (requests: {sent})"
    )
    if told.spans:
        slowest = max(told.spans, key=lambda span: span.seconds)
        line += f"; the slowest of {len(told.spans):,} spans is {slowest.name}"
        line += f" with {slowest.seconds:,.1f} s"
    lost = told.dropped + told.unread
    if lost:
        line += f"; {lost:,} requests could not be kept or read"
    yield f"{line}. All of it is in {FILE}."
