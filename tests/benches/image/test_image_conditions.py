"""Conditions: what is equal in all containers, and what of it the report says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairtrial.benches.image.conditions import Conditions, fair_share
from fairtrial.clients.docker import EngineFacts
from fairtrial.domain.settings import Network

FACTS = EngineFacts(
    version="28.0",
    architecture="x86_64",
    system="linux",
    cpus=4,
    memory=16 * 1024**3,
    limits_memory=True,
    limits_swap=True,
    limits_processes=True,
)
CONDITIONS = Conditions(
    image="sha256:1",
    image_env={"PATH": "/opt/bin:/bin", "SECRET": "s", "TZ": "UTC"},
    private=False,
    network=Network.NONE,
    env={"MODE": "test"},
    memory=2 * 1024**3,
    processes=100,
)


def test_an_image_that_was_named_keeps_its_environment() -> None:
    environment = CONDITIONS.environment()

    assert "/opt/bin:/bin" == environment["PATH"]
    assert "s" == environment["SECRET"]
    assert "test" == environment["MODE"]
    assert "/fairtrial/home" == environment["HOME"]


def test_the_gates_own_image_gives_only_what_is_on_the_list() -> None:
    environment = replace(CONDITIONS, private=True).environment()

    assert environment["SECRET"] is None
    assert "UTC" == environment["TZ"]
    assert str(environment["PATH"]).startswith("/fairtrial/env/bin:/usr/local/sbin")
    assert "/opt/bin" not in str(environment["PATH"])


def test_what_is_pinned_here_is_pinned_in_containers_unless_the_image_sets_it() -> None:
    bare = replace(CONDITIONS, image_env={}).environment()
    other = replace(CONDITIONS, image_env={"TZ": "Asia/Seoul"}).environment()
    suites = replace(CONDITIONS, env={"TZ": "Europe/Paris"}).environment()

    assert ("UTC", "C.UTF-8", "0", "true") == tuple(
        bare[name] for name in ("TZ", "LANG", "PYTHONHASHSEED", "CI")
    )
    assert ("Asia/Seoul", "Europe/Paris") == (other["TZ"], suites["TZ"])


def test_home_and_temporary_folder_are_the_benchs_whatever_the_suite_says() -> None:
    environment = replace(CONDITIONS, env={"HOME": "/root"}).environment()

    assert "/fairtrial/home" == environment["HOME"]


@pytest.mark.parametrize(
    "other",
    [
        replace(CONDITIONS, image="sha256:2"),
        replace(CONDITIONS, private=True),
        replace(CONDITIONS, network=Network.OPEN),
        replace(CONDITIONS, env={"MODE": "other"}),
        replace(CONDITIONS, memory=1),
        replace(CONDITIONS, processes=1),
    ],
)
def test_conditions_that_differ_have_another_fingerprint(other: Conditions) -> None:
    assert other.fingerprint(FACTS) != CONDITIONS.fingerprint(FACTS)


def test_the_fingerprint_is_the_same_for_the_same_and_shows_no_value() -> None:
    again = replace(CONDITIONS, env={"MODE": "test"})

    assert again.fingerprint(FACTS) == CONDITIONS.fingerprint(FACTS)
    assert CONDITIONS.fingerprint(FACTS).startswith("sha256:")
    assert 71 == len(CONDITIONS.fingerprint(FACTS))


def test_an_engine_that_limits_everything_reaches_every_level() -> None:
    levels = CONDITIONS.levels(FACTS)

    assert ("container", "dropped", "none", "limited") == (
        levels.files,
        levels.user,
        levels.network,
        levels.memory,
    )
    assert {} == levels.why_not


def test_what_the_engine_can_not_do_is_said_with_its_reason() -> None:
    levels = replace(CONDITIONS, network=Network.OPEN).levels(
        replace(FACTS, limits_memory=False)
    )

    assert ("open", "unlimited") == (levels.network, levels.memory)
    assert {"network", "memory"} == set(levels.why_not)


def test_swap_that_is_not_counted_is_said() -> None:
    levels = CONDITIONS.levels(replace(FACTS, limits_swap=False))

    assert "limited" == levels.memory
    assert "swap" in levels.why_not["memory"]


def test_containers_that_run_together_fit_the_machine() -> None:
    assert FACTS.memory * 4 // 10 == fair_share(FACTS, 2)
    assert 1024**3 == fair_share(replace(FACTS, memory=0), 2)
