from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.emulator.processes import SIGINT_SECONDS

from fairtrial.action.interruption import GRACE, interruptible


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_either_signal_interrupts(number: signal.Signals) -> None:
    with pytest.raises(KeyboardInterrupt):
        _interrupt_myself(number)


def _interrupt_myself(number: signal.Signals) -> None:
    with interruptible(give_up=lambda _code: None):
        os.kill(os.getpid(), number)
        time.sleep(5)


def test_a_second_signal_does_not_interrupt_the_cleaning_up() -> None:
    cleaned = False
    with interruptible(give_up=lambda _code: None):
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        except KeyboardInterrupt:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.1)
            cleaned = True

    assert cleaned


def test_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGTERM)

    with interruptible():
        assert before != signal.getsignal(signal.SIGTERM)

    assert before == signal.getsignal(signal.SIGTERM)


def test_a_process_that_does_not_come_to_an_end_is_ended(tmp_path: Path) -> None:
    script = tmp_path / "stuck.py"
    script.write_text(
        "import os, signal, time\n"
        "from fairtrial.action.interruption import interruptible\n"
        "with interruptible(grace=0.3):\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "        time.sleep(60)\n"
        "    except KeyboardInterrupt:\n"
        "        time.sleep(60)\n"
    )

    done = subprocess.run([sys.executable, str(script)], check=False, timeout=20)

    assert 130 == done.returncode


def test_there_is_time_left_before_the_runner_sends_more() -> None:
    assert GRACE < SIGINT_SECONDS


@pytest.mark.skipif(sys.platform != "linux", reason="prctl is Linux's")
def test_a_closed_process_is_not_to_be_looked_into() -> None:
    # PR_GET_DUMPABLE is 3; that root is kept out, too, is seen in a container.
    script = (
        "import ctypes, sys\n"
        "from fairtrial.action.isolation import close_process\n"
        "before = ctypes.CDLL(None).prctl(3)\n"
        "closed = close_process()\n"
        "sys.stdout.write(f'{before} {closed} {ctypes.CDLL(None).prctl(3)}')\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )

    assert "1 True 0" == done.stdout
