"""How the runner runs a program of a step, and how it ends one.

After the runner's ProcessInvoker: SIGINT, 7.5 s, SIGTERM, 2.5 s, then the whole tree.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

SIGINT_SECONDS = 7.5
SIGTERM_SECONDS = 2.5


@dataclass(slots=True)
class Cancellation:
    """A person's *Cancel run*, pressed once `when` is true of a line of the log."""

    when: Callable[[str], bool] | None = None
    _pressed: threading.Event = field(default_factory=threading.Event)

    def see(self, line: str) -> None:
        if self.when is not None and self.when(line):
            self.press()

    def press(self) -> None:
        self._pressed.set()

    @property
    def pressed(self) -> bool:
        return self._pressed.is_set()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a program ended; `stopped_by` is empty when it ended by itself."""

    exit_code: int
    seconds: float
    #: Seconds from the first signal to the end.
    stopping: float = 0.0
    #: "cancelled" or "timed out"
    stopped: str = ""
    #: The last signal that it took: SIGINT, SIGTERM or SIGKILL.
    stopped_by: str = ""


def run(
    command: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    line: Callable[[str], None],
    cancellation: Cancellation,
    timeout: float,
) -> Ended:
    """Runs a program to its end; both its streams go to `line`."""
    begun = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None

    def pump(stream: IO[bytes]) -> None:
        for raw in stream:
            text = raw.decode(errors="replace").rstrip("\r\n")
            line(text)
            cancellation.see(text)

    pumps = [
        threading.Thread(target=pump, args=(stream,))
        for stream in (process.stdout, process.stderr)
    ]
    for thread in pumps:
        thread.start()
    stopped = _wait(process, begun + timeout, cancellation)
    told = time.monotonic()
    stopped_by = _stop(process) if stopped else ""
    stopping = time.monotonic() - told
    # What a program leaves behind would hold its streams open.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for thread in pumps:
        thread.join()
    for stream in (process.stdout, process.stderr):
        stream.close()
    return Ended(
        exit_code=process.wait(),
        seconds=time.monotonic() - begun,
        stopping=stopping,
        stopped=stopped,
        stopped_by=stopped_by,
    )


def _wait(
    process: subprocess.Popen[bytes], end: float, cancellation: Cancellation
) -> str:
    while process.poll() is None:
        if cancellation.pressed:
            return "cancelled"
        if time.monotonic() > end:
            return "timed out"
        time.sleep(0.02)
    return ""


def _stop(process: subprocess.Popen[bytes]) -> str:
    for number, patience in (
        (signal.SIGINT, SIGINT_SECONDS),
        (signal.SIGTERM, SIGTERM_SECONDS),
    ):
        process.send_signal(number)
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            continue
        return number.name
    os.killpg(process.pid, signal.SIGKILL)
    return signal.SIGKILL.name
