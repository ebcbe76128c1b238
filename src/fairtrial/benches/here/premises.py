"""What a bench occupies on the machine from its start to its end."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairtrial.benches.here import reach
from fairtrial.benches.here.commands import Commands
from fairtrial.benches.here.files import make_folder, remove_tree
from fairtrial.benches.here.ground import survey
from fairtrial.benches.here.options import HereOptions
from fairtrial.benches.here.remains import PREFIX, clean_machine
from fairtrial.benches.here.rooms import (
    Site,
    own_secrets,
    remove_owned,
    write_users,
)
from fairtrial.benches.here.slots import Slot, claim
from fairtrial.benches.leftovers import Kind, Leftovers, Record, Thing, start_time
from fairtrial.domain.errors import BenchUnavailable

#: More trials side by side than this slow each other down on common machines.
_MOST: Final = 4

_numbers = itertools.count(1)


@dataclass(slots=True, kw_only=True)
class Premises:
    """Folders, a slot and a journal; `leave` gives all of it back."""

    site: Site
    commands: Commands
    folder: Path
    #: Where prepared environments lie: kept for later runs, or gone with this one.
    environments: Path
    parallel: int
    slot: Slot
    record: Record
    things: tuple[Thing, ...]

    def leave(self) -> None:
        """Remove everything that this run made; safe to call twice."""
        # Crossed off first: where a signal or an error ends the first call, the journal
        # is closed, and what is left is the next run's.
        things, self.things = self.things, ()
        if things:
            _vacate(self.folder, self.slot, self.record, things)


def _vacate(
    folder: Path, slot: Slot, record: Record, things: tuple[Thing, ...]
) -> None:
    try:
        try:
            remove_tree(folder)
            with contextlib.suppress(FileNotFoundError):
                for entry in slot.place.iterdir():
                    remove_tree(entry)
            if os.geteuid() == 0:
                remove_owned(slot.uid)
        finally:
            slot.release()
        for thing in things:
            record.remove(thing)
    finally:
        # What could not be removed stays in the journal for the next run.
        record.close()


def occupy(options: HereOptions) -> Premises:
    """Find out what this machine allows, and take what a bench needs.

    Cleans up after dead runs first. Raises BenchUnavailable when that fails.
    """
    run = f"{PREFIX}run-{os.getpid()}-{start_time(os.getpid())}-{next(_numbers)}"
    try:
        options.scratch.mkdir(parents=True, exist_ok=True)
        leftovers = Leftovers(options.cache / "runs")
        clean_machine(leftovers)
        record = leftovers.open_record(run)
    except OSError as error:
        raise BenchUnavailable(
            f"The bench has nowhere to stand: {error}",
            remedy=f"Make {options.scratch} and {options.cache} writable.",
        ) from error
    scratch = options.scratch.resolve()
    folder = scratch / run
    slot = claim(scratch)
    things = (
        record.add(Kind.DIRECTORY, str(folder)),
        record.add(Kind.DIRECTORY, str(slot.place)),
        *((record.add(Kind.USER_PROCESSES, str(slot.uid)),) if _is_root() else ()),
    )
    try:
        return _settled(options, folder=folder, slot=slot, record=record, things=things)
    except BaseException as error:
        _vacate(folder, slot, record, things)
        if isinstance(error, OSError):
            raise BenchUnavailable(f"The bench can't stand: {error}") from error
        raise


def _shield() -> None:
    """Keep processes of the same user out of this one's environment and memory.

    A second layer (prctl(2), PR_SET_DUMPABLE), for trials that neither run as another
    user nor in a process namespace of their own. It lasts as long as this process.
    """
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)


def _is_root() -> bool:
    return os.geteuid() == 0


def _settled(
    options: HereOptions,
    *,
    folder: Path,
    slot: Slot,
    record: Record,
    things: tuple[Thing, ...],
) -> Premises:
    run = folder.name
    make_folder(folder, 0o700)
    for entry in slot.place.iterdir():
        remove_tree(entry)
    docker = options.docker
    ground = reach.without_walls() if docker else survey(slot.uid, folder, run)
    if ground.uid is None and "pid" not in ground.walls:
        _shield()
    # A trial of the gate's own user, without walls, could write what later runs would
    # take for prepared.
    kept = "mount" in ground.walls or ground.uid is not None
    cache = options.cache.resolve()
    site = Site(
        place=slot.place,
        ground=ground,
        hidden=(
            *own_secrets(options.environ.get("HOME")),
            folder,
            cache,
            *options.hidden,
        ),
        replaced=()
        if ground.uid is None
        else write_users(folder, ground.uid, slot.place / "home"),
    )
    processors = len(os.sched_getaffinity(0))
    parallel = options.parallel or min(processors, _MOST)
    commands = Commands(
        run=run,
        folder=folder / "rooms",
        limits=options.limits,
        record=record,
        parallel=parallel,
        keep_rights=docker,
    )
    return Premises(
        site=site,
        commands=commands,
        folder=folder,
        environments=(cache if kept else folder) / "environments",
        parallel=parallel,
        slot=slot,
        record=record,
        things=things,
    )
