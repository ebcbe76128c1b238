"""The channel keeps what a trial said, whatever the trial does afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .conftest import GROUNDS, Place

#: A process that says something, as the plugin does; more of Python comes after it.
SAY = """
import os, socket, sys, time, subprocess
def stream(name, end=b"\\n"):
    line = socket.socket(socket.AF_UNIX)
    line.connect({channel!r})
    line.sendall(name + end)
    return line
first = stream(b"events-main-1.jsonl")
first.sendall(b"said\\n")
"""


def run(place: Place, ground: str, more: str) -> tuple[dict[str, bytes], list[str]]:
    bench = place.bench(ground)
    script = SAY.format(channel=str(bench.places.channel)) + more
    output = place.run(bench, f"cat > s.py <<'END'\n{script}\nEND\npython3 s.py")
    assert output.kept is not None, output.stderr
    return dict(output.kept), list(output.faults)


@pytest.mark.parametrize("ground", GROUNDS)
def test_what_was_said_is_kept_on_every_ground(place: Place, ground: str) -> None:
    kept, faults = run(place, ground, "first.sendall(b'more\\n')")

    assert {"events-main-1.jsonl": b"said\nmore\n"} == kept
    assert [] == faults


def test_a_killed_process_has_said_what_it_said(place: Place) -> None:
    kept, faults = run(place, "whole", "os.kill(os.getpid(), 9)")

    assert ({"events-main-1.jsonl": b"said\n"}, []) == (kept, faults)


def test_a_trial_that_is_killed_whole_has_said_what_it_said(place: Place) -> None:
    bench = place.bench("whole")
    script = SAY.format(channel=str(bench.places.channel)) + "time.sleep(60)"
    output = place.run(
        bench, f"cat > s.py <<'END'\n{script}\nEND\npython3 s.py", timeout=2.0
    )

    assert {"events-main-1.jsonl": b"said\n"} == output.kept


def test_a_process_may_take_its_stream_up_again(place: Place) -> None:
    again = "first.close(); stream(b'events-main-1.jsonl').sendall(b'again\\n')"
    kept, faults = run(place, "whole", again)

    assert ({"events-main-1.jsonl": b"said\nagain\n"}, []) == (kept, faults)


@pytest.mark.parametrize(
    "attack",
    [
        "os.fork() or stream(b'events-main-1.jsonl').sendall(b'forged\\n')",
        "stream(b'../../escaped')",
        "stream(b'faults')",
        "stream(b'x' * 5000)",
        "stream(b'half a na', b'')",
    ],
)
def test_what_nobody_should_say_is_a_fault_and_changes_nothing(
    place: Place, attack: str
) -> None:
    kept, faults = run(place, "whole", attack)

    assert {"events-main-1.jsonl": b"said\n"} == kept
    assert 1 == len(faults)


def test_no_file_of_the_trial_is_where_results_are_kept(
    place: Place,
) -> None:
    bench = place.bench("whole")
    script = SAY.format(channel=str(bench.places.channel)) + (
        'subprocess.run(\'find / -name "events-main-*" -not -path "/proc/*"\','
        " shell=True, stderr=-3)"
    )
    output = place.run(bench, f"cat > s.py <<'END'\n{script}\nEND\npython3 s.py")

    assert b"" == output.stdout
    assert {"events-main-1.jsonl": b"said\n"} == output.kept


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has another user for trials")
def test_neither_socket_nor_results_can_be_taken_away(place: Place) -> None:
    bench = place.bench("whole")
    channel = bench.places.channel
    assert channel is not None
    folder = Path(channel).parent
    kept, faults = run(
        place,
        "whole",
        f"subprocess.run('rm -f {channel}; mv {folder} {folder}2; kill -9 -1',"
        " shell=True)\ntime.sleep(0.1)\nstream(b'events-main-2.jsonl')",
    )

    assert b"said\n" == kept["events-main-1.jsonl"]
    assert [] == faults


def test_a_flood_is_cut_off_and_told(place: Place) -> None:
    bench = place.bench("whole")
    script = (
        SAY.format(channel=str(bench.places.channel))
        + "chunk = b'x' * (1 << 20)\ntry:\n    for _ in range(300):"
        " first.sendall(chunk)\nexcept OSError: print('cut')"
    )
    output = place.run(bench, f"cat > s.py <<'END'\n{script}\nEND\npython3 s.py")

    assert output.kept is not None
    assert len(output.kept["events-main-1.jsonl"]) <= 256 * 1024 * 1024
    assert ("events-main-1.jsonl is more than is taken",) == output.faults
    assert b"cut\n" == output.stdout
