"""What a JVM suite's bench and trials are handed: sources, plans and scripts."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.experiments import Shape
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.trials import FileContent, Places
from fairtrial.runners.reports.watched import token_of

#: Beside the project's own files in `prepare`, never in a tried tree.
FOLDER: Final = ".fairtrial-jvm"
FORKS: Final = "fairtrial_forks.py"
LIST: Final = "list"
#: Files of a trial's inputs: the plan of our own JVM, and the one that listeners read.
PLAN: Final = "jvm-plan.json"
LISTENED: Final = "jvm-plan.tsv"
#: What grows with each test that begins or ends, and what grows while none runs.
GROWING: Final = ("report-*.jsonl", "pulse")
_PLAIN: Final = 0o100644


def home(places: Places) -> PurePosixPath:
    """Where the helper and the forks are kept."""
    return places.kept / "fairtrial"


def sources() -> Mapping[RepoPath, FileContent]:
    """The helper's files for `prepare`, below `FOLDER`."""
    return {
        RepoPath(f"{FOLDER}/{name}"): FileContent(mode=_PLAIN, data=data)
        for name, data in _all()
    }


def inputs() -> Mapping[str, bytes]:
    """The helper's files for a trial, below a folder `jvm`."""
    return {f"jvm/{name}": data for name, data in _all()}


def _all() -> Iterator[tuple[str, bytes]]:
    top = files("fairtrial.injected").joinpath("jvm")
    yield from sorted(_below(top, ""))


def _below(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        name = f"{prefix}{each.name}"
        if each.is_dir():
            yield from _below(each, f"{name}/")
        elif each.name.endswith((".java", ".xml", ".py", ".sh", ".gradle")):
            yield name, each.read_bytes()


def listener_plan(shape: Shape, tests: tuple[TestId, ...], places: Places) -> bytes:
    """What listeners in the suite's own run read."""
    lines = {
        "mode": shape.value,
        "token": token_of(shape.value, tests, places),
        "workspace": str(places.workspace),
        "outputs": str(places.outputs),
    }
    return "".join(f"{key}\t{value}\n" for key, value in lines.items()).encode()


def own_plan(mode: str, tests: tuple[TestId, ...], places: Places) -> bytes:
    """What `fairtrial_forks.py run` reads."""
    plan = {
        "mode": mode,
        "tests": list(tests),
        "token": token_of(mode, tests, places),
        "workspace": str(places.workspace),
        "outputs": str(places.outputs),
        "kept": str(home(places)),
    }
    return json.dumps(plan).encode("ascii")


def listed(places: Places) -> str:
    """The script that runs `own_plan` in JVMs of our own."""
    program = shlex.quote(str(home(places) / FORKS))
    plan = shlex.quote(str(places.inputs / PLAN))
    return f"exec python3 -I -S {program} run {plan}\n"


def pulsing(places: Places) -> str:
    """The line before a tool's own command that lets it take its time between tests."""
    program = shlex.quote(str(home(places) / FORKS))
    outputs = shlex.quote(str(places.outputs))
    return f"python3 -I -S {program} pulse {outputs} >/dev/null 2>&1 &\n"
