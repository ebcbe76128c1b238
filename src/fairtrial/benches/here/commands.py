"""Runs one command in its room, under its limits, and leaves nothing of it running."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fairtrial.benches.here.files import make_folder, remove_tree
from fairtrial.benches.here.groups import Group, make_group
from fairtrial.benches.here.launching import (
    Collecting,
    Delta,
    Launched,
    Lifeline,
    Looking,
    Plan,
    launch,
)
from fairtrial.benches.here.options import Limits
from fairtrial.benches.here.rooms import Room, Site
from fairtrial.benches.leftovers import Kind, Record
from fairtrial.domain.errors import BenchFailed, TreeBroken
from fairtrial.domain.settings import ConditionSettings, Otlp
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Door

#: Characters of a failed step's output that are told; the end says what failed.
_TOLD: Final = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended, and whether the kernel killed any of it for memory."""

    launched: Launched
    out_of_memory: bool


@dataclass(slots=True, kw_only=True)
class Commands:
    """Everything that starts processes on this bench goes through here."""

    run: str
    #: Where the rooms' private folders lie.
    folder: Path
    limits: Limits
    record: Record
    parallel: int
    keep_rights: bool
    _running: set[Lifeline] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stopped: bool = False
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def room(self, site: Site) -> Room:
        """A furnished room without content yet; whoever asks for it clears it."""
        number = next(self._numbers)
        folder = make_folder(self.folder / str(number), 0o700)
        room = Room(site=site, folder=folder)
        room.furnish()
        return room

    def close(self, room: Room) -> None:
        """Remove a room with everything in it; raises BenchFailed when it can't."""
        try:
            room.clear()
            remove_tree(room.folder)
        except OSError as error:
            raise BenchFailed(f"A trial's folders can't be removed: {error}") from error

    def execute(
        self,
        room: Room,
        argv: tuple[str, ...],
        env: Mapping[str, str],
        *,
        network: bool,
        timeout: float,
        delta: Delta | None = None,
        reports: bool = False,
        look_after: bool = False,
        doors: tuple[Door, ...] = (),
        conditions: ConditionSettings | None = None,
    ) -> Ended:
        """How a command ended that starts in the workspace of its room.

        With `reports`, what its processes say into the room's channel is kept in
        `room.results`. Without `conditions` it has all processors.
        Raises BenchFailed when it could not be started as planned.
        """
        site, ground = room.site, room.site.ground
        group = self._group(site, room.folder.name)
        walls = ground.walls - {"network"} if network else ground.walls
        plan = Plan(
            argv=argv,
            env=env,
            directory=str(site.places.workspace),
            walls=walls,
            mounts=room.mounts(),
            rest_read_only=ground.rest_read_only and room.walled,
            mapped=ground.mapped,
            uid=ground.uid,
            own_user=ground.uid is not None,
            groups=group.entrances,
            limits=self._process_limits(site),
            delta=delta or Delta(),
            keep_rights=self.keep_rights,
            collecting=self._collecting(room) if reports else None,
            doors=doors,
            cpus=_processors(conditions, int(room.folder.name)),
            umask=(conditions or ConditionSettings()).umask,
            aftermath=_looking(room, walls) if look_after else None,
            otlp=reports and "network" in walls and _has_sink(conditions),
        )
        things = [
            self.record.add(Kind.CGROUP, str(folder)) for _, folder in group.members
        ]
        try:
            launched = self._launch(plan, timeout)
            return Ended(launched=launched, out_of_memory=group.memory_kills() > 0)
        except OSError as error:
            raise BenchFailed(f"The command could not be run: {error}") from error
        finally:
            group.remove()
            for thing in things:
                self.record.remove(thing)

    def _collecting(self, room: Room) -> Collecting:
        make_folder(room.results, 0o700)
        return Collecting(
            sockets=str(room.inputs),
            results=str(room.results),
            size=self.limits.outputs,
            count=self.limits.output_files,
        )

    def step(
        self,
        revision: Revision,
        step: str,
        room: Room,
        env: Mapping[str, str],
        *,
        network: bool,
    ) -> None:
        """Run one step of `prepare` or `build`; raises TreeBroken when it fails."""
        ended = self.execute(
            room,
            ("/bin/sh", "-c", step),
            env,
            network=network,
            timeout=self.limits.step,
        )
        launched = ended.launched
        said = (launched.stdout + launched.stderr).decode(errors="replace")
        if launched.timed_out:
            said += f"\nIt took longer than {self.limits.step:g} seconds."
        elif ended.out_of_memory:
            said += "\nThe kernel ended it because memory ran out."
        elif launched.exit == 0:
            return
        raise TreeBroken(revision, step, said[-_TOLD:])

    def _launch(self, plan: Plan, timeout: float) -> Launched:
        lifeline = Lifeline()
        with self._lock:
            if self._stopped:
                lifeline.cut()
            self._running.add(lifeline)
        try:
            launched = launch(
                plan, timeout=timeout, kept=self.limits.printed, lifeline=lifeline
            )
        finally:
            with self._lock:
                self._running.discard(lifeline)
        if self._stopped:
            raise BenchFailed("The bench was closed while a command ran.")
        return launched

    def stop(self) -> None:
        """Kill what runs, and let nothing start any more; from any thread."""
        self._stopped = True
        with self._lock:
            for lifeline in self._running:
                lifeline.cut()

    def memory(self) -> int:
        """Bytes that one trial may use."""
        if self.limits.memory is not None:
            return self.limits.memory
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return total * 4 // 5

    def _group(self, site: Site, room: str) -> Group:
        parents = site.ground.groups
        if not parents:
            return Group(members=())
        try:
            return make_group(
                parents,
                f"{self.run}-{room}",
                memory=self.memory(),
                processes=self.limits.processes,
            )
        except OSError as error:
            raise BenchFailed(f"A control group can't be made: {error}") from error

    def _process_limits(self, site: Site) -> dict[str, int]:
        ground = site.ground
        limited = {parent.controller for parent in ground.groups}
        limits = {"CORE": 0}
        if self.keep_rights:
            return limits
        if "memory" not in limited:
            limits["AS"] = self.memory()
        # The kernel counts a user's processes, so it has to be a user of the trials'
        # own, or one of a new user namespace, for a limit not to hit anyone else.
        if "pids" not in limited and (ground.uid is not None or "user" in ground.walls):
            limits["NPROC"] = self.limits.processes * self.parallel
        return limits


def _has_sink(conditions: ConditionSettings | None) -> bool:
    """Whether a trial takes in telemetry; what `auto` means is settled before."""
    return conditions is not None and conditions.otlp is Otlp.ALWAYS


def _processors(conditions: ConditionSettings | None, number: int) -> tuple[int, ...]:
    """The processors of one trial; trials side by side get different ones if they can.

    None: all that there are.
    """
    wanted = conditions and conditions.cpus
    if not wanted:
        return ()
    there = sorted(os.sched_getaffinity(0))
    first = number * wanted % len(there)
    return tuple(sorted((there[first:] + there[:first])[:wanted]))


def _looking(room: Room, walls: frozenset[str]) -> Looking:
    return Looking(
        folders=room.folders(),
        own_ports="network" in walls,
        own_processes="pid" in walls,
    )
