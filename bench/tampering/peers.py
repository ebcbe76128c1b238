"""Other tools on the same changes: what each says of a base and a head."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

#: What a tool answers: it stops the change, it only tells, it says nothing.
BLOCKS: Final = "B"
TELLS: Final = "n"
SILENT: Final = "."


def install(folder: Path) -> Path:
    """The folder with the tools' programs, in an environment of their own."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    programs = folder / "bin"
    pins = Path(__file__).parent / "peers.txt"
    subprocess.run(
        [str(programs / "pip"), "install", "--quiet", "-r", str(pins)], check=True
    )
    return programs


def _run(*command: str, cwd: Path) -> tuple[int, str]:
    done = subprocess.run(
        command,
        check=False,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"NO_COLOR": "1"},
    )
    return done.returncode, done.stdout + done.stderr


def checkwash(programs: Path, repo: Path, base: str, head: str) -> str:
    """By exit code; a warning is told and lets pass."""
    command = str(programs / "checkwash")
    where = f"{base}..{head}"
    code, _ = _run(command, "check", where, "--repo", str(repo), cwd=repo)
    if code:
        return BLOCKS
    code, _ = _run(
        *(command, "check", where, "--repo", str(repo), "--fail-on", "info"), cwd=repo
    )
    return TELLS if code else SILENT


def proctor(programs: Path, repo: Path, base: str, _: str) -> str:
    """By exit code at its default, then at its lowest."""
    command = (str(programs / "proctor"), "scan", "--base", base)
    code, _ = _run(*command, cwd=repo)
    if code:
        return BLOCKS
    code, _ = _run(*command, "--fail-on", "low", cwd=repo)
    return TELLS if code else SILENT


def vurnix(programs: Path, repo: Path, base: str, _: str) -> str:
    """Each test file of base against itself at head; a file that is gone blocks."""
    command = (str(programs / "vurnix"), "integrity")
    listed = _run("git", "ls-tree", "-r", "--name-only", base, cwd=repo)[1]
    for path in listed.split():
        name = Path(path).name
        if not _is_test(name):
            continue
        text = _run("git", "show", f"{base}:{path}", cwd=repo)[1]
        before = repo.parent / f"{repo.name}-before{Path(path).suffix}"
        before.write_text(text)
        code, snapshot = _run(*command, "snapshot", str(before), cwd=repo)
        if code:
            continue
        kept = repo.parent / f"{repo.name}-before.json"
        kept.write_text(snapshot)
        if not (repo / path).exists():
            return BLOCKS
        code, _ = _run(*command, "compare", str(kept), path, cwd=repo)
        if code:
            return BLOCKS
    return SILENT


def _is_test(name: str) -> bool:
    stem = Path(name).stem.lower()
    return stem.startswith("test") or stem.endswith(("test", "tests", ".spec"))


PEERS: Final[dict[str, Callable[[Path, Path, str, str], str]]] = {
    "checkwash": checkwash,
    "proctor-agent": proctor,
    "vurnix": vurnix,
}
