"""The projects that are measured, as git repositories, and their stands."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from fairtrial.cli.world import real_world
from fairtrial.domain.request import Request
from fairtrial.domain.settings import BenchKind
from fairtrial.domain.trees import Revision
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.single import standing_one
from fairtrial.pipeline.stand import Stand
from specimens import commit, git


def green_project(folder: Path, files: int, tests: int) -> Path:
    """A repository of `files` test files with `tests` passing tests each."""
    repository = folder / "green"
    repository.mkdir()
    git(repository, "init", "--quiet", "--initial-branch=main")
    body = "".join(
        f"\n\ndef test_{number}():\n    assert calc.add({number}, 1) == {number + 1}\n"
        for number in range(tests)
    )
    sources = {f"tests/test_{n:03}.py": f"import calc\n{body}" for n in range(files)}
    sources["calc.py"] = "def add(a, b):\n    return a + b\n"
    sources["conftest.py"] = ""
    commit(repository, sources, "Base")
    commit(repository, {"calc.py": sources["calc.py"] + "\n# A word.\n"}, "Change")
    return repository


def edited_project(folder: Path, files: int, tests: int, edited: int) -> Path:
    """The same, with some tests of one file written otherwise, and nothing else."""
    repository = green_project(folder, files, tests)
    path = "tests/test_000.py"
    text = (repository / path).read_text()
    for number in range(edited):
        old = f"    assert calc.add({number}, 1) == {number + 1}\n"
        new = (
            f"    seen = calc.add({number}, 1)\n"
            f"    expected = {number} + 1\n"
            "    assert seen == expected\n"
        )
        text = text.replace(old, new, 1)
    commit(repository, {path: text}, "Only tests")
    return repository


@contextmanager
def stand(
    repository: Path, bench: BenchKind, config: Path | None = None
) -> Iterator[tuple[Brief, Stand]]:
    """The repository's suite on a bench, base and head frozen."""
    request = Request(
        repo=repository, base="HEAD^", head="HEAD", bench=bench, config=config
    )
    with ExitStack() as stack:
        sides = (Revision.BASE, Revision.HEAD)
        yield stack.enter_context(standing_one(request, real_world(), *sides))


def clock() -> float:
    return time.perf_counter()
