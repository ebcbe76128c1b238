"""The command line: which command was asked for, and what its exit code says."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from importlib import import_module
from typing import Final, cast

import click

from fairtrial import __version__
from fairtrial.cli.stops import bug
from fairtrial.domain.errors import ExitCode, FairtrialError

#: The first sentence of each command's help, so that a list of them loads none.
SUMMARIES: Final[Mapping[str, str]] = {
    "init": "Write a configuration and a workflow for the suites that a repository "
    "has.",
    "gate": "Try a change, and say what would have to change for its tests to pass.",
    "run": "Run a suite, or the given tests, as the gate does.",
    "alone": "Run one test of head alone on a clean bench.",
    "polluter": "Find the tests that make TEST fail in its suite, or that it can't do "
    "without.",
    "explain": "Show a report again, or what each changed path counts as, and why.",
    "comment": "Post what REPORT says to the pull request of this job's event.",
    "audit": "Find tests that depend on others, on themselves or on chance, before "
    "they bite.",
    "guard": "Make direct runs of pytest fail with a sentence that says what to run "
    "instead.",
    "verify-receipt": "Say whether a receipt is signed, and about this tree and this "
    "report.",
    "sign-receipt": "Sign a receipt that holds together, as a DSSE envelope.",
    "db": "What helps with a suite's databases.",
    "doctor": "Say which isolation each bench reaches on this machine, and why not "
    "more.",
}


class _Commands(Mapping[str, click.Command]):
    """All commands; each one's module is loaded when the command is looked up."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in SUMMARIES:
            raise KeyError(name)
        module = import_module(f"{__name__}.{name.replace('-', '_')}")
        return cast(click.Command, module.command)

    def __iter__(self) -> Iterator[str]:
        return iter(SUMMARIES)

    def __len__(self) -> int:
        return len(SUMMARIES)


COMMANDS: Final[Mapping[str, click.Command]] = _Commands()


class _Group(click.Group):
    """A group whose list of commands is made without them."""

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's own signature
        formatter: click.HelpFormatter,
    ) -> None:
        room = formatter.width - 6 - max(map(len, SUMMARIES))
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, click.Command(name, help=told).get_short_help_str(room))
                    for name, told in sorted(SUMMARIES.items())
                ]
            )


@click.group(
    cls=_Group,
    # It is never written to; click's own groups only look commands up.
    commands=cast(MutableMapping[str, click.Command], COMMANDS),
)
@click.version_option(__version__, prog_name="fairtrial")
def group() -> None:
    """Every red test gets a fair trial before it blocks a merge."""


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of one call; each way to stop is told once, on standard error."""
    try:
        outcome = group.main(
            args=None if argv is None else list(argv),
            prog_name="fairtrial",
            standalone_mode=False,
        )
    except click.exceptions.Exit as exited:
        return exited.exit_code
    except click.ClickException as usage:
        usage.show(sys.stderr)
        return ExitCode.CONFIGURATION
    except FairtrialError as stopped:
        click.echo(f"fairtrial: {stopped.diagnostics()}", err=True)
        return stopped.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("fairtrial: interrupted", err=True)
        return ExitCode.INTERRUPTED
    except Exception:  # noqa: BLE001 - whatever is left is a bug, and must not pass
        click.echo(bug(), err=True)
        return ExitCode.BUG
    return int(outcome) if isinstance(outcome, int) else ExitCode.PASS
