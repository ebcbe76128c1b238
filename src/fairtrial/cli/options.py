"""The options that several commands share, each said once."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from fairtrial.domain.request import SuiteInputs
from fairtrial.domain.settings import BenchKind

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class _Length(click.FloatRange):
    """A length of time: more than nothing, and an end."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no length of time.", param, ctx)
        return number


#: A length of time, as an option's type.
LONG: Final = _Length(min=0, min_open=True)

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
receipt: Final[Decorator] = click.argument(
    "receipt", type=click.Path(path_type=Path, dir_okay=False), metavar="RECEIPT"
)
report_of_receipt: Final[Decorator] = click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    show_default="beside it",
    help="The report that it has to be about.",
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
    type=LONG,
    metavar="SECONDS",
    default=None,
    help="What one test may take.",
)


report_dir: Final[Decorator] = click.option(
    "--report-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("fairtrial-report"),
    show_default=True,
    help="Where the report and the receipt are written.",
)
budget: Final[Decorator] = click.option(
    "--budget",
    type=LONG,
    metavar="MINUTES",
    default=None,
    help="What the inquiry may take after the suite.",
)


_INPUTS: Final[tuple[Decorator, ...]] = (
    click.option(
        "--test-command",
        metavar="LINE",
        default=None,
        help="The suite's command, where there is no configuration.",
    ),
    click.option(
        "--image", default=None, help="Its image, where there is no configuration."
    ),
    click.option(
        "--python", default=None, help="Its Python, where there is no configuration."
    ),
    click.option(
        "--prepare",
        metavar="LINE",
        multiple=True,
        help="Makes its environment, with network, where there is no configuration.",
    ),
    click.option(
        "--build",
        metavar="LINE",
        multiple=True,
        help="Builds its tree, without network, where there is no configuration.",
    ),
)


def inputs(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that describe one suite; `suite_inputs` reads them back."""
    for option in reversed(_INPUTS):
        command = option(command)
    return command


def suite_inputs(asked: dict[str, Any]) -> SuiteInputs:
    """The suite that the options describe; takes them out of `asked`."""
    return SuiteInputs(
        command=asked.pop("test_command"),
        image=asked.pop("image"),
        python=asked.pop("python"),
        prepare=asked.pop("prepare"),
        build=asked.pop("build"),
    )


def bench_kind(value: str | None) -> BenchKind | None:
    """The chosen bench, or none chosen."""
    return None if value is None else BenchKind(value)
