"""Freezes trees on this machine, and runs each trial in surroundings of its own."""

from __future__ import annotations

import base64
import contextlib
import itertools
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from fairtrial.benches.aftermath import aftermath
from fairtrial.benches.channel import said
from fairtrial.benches.doors import shut
from fairtrial.benches.here import conditions, environment, reach
from fairtrial.benches.here.commands import Commands, Ended
from fairtrial.benches.here.content import Layers, overlaid, placed
from fairtrial.benches.here.files import CHANGED_TIME, checked_path, make_folder
from fairtrial.benches.here.freezing import freeze
from fairtrial.benches.here.interpreters import Interpreter, find
from fairtrial.benches.here.launching import Delta, Mount
from fairtrial.benches.here.live import Live
from fairtrial.benches.here.options import HereOptions
from fairtrial.benches.here.outputs import Collected, collect
from fairtrial.benches.here.premises import Premises, occupy
from fairtrial.benches.here.preparing import Environments, Preparation
from fairtrial.benches.here.rooms import Room, Site
from fairtrial.benches.here.turns import Turns
from fairtrial.benches.here.ways import HereWays, find_ways
from fairtrial.domain.errors import BenchFailed, BenchUnavailable
from fairtrial.domain.names import RepoPath
from fairtrial.domain.settings import Network, ServiceSettings
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import (
    Ending,
    FileContent,
    Levels,
    Places,
    Setup,
    TrialOutput,
    TrialSpec,
)

#: Reported for what was killed from outside and so ended with no code of its own.
_KILLED: Final = 9
#: How long closing waits for trials in other threads, which were just killed.
_LAST_SECONDS: Final = 10.0


class HereBench:
    """Satisfies `Bench`. One suite's trials on this machine; close it when done."""

    def __init__(self, options: HereOptions) -> None:
        """Raises BenchUnavailable when not even the weakest bench can stand."""
        self._options = options
        self._premises: Premises = occupy(options)
        self._site: Site = self._premises.site
        self._commands: Commands = self._premises.commands
        self._turns = Turns(self.parallel)
        self._environments = Environments(
            folder=self._premises.environments, commands=self._commands
        )
        self._layers: dict[Revision, Layers] = {}
        self._live: dict[Revision, tuple[Live, Live]] = {}
        self._interpreter: Interpreter | None = None
        self._numbers = itertools.count()
        self._closing = threading.Lock()
        self._closed = threading.Event()

    @property
    def places(self) -> Places:
        """Where things are for a trial."""
        return self._site.places

    @property
    def parallel(self) -> int:
        """How many trials may run side by side; one where they share a copy."""
        return self._premises.parallel if self._site.ground.overlay else 1

    @property
    def own_loopback(self) -> bool:
        """Whether each trial is in a network namespace of its own."""
        walled = "network" in self._site.ground.walls
        return walled and self._options.network is Network.NONE

    def ways(self, services: Sequence[ServiceSettings]) -> HereWays:
        """Make the ways to services; raises BenchFailed when a port is taken."""
        return find_ways(services, own_loopback=self.own_loopback)

    def levels(self) -> Levels:
        """Which isolation this machine allows, and why not more."""
        return reach.levels(self._site.ground, self._options.network)

    def fingerprint(self) -> str:
        """A digest of what has to be equal between trials that are compared."""
        return conditions.fingerprint(
            environment.for_trial(self._site.home, self.places, self._options.env, {}),
            self._interpreter,
            self.levels(),
            memory=self._commands.memory(),
            processes=self._options.limits.processes,
            pinned=self._options.conditions,
            place=str(self.places.workspace.parent),
        )

    def freeze(
        self, revision: Revision, files: Mapping[RepoPath, FileContent], setup: Setup
    ) -> None:
        """Build one tree once; see `Bench`."""
        with self._turns.turn(quiet=True):
            self._freeze(revision, files, setup)

    def _freeze(
        self, revision: Revision, files: Mapping[RepoPath, FileContent], setup: Setup
    ) -> None:
        try:
            interpreter = find(setup.python, self._options.environ)
            self._reach(interpreter)
            prepared = self._environments.get(
                revision,
                Preparation(
                    setup=setup,
                    interpreter=interpreter,
                    env=self._options.env,
                    environ=self._options.environ,
                ),
                self._site,
            )
            self._layers[revision] = freeze(
                revision,
                files,
                setup,
                self._options.env,
                site=self._site,
                folder=self._premises.folder / f"{revision}-{next(self._numbers)}",
                prepared=prepared,
                commands=self._commands,
            )
        except (OSError, BenchFailed) as error:
            raise BenchUnavailable(
                f"The {revision} tree could not be frozen: {error}"
            ) from error
        self._live.pop(revision, None)

    def _reach(self, interpreter: Interpreter) -> None:
        """Let trials reach an interpreter, as another user if that one can."""
        if self._interpreter == interpreter:
            return
        needed = (*interpreter.prefixes, *self._options.reachable)
        site = replace(self._site, reachable=needed)
        if site.ground.uid is not None and not self._answers(interpreter, site):
            reasons = {
                **site.ground.reasons,
                "user": f"another user can't reach {interpreter.path} or {site.place}",
            }
            site = replace(site, ground=replace(site.ground, uid=None, reasons=reasons))
        self._site, self._interpreter = site, interpreter

    def _answers(self, interpreter: Interpreter, site: Site) -> bool:
        room = self._commands.room(site)
        try:
            workspace = make_folder(room.folder / "workspace", 0o755)
            env = make_folder(room.folder / "env", 0o755)
            with placed(site, workspace=workspace, env=env) as content:
                ended = self._commands.execute(
                    replace(room, content=content),
                    (str(interpreter.path), "-I", "-c", "import encodings.idna, ssl"),
                    environment.common(site.home, site.places),
                    network=False,
                    timeout=60,
                )
        except BenchFailed:
            return False
        finally:
            self._commands.close(room)
        return ended.launched.exit == 0

    def run(self, spec: TrialSpec) -> TrialOutput:
        """Run one trial; see `Bench`."""
        with self._turns.turn(quiet=spec.quiet):
            if self._closed.is_set():
                # Nothing may be made any more in folders that are being removed.
                raise BenchFailed("the bench is closed")
            try:
                return self._run(spec)
            except OSError as error:
                raise BenchFailed(f"The trial could not be run: {error}") from error

    def _run(self, spec: TrialSpec) -> TrialOutput:
        layers = self._layers.get(spec.frozen)
        if layers is None:
            raise BenchFailed(f"The {spec.frozen} tree is not frozen on this bench.")
        site, limits = self._site, self._options.limits
        room = self._commands.room(site)
        try:
            _hand_in(room, spec.inputs, 0o644)
            _hand_in(room, spec.programs, 0o755)
            with self._thawed(spec.frozen, layers, room) as content:
                ended = self._commands.execute(
                    replace(room, content=content),
                    spec.argv,
                    environment.for_trial(
                        site.home, site.places, self._options.env, spec.env
                    ),
                    network=self._options.network is Network.OPEN,
                    timeout=spec.timeout,
                    delta=_delta(spec),
                    reports=True,
                    look_after=spec.look_after,
                    doors=spec.doors,
                    conditions=self._options.conditions,
                )
            collected, kept = (
                collect(folder, size=limits.outputs, count=limits.output_files)
                for folder in (room.outputs, room.results)
            )
        finally:
            self._commands.close(room)
        return _output(spec, ended, collected, kept)

    @contextlib.contextmanager
    def _thawed(
        self, revision: Revision, layers: Layers, room: Room
    ) -> Iterator[tuple[Mount, ...]]:
        """The frozen tree at the place, with nothing of any other trial in it."""
        if self._site.ground.overlay:
            yield overlaid(self._site, room.folder, layers)
            return
        if revision not in self._live:
            folder = make_folder(
                self._premises.folder / f"live-{next(self._numbers)}", 0o700
            )
            self._live[revision] = (
                Live(frozen=layers.workspace[0], place=folder / "workspace"),
                Live(frozen=layers.env[0], place=folder / "env"),
            )
        workspace, env = self._live[revision]
        workspace.restore()
        env.restore()
        with placed(self._site, workspace=workspace.place, env=env.place) as content:
            yield content

    def close(self) -> None:
        """Kill what runs and remove everything that is not kept for later runs."""
        self._closed.set()
        self._commands.stop()
        self._turns.wait_for_silence(_LAST_SECONDS)
        with self._closing:
            self._environments.release()
            self._premises.leave()


