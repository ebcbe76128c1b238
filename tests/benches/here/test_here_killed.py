"""A gate that is killed or interrupted in the middle of a trial leaves nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fairtrial.benches.here import HereBench

# The fixtures' type lives in conftest.py, which can't be imported.
Place = Any

_GATE = """
import signal, sys
from pathlib import Path
from fairtrial.benches.here import HereBench, HereOptions, premises
from fairtrial.benches.here.ground import Ground
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Delta, Setup, TrialSpec

def stop(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGTERM, stop)
folder, word, weak, python = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
if weak == "weak":
    real = premises.survey
    premises.survey = lambda *a: Ground(
        uid=(found := real(*a)).uid, groups=found.groups,
        reasons=dict.fromkeys(("files", "network", "processes", "user", "memory"), "-"))
bench = HereBench(HereOptions(
    scratch=folder / "scratch", cache=folder / "cache",
    environ={"PATH": "/usr/local/bin:/usr/bin:/bin"}))
try:
    bench.freeze(Revision.BASE, {}, Setup(python=python or None))
    bench.run(TrialSpec(
        trial="t1", frozen=Revision.BASE, delta=Delta(), timeout=100,
        argv=("sh", "-c", f"touch /tmp/{word}; setsid sleep {word} & sleep {word}")))
finally:
    bench.close()
"""


def _running(word: str) -> list[str]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if word.encode() in words and b"sleep" in words[0]:
                found.append(folder.name)
    return found


def _groups() -> list[Path]:
    return list(Path("/sys/fs/cgroup").glob("**/fairtrial-run-*"))


@pytest.mark.parametrize("weak", ["whole", "weak"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_is_left(place: Place, weak: str, number: signal.Signals) -> None:
    place.close()
    python = place.python or ""
    word = f"{98000 + os.getpid() % 1000}.{time.monotonic_ns()}"
    with subprocess.Popen(
        [sys.executable, "-c", _GATE, str(place.folder), word, weak, python]
    ) as gate:
        deadline = time.monotonic() + 100
        while len(_running(word)) < 2 and time.monotonic() < deadline:
            assert gate.poll() is None
            time.sleep(0.05)
        gate.send_signal(number)
    killed = number == signal.SIGKILL

    assert killed == any((place.folder / "scratch").iterdir())

    deadline = time.monotonic() + 10
    while _running(word) and time.monotonic() < deadline:
        time.sleep(0.05)

    assert [] == _running(word)

    HereBench(place.options()).close()

    assert [] == list((place.folder / "scratch").iterdir())
    assert [] == list((place.folder / "cache/runs").glob("*.journal"))
    assert [] == [path for path in _groups() if str(gate.pid) in path.name]
    assert os.geteuid() != 0 or not Path(f"/tmp/{word}").exists()
    Path(f"/tmp/{word}").unlink(missing_ok=True)
