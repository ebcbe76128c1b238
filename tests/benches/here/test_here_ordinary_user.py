"""The bench `here` of a user who is not root, on a real machine as that user."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import fairtrial

_NOBODY = "65534"
_SOURCE = Path(fairtrial.__file__).parents[1]

_SCRIPT = """
import dataclasses, json, os, sys, time
from pathlib import Path
from fairtrial.benches.here import HereBench, HereOptions, premises
from fairtrial.benches.here.ground import Ground
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Delta, Setup, TrialSpec

folder = Path(sys.argv[1])
if sys.argv[2] == "bare":
    premises.survey = lambda *a: Ground(reasons=dict.fromkeys(
        ("files", "user", "network", "memory", "processes"), "not in this test"))
home = folder / "home"
home.mkdir()
(home / "key").write_text("private-key")
bench = HereBench(HereOptions(
    scratch=folder / "scratch", cache=folder / "cache",
    environ={**os.environ, "HOME": str(home)}))
try:
    bench.freeze(Revision.BASE, {}, Setup())
    def run(script, timeout=20):
        out = bench.run(TrialSpec(trial="t", frozen=Revision.BASE, delta=Delta(),
            argv=("sh", "-c", script), timeout=timeout))
        return [out.ending, out.code, out.stdout.decode(), dict(out.files).__len__()]
    started = time.monotonic()
    said = {
        "id": run("id -u; cat /proc/self/status | grep CapEff"),
        "work": run(f"echo x > new; pwd; echo r > {bench.places.outputs}/r"),
        "again": run("ls"),
        "secrets": run(
            f"cat /proc/{os.getpid()}/environ {home}/key; cat /proc/*/environ"),
        "net": run("python -c 'import socket; "
            "socket.create_connection((\\"192.0.2.1\\", 80), 3)' 2>&1 | tail -1"),
        "hang": run("setsid sleep 54321 & sleep 54321", timeout=1),
        "levels": dataclasses.asdict(bench.levels()),
    }
finally:
    bench.close()
said["left"] = [str(p) for p in (folder / "scratch").iterdir()]
print(json.dumps(said))
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="fairtrial-tests-"))
    if os.geteuid() == 0:
        os.chown(made, int(_NOBODY), int(_NOBODY))
    yield made
    shutil.rmtree(made)


@pytest.mark.parametrize("ground", ["whole", "bare"])
def test_what_is_not_reached_is_not_claimed(folder: Path, ground: str) -> None:
    python = shutil.which("python3", path="/usr/local/bin:/usr/bin") or ""
    check = "import sys, ensurepip; sys.exit(sys.version_info < (3, 11))"
    if not python or subprocess.run([python, "-c", check], check=False).returncode:
        pytest.skip("the system's own Python is older than 3.11, or has no ensurepip")
    drop = ["setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups"]
    answer = subprocess.run(
        [*(drop if os.geteuid() == 0 else []), python, "-c", _SCRIPT, folder, ground],
        env={
            "PYTHONPATH": str(_SOURCE),
            "PATH": "/usr/bin:/bin",
            "TOKEN": "private-key",
        },
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    if "No module named 'fairtrial'" in answer.stderr:
        pytest.skip("another user can't read this clone")

    assert "" == answer.stderr
    said = json.loads(answer.stdout)
    levels = said["levels"]
    user = _NOBODY if os.geteuid() == 0 else str(os.geteuid())

    assert f"{user}\nCapEff:\t{'0' * 16}\n" == said["id"][2]
    assert ["exited", 0, 1] == [said["work"][0], said["work"][1], said["work"][3]]
    assert "" == said["again"][2]
    assert ["timed-out", []] == [said["hang"][0], said["left"]]
    assert "same" == levels["user"]
    assert "user" in levels["why_not"]
    if ground == "bare":
        assert ["copy", "open"] == [levels["files"], levels["network"]]
        # Its home is the user's own, and only that much is said to be kept away.
        assert "TOKEN" not in said["secrets"][2]
    elif levels["files"] == "overlay":
        assert "private-key" not in said["secrets"][2]
    if levels["network"] == "none":
        assert "unreachable" in said["net"][2]
    for level, best in (("files", "overlay"), ("network", "none")):
        assert levels[level] == best or levels["why_not"][level]
