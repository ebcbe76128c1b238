from __future__ import annotations

from dataclasses import replace

import pytest

from fairtrial.benches.databases.names import (
    Maker,
    is_dead,
    maker_of,
    slug,
)

HERE = Maker(place="0123ab", pid=4194304, started=9_999_999_999, begun=1_796_000_000)


def test_a_name_says_who_made_it() -> None:
    assert HERE == maker_of(f"{HERE.prefix}orders_12")


@pytest.mark.parametrize("name", ["postgres", "fairtrial", "fairtrial_x_1_2_3_a", ""])
def test_a_name_of_somebody_elses_is_nobodys_of_ours(name: str) -> None:
    assert maker_of(name) is None


def test_the_longest_name_fits() -> None:
    name = f"{HERE.prefix}{slug('a very long name', 8)}_template_12345"

    assert len(name) <= 63
    assert HERE == maker_of(name)


def test_a_maker_in_this_place_is_dead_when_its_process_is_gone_or_another() -> None:
    assert is_dead(HERE, HERE, None)
    assert is_dead(HERE, HERE, HERE.started + 1)
    assert not is_dead(HERE, HERE, HERE.started)


def test_of_a_maker_elsewhere_only_its_age_tells() -> None:
    elsewhere = replace(HERE, place="ffffff")

    assert not is_dead(elsewhere, HERE, None)
    assert is_dead(replace(elsewhere, begun=HERE.begun - 90_000), HERE, None)


def test_a_slug_is_what_may_stand_in_a_name() -> None:
    assert "bestellungen_für_x".replace("ü", "_") == slug("Bestellungen-für x", 20)
    assert "a_b" == slug("--a b--", 20)
