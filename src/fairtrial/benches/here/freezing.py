"""Builds one tree once, without network, and leaves it for trials to start from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from fairtrial.benches.here import environment
from fairtrial.benches.here.commands import Commands
from fairtrial.benches.here.content import Layers, overlay, placed
from fairtrial.benches.here.files import copy_tree, make_folder, write_tree
from fairtrial.benches.here.launching import Mount
from fairtrial.benches.here.preparing import MADE
from fairtrial.benches.here.rooms import Site
from fairtrial.domain.names import RepoPath
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import FileContent, Setup


def freeze(
    revision: Revision,
    files: Mapping[RepoPath, FileContent],
    setup: Setup,
    env: Mapping[str, str],
    *,
    site: Site,
    folder: Path,
    prepared: Path,
    commands: Commands,
) -> Layers:
    """The built tree in a new `folder`, over the prepared environment.

    Nothing is built twice and nothing is ever written to it again. Raises TreeBroken
    when a step fails.
    """
    make_folder(folder, 0o700)
    tree = folder / "tree"
    made = prepared.parent / MADE
    if made.is_dir():
        copy_tree(made, tree)
    write_tree(tree, files, site.ground.uid, over=made.is_dir())
    build = setup.build
    if not build:
        return Layers(workspace=(tree,), env=(prepared,))
    own = {**setup.env, **setup.offline, **env}
    variables = environment.for_build(site.home, site.places, own)
    room = commands.room(site)
    try:
        if site.ground.overlay == "disk":
            mount = overlay(site, folder / "env", "env", (prepared,))
            workspace = str(site.places.workspace)
            content: tuple[Mount, ...] = (
                Mount(kind="bind", at=workspace, sources=(str(tree),), writable=True),
                mount,
            )
            for step in build:
                commands.step(
                    revision,
                    step,
                    replace(room, content=content),
                    variables,
                    network=False,
                )
            return Layers(workspace=(tree,), env=(folder / "env/upper", prepared))
        private = folder / "env"
        copy_tree(prepared, private)
        with placed(site, workspace=tree, env=private) as content:
            for step in build:
                commands.step(
                    revision,
                    step,
                    replace(room, content=content),
                    variables,
                    network=False,
                )
        return Layers(workspace=(tree,), env=(private,))
    finally:
        commands.close(room)
