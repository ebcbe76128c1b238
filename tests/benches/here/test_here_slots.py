"""Which user ids a gate takes on the machine and in containers beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.benches.here.slots import claim, first_user

MACHINE = 0xEFFFFFFC


@pytest.mark.parametrize("namespace", range(4026532000, 4026532050))
def test_a_container_never_takes_an_id_of_the_machines_range(namespace: int) -> None:
    taken = range(first_user(namespace), first_user(namespace) + 64)

    assert first_user(MACHINE) + 64 <= taken.start
    assert taken.stop <= 61_184, "systemd's dynamic users begin here"


def test_two_claims_get_two_places_and_two_users(tmp_path: Path) -> None:
    one, other = claim(tmp_path), claim(tmp_path)
    try:
        assert one.uid != other.uid
        assert one.place != other.place
    finally:
        one.release()
        other.release()
