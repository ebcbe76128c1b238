"""Trials in real containers: what comes out, how they end, what they can't reach."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairtrial.benches.image import ImageBench
from fairtrial.domain.errors import BenchFailed
from fairtrial.domain.names import RepoPath
from fairtrial.domain.settings import Network
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Delta, Ending, FileContent, Setup, TrialOutput

pytestmark = pytest.mark.engine

Run = Callable[..., TrialOutput]
TreeOf = Callable[..., dict[RepoPath, FileContent]]


def python(source: str) -> tuple[str, ...]:
    return ("python3", "-c", source)


def test_files_outputs_exit_code_and_time_come_out(
    bench: ImageBench, run_shell: Run
) -> None:
    output = run_shell(
        bench,
        "echo out; echo err >&2; mkdir -p $O/a; cat $I/deep/plan > $O/a/r.xml; exit 3",
        env={"O": str(bench.places.outputs), "I": str(bench.places.inputs)},
        inputs={"deep/plan": b"plan\0"},
    )

    assert (Ending.EXITED, 3) == (output.ending, output.code)
    assert {"a/r.xml": b"plan\0"} == output.files
    assert (b"out\n", b"err\n", ()) == (output.stdout, output.stderr, output.refused)
    assert 0 < output.seconds < 30


def test_the_command_starts_in_the_workspace_as_a_user_without_rights(
    bench: ImageBench, run_shell: Run
) -> None:
    output = run_shell(
        bench, "pwd; id -u; id -G; grep -E 'Cap|NoNewPrivs' /proc/self/status"
    )

    lines = output.stdout.decode().split("\n")
    assert [str(bench.places.workspace), "65534", "65534"] == lines[:3]
    status = {
        name: value.strip() for name, _, value in (x.partition(":") for x in lines[3:])
    }
    assert "1" == status["NoNewPrivs"]
    held = ("CapInh", "CapPrm", "CapEff", "CapAmb")
    assert {"0" * 16} == {status[name] for name in held}


def test_a_segmentation_fault_ends_the_trial_with_its_signal(
    bench: ImageBench, run_shell: Run
) -> None:
    crash = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"

    output = run_shell(bench, "", argv=python(crash))

    assert (Ending.SIGNALLED, 11) == (output.ending, output.code)


def test_a_hang_is_killed_and_what_it_wrote_before_is_kept(
    bench: ImageBench, run_shell: Run
) -> None:
    output = run_shell(
        bench,
        "trap '' TERM INT; echo 1 > $O/r; sleep 1000 & sleep 1000",
        env={"O": str(bench.places.outputs)},
        timeout=1,
    )

    assert Ending.TIMED_OUT is output.ending
    assert {"r": b"1\n"} == output.files


def test_a_memory_eater_is_told_by_the_engine(
    bench: ImageBench, run_shell: Run
) -> None:
    output = run_shell(bench, "", argv=python("x = bytearray(2_000_000_000)"))

    assert Ending.OUT_OF_MEMORY is output.ending


def test_a_child_that_eats_the_memory_is_told_though_its_parent_goes_on(
    bench: ImageBench, run_shell: Run
) -> None:
    output = run_shell(bench, "python3 -c 'x = bytearray(2_000_000_000)'; exit 0")

    assert (Ending.OUT_OF_MEMORY, 0) == (output.ending, output.code)


def test_a_fork_bomb_stays_in_its_container(
    make_bench: Callable[..., ImageBench], run_shell: Run, tree_of: TreeOf
) -> None:
    bench = make_bench(processes=64)
    bench.freeze(Revision.BASE, tree_of(a=""), Setup())
    bomb = (
        "import os, time\nmade = 0\ntry:\n"
        "    while made < 1000:\n"
        "        if os.fork() == 0: time.sleep(60); os._exit(0)\n"
        "        made += 1\n"
        "except BlockingIOError: print(made)\n"
    )

    output = run_shell(bench, "", argv=python(bomb))

    assert (Ending.EXITED, 0) == (output.ending, output.code)
    assert 0 < int(output.stdout) < 64


def test_the_network_is_refused_at_once_and_loopback_works(
    bench: ImageBench, run_shell: Run
) -> None:
    source = """
import json, socket, time
def timed(what):
    begin = time.monotonic()
    try:
        what()
        said = "reached"
    except OSError as error:
        said = type(error).__name__
    return said, time.monotonic() - begin
