"""The request that a command without a report makes of its options."""

from __future__ import annotations

from typing import Any

from fairtrial.cli import options
from fairtrial.domain.request import Request
from fairtrial.pipeline.world import World


def request_of(world: World, bench: str | None, asked: dict[str, Any]) -> Request:
    """The options as a request; `asked` holds those that are named as its fields."""
    return Request(
        bench=options.bench_kind(bench),
        event=world.environ if world.environ.get("GITHUB_ACTIONS") else {},
        suites=tuple(asked.pop("suites", ())),
        **asked,
    )
