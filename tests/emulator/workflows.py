"""What a workflow file says, read as far as the emulator follows it.

A key that it does not follow is an error: nothing is left out in silence.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

_TOP = {"name", "on", True, "permissions", "env", "concurrency", "jobs"}
_JOB = {
    "name",
    "runs-on",
    "needs",
    "if",
    "permissions",
    "env",
    "outputs",
    "steps",
    "timeout-minutes",
    "concurrency",
    "strategy",
}
_STEP = {
    "id",
    "name",
    "if",
    "uses",
    "run",
    "shell",
    "with",
    "env",
    "continue-on-error",
    "timeout-minutes",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step; exactly one of `uses` and `run` is there."""

    id: str
    name: str
    condition: str
    uses: str
    run: str
    shell: str
    inputs: Mapping[str, str]
    env: Mapping[str, str]
    continue_on_error: bool
    timeout_minutes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job of a workflow."""

    id: str
    name: str
    needs: tuple[str, ...]
    condition: str
    permissions: Mapping[str, str] | None
    env: Mapping[str, str]
    outputs: Mapping[str, str]
    steps: tuple[Step, ...]
    #: The combination of the matrix that this job is for.
    matrix: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """A workflow file."""

    name: str
    path: Path
    events: Mapping[str, Any]
    permissions: Mapping[str, str] | None
    env: Mapping[str, str]
    jobs: Mapping[str, Job] = field(default_factory=dict)


def load(path: Path) -> Workflow:
    """The workflow of that file.

    Raises `ValueError` for a key that the emulator does not follow.
    """
    raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    _known(raw, _TOP, str(path))
    # YAML 1.1 reads the key `on` as true.
    events = raw.get("on", raw.get(True))
    return Workflow(
        name=str(raw.get("name", path.name)),
        path=path,
        events=_events(events),
        permissions=_permissions(raw.get("permissions")),
        env=_texts(raw.get("env")),
        jobs={
            job.id: job for name, one in raw["jobs"].items() for job in _jobs(name, one)
        },
    )


def _jobs(name: str, raw: Mapping[str, Any]) -> Iterator[Job]:
    """The job, or one for each combination of its matrix: `name (a, b)`."""
    strategy = raw.get("strategy", {})
    _known(strategy, {"matrix", "fail-fast"}, f"job {name}")
    axes = strategy.get("matrix", {})
    for values in itertools.product(*axes.values()):
        combination = dict(zip(axes, values, strict=True))
        suffix = f" ({', '.join(map(str, values))})" if values else ""
        yield _job(f"{name}{suffix}", raw, combination)


def _job(name: str, raw: Mapping[str, Any], matrix: Mapping[str, Any]) -> Job:
    _known(raw, _JOB, f"job {name}")
    needs = raw.get("needs", [])
    return Job(
        id=name,
        name=str(raw.get("name", name)),
        needs=(needs,) if isinstance(needs, str) else tuple(needs),
        condition=_text(raw.get("if", "")),
        permissions=_permissions(raw.get("permissions")),
        env=_texts(raw.get("env")),
        outputs=_texts(raw.get("outputs")),
        steps=tuple(_step(step) for step in raw["steps"]),
        matrix=matrix,
    )


def _step(raw: Mapping[str, Any]) -> Step:
    _known(raw, _STEP, f"step {raw.get('name', raw.get('uses'))}")
    uses, run = str(raw.get("uses", "")), str(raw.get("run", ""))
    if bool(uses) == bool(run):
        raise ValueError("a step has either `uses` or `run`")
    first_line = (uses or run).splitlines()[0]
    return Step(
        id=str(raw.get("id", "")),
        name=str(raw.get("name", f"Run {first_line}")),
        condition=_text(raw.get("if", "")),
        uses=uses,
        run=run,
        shell=str(raw.get("shell", "")),
        inputs=_texts(raw.get("with")),
        env=_texts(raw.get("env")),
        continue_on_error=bool(raw.get("continue-on-error", False)),
        timeout_minutes=float(raw.get("timeout-minutes", 360)),
    )


def _events(raw: object) -> Mapping[str, Any]:
    if isinstance(raw, str):
        return {raw: None}
    if isinstance(raw, list):
        return dict.fromkeys(raw)
    assert isinstance(raw, dict)
    return raw


def _permissions(raw: object) -> Mapping[str, str] | None:
    """None where nothing is said; what is not named is `none`."""
    if raw is None:
        return None
    assert isinstance(raw, dict), "`read-all` and `write-all` are not for us"
    return _texts(raw)


def _texts(raw: Mapping[str, Any] | None) -> dict[str, str]:
    return {str(key): _text(value) for key, value in (raw or {}).items()}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _known(raw: Mapping[Any, Any], known: set[Any], where: str) -> None:
    if unknown := set(raw) - known:
        raise ValueError(f"{where}: the emulator does not follow {unknown}")
