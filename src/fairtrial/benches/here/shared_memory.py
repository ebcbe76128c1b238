"""Which System V shared memory a user left behind, and how it goes.

It outlives its processes: only an IPC namespace of their own takes it with them.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Final

#: IPC_RMID of shmctl(2).
_REMOVE: Final = 0


def remove_shared_memory(uid: int) -> None:
    """Remove every segment of a user; for one whom nobody else is."""
    try:
        lines = Path("/proc/sysvipc/shm").read_text(encoding="ascii").splitlines()
    except OSError:
        return
    names, *rows = (line.split() for line in lines)
    for row in rows:
        segment = dict(zip(names, row, strict=False))
        if segment.get("cuid") == str(uid):
            remove_segment(int(segment["shmid"]))


def remove_segment(number: int) -> None:
    """Remove one segment by its id; no error when it is gone, or somebody else's."""
    ctypes.CDLL(None).shmctl(number, _REMOVE, None)
