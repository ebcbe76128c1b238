"""The real world: clock, environment, folders. Read here and handed down."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fairtrial.pipeline.world import World
from fairtrial.reporters.progress import LiveProgress, PlainProgress, Progress

if TYPE_CHECKING:
    from fairtrial.clients.github_people import GitHubPeople

#: Seconds that a gate waits for GitHub, all its requests together.
_PATIENCE: Final = 120.0


def real_world() -> World:
    """The world of this process, which loses its token: nothing it starts has one."""
    token = os.environ.pop("GITHUB_TOKEN", "")
    environ = dict(os.environ)
    cache = environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return World(
        environ=environ,
        clock=time.monotonic,
        scratch=Path(tempfile.gettempdir()),
        cache=Path(cache) / "fairtrial",
        progress=_progress(live=sys.stderr.isatty() and "CI" not in environ),
        token=token,
        people=_people(environ, token),
    )


def _people(
    environ: Mapping[str, str], token: str
) -> Callable[[], GitHubPeople] | None:
    """GitHub's record of this repository, opened when it is first asked."""
    repository = environ.get("GITHUB_REPOSITORY")
    if not token or not repository:
        return None

    @cache
    def opened() -> GitHubPeople:
        # The API library is slow to load, and most runs ask nothing.
        from fairtrial.clients.github import API, GitHubClient  # noqa: PLC0415
        from fairtrial.clients.github_people import GitHubPeople  # noqa: PLC0415

        client = GitHubClient(
            api_url=environ.get("GITHUB_API_URL") or API,
            repository=repository,
            token=token,
            sleep=time.sleep,
            now=time.time,
            patience=_PATIENCE,
        )
        return GitHubPeople(client)

    return opened


def _progress(*, live: bool) -> Progress:
    """One line that is written over where a person watches, plain lines elsewhere."""

    def write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()

    if live:
        return LiveProgress(write, shutil.get_terminal_size().columns)
    return PlainProgress(write)
