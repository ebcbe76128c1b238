"""The action as an image, and a machine to run workflows with it."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from specimens import build
from tests.emulator.actions import Images
from tests.emulator.conftest import base_image
from tests.emulator.gateway import Gateway, gateway
from tests.emulator.origin import Origin
from tests.emulator.runner import Runner
from tests.fake_github.server import FakeGitHub

ROOT = Path(__file__).parents[2]
ACTION = "fairtrial/fairtrial"
TAG = "fairtrial-action:under-test"

Machine = Callable[[str], Runner]


@pytest.fixture(scope="session")
def action_image() -> str:
    """The id of the action's image, built from this tree as the runner would build it.

    Built once for each content, whichever process of the tests comes first; the one of
    an earlier content goes.
    """
    content = _content()
    old = _docker("images", "--quiet", "--no-trunc", TAG)
    shown = '{{ index .Config.Labels "fairtrial.content" }}'
    if old and content == _docker("image", "inspect", "--format", shown, old):
        return old
    # The host's network: an engine's own may not reach a package index.
    _docker(
        *("build", "--quiet", "--network", "host", "--tag", TAG),
        *("--label", f"fairtrial.content={content}"),
        *("--build-arg", f"BASE={base_image()}", str(ROOT)),
    )
    if old:
        subprocess.run(["docker", "image", "rm", old], check=False, capture_output=True)
    stages = ("--filter", "label=fairtrial.stage=build", "--filter", "until=2h")
    _docker("image", "prune", "--force", *stages)
    return _docker("images", "--quiet", "--no-trunc", TAG)


def _docker(*arguments: str) -> str:
    done = subprocess.run(
        ["docker", *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def _content() -> str:
    digest = hashlib.sha256(base_image().encode())
    for name in ("Dockerfile", "pyproject.toml", "requirements", "src"):
        start = ROOT / name
        for path in sorted(start.rglob("*")) if start.is_dir() else [start]:
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()


@pytest.fixture
def reached(github: FakeGitHub) -> Iterator[Gateway]:
    """The fake GitHub, where containers can reach it."""
    with gateway(upstream=github.url, token=github.token) as way:
        yield way


@pytest.fixture
def machine(
    tmp_path: Path, github: FakeGitHub, reached: Gateway, action_image: str
) -> Machine:
    """A runner for the repository of a specimen, which knows the action."""

    def make(specimen: str) -> Runner:
        built = build(specimen, tmp_path / "specimens")
        return Runner(
            origin=Origin.of(built.path, tmp_path, name=github.repo),
            folder=tmp_path / "machine",
            github=reached,
            actions={ACTION: ROOT},
            images=Images(ready={ACTION: action_image}),
        )

    return make
