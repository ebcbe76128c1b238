"""Runs one program and says how it ended, with what it printed; it decides nothing."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: Bytes kept of each stream when nothing else is asked for.
KEPT: Final = 64 * 1024 * 1024

#: Seconds that a stopped program gets to be gone, and its streams to end.
_GRACE: Final = 10.0
_DRAIN: Final = 0.5
_CHUNK: Final = 65536


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a program ended; `code` is negative for a signal, as subprocess has it."""

    code: int
    #: The last part of what was printed; `truncated` when something is missing.
    stdout: bytes
    stderr: bytes
    truncated: bool = False
    timed_out: bool = False
    seconds: float = 0.0


Stop = Callable[["subprocess.Popen[bytes]"], None]


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a program with everything in its process group."""
    # A group whose leader is reaped and that is empty has a number that may be
    # somebody else's by now, so the group is only asked for while it can be ours.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


class Tail:
    """The last bytes of a stream that may never end."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self.truncated = False

    def add(self, chunk: bytes) -> None:
        """Take in what was read next."""
        self._chunks.append(chunk)
        self._size += len(chunk)
        while self._size - len(self._chunks[0]) > self._kept:
            self._size -= len(self._chunks.popleft())
            self.truncated = True

    def content(self) -> bytes:
        """What is kept, at most as many bytes as were asked for."""
        content = b"".join(self._chunks)
        if len(content) > self._kept:
            self.truncated = True
            return content[len(content) - self._kept :]
        return content


def run(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    timeout: float,
    cwd: Path | None = None,
    stdin: bytes = b"",
    kept: int = KEPT,
    pass_fds: Sequence[int] = (),
    stop: Stop = kill_group,
) -> Finished:
    """How a program ended, at the latest after `timeout` seconds.

    It runs in a session of its own, without a shell, with exactly the given
    environment. Whatever way this function is left, also by a signal handler that
    raises, the program is dead and its process group was sent SIGKILL. Raises OSError
    when the program can't be started.
    """
    begun = time.monotonic()
    process = subprocess.Popen(
        argv,
        env=dict(env),
        cwd=cwd,
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        pass_fds=pass_fds,
    )
    streams = _Streams(process, stdin, kept)
    try:
        timed_out = not streams.pump(begun + timeout, until_exit=True)
        # The program may be gone while others of its group hold its streams. It is
        # not reaped before they are killed, so the group's number is still its own.
        if timed_out:
            _end(process, stop)
        else:
            kill_group(process)
        streams.pump(time.monotonic() + _DRAIN, until_exit=False)
    finally:
        if process.returncode is None:
            _end(process, stop)
        streams.close()
    return Finished(
        code=process.returncode,
        stdout=streams.out.content(),
        stderr=streams.err.content(),
        truncated=streams.out.truncated or streams.err.truncated,
        timed_out=timed_out,
        seconds=time.monotonic() - begun,
    )


def _end(process: subprocess.Popen[bytes], stop: Stop) -> None:
    try:
        if not _exited(process):
            stop(process)
            _wait(process, _GRACE)
    finally:
        kill_group(process)
        process.wait()


def _exited(process: subprocess.Popen[bytes]) -> bool:
    """Whether the program has ended, without reaping it."""
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, flags) is not None


def _wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not _exited(process) and time.monotonic() < deadline:
        time.sleep(0.005)


class _Streams:
    """A program's three streams, moved without ever blocking on one of them."""

    def __init__(
        self, process: subprocess.Popen[bytes], stdin: bytes, kept: int
    ) -> None:
        self._process = process
        self._stdin = memoryview(stdin)
        self.out = Tail(kept)
        self.err = Tail(kept)
        self._selector = selectors.DefaultSelector()
        self._exit = os.pidfd_open(process.pid)
        self._selector.register(self._exit, selectors.EVENT_READ)
        for pipe, tail in ((process.stdout, self.out), (process.stderr, self.err)):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                self._selector.register(pipe, selectors.EVENT_READ, tail)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            self._selector.register(process.stdin, selectors.EVENT_WRITE)

    def pump(self, deadline: float, *, until_exit: bool) -> bool:
        """Whether the program ended, or with `until_exit` off its streams, in time."""
        while until_exit or self._open():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            exited = False
            for key, _ in self._selector.select(left):
                if key.fd == self._exit:
                    exited = True
                elif isinstance(key.data, Tail):
                    self._read(key, key.data)
                else:
                    self._write(key)
            if exited and until_exit:
                return True
            if exited:
                self._selector.unregister(self._exit)
        return True

    def _open(self) -> bool:
        return any(key.data for key in self._selector.get_map().values())

    def _read(self, key: selectors.SelectorKey, tail: Tail) -> None:
        try:
            chunk = os.read(key.fd, _CHUNK)
        except BlockingIOError:
            return
        if chunk:
            tail.add(chunk)
        else:
            self._selector.unregister(key.fileobj)

    def _write(self, key: selectors.SelectorKey) -> None:
        try:
            self._stdin = self._stdin[os.write(key.fd, self._stdin[:_CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._stdin = self._stdin[:0]
        if not self._stdin:
            self._selector.unregister(key.fileobj)
            if self._process.stdin is not None:
                self._process.stdin.close()

    def close(self) -> None:
        """Let go of everything that is still open."""
        self._selector.close()
        os.close(self._exit)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
