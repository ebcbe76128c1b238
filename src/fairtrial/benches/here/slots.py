"""Which absolute path and which user id a run has to itself on this machine."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pwd
import socket
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairtrial.domain.errors import BenchUnavailable

#: User ids that no distribution hands out: above systemd's homes (60001 to 60513),
#: below its dynamic users (61184 to 65519), and inside the 65536 that a container's
#: user namespace usually maps.
_FIRST_USER: Final = 60_700
_COUNT: Final = 64

#: The number that Linux gives the process namespace of the machine itself
#: (PROC_PID_INIT_INO in its proc_ns.h).
_MACHINE: Final = 0xEFFFFFFC
#: Further ranges of ids below systemd's dynamic users, for gates in containers.
_RANGES: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A path under which everything of a trial lies, and the user it may run as.

    The path is the same from run to run where possible, because a virtual
    environment holds its own path and is kept for later runs.
    """

    place: Path
    uid: int
    descriptor: int
    claimed: socket.socket

    def release(self) -> None:
        """Give the slot back; safe to call twice."""
        with contextlib.suppress(OSError):
            self.place.rmdir()
        with contextlib.suppress(OSError):
            os.close(self.descriptor)
        self.claimed.close()


def claim(folder: Path) -> Slot:
    """The first free slot below a folder such as /tmp, locked until it is released."""
    first = first_user(Path("/proc/self/ns/pid").stat().st_ino)
    for number in range(_COUNT):
        uid = first + number
        claimed = None if _is_somebody(uid) else claim_user(uid)
        if claimed is None:
            continue
        place = folder / f"fairtrial-{os.geteuid()}-{number}"
        descriptor = _lock(place)
        if descriptor is not None:
            return Slot(place=place, uid=uid, descriptor=descriptor, claimed=claimed)
        claimed.close()
    raise BenchUnavailable(
        f"All {_COUNT} places for a bench in {folder} are taken.",
        means="That many runs are under way, or somebody else made these folders.",
        remedy=f"Wait for the others, or remove {folder}/fairtrial-*.",
    )


def claim_spare() -> tuple[int, socket.socket]:
    """A user id for a server beside the trials, held until the socket is closed.

    From the other end than a bench's own, so that those stay the same from run to run.
    """
    first = first_user(Path("/proc/self/ns/pid").stat().st_ino)
    for uid in range(first + _COUNT - 1, first - 1, -1):
        claimed = None if _is_somebody(uid) else claim_user(uid)
        if claimed is not None:
            return uid, claimed
    raise BenchUnavailable(
        f"All {_COUNT} user ids for benches and servers are taken.",
        means="That many runs are under way on this machine.",
        remedy="Wait for the others.",
    )


def first_user(namespace: int) -> int:
    """The first user id for a gate in this process namespace.

    A hold on an id ends at its network namespace, and a gate on the machine sees, and
    at the end kills, the processes of containers too: their ids must not be the
    machine's own.
    """
    if namespace == _MACHINE:
        return _FIRST_USER
    return _FIRST_USER + _COUNT * (1 + namespace % _RANGES)


def _is_somebody(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def claim_user(uid: int) -> socket.socket | None:
    """A hold on a user id that lasts until it is closed; nothing when it is taken."""
    # An abstract name is the whole machine's, whatever folders a run uses, and is
    # free again when its owner dies.
    claimed = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        claimed.bind(f"\0fairtrial-{os.geteuid()}-{uid}")
    except OSError:
        claimed.close()
        return None
    return claimed


def _lock(place: Path) -> int | None:
    with contextlib.suppress(FileExistsError):
        place.mkdir(mode=0o755)
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(place, flags)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        ours, there = os.fstat(descriptor), place.lstat()
    except OSError:
        os.close(descriptor)
        return None
    # Its last owner may have removed it while this one was opening it.
    same = (ours.st_ino, ours.st_dev) == (there.st_ino, there.st_dev)
    if same and ours.st_uid == os.geteuid() and not ours.st_mode & stat.S_IWOTH:
        os.fchmod(descriptor, 0o755)
        return descriptor
    os.close(descriptor)
    return None