server = socket.create_server(("127.0.0.1", 0))
print(json.dumps({
    "address": timed(lambda: socket.create_connection(("192.0.2.1", 80), 20)),
    "name": timed(lambda: socket.getaddrinfo("example.org", 80)),
    "loopback": timed(lambda: socket.create_connection(server.getsockname(), 20)),
}))
"""

    seen = json.loads(run_shell(bench, "", argv=python(source)).stdout)

    assert ["OSError", "gaierror", "reached"] == [
        seen[name][0] for name in ("address", "name", "loopback")
    ]
    # A firewall that drops would take all of the 20 seconds.
    assert max(seconds for _, seconds in seen.values()) < 5


@pytest.mark.slow
def test_an_open_network_is_the_default_bridge_and_said(
    make_bench: Callable[..., ImageBench], run_shell: Run, tree_of: TreeOf
) -> None:
    bench = make_bench(network=Network.OPEN)
    bench.freeze(Revision.BASE, tree_of(a=""), Setup())

    output = run_shell(bench, "ls /sys/class/net")

    assert "eth0" in output.stdout.decode().split()
    assert "open" == bench.levels().network
    assert "network" in bench.levels().why_not


def test_nothing_of_the_gate_can_be_seen(
    bench: ImageBench, run_shell: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "very-secret")

    output = run_shell(
        bench,
        "env; cat /proc/*/environ 2>/dev/null; ls /var/run/docker.sock; ls /proc",
        env={"MINE": "1"},
    )

    text = output.stdout.decode(errors="replace")
    assert "very-secret" not in text
    names = {line.partition("=")[0] for line in text.split("\0")[0].split("\n")}
    assert {"MINE", "HOME", "TMPDIR", "PATH", "LANG", "HOSTNAME"} <= names
    assert not {name for name in os.environ if name.startswith("GITHUB_")} & names
    assert b"No such file" in output.stderr
    assert str(os.getpid()) not in text.split() or os.getpid() < 100


def test_inputs_and_the_benchs_own_files_can_not_be_changed(
    bench: ImageBench, run_shell: Run
) -> None:
    output = run_shell(
        bench,
        "cd $I; for f in $I/plan $I/new /fairtrial/bench/plan.json /fairtrial/new "
        "/etc/new; do echo x 2>/dev/null > $f && echo $f; done; rm -rf $I $O "
        "/fairtrial/bench 2>/dev/null; cat $I/plan; test -d $O",
        env={"O": str(bench.places.outputs), "I": str(bench.places.inputs)},
        inputs={"plan": b"plan"},
    )

    assert (b"plan", 0) == (output.stdout, output.code)


def test_hostile_outputs_are_refused_and_the_rest_is_taken(
    bench: ImageBench, run_shell: Run
) -> None:
    source = """
import os, sys
os.chdir(sys.argv[1])
open("good", "w").write("1")
os.symlink("/etc/passwd", "link")
os.symlink("/", "folder")
os.mkfifo("pipe")
os.link("good", "hard")
open(b"raw-\\xff", "w")
open("new\\nline", "w")
with open("huge", "wb") as huge: huge.truncate(300 * 1024**2)
os.makedirs("a/b"); open("a/b/deep", "w").write("2")
"""

    output = run_shell(bench, "", argv=(*python(source), str(bench.places.outputs)))

    assert (0, b"") == (output.code, output.stderr)
    assert {"a/b/deep": b"2"} == {
        n: d for n, d in output.files.items() if n not in {"good", "hard"}
    }
    assert 1 == len(output.files.keys() & {"good", "hard"})
    said = "\n".join(output.refused)
    for word in ("link", "folder", "pipe", "hard link", "raw-", "new", "too large"):
        assert word in said


@pytest.mark.slow
def test_an_endless_output_is_cut_and_the_bench_goes_on(
    bench: ImageBench, run_shell: Run
) -> None:
    output = run_shell(
        bench,
        "echo 1 > $O/a; truncate -s 3G $O/b; head -c 30000000 /dev/zero; echo end",
        env={"O": str(bench.places.outputs)},
    )

    assert b"1\n" == output.files.get("a", b"1\n")
    assert "b" not in output.files
    assert any("bytes" in sentence for sentence in output.refused)
    assert output.stdout.endswith(b"end\n")
    assert 256 * 1024 == len(output.stdout)
    assert 0 == run_shell(bench, "true").code


def test_what_a_trial_writes_never_reaches_the_next(
    bench: ImageBench, run_shell: Run
) -> None:
    line = "ls -A $HOME $TMPDIR /tmp /dev/shm . ..; cat kept.txt; "

    first = run_shell(bench, line)
    run_shell(
        bench,
        "for d in $HOME $TMPDIR /tmp /dev/shm . /fairtrial/out; do echo x > $d/left; "
        "done; "
        "echo changed > kept.txt",
    )
    second = run_shell(bench, line)

    assert first.stdout == second.stdout
    assert {} == second.files


def test_two_trials_side_by_side_do_not_see_each_other(
    bench: ImageBench, run_shell: Run
) -> None:
    line = (
        "echo $ME > mine; echo $ME > /tmp/mine; for i in 1 2 3 4 5 6 7 8 9 10; do "
        'python3 -c \'import socket; s = socket.create_server(("127.0.0.1", 8000)); '
        "import time; time.sleep(0.1)' || exit 1; done; cat mine /tmp/mine; "
        "ls /proc | grep -c '^[0-9]'"
    )

    with ThreadPoolExecutor(2) as pool:
        outputs = list(
            pool.map(lambda name: run_shell(bench, line, env={"ME": name}), "ab")
        )

    assert [0, 0] == [output.code for output in outputs]
    assert [b"a\na\n", b"b\nb\n"] == [output.stdout[:4] for output in outputs]
    assert all(int(output.stdout[4:]) < 8 for output in outputs)


def test_a_trial_of_a_tree_that_was_not_frozen_fails(
    bench: ImageBench, run_shell: Run
) -> None:
    with pytest.raises(BenchFailed, match="head was not frozen"):
        run_shell(bench, "true", frozen=Revision.HEAD)


def test_a_command_that_is_not_there_is_the_suites_own_failure(
    bench: ImageBench, run_shell: Run
) -> None:
    output = run_shell(bench, "", argv=("no-such-command",))

    assert (Ending.EXITED, 127) == (output.ending, output.code)


def test_a_delta_that_leads_out_of_the_tree_is_not_applied(
    bench: ImageBench, run_shell: Run
) -> None:
    delta = Delta(deletes=frozenset({RepoPath("../in/plan")}))

    with pytest.raises(BenchFailed, match="leads out of it"):
        run_shell(bench, "true", delta=delta)
