"""Control groups: a memory limit that tells its kills, and a limit of processes."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: The kernel's name of a controller's limits: (version 1, version 2).
_LIMIT: Final = {
    "memory": ("memory.limit_in_bytes", "memory.max"),
    "pids": ("pids.max", "pids.max"),
}
#: Limits that any kernel takes, to see whether it takes one.
_TRIED: Final = {"memory": 1 << 30, "pids": 1000}
#: Swap would hide the limit; absent where the kernel does not count swap.
_SWAP: Final = ("memory.memsw.limit_in_bytes", "memory.swap.max")
_KILLS: Final = ("memory.oom_control", "memory.events")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parent:
    """A group below which this process may make others."""

    controller: str
    folder: Path
    #: 0 for version 1, 1 for version 2; the index into the names above.
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One trial's groups; several folders where each controller has its own tree."""

    members: tuple[tuple[Parent, Path], ...]

    @property
    def entrances(self) -> tuple[str, ...]:
        """The files that a process enters by writing to."""
        folders = dict.fromkeys(folder for _, folder in self.members)
        return tuple(str(folder / "cgroup.procs") for folder in folders)

    def memory_kills(self) -> int:
        """How many processes the kernel ended because memory ran out."""
        for parent, folder in self.members:
            if parent.controller == "memory":
                text = (folder / _KILLS[parent.version]).read_text()
                pairs = dict(line.split()[:2] for line in text.splitlines())
                return int(pairs.get("oom_kill", 0))
        return 0

    def remove(self) -> None:
        """Remove the groups, which are empty once their processes are reaped."""
        for _, folder in self.members:
            remove_group(str(folder))


def remove_group(folder: str) -> None:
    """Remove a group; raises OSError while something still runs in it."""
    deadline = time.monotonic() + 2
    while True:
        try:
            os.rmdir(folder)  # noqa: PTH106 - a group is no common directory
        except FileNotFoundError:
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)
        else:
            return


def find_parents(prefix: str) -> tuple[Parent, ...]:
    """Where groups with limits can be made, at most one for each controller."""
    return tuple(
        parent
        for controller in _LIMIT
        if (parent := _find(controller, prefix)) is not None
    )


def make_group(
    parents: tuple[Parent, ...], name: str, *, memory: int, processes: int
) -> Group:
    """Groups of this name with these limits; raises OSError when one can't be made."""
    made: list[tuple[Parent, Path]] = []
    try:
        for parent in parents:
            folder = parent.folder / name
            folder.mkdir(exist_ok=True)
            made.append((parent, folder))
            limit = memory if parent.controller == "memory" else processes
            (folder / _LIMIT[parent.controller][parent.version]).write_text(str(limit))
            if parent.controller == "memory":
                with contextlib.suppress(OSError):
                    swap = 0 if parent.version else limit
                    (folder / _SWAP[parent.version]).write_text(str(swap))
    except OSError:
        Group(members=tuple(made)).remove()
        raise
    return Group(members=tuple(made))


def _find(controller: str, prefix: str) -> Parent | None:
    for version, mounted, own in _hierarchies(controller):
        # The own group first, so that a limit around this process stays around.
        for folder in (own, *own.parents):
            if not folder.is_relative_to(mounted):
                break
            parent = Parent(controller=controller, folder=folder, version=version)
            if _bears_groups(parent, f"{prefix}-probe"):
                return parent
    return None


def _bears_groups(parent: Parent, name: str) -> bool:
    # A folder elsewhere would be made just as well, so the limit's file is asked for.
    folder = parent.folder / name
    try:
        folder.mkdir()
    except OSError:
        return False
    try:
        limit = folder / _LIMIT[parent.controller][parent.version]
        if not limit.exists():
            return False
        limit.write_text(str(_TRIED[parent.controller]))
    except OSError:
        return False
    finally:
        with contextlib.suppress(OSError):
            folder.rmdir()
    return True


def _hierarchies(controller: str) -> list[tuple[int, Path, Path]]:
    """(version, mount point, own group's folder) of each tree that may have it."""
    found: list[tuple[int, Path, Path]] = []
    try:
        own = Path("/proc/self/cgroup").read_text().splitlines()
        mounts = Path("/proc/self/mountinfo").read_text().splitlines()
    except OSError:
        return found
    for line in mounts:
        left, _, right = line.partition(" - ")
        kind, _, options = right.partition(" ")[0], None, right.rsplit(" ", 1)[-1]
        point = Path(left.split()[4])
        root = left.split()[3]
        for entry in own:
            number, names, path = entry.split(":", 2)
            one = kind == "cgroup" and controller in names.split(",")
            one = one and controller in options.split(",")
            two = kind == "cgroup2" and number == "0"
            if one or two:
                inner = path.removeprefix(root) if root != "/" else path
                found.append((0 if one else 1, point, point / inner.lstrip("/")))
    return sorted(found)
