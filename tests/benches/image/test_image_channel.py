"""The helper keeps what a trial said, and the trial's user can't reach it."""

from __future__ import annotations

from typing import Final

import pytest

from fairtrial.benches.image import ImageBench
from fairtrial.domain.trials import Ending

from .conftest import RunShell

pytestmark = pytest.mark.engine

SAY: Final = """
import os, socket, subprocess, time
def stream(name):
    line = socket.socket(socket.AF_UNIX)
    line.connect("/fairtrial/in/channel")
    line.sendall(name + b"\\n")
    return line
first = stream(b"events-main-1.jsonl")
first.sendall(b"said\\n")
"""


def script(more: str) -> str:
    return f"cat > s.py <<'END'\n{SAY}\n{more}\nEND\npython3 s.py"


def test_what_was_said_is_kept_apart_from_what_was_left(
    bench: ImageBench, run_shell: RunShell
) -> None:
    output = run_shell(
        bench,
        script(f"open('{bench.places.outputs}/events-main-2.jsonl', 'w').write('no')"),
    )

    assert {"events-main-1.jsonl": b"said\n"} == output.kept
    assert {"events-main-2.jsonl": b"no"} == output.files
    assert () == output.faults


def test_the_trials_user_reaches_neither_results_nor_the_helper(
    bench: ImageBench, run_shell: RunShell
) -> None:
    line = (
        "ls /fairtrial/out/kept; rm -rf /fairtrial/out/kept /fairtrial/in/channel; "
        "mv /fairtrial/out/kept /tmp/kept; kill -9 $PPID; kill -9 -1"
    )
    output = run_shell(bench, script("") + f"; {line}")

    assert {"events-main-1.jsonl": b"said\n"} == output.kept
    assert b"" == output.stdout


def test_a_forged_stream_is_a_fault(bench: ImageBench, run_shell: RunShell) -> None:
    forged = (
        "if not os.fork(): stream(b'events-main-1.jsonl').sendall(b'forged\\n')\n"
        "else: os.wait()"
    )
    output = run_shell(bench, script(forged))

    assert {"events-main-1.jsonl": b"said\n"} == output.kept
    assert ("two processes claim to be events-main-1.jsonl",) == output.faults


def test_a_killed_command_has_said_what_it_said(
    bench: ImageBench, run_shell: RunShell
) -> None:
    output = run_shell(bench, script("") + "; kill -9 $$")

    assert (Ending.SIGNALLED, 9) == (output.ending, output.code)
    assert {"events-main-1.jsonl": b"said\n"} == output.kept


def test_a_command_that_is_killed_with_its_container_has_said_what_it_said(
    bench: ImageBench, run_shell: RunShell
) -> None:
    output = run_shell(bench, script("time.sleep(60)"), timeout=2)

    assert Ending.TIMED_OUT is output.ending
    assert {"events-main-1.jsonl": b"said\n"} == output.kept


def test_a_command_may_open_the_printed_streams_anew(
    bench: ImageBench, run_shell: RunShell
) -> None:
    output = run_shell(bench, "echo out > /dev/stdout; echo err > /dev/stderr")

    assert (b"out\n", b"err\n") == (output.stdout, output.stderr)
