"""How a workspace and an environment come to stand at the bench's place."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fairtrial.benches.here.files import make_folder
from fairtrial.benches.here.launching import Mount
from fairtrial.benches.here.rooms import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """A frozen tree and its environment; folders that lie above others come first."""

    workspace: tuple[Path, ...]
    env: tuple[Path, ...]


@contextlib.contextmanager
def placed(site: Site, *, workspace: Path, env: Path) -> Iterator[tuple[Mount, ...]]:
    """Put the folders themselves at the place: what is written there stays in them."""
    pairs = ((workspace, site.place / "workspace"), (env, site.place / "env"))
    if "mount" in site.ground.walls:
        yield tuple(
            Mount(kind="bind", at=str(at), sources=(str(folder),), writable=True)
            for folder, at in pairs
        )
        return
    moved: list[tuple[Path, Path]] = []
    try:
        for folder, at in pairs:
            folder.rename(at)
            moved.append((folder, at))
        yield ()
    finally:
        for folder, at in moved:
            at.rename(folder)


def overlaid(site: Site, folder: Path, layers: Layers) -> tuple[Mount, ...]:
    """Put the layers at the place: what is written there goes into a new `folder`."""
    pairs = (("workspace", layers.workspace), ("env", layers.env))
    return tuple(
        replace(overlay(site, folder / name, name, lower), fresh=True)
        for name, lower in pairs
    )


def overlay(site: Site, folder: Path, name: str, lower: tuple[Path, ...]) -> Mount:
    """One overlay at the place; its upper layer is `folder`/upper, if on the disk."""
    below = tuple(str(path) for path in lower)
    above: tuple[str, ...] = ()
    if site.ground.overlay == "disk":
        # The upper folder's mode and owner are those of the merged one.
        upper = make_folder(folder / "upper", 0o755, site.ground.uid)
        above = (str(upper), str(make_folder(folder / "work", 0o700)))
    return Mount(
        kind="overlay",
        at=str(site.place / name),
        sources=(*above, *below),
        options=site.ground.overlay,
        writable=True,
    )
