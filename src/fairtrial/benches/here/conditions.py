"""What has to be equal between trials that are compared, as one digest."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping

from fairtrial.benches.here.interpreters import Interpreter
from fairtrial.domain.settings import ConditionSettings
from fairtrial.domain.trials import Levels


def fingerprint(
    env: Mapping[str, str],
    interpreter: Interpreter | None,
    levels: Levels,
    *,
    memory: int,
    processes: int,
    pinned: ConditionSettings,
    place: str = "",
) -> str:
    """A digest as "sha256:" and 64 digits; of variables' values only digests go in.

    `place` is where the bench happens to stand: which of several is no condition.
    """
    if place:
        env = {name: value.replace(place, "") for name, value in env.items()}
    reached = dataclasses.asdict(levels)
    del reached["why_not"]
    parts = {
        "env": {
            name: hashlib.sha256(value.encode(errors="surrogateescape")).hexdigest()
            for name, value in env.items()
        },
        "interpreter": None
        if interpreter is None
        else [interpreter.version, str(interpreter.path)],
        "levels": reached,
        "memory": memory,
        "processes": processes,
        "pinned": dataclasses.asdict(pinned),
    }
    text = json.dumps(parts, sort_keys=True)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
