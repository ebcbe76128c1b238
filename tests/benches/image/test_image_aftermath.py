"""What a trial leaves behind in its container, before that is removed."""

from __future__ import annotations

import time

import pytest
from tests.benches.image.conftest import RunShell

from fairtrial.benches.image import ImageBench

pytestmark = pytest.mark.engine

LEAVE = (
    "echo left > new.txt; echo more >> kept.txt; echo mine > ~/.settings;"
    " touch $TMPDIR/t /tmp/u; ln -s /etc/passwd link; mkdir closed; chmod 0 closed;"
    " setsid sleep 61 > /dev/null 2>&1 &"
    " sleep 0.3"
)


def test_files_and_processes_are_told(bench: ImageBench, run_shell: RunShell) -> None:
    begun = time.time()
    output = run_shell(bench, LEAVE, look_after=True)
    found = {each.path.rpartition("/")[2]: each for each in output.left}

    assert 0 == output.code, output.stderr
    assert b"left\n" == found["new.txt"].data
    assert b"kept\nmore\n" == found["kept.txt"].data
    assert b"mine\n" == found[".settings"].data
    assert {"t", "u"} <= {*found}
    assert ("link", None) == (found["link"].kind, found["link"].data)
    assert ["sleep 61"] == [each.path for each in output.left if each.kind == "process"]
    assert begun - 1 <= found["new.txt"].changed <= time.time() + 1
    assert ("not every folder may be opened",) == output.blind


@pytest.mark.parametrize("code", [0, 3])
def test_the_trial_ends_as_it_ended(
    bench: ImageBench, run_shell: RunShell, code: int
) -> None:
    output = run_shell(bench, f"exit {code}", look_after=True)

    assert (code, (), ()) == (output.code, output.left, output.blind)


def test_a_port_is_told(bench: ImageBench, run_shell: RunShell) -> None:
    serve = (
        "import socket, time; s = socket.create_server(('127.0.0.1', 8123));"
        "time.sleep(60)"
    )
    line = f'python3 -c "{serve}" & sleep 1'
    output = run_shell(bench, line, look_after=True)

    assert ["tcp:8123"] == [each.path for each in output.left if each.kind == "port"]
