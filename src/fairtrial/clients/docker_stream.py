"""How one talks with a process in a container as with a peer on a socket."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from typing import Any, Final

import docker

#: The engine's frames: one byte of which stream (1: output, 2: error), three of
#: nothing, four of size (Engine API, "Attach to a container", stream format).
_HEADER: Final = struct.Struct(">BxxxL")
_OUTPUT: Final = 1
_CHUNK: Final = 1 << 18


def stream(
    api: docker.APIClient, container: str, argv: tuple[str, ...], user: str
) -> socket.socket:
    """A socket whose other end is the standard input and output of a new process.

    The process must say nothing before it has been sent something: what comes with the
    engine's own answer may be lost in the library. What it says on standard error is
    dropped. Closing the socket ends its input.
    """
    made: dict[str, Any] = api.exec_create(
        container, list(argv), stdin=True, user=user, workdir="/"
    )
    held: Any = api.exec_start(made["Id"], socket=True)
    # A plain socket comes as a file object around it, an encrypted one as it is.
    far: socket.socket = getattr(held, "_sock", held)
    near, ours = socket.socketpair()
    _Pump(held, far, ours).start()
    return near


class _Pump:
    """Moves bytes between a framed stream and a socket until both have ended.

    Each way has a thread of its own, so that neither waits for the other.
    """

    def __init__(self, held: Any, far: socket.socket, near: socket.socket) -> None:
        self._held = held
        self._far = far
        self._near = near
        self._left = 0
        self._kept = False
        self._head = bytearray()

    def start(self) -> None:
        """Begin to move bytes, until the process or whoever asked for it ends."""
        self._far.settimeout(None)
        for way in (self._inwards, self._outwards):
            threading.Thread(target=way, daemon=True, name="fairtrial-stream").start()

    def _outwards(self) -> None:
        with contextlib.suppress(OSError):
            while data := self._near.recv(_CHUNK):
                self._far.sendall(data)
        with contextlib.suppress(OSError):
            self._far.shutdown(socket.SHUT_WR)

    def _inwards(self) -> None:
        try:
            while data := self._far.recv(_CHUNK):
                self._unpack(memoryview(data))
        except OSError:
            pass  # either end was closed by whoever had it
        finally:
            # Wakes the other thread, which must not be left with a closed number.
            for ended in (self._near, self._far):
                with contextlib.suppress(OSError):
                    ended.shutdown(socket.SHUT_RDWR)
            for held in (self._near, self._held, self._far):
                with contextlib.suppress(OSError):
                    held.close()

    def _unpack(self, data: memoryview) -> None:
        while data:
            if self._left:
                part, data = data[: self._left], data[self._left :]
                self._left -= len(part)
                if self._kept:
                    self._near.sendall(part)
                continue
            missing = _HEADER.size - len(self._head)
            self._head += data[:missing]
            data = data[missing:]
            if len(self._head) == _HEADER.size:
                kind, self._left = _HEADER.unpack(self._head)
                self._kept = kind == _OUTPUT
                self._head.clear()
