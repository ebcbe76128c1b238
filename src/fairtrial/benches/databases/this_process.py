"""Who this process is, in the names of what it makes on servers that it shares."""

from __future__ import annotations

import hashlib
import os
import socket
import time
from contextlib import suppress
from pathlib import Path

from fairtrial.benches.databases.names import Maker
from fairtrial.benches.leftovers import start_time


def this_process() -> Maker:
    """The process that asks, on this machine, since it was booted."""
    kernel = ""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8")
        kernel = f"{boot.strip()}/{Path('/proc/self/ns/pid').readlink()}"
    place = f"{socket.gethostname()}/{kernel}"
    return Maker(
        place=hashlib.sha256(place.encode()).hexdigest()[:6],
        pid=os.getpid(),
        started=start_time(os.getpid()) or 0,
        begun=int(time.time()),
    )
