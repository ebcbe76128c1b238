"""The surroundings of one command: what is mounted, what is hidden, where it writes."""

from __future__ import annotations

import contextlib
import os
import pwd
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from fairtrial.benches.here.environment import USER
from fairtrial.benches.here.files import make_folder, remove_tree
from fairtrial.benches.here.ground import Ground
from fairtrial.benches.here.launching import Mount
from fairtrial.benches.here.shared_memory import remove_shared_memory
from fairtrial.domain.trials import Places

#: Whoever reaches one of these can start containers, and so be root.
_SOCKETS: Final = (
    "/run/docker.sock",
    "/var/run/docker.sock",
    "/run/podman/podman.sock",
    "/run/containerd/containerd.sock",
)
#: What a command finds under the bench's place, with who may write it.
_PRIVATE: Final = ("home", "tmp", "outputs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The bench's place, and what all commands of a run have in common."""

    place: Path
    ground: Ground
    #: Folders that no command may see.
    hidden: tuple[Path, ...]
    #: Folders that every command has to see, such as the interpreter's.
    reachable: tuple[Path, ...] = ()
    #: Files that stand in for others: (what is seen, what is there).
    replaced: tuple[tuple[str, Path], ...] = ()

    @property
    def places(self) -> Places:
        """Where a command finds things."""
        place = PurePosixPath(self.place)
        return Places(
            workspace=place / "workspace",
            inputs=place / "inputs",
            outputs=place / "outputs",
            channel=place / "inputs" / "channel",
        )

    @property
    def home(self) -> PurePosixPath:
        """A command's own home, empty at its start."""
        return PurePosixPath(self.place) / "home"


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Private folders of one command, and the tree and environment it works on."""

    site: Site
    folder: Path
    #: Overlays or binds of the workspace and the environment, without their targets.
    content: tuple[Mount, ...] = ()

    @property
    def walled(self) -> bool:
        """Whether the private folders are mounted, or lie at the place itself."""
        return "mount" in self.site.ground.walls

    @property
    def outputs(self) -> Path:
        """Where the outputs lie for whoever is outside."""
        return self._base / "outputs"

    @property
    def results(self) -> Path:
        """Where what was said into the channel is kept: never in reach of a command."""
        return self.folder / "results"

    @property
    def inputs(self) -> Path:
        """Where the inputs lie for whoever is outside."""
        return self._base / "inputs"

    @property
    def home(self) -> Path:
        """Where the home lies for whoever is outside."""
        return self._base / "home"

    @property
    def _base(self) -> Path:
        return self.folder if self.walled else self.site.place

    def furnish(self) -> None:
        """Make the private folders, empty."""
        if not self.walled:
            self.clear()
        owner = self.site.ground.uid
        for name in _PRIVATE:
            make_folder(self._base / name, 0o700, owner)
        make_folder(self._base / "inputs", 0o755)
        if self.walled:
            for name in ("system-tmp", "var-tmp"):
                make_folder(self._base / name, 0o1777)

    def clear(self) -> None:
        """Remove the private folders, and what the user left in shared ones."""
        if self.walled:
            remove_tree(self.folder)
            return
        for name in (*_PRIVATE, "inputs"):
            remove_tree(self._base / name)
        if self.site.ground.uid is not None:
            remove_owned(self.site.ground.uid)

    def folders(self) -> tuple[tuple[str, str | None, bool], ...]:
        """Where a command can leave files: see `launching.Looking`."""
        place = self.site.place
        names = {"home": str(place / "home"), "tmp": str(place / "tmp")}
        private: list[tuple[str, str | None, bool]] = [
            (at, str(self._base / name), False) for name, at in names.items()
        ]
        if self.walled:
            shared = {"system-tmp": "/tmp", "var-tmp": "/var/tmp"}  # noqa: S108 - private
            private += [(at, str(self.folder / it), False) for it, at in shared.items()]
        workspace = str(place / "workspace")
        upper = [
            mount.sources[0]
            for mount in self.content
            if mount.at == workspace and mount.kind == "overlay"
            if mount.options == "disk"
        ]
        return ((workspace, upper[0] if upper else None, bool(upper)), *private)

    def mounts(self) -> tuple[Mount, ...]:
        """All mounts in the order in which they have to be made; none without walls."""
        if not self.walled:
            return ()
        place = self.site.place
        private = [
            _bind(self.folder / "system-tmp", "/tmp"),  # noqa: S108 - a private one
            _bind(self.folder / "var-tmp", "/var/tmp"),  # noqa: S108 - a private one
        ]
        veils = hide(self.site.hidden, self.site.reachable, self.site.ground.uid)
        inside = [_bind(self.folder / name, str(place / name)) for name in _PRIVATE]
        inside.append(
            Mount(
                kind="bind",
                at=str(place / "inputs"),
                sources=(str(self.folder / "inputs"),),
            )
        )
        rest = [
            Mount(
                kind="tmpfs",
                at="/dev/shm",  # noqa: S108 - a private one
                options="mode=1777",
                writable=True,
            ),
            *(
                Mount(kind="file", at=seen, sources=(str(there),))
                for seen, there in self.site.replaced
            ),
            *(
                Mount(kind="file", at=socket, sources=("/dev/null",))
                for socket in _SOCKETS
            ),
        ]
        if "pid" in self.site.ground.walls:
            rest.append(Mount(kind="proc", at="/proc"))
        return (*private, *veils, *self.content, *inside, *rest)


def _bind(source: Path, at: str) -> Mount:
    return Mount(kind="bind", at=at, sources=(str(source),), writable=True)


def hide(
    hidden: Iterable[Path], reachable: Iterable[Path], uid: int | None
) -> tuple[Mount, ...]:
    """Empty folders over what must not be seen, with holes for what has to be.

    A folder above something needed that another user may not enter is hidden, too:
    behind the empty one, which all may enter, only what is needed stands.
    """
    needed = tuple(dict.fromkeys(reachable))
    blocked = [] if uid is None else [_first_closed(path) for path in needed]
    tops: list[Path] = []
    for path in sorted({*(p for p in blocked if p), *map(Path.resolve, hidden)}):
        outer = any(path.is_relative_to(top) for top in tops)
        if path != Path("/") and path.is_dir() and not outer:
            tops.append(path)
    holes = [path for path in needed if any(path.is_relative_to(top) for top in tops)]
    return (
        *(Mount(kind="tmpfs", at=str(top), options="mode=755,size=4m") for top in tops),
        *(Mount(kind="bind", at=str(hole), sources=(str(hole),)) for hole in holes),
    )


def _first_closed(path: Path) -> Path | None:
    for above in reversed(path.parents):
        if not above.stat().st_mode & 0o001:
            return above
    return None


def own_secrets(home: str | None) -> tuple[Path, ...]:
    """Folders of the gate's own user that a trial must not see."""
    user = os.geteuid()
    found = [Path(f"/run/user/{user}")]
    if home:
        found.append(Path(home))
    with contextlib.suppress(KeyError):
        found.append(Path(pwd.getpwuid(user).pw_dir))
    return tuple(path for path in found if path.is_dir())


def write_users(folder: Path, uid: int, home: Path) -> tuple[tuple[str, Path], ...]:
    """Copies of the user and group lists in which the trial's user has a name.

    And a home: a test that empties its environment asks there for it.
    """
    replaced = []
    for seen, line in (
        ("/etc/passwd", f"{USER}:x:{uid}:{uid}::{home}:/bin/sh\n"),
        ("/etc/group", f"{USER}:x:{uid}:\n"),
    ):
        there = folder / Path(seen).name
        try:
            known = Path(seen).read_text(errors="surrogateescape")
        except OSError:
            continue
        there.write_text(known + line, errors="surrogateescape")
        there.chmod(0o644)
        replaced.append((seen, there))
    return tuple(replaced)


def remove_owned(uid: int) -> None:
    """Remove what a user that only this run uses left in folders that all share."""
    remove_shared_memory(uid)
    for shared in ("/tmp", "/var/tmp", "/dev/shm"):  # noqa: S108 - looked at, not used
        try:
            entries = list(os.scandir(shared))
        except OSError:
            continue
        for entry in entries:
            try:
                if entry.stat(follow_symlinks=False).st_uid == uid:
                    remove_tree(Path(entry.path))
            except FileNotFoundError:
                continue
