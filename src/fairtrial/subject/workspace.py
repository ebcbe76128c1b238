"""Whether there is a repository to judge, and whether it keeps a token in reach."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fairtrial.clients.git import Git, top_of
from fairtrial.domain.errors import ConfigurationError


def open_repository(folder: Path, environ: Mapping[str, str]) -> Git:
    """The repository around a folder; to be closed.

    Raises ConfigurationError where there is none, with the likely cause, and where a
    job's checkout has left its token for the tests to read.
    """
    top = top_of(folder)
    if top is None:
        raise _missing(folder, in_job="GITHUB_ACTIONS" in environ)
    if environ.get("GITHUB_EVENT_NAME"):
        _refuse_credentials(top, environ.get("RUNNER_TEMP", ""))
    return Git(top)


def _missing(folder: Path, *, in_job: bool) -> ConfigurationError:
    if not in_job:
        return ConfigurationError(
            f"{folder}: this is no git repository.",
            means="Base and head are commits.",
            remedy="Run it inside the repository, or name it with `--repo`.",
        )
    if folder.is_dir() and any(folder.iterdir()):
        return ConfigurationError(
            "The workspace is no git repository.",
            means="The job has no checkout step, or checked out without git: it"
            " downloads an archive where the machine has no git.",
            remedy="Put `actions/checkout` before this step.",
        )
    return ConfigurationError(
        "The workspace is empty.",
        means="Either the checkout step is missing, or the runner itself runs in a"
        " container: the engine then mounts a folder of its own machine, which is"
        " another one than the runner's.",
        remedy="Put `actions/checkout` before this step; for a runner in a container,"
        " mount its work folder at the same path as on the engine's machine.",
    )


def _refuse_credentials(top: Path, runner_temp: str) -> None:
    places = [*_in_configuration(top), *_in_files(runner_temp)]
    if not places:
        return
    raise ConfigurationError(
        f"The checkout step left its token in {places[0]}.",
        means="Tests of the pull request could read it there.",
        remedy="Give `actions/checkout` the input `persist-credentials: false`.",
    )


def _in_configuration(top: Path) -> list[str]:
    """Up to version 5 the token is a header in the repository's configuration.

    From version 6 on it is in a file of its own that the configuration includes.
    """
    found = []
    for name in ("config", "config.worktree"):
        file = top / ".git" / name
        if not file.is_file():
            continue
        text = file.read_text("utf-8", "replace").lower()
        header = "extraheader" in text and "authorization" in text
        if header or "git-credentials-" in text:
            found.append(f"`.git/{name}`")
    return found


def _in_files(runner_temp: str) -> list[str]:
    if not runner_temp:
        return []
    files = Path(runner_temp).glob("git-credentials-*.config")
    return [f"`$RUNNER_TEMP/{file.name}`" for file in files]
