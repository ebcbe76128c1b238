"""The tools that look for polluters, each asked in the way that it allows."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

#: Installed beside the suite's own requirements, in an environment of their own.
PEERS = (
    "detect-test-pollution==1.2.0",
    "pytest-bisect-tests==0.3.0",
    "flake-exorcist==0.1.0",
    "pytest-flakedoctor==0.1.2",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One victim, with everything that a tool may want to know."""

    path: Path
    victim: str
    order: tuple[str, ...]
    #: The environment that has the suite's requirements and the peers.
    environment: Path
    #: Fairtrial's own folder and configuration, with a folder for what it keeps.
    configuration: Path
    cache: Path
    scratch: Path
    options: str = ""
    limit: float = 600.0
    head: str = "HEAD"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tool named, and the seconds it took; empty: it named nobody."""

    tests: tuple[str, ...]
    seconds: float
    #: Why there is no answer.
    said: str = ""
    #: For ours: the whole command, with standing up its bench.
    whole: float = 0.0


def ours(task: Task) -> Answer:
    """`fairtrial polluter --order`; standing up the bench is not timed."""
    order = _order(task)
    words = [sys.executable, "-m", "fairtrial", "polluter", "--json", "--fresh"]
    where = ["--repo", str(task.path), "--base", task.head, "--head", task.head]
    bench = ["--bench", "here", "--config", str(task.configuration)]
    environ = {**os.environ, "XDG_CACHE_HOME": str(task.cache)}
    begun = time.monotonic()
    code, printed = _run(
        [*words, *where, *bench, "--order", str(order), task.victim],
        task.scratch,
        environ,
        task.limit,
    )
    whole = time.monotonic() - begun
    lines = [line for line in printed.splitlines() if line.startswith("{")]
    if not lines:
        return Answer(tests=(), seconds=whole, whole=whole, said=_end(code, printed))
    told = json.loads(lines[-1])
    sets = told["sets"] or [[]]
    return Answer(
        tests=tuple(sets[0]),
        seconds=whole - told["setup_seconds"],
        whole=whole,
        said=told["hostile"] or told["why"],
    )


def detect_test_pollution(task: Task) -> Answer:
    """With the order in a file."""
    return _peer(
        task,
        [
            str(task.environment / "bin/detect-test-pollution"),
            f"--failing-test={task.victim}",
            f"--testids-file={_order(task)}",
        ],
        lambda printed: re.findall(r"the polluting test is: (\S+)", printed),
    )


def bisect_tests(task: Task) -> Answer:
    """It takes no order but pytest's own."""
    return _peer(
        task,
        [
            str(task.environment / "bin/pytest-bisect-tests"),
            f"--failing-test={task.victim}",
        ],
        lambda printed: re.findall(r"Faulty test: (\S+)", printed),
    )


def exorcist(task: Task) -> Answer:
    """One test only; it takes no order but pytest's own."""
    return _peer(
        task,
        [
            str(task.environment / "bin/exorcist"),
            "hunt",
            "--json",
            f"--only={task.victim}",
            ".",
        ],
        lambda printed: _named(printed, r"\"polluters?\": *(\[[^\]]*\]|\"[^\"]*\")"),
    )


def flakedoctor(task: Task) -> Answer:
    """One test only; it takes no order but pytest's own."""
    return _peer(
        task,
        [
            str(task.environment / "bin/flakedoctor"),
            task.victim,
            f"--doctor-budget={task.limit:.0f}",
        ],
        lambda printed: re.findall(r"polluter[^:\n]*:\s*(\S+::\S+)", printed),
    )


def _named(printed: str, pattern: str) -> list[str]:
    found = re.findall(pattern, printed)
    return [
        test for each in found for test in re.findall(r"[^\s\"\[\],]+::[^\"]+", each)
    ]


FINDERS: Mapping[str, Callable[[Task], Answer]] = {
    "fairtrial": ours,
    "detect-test-pollution": detect_test_pollution,
    "pytest-bisect-tests": bisect_tests,
    "flake-exorcist": exorcist,
    "pytest-flakedoctor": flakedoctor,
}


def _peer(
    task: Task, words: Sequence[str], read: Callable[[str], Sequence[str]]
) -> Answer:
    path = f"{task.environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environ = {**os.environ, "PATH": path, "PYTEST_ADDOPTS": task.options}
    environ.pop("PYTHONPATH", None)
    begun = time.monotonic()
    code, printed = _run(words, task.path, environ, task.limit)
    seconds = time.monotonic() - begun
    tests = tuple(dict.fromkeys(read(printed)))
    return Answer(
        tests=tests, seconds=seconds, said="" if tests else _end(code, printed)
    )


def _run(
    words: Sequence[str], folder: Path, environ: Mapping[str, str], limit: float
) -> tuple[int, str]:
    """Exit code and all that was printed; whatever it started ends with it."""
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        printed, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        return -1, f"not over after {limit:.0f} s"
    return process.returncode, printed


def _end(code: int, printed: str) -> str:
    lines = [line for line in printed.strip().splitlines() if line.strip()] or [""]
    return f"exit {code}: {lines[-1].strip()[:160]}"


def _order(task: Task) -> Path:
    file = task.scratch / "order.txt"
    file.write_text("\n".join(task.order) + "\n", encoding="utf-8")
    return file


def configured(path: Path, **suite: object) -> Path:
    """A configuration of one suite."""
    path.write_text(yaml.safe_dump({"suites": {"unit": {"runner": "pytest", **suite}}}))
    return path
