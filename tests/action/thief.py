"""What code under test could lay its hands on; runs inside a trial, or without one."""

from __future__ import annotations

import os
import socket
from pathlib import Path

#: How the tokens of the emulator's jobs begin; not spelt out, or this file would be
#: one of its own finds.
NEEDLES = tuple(bytes(reversed(word)) for word in (b"_shg", b"-emitnur-rotalume"))


def loot(host: str, port: int) -> dict[str, list[str]]:
    """By place: what was found there; empty places are left out."""
    processes = [path for path in Path("/proc").iterdir() if path.name.isdigit()]
    engine = Path("/var/run/docker.sock")
    found: dict[str, list[object]] = {
        "environment": [
            name
            for name, value in os.environb.items()
            if any(n in value for n in NEEDLES)
        ],
        "processes": [one for one in processes if holds(one / "environ")],
        "files": [path for path in files() if holds(path)],
        "commands": [
            path for path in Path("/github/file_commands").glob("*") if writable(path)
        ],
        "engine": [engine] if answers(engine) else [],
        "network": [port] if reaches(host, port) else [],
    }
    return {place: [str(one) for one in what] for place, what in found.items() if what}


def files() -> list[Path]:
    """Files where a runner, a checkout or a gate could leave something."""
    return [
        Path(folder) / name
        for start in ("/github", "/tmp", "/root", "/home", "/var/tmp", "/run")
        for folder, _, names in os.walk(start)
        for name in names
    ]


def holds(path: Path) -> bool:
    """Whether a file can be read and holds a token."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            content = file.read(1 << 20)
    except OSError:
        return False
    return any(needle in content for needle in NEEDLES)


def writable(path: Path) -> bool:
    """Whether the runner would take what we write."""
    try:
        with path.open("ab"):
            return True
    except OSError:
        return False


def answers(path: Path) -> bool:
    """Whether the engine takes a connection."""
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(path))
        except OSError:
            return False
        return True


def reaches(host: str, port: int) -> bool:
    """Whether an address outside can be connected to."""
    try:
        socket.create_connection((host, port), timeout=3).close()
    except OSError:
        return False
    return True
