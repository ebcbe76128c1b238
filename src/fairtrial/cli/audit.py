"""What has not bitten yet, for a main branch at night: `fairtrial audit`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from fairtrial.cli import options
from fairtrial.cli.interruption import stop_when_told
from fairtrial.cli.world import real_world
from fairtrial.domain.request import Request
from fairtrial.pipeline.auditing import audit
from fairtrial.pipeline.publishing import make_folder, unwritten, write_whole
from fairtrial.reporters import audit as reporter

_MINUTES = 30.0


@click.command("audit")
@options.repo
@options.head
@options.config
@options.suite
@options.inputs
@options.report_dir
@options.bench
@options.test_timeout
@click.option(
    "--budget",
    type=options.LONG,
    metavar="MINUTES",
    default=_MINUTES,
    show_default=True,
    help="What the whole audit may take.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=2, max=1000),
    default=10,
    show_default=True,
    help="Runs of each suite in its own order.",
)
def command(budget: float, repeats: int, bench: str | None, **asked: Any) -> int:
    """Find tests that depend on others, on themselves or on chance, before they bite.

    Exit codes: 0 nothing found and all tried, 10 something found, 11 nothing found and
    not all tried; 2 configuration, 3 no bench, 130 interrupted.
    """
    world = real_world()
    stop_when_told()
    # Nothing is compared with: the tree is its own base, and no event is read.
    in_job = "GITHUB_ACTIONS" in world.environ
    request = Request(
        base=asked["head"] or "HEAD",
        bench=options.bench_kind(bench),
        event={"GITHUB_ACTIONS": "true"} if in_job else {},
        suites=tuple(asked.pop("suites")),
        inputs=options.suite_inputs(asked),
        **asked,
    )
    folder = request.report_dir
    _write(folder, {"audit.json": None, "audit.md": None})
    done = audit(request, world, minutes=budget, repeats=repeats)
    world.progress.done()
    page = reporter.markdown(done)
    _write(folder, {"audit.json": reporter.dump(done), "audit.md": page})
    sys.stdout.write("".join(f"{line}\n" for line in reporter.lines(done)))
    return int(done.exit_code)


def _write(folder: Path, files: dict[str, str | None]) -> None:
    """Files in the report directory; None takes an older one away."""
    try:
        for name, text in files.items():
            if text is None:
                (folder / name).unlink(missing_ok=True)
            else:
                make_folder(folder)
                write_whole(folder / name, text)
    except OSError as wrong:
        raise unwritten(folder, wrong) from wrong
