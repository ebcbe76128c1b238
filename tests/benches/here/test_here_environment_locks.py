from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from fairtrial.benches.here import preparing


def test_who_waited_for_a_lock_that_was_thrown_away_holds_the_new_one(
    tmp_path: Path,
) -> None:
    lock = tmp_path / "key.lock"
    thrower = preparing._held_lock(lock)
    held: list[int] = []
    waiting = threading.Thread(target=lambda: held.append(preparing._held_lock(lock)))
    waiting.start()
    # The other one has opened the file and waits for its lock.
    time.sleep(0.3)
    lock.unlink()
    os.close(thrower)
    waiting.join(timeout=30)

    (descriptor,) = held
    try:
        assert os.path.samestat(os.fstat(descriptor), lock.stat())
    finally:
        os.close(descriptor)


def test_the_environments_that_were_asked_for_longest_ago_are_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "_KEPT", 1)
    for name, made, asked in (("old", 1000, 9000), ("young", 5000, 6000)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "done").touch()
        (tmp_path / f"{name}.lock").touch()
        os.utime(tmp_path / name / "done", (made, made))
        os.utime(tmp_path / f"{name}.lock", (asked, asked))

    environments = preparing.Environments(folder=tmp_path, commands=None)  # type: ignore[arg-type]  # no command runs
    environments._throw_away()

    assert {"old", "old.lock"} == {path.name for path in tmp_path.iterdir()}
