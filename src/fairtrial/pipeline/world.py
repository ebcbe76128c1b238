"""All that a run takes from outside: clock, environment, folders, the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fairtrial.reporters.progress import Progress

if TYPE_CHECKING:
    from fairtrial.clients.github_people import GitHubPeople


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Handed down from the command line; nothing below reads a global."""

    environ: Mapping[str, str]
    #: Seconds that only ever grow.
    clock: Callable[[], float]
    #: Where a run's own folder is made, and where kept environments live.
    scratch: Path
    cache: Path
    progress: Progress
    #: GITHUB_TOKEN, which stands in no environment that anything is made from.
    token: str = field(default="", repr=False)
    #: Opens what GitHub knows of those who took part; None without a token.
    people: Callable[[], GitHubPeople] | None = field(default=None, repr=False)
