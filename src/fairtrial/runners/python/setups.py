"""How the bench of a Python suite that needs no pytest is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent, Setup
from fairtrial.runners.detection import setup_of


def setup_in(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None, needs: str
) -> Setup:
    """What the manifests in a folder demand, and `needs` where nothing names it."""
    above = f"{folder}/" if folder else ""
    inside = {
        RepoPath(path.removeprefix(above)): content
        for path, content in files.items()
        if path.startswith(above)
    }
    setup = setup_of(inside, python, needs=needs)
    return replace(
        setup,
        prepare_files={
            RepoPath(above + path): content
            for path, content in setup.prepare_files.items()
        },
    )
