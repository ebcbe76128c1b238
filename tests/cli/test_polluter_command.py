"""`fairtrial polluter` goes on where it stood, and tells programs what it found."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from specimens import Built, build

VICTIM = "tests/test_b_state.py::test_empty"
POLLUTER = "tests/test_a_orders.py::test_first_order"


def words(built: Built, *more: str) -> list[str]:
    revisions = (f"--base={built.base}", f"--head={built.head}")
    where = (f"--repo={built.path}", *revisions, "--bench=here")
    return [sys.executable, "-m", "fairtrial", "polluter", *where, *more]


def environ(cache: Path) -> dict[str, str]:
    return os.environ | {"XDG_CACHE_HOME": str(cache)}


def polluter(cache: Path, command: Sequence[str]) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [*command, "--json"],
        check=False,
        capture_output=True,
        text=True,
        timeout=200,
        env=environ(cache),
    )
    told = json.loads(done.stdout) if done.stdout else {"error": done.stderr}
    return done.returncode, told


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build("old_contamination", tmp_path_factory.mktemp("polluter"))


def test_a_known_order_spares_the_suite(built: Built, tmp_path: Path) -> None:
    order = tmp_path / "order.txt"
    order.write_text(f"{POLLUTER}\n\n{VICTIM}\n")

    code, told = polluter(tmp_path, words(built, f"--order={order}", VICTIM))

    assert (0, [[POLLUTER]]) == (code, told["sets"])
    assert "polluter" == told["role"]
    assert f"fairtrial run {POLLUTER} {VICTIM}" == told["replay"]
    assert told["trials"] <= 6

    code, again = polluter(tmp_path, words(built, f"--order={order}", VICTIM))
    assert (0, 0, told["sets"]) == (code, again["trials"], again["sets"])
    assert told["trials"] == again["kept"]


def test_an_order_without_the_test_is_a_wrong_command(
    built: Built, tmp_path: Path
) -> None:
    order = tmp_path / "order.txt"
    order.write_text(f"{POLLUTER}\n")

    code, told = polluter(tmp_path, words(built, f"--order={order}", VICTIM))

    assert 2 == code
    assert "no test" in told["error"]


@pytest.mark.parametrize("text", ["", "\n\n", None])
def test_an_order_that_orders_nothing_is_a_wrong_command(
    built: Built, tmp_path: Path, text: str | None
) -> None:
    order = tmp_path / "order.txt"
    if text is not None:
        order.write_text(text)

    code, told = polluter(tmp_path, words(built, f"--order={order}", VICTIM))

    assert 2 == code
    assert "order" in told["error"]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_search_goes_on_where_it_stood(
    built: Built, tmp_path: Path, number: signal.Signals
) -> None:
    command = words(built, VICTIM)
    process = subprocess.Popen(
        command,
        env=environ(tmp_path),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    kept = tmp_path / "fairtrial/polluter"
    until = time.monotonic() + 100
    while time.monotonic() < until and process.poll() is None:
        if any(file.read_bytes().count(b"\n") for file in kept.glob("*.jsonl")):
            break
        time.sleep(0.02)
    process.send_signal(number)
    process.wait(timeout=60)

    code, told = polluter(tmp_path, command)
    assert (0, [[POLLUTER]]) == (code, told["sets"])
    assert told["kept"] >= 1

    code, fresh = polluter(tmp_path, [*command, "--fresh"])
    assert (0, 0) == (code, fresh["kept"])
