"""A signpost for runs beside the sanctioned path: `fairtrial guard`."""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath
from typing import Final

import click

from fairtrial.cli import options
from fairtrial.clients.git import top_of
from fairtrial.domain.errors import ConfigurationError, ExitCode
from fairtrial.pipeline.guarding import Guard, GuardState

_COMMIT: Final = (
    "Commit it to the default branch: a guard is control, so the base's counts."
)
_UNANCHORED: Final = (
    "There is no configuration of pytest beside it: started in a folder below, pytest "
    "does not see it. An empty `pytest.ini` there is enough.\n"
)


@click.command("guard")
@options.repo
@click.option(
    "--conftest",
    metavar="PATH",
    default="conftest.py",
    show_default=True,
    help="The file that gets the guard, relative to the repository.",
)
@click.option("--remove", is_flag=True, help="Take exactly the guard away again.")
@click.option("--check", is_flag=True, help="Only say whether it stands.")
def command(repo: Path, conftest: str, *, remove: bool, check: bool) -> int:
    """Make direct runs of pytest fail with a sentence that says what to run instead.

    Exit codes: 0 it stands (with --remove: it is gone), 10 it does not (--check only).
    """
    if remove and check:
        raise click.UsageError("--remove and --check exclude each other.")
    guard = _guard(repo, conftest)
    name = str(guard.conftest)
    if check:
        return _say_state(guard, name)
    if remove:
        gone = guard.remove()
        said = "The guard is gone from" if gone else "There was no guard in"
        sys.stdout.write(f"{said} {name}.\n")
        return ExitCode.PASS
    if not guard.install():
        sys.stdout.write(f"The guard stands already, in {name}.\n")
        return ExitCode.PASS
    sys.stdout.write(
        f"The guard stands in {name}: outside of `fairtrial run`, pytest and IDEs now "
        f"say what to run instead.\n{_COMMIT}\n"
    )
    if not guard.is_anchored:
        sys.stdout.write(_UNANCHORED)
    return ExitCode.PASS


def _guard(repo: Path, conftest: str) -> Guard:
    top = top_of(repo)
    if top is None:
        raise ConfigurationError(
            f"{repo}: this is no git repository.",
            means="A guard belongs to a project.",
            remedy="Run it inside the repository, or name it with `--repo`.",
        )
    path = PurePosixPath(conftest)
    if path.is_absolute() or ".." in path.parts or path.name != "conftest.py":
        raise ConfigurationError(
            f"`--conftest {conftest}` is no `conftest.py` inside the repository.",
            means="pytest reads no other file for every way in which it is started.",
            remedy="Name it relative to the repository, such as `backend/conftest.py`.",
        )
    if not (top / path.parent).is_dir():
        raise ConfigurationError(
            f"`--conftest {conftest}`: there is no such folder in the repository.",
            remedy="Name a folder that the tests are in.",
        )
    return Guard(repo=top, conftest=path)


def _say_state(guard: Guard, name: str) -> int:
    state = guard.state()
    said = {
        GuardState.STANDS: f"The guard stands, in {name}.",
        GuardState.DIFFERS: f"The guard in {name} is not as this version writes it.",
        GuardState.ABSENT: f"There is no guard in {name}.",
    }[state]
    if state is GuardState.STANDS:
        sys.stdout.write(f"{said}\n")
        return ExitCode.PASS
    sys.stdout.write(f"{said} Run `fairtrial guard`.\n")
    return ExitCode.REPAIR