def _hand_in(room: Room, inputs: Mapping[str, bytes], mode: int) -> None:
    for name, content in inputs.items():
        target = room.inputs / checked_path(name)
        for folder in reversed(target.relative_to(room.inputs).parents[:-1]):
            with contextlib.suppress(FileExistsError):
                (room.inputs / folder).mkdir()
            (room.inputs / folder).chmod(0o755)
        target.write_bytes(content)
        target.chmod(mode)


def _delta(spec: TrialSpec) -> Delta:
    for path in (*spec.delta.deletes, *spec.delta.writes):
        checked_path(path)
    return Delta(
        deletes=tuple(sorted(spec.delta.deletes)),
        writes=tuple(
            (path, content.mode, base64.b64encode(content.data).decode())
            for path, content in sorted(spec.delta.writes.items())
        ),
        time=CHANGED_TIME,
    )


def _output(
    spec: TrialSpec, ended: Ended, collected: Collected, kept: Collected
) -> TrialOutput:
    launched, reported = ended.launched, said(kept.files, kept.refused)
    left = aftermath(reported.left, asked=spec.look_after)
    if launched.lost:
        raise shut(launched.lost)
    code = launched.exit if launched.exit is not None else launched.signal
    if ended.out_of_memory:
        ending = Ending.OUT_OF_MEMORY
    elif launched.timed_out:
        ending = Ending.TIMED_OUT
    elif launched.exit is not None:
        ending = Ending.EXITED
    elif launched.signal is not None:
        ending = Ending.SIGNALLED
    else:
        raise BenchFailed(
            "The trial was ended from outside.",
            means="Somebody killed its first process; it says nothing about the tests.",
        )
    return TrialOutput(
        ending=ending,
        code=_KILLED if code is None else code,
        files=collected.files,
        refused=collected.refused,
        stdout=launched.stdout,
        stderr=launched.stderr,
        seconds=launched.seconds,
        kept=reported.streams,
        faults=reported.faults,
        left=left.left,
        blind=left.blind,
    )
