"""The options that several commands share, each said once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from fairtrial.domain.settings import BenchKind

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

repo: Final[Decorator] = click.option(
    "--repo",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    show_default="here",
    help="The repository.",
)
base: Final[Decorator] = click.option(
    "--base",
    metavar="REV",
    default=None,
    help="Exactly this revision; else from the event or the default branch.",
)
head: Final[Decorator] = click.option(
    "--head",
    metavar="REV",
    default=None,
    help="This revision; else from the event or the working tree.",
)
config: Final[Decorator] = click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="Used when the base commit has no configuration.",
)
suite: Final[Decorator] = click.option(
    "--suite",
    "suites",
    metavar="NAME",
    multiple=True,
    help="Only this suite; may be repeated.",
)
bench: Final[Decorator] = click.option(
    "--bench",
    type=click.Choice([kind.value for kind in BenchKind]),
    default=None,
    help="Where trials run.",
)
test_timeout: Final[Decorator] = click.option(
    "--test-timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    default=None,
    help="What one test may take.",
)


report_dir: Final[Decorator] = click.option(
    "--report-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("fairtrial-report"),
    show_default=True,
    help="Where report.json and report.md are written.",
)
budget: Final[Decorator] = click.option(
    "--budget",
    type=click.FloatRange(min=0, min_open=True),
    metavar="MINUTES",
    default=None,
    help="What the inquiry may take after the suite.",
)


def bench_kind(value: str | None) -> BenchKind | None:
    """The chosen bench, or none chosen."""
    return None if value is None else BenchKind(value)
