from __future__ import annotations

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from fairtrial.domain.errors import BenchFailed
from fairtrial.domain.names import RepoPath
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Delta, Ending, FileContent

# The fixtures' type lives in conftest.py, which can't be imported.
Place = Any


def _file(text: str) -> FileContent:
    return FileContent(mode=0o100644, data=text.encode())


def _running(word: str) -> list[str]:
    """Processes anywhere on this machine that were started with a word."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if word.encode() in words:
                found.append(folder.name)
    return found


def test_every_trial_starts_from_the_frozen_tree_at_the_same_path(
    place: Place, ground: str
) -> None:
    bench = place.bench(ground)
    said = f"frozen {bench.places.workspace}/pkg/__init__.py\n".encode()

    assert said == place.run(bench, "python say.py").stdout

    place.run(
        bench,
        "echo 'WORD = 1' > pkg/__init__.py; rm -r folder; echo x > new; mkdir dir;"
        "ln -s new link; rm say.py; mkdir say.py; touch say.py/x; chmod 000 dir;"
        "echo broken > $VIRTUAL_ENV/pyvenv.cfg; rm -rf $VIRTUAL_ENV/lib",
    )
    after = place.run(bench, "python say.py; find . -name __pycache__ -prune -o -print")

    listed = b"./folder\n./folder/only.txt\n./pkg\n./pkg/__init__.py\n./say.py\n"
    assert said == after.stdout.split(b".\n")[0]
    assert listed == b"\n".join(sorted(after.stdout.split(b".\n")[1].split())) + b"\n"
    assert said == place.run(bench, "python say.py", revision=Revision.HEAD).stdout


def test_a_delta_makes_the_tree_of_one_trial_only(place: Place, ground: str) -> None:
    bench = place.bench(ground)
    delta = Delta(
        writes={
            RepoPath("pkg/__init__.py"): _file("WORD = 'change'\n"),
            RepoPath("deep/er/new.txt"): _file("new"),
            RepoPath("bin"): FileContent(mode=0o100755, data=b"#!/bin/sh\necho ran\n"),
            RepoPath("link"): FileContent(mode=0o120000, data=b"deep/er/new.txt"),
        },
        deletes=frozenset({RepoPath("folder/only.txt")}),
    )
    output = place.run(
        bench, "python say.py; ls -d folder; cat link; ./bin", delta=delta
    )

    assert output.stdout.split()[0::2] == [b"change", b"newran"]
    assert b"folder" in output.stderr
    assert b"frozen" in place.run(bench, "python say.py; cat folder/only.txt").stdout


def test_a_change_of_equal_length_is_never_hidden_by_compiled_files(
    place: Place, ground: str
) -> None:
    bench = place.bench(ground)
    delta = Delta(writes={RepoPath("pkg/__init__.py"): _file("WORD = 'frosen'\n")})
    for _ in range(2):
        assert b"frozen " in place.run(bench, "python say.py; python say.py").stdout
        assert b"frosen " in place.run(bench, "python say.py", delta=delta).stdout


def test_inputs_come_in_and_outputs_go_out_empty_at_the_start(
    place: Place, ground: str
) -> None:
    bench = place.bench(ground)
    for _ in range(2):
        output = place.run(
            bench,
            f"ls {bench.places.outputs}; cp {bench.places.inputs}/a/b.txt "
            f"{bench.places.outputs}/c.txt; mkdir {bench.places.outputs}/d; "
            f"echo 2 > {bench.places.outputs}/d/e; echo said; echo moaned >&2; exit 7",
            inputs={"a/b.txt": b"in\0put"},
        )

        assert {"c.txt": b"in\0put", "d/e": b"2\n"} == output.files
        assert (Ending.EXITED, 7) == (output.ending, output.code)
        assert (b"said\n", b"moaned\n") == (output.stdout, output.stderr)


def test_home_and_tmpdir_are_private_and_empty(place: Place, ground: str) -> None:
    bench = place.bench(ground)
    for _ in range(2):
        output = place.run(bench, "ls -A $HOME $TMPDIR; touch $HOME/h $TMPDIR/t")
        names = [line for line in output.stdout.split(b"\n") if line[:1] not in b"/"]

        assert [] == [name for name in names if name]


def test_a_crash_ends_the_trial_with_its_signal(place: Place, ground: str) -> None:
    output = place.run(place.bench(ground), "kill -SEGV $$")

    assert (Ending.SIGNALLED, signal.SIGSEGV) == (output.ending, output.code)


def test_a_command_that_is_not_there_ends_like_in_a_shell(place: Place) -> None:
    output = place.run(place.bench(), "exec no-such-command")

    assert (Ending.EXITED, 127) == (output.ending, output.code)


def test_a_hang_is_killed_whole_with_what_ran_away_from_it(
    place: Place, ground: str
) -> None:
    word = f"98765.{time.monotonic_ns()}"
    bench = place.bench(ground)
    begun = time.monotonic()
    output = place.run(
        bench,
        f"setsid sh -c 'sleep {word} & sleep {word}' & (setsid sleep {word} &) ;"
        f"trap '' TERM INT HUP; sleep {word}",
        timeout=1,
    )

    assert Ending.TIMED_OUT is output.ending
    assert time.monotonic() - begun < 15
    assert [] == _running(word)


def test_a_daemon_does_not_survive_a_trial_that_ended_well(
    place: Place, ground: str
) -> None:
    word = f"98764.{time.monotonic_ns()}"
    output = place.run(
        place.bench(ground), f"setsid sh -c 'sleep {word} & exec sleep {word}' & exit 0"
    )

    assert (Ending.EXITED, 0) == (output.ending, output.code)
    assert [] == _running(word)


def test_trials_side_by_side_do_not_meet(place: Place) -> None:
    bench = place.own_bench(parallel=2)
    if bench.parallel == 1:
        pytest.skip("this machine allows no overlay, so trials come one after another")
    script = (
        "echo {0} > mine; echo {0} > /tmp/mine; echo {0} > /dev/shm/mine; sleep 1;"
        "cat mine /tmp/mine /dev/shm/mine; ls /tmp /var/tmp | grep -v fairtrial;"
        "ps ax 2>/dev/null | grep -c '[s]leep'"
    )
    with ThreadPoolExecutor(2) as pool:
        outputs = list(
            pool.map(lambda name: place.run(bench, script.format(name)), "ab")
        )

    for name, output in zip((b"a", b"b"), outputs, strict=True):
        assert [name, name, name] == output.stdout.split()[:3]
    assert max(output.seconds for output in outputs) < 10


def test_nothing_runs_beside_a_quiet_trial(place: Place) -> None:
    bench = place.own_bench(parallel=2)
    spans: list[tuple[float, float]] = []

    def run(*, quiet: bool) -> None:
        output = place.run(bench, "date +%s.%N; sleep 0.3; date +%s.%N", quiet=quiet)
        begun, ended = map(float, output.stdout.split())
        if quiet:
            spans.insert(0, (begun, ended))
        else:
            spans.append((begun, ended))

    threads = [
        threading.Thread(target=run, kwargs={"quiet": number == 1})
        for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    begun, ended = spans[0]

    assert 4 == len(spans)
    assert all(other[1] <= begun or other[0] >= ended for other in spans[1:])


def test_a_tree_that_is_not_frozen_is_the_benchs_failure(place: Place) -> None:
    bench = place.empty_bench("whole", {})
    place.own.append(bench)
    with pytest.raises(BenchFailed, match="not frozen"):
        place.run(bench, "true", revision=Revision.HEAD)


def test_closing_ends_what_runs_in_another_thread(place: Place, ground: str) -> None:
    bench = place.own_bench(ground)
    word = f"98763.{time.monotonic_ns()}"
    failed: list[BaseException] = []

    def run() -> None:
        try:
            place.run(bench, f"sleep {word}", timeout=60)
        except BenchFailed as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while not _running(word):
        time.sleep(0.02)
    bench.close()
    thread.join(10)

    assert 1 == len(failed)
    assert [] == _running(word)


def test_the_fingerprint_changes_with_conditions_and_not_with_trials(
    place: Place,
) -> None:
    bench = place.bench()
    before = bench.fingerprint()
    place.run(bench, "true")

    assert before == bench.fingerprint()
    assert before != place.own_bench(env={"DEBUG": "1"}).fingerprint()
    assert before == place.bench().fingerprint()
