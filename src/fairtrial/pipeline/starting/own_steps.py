"""How the repository's own workflows set a toolchain up: the inputs of its step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fairtrial.domain.names import RepoPath
from fairtrial.pipeline.starting.ground import Ground

#: Expressions of one matrix key; no other is looked into.
_MATRIX: Final = re.compile(r"\$\{\{\s*matrix\.([\w-]+)\s*\}\}")
#: What may be taken over: versions and names, nothing that a workflow evaluates.
_SAFE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 .*^~<>=|_/+-]{0,39}")


def own_inputs(
    ground: Ground, action: str
) -> tuple[Mapping[str, str], RepoPath | None]:
    """The plain inputs of the first step that uses an action, and where it stands.

    An input that is a matrix's is its last entry, as a rule the newest. None, and no
    place, where no workflow uses it.
    """
    for path, workflow in ground.workflows().items():
        for job in _mappings(workflow.get("jobs")):
            for step in _steps(job, action):
                given = step.get("with")
                inputs = given if isinstance(given, dict) else {}
                read = {str(key): _plain(it, job) for key, it in inputs.items()}
                return {key: it for key, it in read.items() if it}, path
    return {}, None


def _steps(job: Mapping[str, Any], action: str) -> Iterator[Mapping[str, Any]]:
    steps = job.get("steps")
    for step in steps if isinstance(steps, list) else ():
        uses = step.get("uses") if isinstance(step, dict) else None
        if isinstance(uses, str) and uses.partition("@")[0].strip().lower() == action:
            yield step


def _plain(value: Any, job: Mapping[str, Any]) -> str:
    text = str(value).strip() if isinstance(value, str | int | float) else ""
    matrix = _MATRIX.fullmatch(text)
    if matrix is not None:
        text = _last(job, matrix[1])
    return text if _SAFE.fullmatch(text) else ""


def _last(job: Mapping[str, Any], key: str) -> str:
    held: Any = job
    for name in ("strategy", "matrix", key):
        held = held.get(name) if isinstance(held, dict) else None
    entries = held if isinstance(held, list) else []
    plain = [one for one in entries if isinstance(one, str | int | float)]
    return str(plain[-1]).strip() if plain else ""


def _mappings(held: Any) -> Iterator[Mapping[str, Any]]:
    for each in held.values() if isinstance(held, dict) else ():
        if isinstance(each, dict):
            yield each
