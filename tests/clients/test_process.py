from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

from fairtrial.clients import process

_PATH = {"PATH": "/usr/bin:/bin"}


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in {"Z", "X"}


def _dies(pid: int) -> bool:
    """Whether a killed process is gone soon: SIGKILL is sent at once, not obeyed."""
    deadline = time.monotonic() + 10
    while _alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not _alive(pid)


def test_a_program_gets_exactly_its_environment_and_its_words() -> None:
    finished = process.run(["env"], env={**_PATH, "A": "b c"}, timeout=10)

    assert (0, b"A=b c\nPATH=/usr/bin:/bin\n") == (
        finished.code,
        b"\n".join(sorted(finished.stdout.splitlines())) + b"\n",
    )


def test_words_are_not_read_by_a_shell() -> None:
    finished = process.run(["echo", "$(id)", ";", "*"], env=_PATH, timeout=10)

    assert b"$(id) ; *\n" == finished.stdout


def test_what_goes_in_comes_out_however_long_it_is() -> None:
    sent = b"0123456789" * 1_000_000
    finished = process.run(["cat"], env=_PATH, timeout=30, stdin=sent)

    assert (sent, False) == (finished.stdout, finished.truncated)


def test_a_program_that_does_not_read_its_input_still_ends() -> None:
    finished = process.run(["true"], env=_PATH, timeout=10, stdin=b"x" * 1_000_000)

    assert 0 == finished.code


def test_a_signal_is_told_from_an_exit_code() -> None:
    finished = process.run(["sh", "-c", "kill -SEGV $$"], env=_PATH, timeout=10)

    assert -signal.SIGSEGV == finished.code


def test_only_the_last_part_of_too_much_is_kept() -> None:
    finished = process.run(
        ["sh", "-c", "yes | head -c 5000000; echo end"],
        env=_PATH,
        timeout=30,
        kept=1000,
    )

    assert (1000, True) == (len(finished.stdout), finished.truncated)
    assert finished.stdout.endswith(b"end\n")


def test_a_program_that_hangs_is_killed_with_its_group() -> None:
    finished = process.run(
        ["sh", "-c", "sleep 100 & echo $!; wait"], env=_PATH, timeout=0.5
    )

    assert (True, -signal.SIGKILL) == (finished.timed_out, finished.code)
    assert finished.seconds < 5
    assert _dies(int(finished.stdout))


def test_a_child_that_is_left_behind_is_killed_and_holds_nothing_up() -> None:
    finished = process.run(["sh", "-c", "sleep 100 & echo $!"], env=_PATH, timeout=30)

    assert (0, False) == (finished.code, finished.timed_out)
    assert finished.seconds < 5
    assert _dies(int(finished.stdout))


def test_a_program_that_is_not_there_is_an_os_error() -> None:
    with pytest.raises(FileNotFoundError):
        process.run(["no-such-program"], env=_PATH, timeout=10)


def test_an_interruption_leaves_no_process(tmp_path: Path) -> None:
    noted = tmp_path / "pid"

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            process.run(
                ["sh", "-c", f"echo $$ > {noted}; sleep 100"], env=_PATH, timeout=50
            )
    finally:
        signal.signal(signal.SIGALRM, before)

    assert _dies(int(noted.read_text()))


def test_no_descriptor_is_lost() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        process.run([sys.executable, "-c", ""], env=_PATH, timeout=20, stdin=b"x")

    assert before == len(list(Path("/proc/self/fd").iterdir()))


def test_the_given_way_to_stop_is_tried_first() -> None:
    begun = time.monotonic()
    finished = process.run(
        ["sh", "-c", "trap 'echo bye; exit 3' TERM; while :; do sleep 0.05; done"],
        env=_PATH,
        timeout=0.5,
        stop=lambda child: child.terminate(),
    )

    assert (3, True, b"bye\n") == (
        finished.code,
        finished.timed_out,
        finished.stdout,
    )
    assert time.monotonic() - begun < 5
