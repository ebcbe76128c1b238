"""A held program is ready when it says so, and gone when it is let go of."""

from __future__ import annotations

import os
import sys

import pytest

from fairtrial.clients.held import Held
from fairtrial.domain.errors import ServiceError


def python(code: str) -> list[str]:
    return [sys.executable, "-I", "-c", code]


def test_it_runs_until_it_is_ended() -> None:
    held = Held(python("import os; os.write(1, b'+'); os.read(0, 1)"))
    pid = held._process.pid
    ran = held.runs
    held.end()
    held.end()

    assert (True, False) == (ran, held.runs)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_what_it_says_instead_of_being_ready_is_the_error() -> None:
    with pytest.raises(ServiceError, match=r"^the port is taken$"):
        Held(python("import os; os.write(1, b'-the port is taken')"))


def test_one_that_ends_at_once_is_an_error() -> None:
    with pytest.raises(ServiceError, match="ended at once"):
        Held(python("pass"))


def test_one_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ServiceError, match="can't be started"):
        Held(["/no/such/program"])
