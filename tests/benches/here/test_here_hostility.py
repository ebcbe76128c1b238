"""Trials that try to get out, to get at something, or to use up everything."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fairtrial.benches.here import Limits
from fairtrial.domain.trials import Ending

# The fixtures' type lives in conftest.py, which can't be imported.
Place = Any

SECRET = "hunter2-of-the-gate"
_MIB = 1024 * 1024


@pytest.fixture
def gate_with_a_secret() -> Any:
    """A process of the gate's user with a secret in its environment, as the gate is."""
    script = (
        "import ctypes; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0);"
        "print('ready', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        env={"GITHUB_TOKEN": SECRET},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as gate:
        assert gate.stdout is not None
        gate.stdout.readline()
        yield gate
        gate.kill()


def test_no_secret_of_the_gate_is_to_be_had(
    place: Place, ground: str, gate_with_a_secret: Any
) -> None:
    bench = place.bench(ground)
    output = place.run(
        bench,
        f"env; cat /proc/{gate_with_a_secret.pid}/environ; "
        "cat /proc/*/environ | tr '\\0' '\\n' | grep -a hunter",
    )

    assert SECRET.encode() not in output.stdout
    assert b"GITHUB" not in output.stdout
    assert b"ACTIONS" not in output.stdout
    assert b"CI=true" in output.stdout


def test_a_trial_holds_no_rights(place: Place, ground: str) -> None:
    status = place.run(place.bench(ground), "cat /proc/self/status").stdout.decode()
    lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)

    assert "1" == lines["NoNewPrivs"]
    assert {"0" * 16} == {lines[name] for name in ("CapPrm", "CapEff", "CapAmb")}
    if os.geteuid() == 0:
        assert "0" * 16 == lines["CapBnd"]


def test_no_descriptor_of_the_gate_comes_along(place: Place, ground: str) -> None:
    output = place.run(place.bench(ground), "ls /proc/self/fd")

    # ls opens the folder itself as the fourth.
    assert [b"0", b"1", b"2", b"3"] == output.stdout.split()


def test_what_is_written_outside_never_reaches_the_next_trial(
    place: Place, ground: str
) -> None:
    bench = place.bench(ground)
    if bench.levels().user == "same" and "files" in bench.levels().why_not:
        pytest.skip("a trial of the gate's own user without walls may write anywhere")
    mark = f"fairtrial-mark-{time.monotonic_ns()}"
    script = (
        f"for folder in /tmp /var/tmp /dev/shm / /usr /etc $HOME/.. {place.folder};"
        f"do echo x > $folder/{mark} || true; ls $folder/{mark}; done"
    )
    first, second = place.run(bench, script), place.run(bench, f"ls /tmp/{mark}")

    assert b"/tmp/" in first.stdout
    assert b"" == second.stdout
    assert not any(
        (Path(folder) / mark).exists()
        for folder in ("/tmp", "/var/tmp", "/dev/shm", "/", "/usr", "/etc")
    )


def test_the_gates_home_and_folders_are_out_of_sight(place: Place) -> None:
    bench = place.bench()
    if "files" in bench.levels().why_not:
        pytest.skip("no mounts are allowed here: " + bench.levels().why_not["files"])
    output = place.run(
        bench, f"ls -A {place.folder}/cache {Path.home()}/.ssh {Path.home()}/.bashrc"
    )

    assert {f"{place.folder}/cache:"} >= set(output.stdout.decode().split())


def test_outputs_are_regular_files_of_the_trials_own(
    place: Place, ground: str, tmp_path: Path
) -> None:
    bench = place.bench(ground)
    secret = place.folder / "gate-file"
    secret.write_text(SECRET)
    secret.chmod(0o600)
    output = place.run(
        bench,
        f"cd {bench.places.outputs}; ln -s {secret} link; ln -s / root; mkfifo pipe;"
        f"ln {secret} hard; mknod null c 1 3; echo ok > fine; ln fine twice;"
        "mkdir -p shut; echo x > shut/x; chmod 000 shut;"
        "printf x > \"$(printf 'a\\nb')\"",
    )
    secret.unlink()

    assert b"ok\n" not in [output.files.get("link"), output.files.get("hard")]
    assert SECRET.encode() not in b"".join(output.files.values())
    assert {"a\nb"} <= set(output.files) <= {"a\nb", "shut/x"}
    assert {"'link'", "'root'", "'pipe'", "'twice'", "'fine'"} <= {
        told.split(":")[0] for told in output.refused
    }


