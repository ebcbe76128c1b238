"""A server of the run's own ends with it, whatever ends that, and tells its end."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pg8000
import pytest

import fairtrial
from fairtrial.benches.databases import process
from fairtrial.benches.databases.postgres import EmbeddedServer
from fairtrial.benches.databases.postgres import process as programs
from fairtrial.benches.here.remains import clean_machine
from fairtrial.benches.leftovers import Leftovers
from fairtrial.domain.databases import DatabaseSettings
from fairtrial.domain.errors import BenchFailed

SOURCE = Path(fairtrial.__file__).parents[1]
ORDERS = DatabaseSettings(name="orders")

GATE = """
import sys, time
from pathlib import Path
from fairtrial.benches.databases import process
from fairtrial.benches.databases.postgres import EmbeddedServer
if sys.argv[2] == "weak":
    process._WALLS = (frozenset(),)
folder = Path(sys.argv[1])
server = EmbeddedServer(scratch=folder / "scratch", cache=folder / "cache")
print(server.version, flush=True)
if sys.argv[2] == "stay":
    server.close()
else:
    time.sleep(60)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    # Open to all, as a gate's scratch folder is: the server is another user.
    made = Path(tempfile.mkdtemp(prefix="fairtrial-test-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


def running(folder: Path) -> list[str]:
    """Every process that was started with a path in this folder."""
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                words = (place / "cmdline").read_bytes()
            except OSError:
                continue
            if os.fsencode(folder) in words and b"postgres" in words:
                found.append(place.name)
    return found


def segments() -> set[str]:
    """The System V shared memory of this machine, which outlives processes."""
    lines = Path("/proc/sysvipc/shm").read_text().splitlines()
    return {line.split()[1] for line in lines[1:]}


def gone(folder: Path) -> bool:
    deadline = time.monotonic() + 10
    while running(folder) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not running(folder)


@pytest.mark.slow
@pytest.mark.parametrize("walls", ["strong", "weak"])
def test_a_killed_gate_takes_its_server_along_and_the_next_run_its_files(
    folder: Path, walls: str
) -> None:
    before = segments()
    gate = subprocess.Popen(
        [sys.executable, "-c", GATE, str(folder), walls],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    assert gate.stdout is not None
    assert gate.stdout.readline().startswith(b"postgresql ")
    assert running(folder)
    gate.send_signal(signal.SIGKILL)
    gate.wait()
    gate.stdout.close()

    assert gone(folder)
    assert list((folder / "scratch").iterdir())
    things = clean_machine(Leftovers(folder / "cache" / "runs"))
    assert things
    assert [] == list((folder / "scratch").iterdir())
    assert before == segments()
    assert not [t for t in things if t.name.startswith("/") and Path(t.name).exists()]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_user_who_is_not_root_has_a_server_too(folder: Path) -> None:
    python = shutil.which("python3", path="/usr/local/bin:/usr/bin") or ""
    check = "import sys; sys.exit(sys.version_info < (3, 11))"
    if not python or subprocess.run([python, "-c", check], check=False).returncode:
        pytest.skip("the system's own Python, which all may run, is older than 3.11")
    work = folder / "work"
    work.mkdir()
    os.chown(work, 65534, 65534)
    done = subprocess.run(
        [python, "-c", GATE, str(work), "stay"],
        capture_output=True,
        text=True,
        check=True,
        user=65534,
        group=65534,
        extra_groups=[],
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": f"{SOURCE}:{Path(pg8000.__file__).parents[1]}",
        },
        cwd="/",
    )

    assert done.stdout.startswith("postgresql ")
    assert [] == list((work / "scratch").iterdir())
    assert gone(folder)


def test_a_server_without_walls_leaves_no_shared_memory(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_WALLS", (frozenset(),))
    before = segments()
    EmbeddedServer(scratch=folder / "scratch", cache=folder / "cache").close()

    assert before == segments()


@pytest.fixture
def server(folder: Path) -> Iterator[EmbeddedServer]:
    one = EmbeddedServer(scratch=folder / "scratch", cache=folder / "cache")
    yield one
    one.close()
    one.close()
    assert [] == list((folder / "scratch").iterdir())
    assert [] == list((folder / "cache" / "runs").glob("*.journal"))
    assert gone(folder)


def test_a_server_that_is_killed_says_so(server: EmbeddedServer, folder: Path) -> None:
    server.template("empty", ORDERS, lambda _: None)
    clone = server.clone("empty", ORDERS, 5432)
    for pid in running(folder):
        if b"launcher" not in Path(f"/proc/{pid}/cmdline").read_bytes():
            os.kill(int(pid), signal.SIGKILL)
    assert gone(folder)

    assert server.alive().startswith("PostgreSQL ended: ")
    with pytest.raises(BenchFailed, match="PostgreSQL did not answer"):
        server.clone("empty", ORDERS, 5432)
    with pytest.raises(BenchFailed, match="PostgreSQL did not answer"):
        clone.ledger()
    clone.drop()


def test_the_server_is_another_user_and_shares_only_its_socket(
    server: EmbeddedServer,
) -> None:
    server.template("empty", ORDERS, lambda _: None)
    door = server.clone("empty", ORDERS, 1).door
    assert door is not None
    socket = Path(door.to)

    assert 0o770 == socket.parent.stat().st_mode & 0o777
    assert os.geteuid() == socket.parent.stat().st_uid
    if os.geteuid() == 0:
        assert 0 != socket.stat().st_uid


def test_a_folder_with_a_long_path_or_a_closed_one_is_no_hindrance(
    tmp_path: Path,
) -> None:
    scratch = tmp_path / ("long" * 30)
    one = EmbeddedServer(scratch=scratch, cache=tmp_path / "cache")
    try:
        assert "" == one.alive()
    finally:
        one.close()


@pytest.mark.slow
def test_programs_in_a_closed_folder_are_copied_to_where_the_server_finds_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = process.is_open
    monkeypatch.setattr(
        programs, "is_open", lambda place: "pginstall" not in str(place) and real(place)
    )
    one = EmbeddedServer(scratch=folder / "scratch", cache=folder / "cache")
    try:
        assert "" == one.alive()
    finally:
        one.close()
