"""Suites of many tests in which some make one fail: what the search is timed on."""

from __future__ import annotations

import os
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

TESTS_A_FILE = 20

_LIBRARY = '''\
"""Takes its time to be imported, as a real application does: the processor's."""

import time

_until = time.process_time() + {seconds}
while time.process_time() < _until:
    pass
LEFT = set()
'''


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """One suite in a repository, and what is true of it."""

    name: str
    path: Path
    order: tuple[str, ...]
    victim: str
    polluters: tuple[str, ...]
    #: Any of the polluters does it by itself, as far as is known.
    real: bool = False

    @property
    def together(self) -> bool:
        """Only all of the polluters do it."""
        return not self.real and len(self.polluters) > 1

    @property
    def prefix(self) -> int:
        """How many tests run before the victim."""
        return self.order.index(self.victim)

    @property
    def files(self) -> int:
        return len({test.partition("::")[0] for test in self.order})


def synthetic(
    folder: Path,
    *,
    tests: int,
    import_seconds: float,
    polluters: int = 1,
    seed: int = 0,
) -> Suite:
    """A suite with a victim in its last fifth, and the polluters anywhere before."""
    chance = random.Random(f"{tests} {import_seconds} {polluters} {seed}")
    victim = chance.randrange(tests * 4 // 5, tests)
    guilty = sorted(chance.sample(range(victim), polluters))
    path = folder / f"{tests}-{import_seconds:g}-{polluters}-{seed}"
    (path / "tests").mkdir(parents=True)
    (path / "library.py").write_text(_LIBRARY.format(seconds=import_seconds))
    (path / "conftest.py").write_text("")
    order = []
    for first in range(0, tests, TESTS_A_FILE):
        file = f"tests/test_{first // TESTS_A_FILE:04d}.py"
        lines = ["import library", ""]
        for number in range(first, min(tests, first + TESTS_A_FILE)):
            order.append(f"{file}::test_{number}")
            lines.append(f"def test_{number}():")
            if number in guilty:
                lines.append(f"    library.LEFT.add({number})")
            elif number == victim:
                lines.append(f"    assert not library.LEFT >= {set(guilty)}")
            else:
                lines.append(f"    assert {number} + 1 == {number + 1}")
            lines.append("")
        (path / file).write_text("\n".join(lines))
    commit(path)
    return Suite(
        name=f"{tests} tests, import {import_seconds:g} s"
        + (f", {polluters} together" if polluters > 1 else ""),
        path=path,
        order=tuple(order),
        victim=order[victim],
        polluters=tuple(order[each] for each in guilty),
    )


def commit(path: Path) -> None:
    """A repository with all of a folder in one commit."""
    who = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", "Author"), ("EMAIL", "author@example.invalid"))
    }
    plain = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "suite"]):
        subprocess.run(
            ["git", "-C", str(path), *words], check=True, env=os.environ | who | plain
        )
