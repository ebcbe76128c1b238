"""Whether the workspace can be tried, and where in it the report may lie."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

from fairtrial.domain.errors import ConfigurationError

#: What a run writes; an old one would be read as this run's.
REPORT_FILES: Final = ("report.json", "report.md", "report.html")


def require_checkout(workspace: Path, repository: Path) -> None:
    """Raises `ConfigurationError` where there is no repository."""
    if (repository / ".git").exists():
        return
    if workspace.is_dir() and any(workspace.iterdir()):
        raise ConfigurationError(
            f"`{repository}` is no git repository.",
            means="The job has not checked the repository out.",
            remedy="Put a step `uses: actions/checkout` with `fetch-depth: 0` and"
            " `persist-credentials: false` before this one.",
        )
    raise ConfigurationError(
        "The workspace is empty.",
        means="Either the job has no checkout step, or the runner itself runs in a"
        " container and its paths mean nothing to the Docker engine.",
        remedy="Add `uses: actions/checkout`; a runner in a container has to mount its"
        " work folder at the same path as on the engine's machine.",
    )


def require_no_credentials(repository: Path) -> None:
    """Raises `ConfigurationError` where checkout left its token in the repository.

    Up to version 5 it is a header in `.git/config`, from 6 a file beside the
    workspace that `.git/config` includes; the tests could read either.
    """
    config = repository / ".git" / "config"
    if not config.is_file():
        return
    text = config.read_text(encoding="utf-8", errors="replace").lower()
    if "extraheader" not in text and "git-credentials-" not in text:
        return
    raise ConfigurationError(
        "The checkout step left its token where the tests could read it.",
        means="actions/checkout keeps it in the repository's configuration unless told"
        " otherwise.",
        remedy="Give that step `persist-credentials: false`.",
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