def test_too_many_and_too_large_outputs_are_left_out_whole(place: Place) -> None:
    bench = place.own_bench(limits=Limits(outputs=10_000, output_files=3))
    output = place.run(
        bench,
        f"cd {bench.places.outputs}; head -c 20000 /dev/zero > a; echo b > b;"
        "truncate -s 100G c; for n in 1 2 3 4; do echo $n > n$n; done",
    )

    assert {"b": b"b\n", "n1": b"1\n", "n2": b"2\n"} == output.files
    assert ["'a'", "'c'", "'n3'", "'n4'"] == [
        told.split(":")[0] for told in output.refused
    ]


def test_endless_printing_is_kept_as_a_tail(place: Place) -> None:
    bench = place.own_bench(limits=Limits(printed=1000))
    output = place.run(bench, "yes | head -c 20000000; echo end")

    assert 1000 == len(output.stdout)
    assert output.stdout.endswith(b"y\nend\n")


def test_a_memory_eater_is_told_by_the_kernel(place: Place) -> None:
    bench = place.own_bench(limits=Limits(memory=200 * _MIB))
    eater = "python -c 'x = [b\"x\" * 10**7 for _ in range(100)]; print(len(x))'"
    output = place.run(bench, eater)
    told = "memory" not in bench.levels().why_not

    assert b"100" not in output.stdout
    if told:
        assert Ending.OUT_OF_MEMORY is output.ending
    else:
        assert (Ending.EXITED, 1) == (output.ending, output.code)
        assert b"MemoryError" in output.stderr
    assert Ending.EXITED is place.run(bench, "true").ending


def test_a_memory_eater_without_control_groups_fails_by_itself(place: Place) -> None:
    bench = place.own_bench("bare", limits=Limits(memory=300 * _MIB))
    output = place.run(bench, "python -c 'bytes(10**9)'")

    assert (Ending.EXITED, 1) == (output.ending, output.code)
    assert b"MemoryError" in output.stderr


def test_a_fork_bomb_comes_to_an_end(place: Place) -> None:
    bench = place.own_bench(limits=Limits(processes=40))
    output = place.run(
        bench,
        "python -c '\nimport os, time\nfor number in range(200):\n"
        "    try:\n        if os.fork() == 0: time.sleep(60); os._exit(0)\n"
        "    except OSError: print(number); break\n"
        'else: print("all")\'',
    )

    assert 10 < int(output.stdout) <= 40
    assert b"fine\n" == place.run(bench, "(echo fine)").stdout


def test_a_connection_is_refused_at_once(place: Place) -> None:
    bench = place.bench()
    if bench.levels().network != "none":
        pytest.skip("no network namespaces here: " + bench.levels().why_not["network"])
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        output = place.run(
            bench,
            "python -c '\nimport socket, time\n"
            f'for address in (("192.0.2.1", 80), ("127.0.0.1", {port})):\n'
            "    begun = time.monotonic()\n"
            "    try: socket.create_connection(address, 20)\n"
            "    except OSError: print(time.monotonic() - begun < 1)\n"
            's = socket.create_server(("127.0.0.1", 0))\n'
            'socket.create_connection(s.getsockname(), 1); print("own")\'',
        )

    assert [b"True", b"True", b"own"] == output.stdout.split()


def test_a_trial_that_fills_its_own_surroundings_leaves_nothing(place: Place) -> None:
    bench = place.bench()
    place.run(
        bench,
        "mkdir -p a/b/c; touch a/b/c/d; chmod -R 000 a; mkdir $HOME/x;"
        'chmod 000 $HOME/x; python -c \'import os\nname = "d" * 100\n'
        "for _ in range(3000): os.mkdir(name); os.chdir(name)'",
    )

    assert b"folder\npkg\nsay.py\n" == place.run(bench, "ls").stdout
