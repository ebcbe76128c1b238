"""The token is taken out of the environment before anything is started from it."""

from __future__ import annotations

import os
import subprocess

import pytest

from fairtrial.cli.world import real_world


@pytest.fixture(autouse=True)
def job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "ghs_secret")
    monkeypatch.setenv("GITHUB_REPOSITORY", "octo/shop")


def test_nothing_that_is_started_has_the_token() -> None:
    world = real_world()

    printed = subprocess.run(["env"], capture_output=True, text=True, check=True).stdout
    assert "ghs_secret" not in printed
    assert "GITHUB_TOKEN" not in os.environ
    assert "ghs_secret" not in "".join(world.environ.values())


def test_the_token_is_not_shown_by_what_holds_it() -> None:
    world = real_world()

    assert "ghs_secret" == world.token
    assert "ghs_secret" not in repr(world)


def test_github_is_known_with_a_token_and_a_repository_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert real_world().people is not None
    # The first world has taken the token.
    assert real_world().people is None

    monkeypatch.setenv("GITHUB_TOKEN", "ghs_secret")
    monkeypatch.delenv("GITHUB_REPOSITORY")
    assert real_world().people is None
