"""Where the interpreter is that a suite's private environment is made from."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairtrial.clients import process
from fairtrial.domain.errors import BenchUnavailable

_ASK: Final = (
    "import json, os, sys; print(json.dumps([os.path.realpath(getattr(sys, "
    "'_base_executable', None) or sys.executable), sys.version, "
    "list(sys.version_info[:3]), sorted({sys.base_prefix, sys.base_exec_prefix})]))"
)
_WANTED: Final = re.compile(r"\d+\.\d+(\.\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """A Python outside of any environment."""

    path: Path
    #: What it says of itself, with compiler and build date.
    version: str
    #: The folders that it needs to be able to read.
    prefixes: tuple[Path, ...]


def find(wanted: str | None, environ: Mapping[str, str]) -> Interpreter:
    """The interpreter of a version such as "3.13"; none: Fairtrial's own base.

    Looks on PATH, then where pyenv, uv, GitHub's runners and the system keep them.
    Raises BenchUnavailable when there is none, or no such version can be meant.
    """
    if wanted is None:
        own = getattr(sys, "_base_executable", None) or sys.executable
        found = _ask(Path(own), environ)
        if found is not None:
            return found[0]
        raise BenchUnavailable(f"{own} does not answer.")
    if not _WANTED.fullmatch(wanted):
        raise BenchUnavailable(
            f"python: {wanted!r} is no version.",
            remedy='Write major and minor version in quotes, such as python: "3.13".',
        )
    version = [int(part) for part in wanted.split(".")]
    for candidate in _candidates(wanted, environ):
        answer = _ask(candidate, environ)
        if answer is not None and answer[1][: len(version)] == version:
            return answer[0]
    raise BenchUnavailable(
        f"There is no Python {wanted} on this machine.",
        means="It was looked for on PATH and where pyenv, uv, actions/setup-python "
        "and the system keep theirs.",
        remedy=f"Install Python {wanted}, or leave out `python:` to use "
        f"{sys.version_info.major}.{sys.version_info.minor}.",
    )


def _candidates(wanted: str, environ: Mapping[str, str]) -> Iterator[Path]:
    minor = ".".join(wanted.split(".")[:2])
    home = Path(environ.get("HOME") or "/nonexistent")
    for folder in environ.get("PATH", "").split(":"):
        if folder.startswith("/"):
            yield Path(folder) / f"python{minor}"
    pyenv = Path(environ.get("PYENV_ROOT") or home / ".pyenv")
    data = Path(environ.get("XDG_DATA_HOME") or home / ".local/share")
    uv = Path(environ.get("UV_PYTHON_INSTALL_DIR") or data / "uv/python")
    tools = Path(environ.get("RUNNER_TOOL_CACHE") or "/opt/hostedtoolcache")
    for root, pattern in (
        (pyenv / "versions", f"{wanted}*/bin/python"),
        (uv, f"cpython-{wanted}*/bin/python{minor}"),
        (tools / "Python", f"{wanted}*/*/bin/python"),
    ):
        yield from sorted(root.glob(pattern), reverse=True)
    yield Path("/usr/local/bin") / f"python{minor}"
    yield Path("/usr/bin") / f"python{minor}"


def _ask(
    candidate: Path, environ: Mapping[str, str]
) -> tuple[Interpreter, list[int]] | None:
    names = ("PATH", "HOME", "PYENV_ROOT", "LD_LIBRARY_PATH")
    env = {name: environ[name] for name in names if name in environ}
    try:
        answer = process.run(
            [str(candidate), "-I", "-c", _ASK], env=env, timeout=30, cwd=Path("/")
        )
        path, version, numbers, prefixes = json.loads(answer.stdout)
    except (OSError, ValueError):
        return None
    return (
        Interpreter(
            path=Path(path),
            version=version,
            prefixes=tuple(Path(prefix).resolve() for prefix in prefixes),
        ),
        numbers,
    )
