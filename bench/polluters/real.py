"""The victims of a corpus folder, as `bench/corpus` takes it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml
from finders import PEERS, Task, configured
from synthetic import Suite


def _of_corpus(name: str) -> ModuleType:
    """A module of the folder beside; both folders have a `__main__`."""
    path = Path(__file__).parents[1] / "corpus" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


cases = _of_corpus("cases")
sources = _of_corpus("sources")

VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


def victims(
    corpus: Path,
    mirror: Path | None,
    folder: Path,
    limit: float,
    chosen: frozenset[str] = frozenset(),
) -> Iterator[tuple[Suite, Task]]:
    """Each victim that has a recorded order and runs on this Python, once."""
    known = {each["id"]: each for each in yaml.safe_load(_text(corpus))}
    seen = set()
    for case in cases.read(corpus):
        polluters = tuple(known[case.id].get("polluters") or ())
        victim = (case.repo, case.test)
        wanted = case.order is not None and polluters and case.python == VERSION
        if not wanted or victim in seen or (chosen and case.id not in chosen):
            continue
        seen.add(victim)
        place = folder / case.id
        try:
            change = sources.change_of(case, place / "case", mirror)
        except sources.NotThere as missing:
            print(f"{case.id}: left out: {missing}", file=sys.stderr)
            continue
        sources.git(change.path, "checkout", "-q", "--force", "--detach", change.head)
        lines = case.order.read_text(encoding="utf-8").split("\n")
        order = tuple(line for line in lines if line)
        yield (
            _suite(case, change, order, polluters),
            _task(case, change, order, place, limit),
        )


def _text(corpus: Path) -> str:
    return (corpus / "cases.yaml").read_text(encoding="utf-8")


def _suite(case: Any, change: Any, order: tuple[str, ...], polluters: Any) -> Suite:
    return Suite(
        name=case.id,
        path=change.path,
        order=order,
        victim=case.test,
        polluters=tuple(polluters),
        real=True,
    )


def _task(
    case: Any, change: Any, order: tuple[str, ...], place: Path, limit: float
) -> Task:
    environment = place / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    pip = [environment / "bin/python", "-m", "pip", "install", "-q"]
    subprocess.run([*pip, "setuptools<70", "wheel", "packaging"], check=True)
    subprocess.run([*pip, "--no-deps", "-r", case.requirements], check=True)
    subprocess.run([*pip, "--no-deps", *PEERS], check=True)
    if case.install:
        line = case.install.replace("pip ", f"{environment}/bin/python -m pip ", 1)
        subprocess.run(["sh", "-c", line], check=True, cwd=change.path)
    suite: dict[str, Any] = {
        "python": case.python,
        "command": case.command,
        "prepare": [
            "pip install --no-deps 'setuptools<70' wheel packaging",
            f"pip install --no-deps -r {case.requirements}",
        ],
        "env": dict(case.env),
    }
    if case.install:
        suite["build"] = [case.install]
    options = case.command.partition(" pytest ")[2]
    return Task(
        path=change.path,
        victim=case.test,
        order=order,
        environment=environment,
        configuration=configured(place / "configuration.yml", **suite),
        cache=place.parent / "cache",
        scratch=place,
        options=options,
        limit=limit,
        head=change.head,
    )
