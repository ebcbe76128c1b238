"""How a tool's command is watched for tests that take longer than they may."""

from __future__ import annotations

import hashlib
import json
import signal
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Final

from fairtrial.domain.names import TestId
from fairtrial.domain.trials import Places
from fairtrial.runners import SANCTIONED, Command, Selection
from fairtrial.runners.building.rebuilding import rebuilt
from fairtrial.runners.reports.plain import WATCH

_PLAN: Final = "watch-plan.json"
_SCRIPT: Final = "fairtrial_watch.py"
#: Seconds beyond a test's own, for tools that start slowly or report late.
GRACE: Final = 5.0


def watched_command(
    script: str,
    selection: Selection,
    places: Places,
    *,
    growing: Sequence[str],
    env: Mapping[str, str],
    inputs: Mapping[str, bytes],
    first: int = signal.SIGQUIT,
) -> Command:
    """The command of one trial: its build where one is due, then `script` under watch.

    `growing` are glob patterns, below the outputs, of files that grow with each test;
    `first` is the signal by which the tool prints its stacks, 0 where it has none.
    """
    plan = {
        "argv": ["sh", "-c", script],
        "idle": selection.test_timeout + GRACE,
        "files": [str(places.outputs / each) for each in growing],
        "told": str(places.outputs / WATCH),
        "signal": int(first),
    }
    watch = places.inputs / _SCRIPT
    line = f"exec python3 -I -S {watch} {places.inputs / _PLAN}\n"
    own = files("fairtrial.injected").joinpath(_SCRIPT).read_bytes()
    return Command(
        argv=("sh", "-c", rebuilt(line, selection, places)),
        env={**SANCTIONED, **env},
        inputs={
            **inputs,
            _SCRIPT: own,
            _PLAN: json.dumps(plan).encode("ascii"),
        },
    )


def token_of(mode: str, tests: Sequence[TestId], places: Places) -> str:
    """Ties a report to what was asked: a stale or misplaced one does not match."""
    asked = json.dumps([mode, list(tests), str(places.workspace), str(places.outputs)])
    return hashlib.sha256(asked.encode()).hexdigest()
