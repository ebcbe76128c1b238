from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fairtrial.benches.leftovers import Kind, Leftovers, start_time
from fairtrial.domain.errors import BenchUnavailable

_KEEPER = """
import sys, time
from pathlib import Path
from fairtrial.benches.leftovers import Kind, Leftovers
record = Leftovers(Path(sys.argv[1])).open_record("keeper")
record.add(Kind.DIRECTORY, sys.argv[2])
record.add(Kind.CONTAINER, "c1")
record.remove(record.add(Kind.NETWORK, "n1"))
print("ready", flush=True)
time.sleep(60)
"""


def _keeper(folder: Path, thing: str) -> subprocess.Popen[str]:
    keeper = subprocess.Popen(
        [sys.executable, "-c", _KEEPER, str(folder), thing],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert keeper.stdout is not None
    assert keeper.stdout.readline() == "ready\n"
    return keeper


def test_only_the_dead_are_cleaned_and_only_once(tmp_path: Path) -> None:
    seen: list[str] = []
    folder = tmp_path / "runs"
    with _keeper(folder, "/x") as keeper:
        alive = Leftovers(folder).clean_dead({Kind.DIRECTORY: seen.append})

        assert ((), []) == (alive, seen)

        keeper.send_signal(signal.SIGKILL)
        keeper.wait()
    Leftovers(folder).clean_dead({Kind.DIRECTORY: seen.append})
    Leftovers(folder).clean_dead({Kind.DIRECTORY: seen.append})

    assert ["/x"] == seen


def test_a_thing_without_a_cleaner_waits_for_one(tmp_path: Path) -> None:
    seen: list[str] = []
    folder = tmp_path / "runs"
    with _keeper(folder, "/x") as keeper:
        keeper.kill()
    Leftovers(folder).clean_dead({Kind.DIRECTORY: seen.append})
    Leftovers(folder).clean_dead(
        {Kind.CONTAINER: seen.append, Kind.NETWORK: seen.append}
    )

    assert ["/x", "c1"] == seen
    assert [] == list(folder.glob("*.journal"))


def test_what_could_not_be_cleaned_is_tried_again(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    with _keeper(folder, "/x") as keeper:
        keeper.kill()

    def busy(name: str) -> None:
        raise OSError(name)

    assert () == Leftovers(folder).clean_dead({Kind.DIRECTORY: busy})

    cleaned = Leftovers(folder).clean_dead({Kind.DIRECTORY: lambda _: None})

    assert ["/x"] == [thing.name for thing in cleaned]


def test_a_half_written_line_hides_nothing_before_it(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    with _keeper(folder, "/x") as keeper:
        keeper.kill()
    with (folder / "keeper.journal").open("ab") as journal:
        journal.write(b'{"add": "direc')
    seen: list[str] = []
    Leftovers(folder).clean_dead({Kind.DIRECTORY: seen.append})

    assert ["/x"] == seen


def test_processes_end_before_their_folders_go(tmp_path: Path) -> None:
    record = Leftovers(tmp_path / "runs").open_record("one")
    record.add(Kind.DIRECTORY, "/x")
    record.add(Kind.USER_PROCESSES, "64000")

    assert ["64000", "/x"] == [thing.name for thing in record.remaining()]

    record.close()


def test_a_closed_record_that_names_nothing_is_gone(tmp_path: Path) -> None:
    record = Leftovers(tmp_path / "runs").open_record("one")
    record.remove(record.add(Kind.DIRECTORY, "/x"))
    record.close()
    record.close()

    assert [] == list((tmp_path / "runs").glob("*.journal"))


def test_a_folder_that_others_may_write_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(BenchUnavailable, match="somebody else"):
        Leftovers(folder)


def test_a_process_has_a_start_time_until_it_is_reaped() -> None:
    assert start_time(os.getpid()) is not None

    child = subprocess.Popen(["true"])
    child.wait()

    assert start_time(child.pid) is None
