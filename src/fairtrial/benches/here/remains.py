"""Cleans up what a run of this bench left on the machine when it was killed."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import Final

from fairtrial.benches.here.files import remove_tree
from fairtrial.benches.here.groups import remove_group
from fairtrial.benches.here.rooms import remove_owned
from fairtrial.benches.here.slots import claim_user
from fairtrial.benches.leftovers import Kind, Leftovers, Thing

#: All folders that this bench makes outside of others begin with this.
PREFIX: Final = "fairtrial-"


def clean_machine(leftovers: Leftovers) -> tuple[Thing, ...]:
    """What dead runs had left and is gone now; comes before a slot is claimed."""
    return leftovers.clean_dead(
        {
            Kind.USER_PROCESSES: _end_user,
            Kind.CGROUP: _end_group,
            Kind.DIRECTORY: _remove_folder,
        }
    )


def _remove_folder(name: str) -> None:
    folder = Path(name)
    # A journal only this user can write, and still: nothing else is ever removed.
    if folder.name.startswith(PREFIX) and folder.is_absolute():
        remove_tree(folder)


def _end_group(name: str) -> None:
    folder = Path(name)
    if not folder.name.startswith(PREFIX):
        return
    with contextlib.suppress(FileNotFoundError):
        for line in (folder / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(line), signal.SIGKILL)
        remove_group(name)


def _end_user(name: str) -> None:
    """End all processes of a dead run's user, unless a living run has it now."""
    claimed = claim_user(int(name))
    if claimed is None:
        raise BlockingIOError(f"user {name} belongs to a living run")
    try:
        deadline = time.monotonic() + 5
        while (found := _processes_of(int(name))) and time.monotonic() < deadline:
            for pid in found:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)
        remove_owned(int(name))
    finally:
        claimed.close()


def _processes_of(uid: int) -> list[int]:
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            state = (folder / "stat").read_text(errors="replace").rpartition(")")[2]
            if folder.stat().st_uid == uid and state.split()[0] not in {"Z", "X"}:
                found.append(int(folder.name))
        except OSError:
            continue
    return found
