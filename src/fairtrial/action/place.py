"""Where in the workspace the repository and the report may lie."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

from fairtrial.domain.errors import ConfigurationError

#: What a run writes; an old one would be read as this run's.
REPORT_FILES: Final = (
    "report.json",
    "report.md",
    "report.html",
    "receipt.json",
    "receipt.dsse.json",
    "predicate.json",
)


def folder_inside(workspace: Path, named: str, *, by: str) -> Path:
    """A folder that the input `by` names, in the workspace, through no symbolic link.

    A pull request can bring a link of that name, to have something else read or
    written.

    Raises `ConfigurationError` otherwise.
    """
    parts = PurePosixPath(named).parts
    inside = PurePosixPath(*parts)
    if inside.is_absolute() and inside.is_relative_to(workspace):
        inside = inside.relative_to(workspace)
    if inside.is_absolute() or ".." in inside.parts or ".git" in inside.parts:
        raise ConfigurationError(
            f"`{by}` is `{named}`, which is outside the workspace.",
            means="Only the workspace is shared with the steps before and after.",
            remedy="Name a folder relative to the workspace.",
        )
    place = workspace
    for part in inside.parts:
        place /= part
        if place.is_symlink():
            raise ConfigurationError(
                f"`{place.relative_to(workspace)}` is a symbolic link.",
                means="It leads where the change wants it to.",
                remedy=f"Remove the link, or choose another `{by}`.",
            )
    return place


def remove_old_reports(place: Path) -> None:
    """Removes what could be taken for this run's report: the change may bring one."""
    for name in REPORT_FILES:
        (place / name).unlink(missing_ok=True)
