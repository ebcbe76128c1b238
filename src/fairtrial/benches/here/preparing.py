"""Makes the private environment that base and head share when they ask for the same."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from fairtrial.benches.here import backends, environment
from fairtrial.benches.here.commands import Commands
from fairtrial.benches.here.content import placed
from fairtrial.benches.here.files import (
    copy_tree,
    make_folder,
    remove_tree,
    write_tree,
)
from fairtrial.benches.here.interpreters import Interpreter
from fairtrial.benches.here.rooms import Room, Site
from fairtrial.benches.here.tool_settings import hand_over
from fairtrial.domain.errors import BenchUnavailable
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Setup

#: Raised when an environment is made differently, so that no old one is taken.
_RECIPE: Final = 2
#: Environments kept for later runs, the last used ones.
_KEPT: Final = 6
#: Seconds until one is made anew: its steps may ask for "the latest" of something.
_FRESH: Final = 7 * 24 * 3600
_DONE: Final = "done"
#: Beside an environment: what its steps made in their workspace.
MADE: Final = "made"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """What decides how an environment turns out."""

    setup: Setup
    interpreter: Interpreter
    #: The suite's own variables and the gate's environment.
    env: Mapping[str, str]
    environ: Mapping[str, str]

    def key(self, site: Site) -> str:
        """Equal for preparations that come to the same environment."""
        files = {
            path: (content.mode, hashlib.sha256(content.data).hexdigest())
            for path, content in self.setup.prepare_files.items()
        }
        parts = (
            _RECIPE,
            sorted(files.items()),
            self.setup.prepare,
            sorted(self.setup.env.items()),
            backends.requirements(self.setup),
            self.interpreter.version,
            str(self.interpreter.path),
            str(site.place),
            site.ground.uid,
            sorted(self.env.items()),
            os.uname().machine,
        )
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


@dataclass(slots=True, kw_only=True)
class Environments:
    """Prepared environments, made at most once for a key.

    Kept between runs where no trial can write them: only `prepare` ever does. A
    failed one is never kept.
    """

    folder: Path
    commands: Commands
    #: Shared locks on what this run uses; others do not throw it away meanwhile.
    _locks: dict[str, int] = field(default_factory=dict)

    def get(self, revision: Revision, preparation: Preparation, site: Site) -> Path:
        """The folder of the environment; raises TreeBroken when a step fails."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        key = preparation.key(site)
        kept = self.folder / key
        if key in self._locks:
            return kept / "env"
        while True:
            descriptor = self._locks[key] = _held_lock(self.folder / f"{key}.lock")
            if not _is_fresh(kept / _DONE, descriptor):
                remove_tree(kept)
                make_folder(kept, 0o700)
                try:
                    self._make(revision, preparation, site, kept / "env")
                except BaseException:
                    remove_tree(kept)
                    # The other side may ask for the same one, and fails by itself.
                    os.close(self._locks.pop(key))
                    raise
                (kept / _DONE).touch()
            # One lock is given up before the other is there (flock(2)): another run
            # may have thrown the environment away in between.
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            if _is_current(descriptor, self.folder / f"{key}.lock"):
                break
            os.close(self._locks.pop(key))
        self._throw_away()
        return kept / "env"

    def release(self) -> None:
        """Let others throw away what this run used."""
        while self._locks:
            os.close(self._locks.popitem()[1])

    def _throw_away(self) -> None:
        done = {
            mark: self.folder / f"{mark.parent.name}.lock"
            for mark in self.folder.glob(f"*/{_DONE}")
        }
        for mark in sorted(done, key=lambda mark: -_last_used(done[mark]))[_KEPT:]:
            lock = done[mark]
            descriptor = _open_lock(lock)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if not _is_current(descriptor, lock):
                    continue
                # The mark goes first: half an environment is never taken for one.
                mark.unlink()
                remove_tree(mark.parent)
                lock.unlink()
            except OSError:
                continue
            finally:
                os.close(descriptor)

    def _make(
        self, revision: Revision, preparation: Preparation, site: Site, env: Path
    ) -> None:
        setup = preparation.setup
        plain = replace(preparation, setup=Setup())
        # What has no steps comes first, once for all that begin with it.
        begun = None
        if plain.key(site) != preparation.key(site):
            begun = self.get(revision, plain, site)
        room = self.commands.room(site)
        walled = "mount" in site.ground.walls
        kept, env = env, env if walled else room.folder / "env"
        if begun is None:
            make_folder(env, 0o755, site.ground.uid)
        else:
            copy_tree(begun, env)
        try:
            tree = room.folder / "prepare"
            write_tree(tree, setup.prepare_files, site.ground.uid)
            hand_over(preparation.environ, room)
            own = {**setup.env, **preparation.env}
            variables = environment.for_prepare(
                site.home, site.places, own, preparation.environ
            )
            with placed(site, workspace=tree, env=env) as content:
                room = replace(room, content=content)
                if begun is None:
                    self._virtual_environment(preparation.interpreter, room, variables)
                for step in setup.prepare:
                    self.commands.step(revision, step, room, variables, network=True)
                self._backends(revision, setup, room, variables)
            _keep_made(tree, setup, kept.parent / MADE)
            if not walled:
                # It was moved to its place and back, which folders on different
                # file systems don't bear, so it was not made where it is kept.
                copy_tree(env, kept)
        finally:
            self.commands.close(room)

    def _virtual_environment(
        self, interpreter: Interpreter, room: Room, variables: Mapping[str, str]
    ) -> None:
        target = str(room.site.places.workspace.parent / "env")
        ended = self.commands.execute(
            room,
            (str(interpreter.path), "-I", "-m", "venv", target),
            variables,
            network=False,
            timeout=self.commands.limits.step,
        ).launched
        if ended.exit != 0:
            said = (ended.stdout + ended.stderr).decode(errors="replace")
            raise BenchUnavailable(
                f"{interpreter.path} can't make a virtual environment: {said[-2000:]}",
                means="On Debian and Ubuntu, venv is a package of its own.",
                remedy="Install python3-venv, or name another version as `python:`.",
            )

    def _backends(
        self,
        revision: Revision,
        setup: Setup,
        room: Room,
        variables: Mapping[str, str],
    ) -> None:
        """Fetch the build backends that the environment lacks, beside it."""
        wanted = backends.requirements(setup)
        if not wanted:
            return
        asked = self.commands.execute(
            room,
            ("python", "-I", "-c", backends.MISSING, *wanted),
            variables,
            network=False,
            timeout=self.commands.limits.step,
        ).launched
        missing = wanted if asked.exit != 0 else asked.stdout.decode().splitlines()
        if missing:
            target = room.site.places.workspace.parent / "env" / backends.FOLDER
            words = ("python", "-m", "pip", "install", "--target", str(target))
            step = shlex.join((*words, *missing))
            self.commands.step(revision, step, room, variables, network=True)


