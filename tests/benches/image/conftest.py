"""An image to try benches on, and benches that are closed after the test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import pytest

from fairtrial.benches.image import ImageBench
from fairtrial.clients.docker import DockerEngine
from fairtrial.clients.docker_owner import RUN
from fairtrial.domain.names import RepoPath, TrialId
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import (
    Delta,
    FileContent,
    Setup,
    TrialOutput,
    TrialSpec,
)

#: `tools/engine.py base fairtrial-base:bookworm bookworm` makes it without a registry.
BASE = os.environ.get("FAIRTRIAL_BASE_IMAGE") or "fairtrial-base:bookworm"


class MakeBench(Protocol):
    def __call__(self, **options: Any) -> ImageBench: ...


class RunShell(Protocol):
    def __call__(
        self, bench: ImageBench, line: str, *, timeout: float = 60, **options: Any
    ) -> TrialOutput: ...


@pytest.fixture(scope="session")
def engine() -> Iterator[DockerEngine]:
    client = DockerEngine.connect()
    yield client
    client.close()


@pytest.fixture(scope="session")
def base_image(engine: DockerEngine) -> str:
    if engine.image(BASE) is None:
        say = f"no image {BASE}: run `tools/engine.py base {BASE} bookworm`"
        if os.environ.get("FAIRTRIAL_REQUIRE_ENGINE") == "1":
            pytest.fail(say)
        pytest.skip(say)
    return BASE


@pytest.fixture
def make_bench(engine: DockerEngine, base_image: str) -> Iterator[MakeBench]:
    made: list[ImageBench] = []

    def make(**options: Any) -> ImageBench:
        bench = ImageBench(**{"image": base_image, "client": engine, **options})
        made.append(bench)
        return bench

    yield make
    for bench in made:
        bench.close()
        assert () == engine.labelled(f"{RUN}={bench.run_id}")


@pytest.fixture(scope="module")
def bench(engine: DockerEngine, base_image: str) -> Iterator[ImageBench]:
    """A frozen base with one file, shared by trials that can't disturb each other."""
    one = ImageBench(image=base_image, client=engine, memory=256 * 1024**2)
    try:
        one.freeze(Revision.BASE, tree(**{"kept.txt": "kept\n"}), Setup())
        yield one
    finally:
        one.close()
    assert () == engine.labelled(f"{RUN}={one.run_id}")


def tree(**files: str) -> dict[RepoPath, FileContent]:
    return {
        RepoPath(name): FileContent(mode=0o100644, data=text.encode())
        for name, text in files.items()
    }


@pytest.fixture
def run_shell() -> RunShell:
    def run(
        bench: ImageBench, line: str, *, timeout: float = 60, **options: Any
    ) -> TrialOutput:
        return bench.run(
            TrialSpec(
                **{
                    "trial": TrialId("t1"),
                    "frozen": Revision.BASE,
                    "delta": Delta(),
                    "argv": ("sh", "-c", line),
                    "timeout": timeout,
                    **options,
                }
            )
        )

    return run


@pytest.fixture
def tree_of() -> Callable[..., dict[RepoPath, FileContent]]:
    return tree
