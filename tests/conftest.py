"""What every test may ask for."""

from __future__ import annotations

import os

import docker
import pytest

#: The fake GitHub's fixture, for every folder.
pytest_plugins = ("tests.fake_github.fixture",)


def _engine_answers() -> bool:
    try:
        client = docker.from_env(timeout=5)
        try:
            return bool(client.ping())
        finally:
            client.close()
    except docker.errors.DockerException:
        return False


@pytest.fixture(scope="session")
def _engine() -> None:
    if _engine_answers():
        return
    if os.environ.get("FAIRTRIAL_REQUIRE_ENGINE") == "1":
        pytest.fail("FAIRTRIAL_REQUIRE_ENGINE=1, and no Docker engine answers")
    pytest.skip("no Docker engine answers on this machine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests marked `engine` ask for one before anything else."""
    for item in items:
        if item.get_closest_marker("engine") and isinstance(item, pytest.Function):
            item.fixturenames.insert(0, "_engine")