def _open_lock(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _held_lock(path: Path) -> int:
    """The lock on an environment, to be made or looked at by nobody else.

    Whoever throws an environment away removes its lock, too; who waited for that one
    meanwhile would hold a lock that nobody else looks at.
    """
    while True:
        descriptor = _open_lock(path)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if _is_current(descriptor, path):
            return descriptor
        os.close(descriptor)


def _is_current(lock: int, path: Path) -> bool:
    """Whether a held lock is still the one that others find under its name."""
    try:
        return os.path.samestat(os.fstat(lock), path.stat())
    except FileNotFoundError:
        return False


def _last_used(lock: Path) -> float:
    """When an environment was last asked for; its lock's time says so."""
    try:
        return lock.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _is_fresh(mark: Path, lock: int) -> bool:
    """Whether an environment is whole, and not too old to stand for a new one."""
    # The lock's own time, set just now, is the time of the file system's clock.
    os.utime(lock)
    try:
        age = os.fstat(lock).st_mtime - mark.stat().st_mtime
    except FileNotFoundError:
        return False
    return age < _FRESH


def _keep_made(tree: Path, setup: Setup, target: Path) -> None:
    """Keep what the steps made in their workspace, such as `node_modules`."""
    for path in setup.prepare_files:
        remove_tree(tree / path)
    for folder, _, _ in os.walk(tree, topdown=False):
        with contextlib.suppress(OSError):
            Path(folder).rmdir()
    if tree.is_dir():
        copy_tree(tree, target)
