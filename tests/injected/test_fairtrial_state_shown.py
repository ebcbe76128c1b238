"""What is told of a part of a process holds nobody's password."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "src/fairtrial/injected"


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("fairtrial_state_shown")


@pytest.mark.parametrize(
    "token",
    [
        "postgresql://shop:hunter2@db/shop",
        "host=db user=shop password=hunter2",
        "postgresql://db/shop?user=x&password=hunter2",
        ("dict", "password", "hunter2", "host", "db"),
        ("dict", "DB", ("dict", "SECRET_KEY", "hunter2")),
        ("dict", "url", "amqp://shop:hunter2@db"),
        ("list", ("redis://:hunter2@db",)),
    ],
)
def test_a_value_that_holds_a_password_is_told_without_it(
    state: Any, token: object
) -> None:
    told = state.shown("module", "shop.CONFIG", token)

    assert "hunter2" not in told
    assert "(hidden)" in told


def test_what_holds_none_is_told_as_it_is(state: Any) -> None:
    assert "http://db:80/x?y=1" == state.shown(
        "module", "shop.AT", "http://db:80/x?y=1"
    )
    told = state.shown("module", "shop.CONFIG", ("dict", "host", "db", "n", 3))
    assert "{'host': 'db', 'n': 3}" == told
