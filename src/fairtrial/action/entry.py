"""How one step of a workflow becomes one call of the command line."""

from __future__ import annotations

import secrets
import sys
import traceback
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from fairtrial.action.command_files import COMMAND_FILES, CommandFiles
from fairtrial.action.delivery import Delivery, say
from fairtrial.action.inputs import ActionCall, ActionCommand, read_inputs
from fairtrial.action.interruption import interruptible
from fairtrial.action.isolation import forget_secrets, trust_repository
from fairtrial.action.place import folder_inside, remove_old_reports
from fairtrial.domain.errors import ConfigurationError, ExitCode
from fairtrial.domain.request import TELLS
from fairtrial.reporters import Locale

CommandLine = Callable[[Sequence[str]], int]

#: Where the runner mounts the workspace into a container action.
_WORKSPACE: Final = "/github/workspace"


def main(
    environ: MutableMapping[str, str], command_line: CommandLine | None = None
) -> int:
    """The step's exit code; `environ` is the process's own and loses its secrets."""
    files = CommandFiles.at_start(environ)
    workspace = Path(environ.get("GITHUB_WORKSPACE") or _WORKSPACE)
    try:
        call = read_inputs(environ)
        forget_secrets(environ, COMMAND_FILES)
        repository = folder_inside(workspace, call.repo, by="repo")
        report_dir = folder_inside(workspace, call.report_dir, by="report-dir")
        if call.command is not ActionCommand.COMMENT:
            remove_old_reports(report_dir)
    except ConfigurationError as wrong:
        return Delivery(
            files=files, workspace=workspace, report_dir=workspace, locale=Locale.EN
        ).refuse(wrong)
    trust_repository(environ, repository)
    environ[TELLS] = "1"
    if call.token:
        # The command line takes it out again before it starts anything.
        environ["GITHUB_TOKEN"] = call.token
    command_line = command_line or _cli()
    match call.command:
        case ActionCommand.GATE:
            delivery = Delivery(
                files=files,
                workspace=workspace,
                report_dir=report_dir,
                locale=call.locale,
            )
            with _commands_stopped():
                exit_code = _run(call, command_line)
            return delivery.deliver(exit_code)
        case ActionCommand.AUDIT:
            with _commands_stopped():
                return _run(call, command_line)
        case ActionCommand.COMMENT:
            return _run(call, command_line)


def _cli() -> CommandLine:
    # The command line brings everything with it: a wrong input is told before.
    from fairtrial.cli import main as command_line  # noqa: PLC0415

    return command_line


@contextmanager
def _commands_stopped() -> Iterator[None]:
    """Whatever a test prints, or is called, is no command to the runner meanwhile.

    The runner takes none until it sees this run's own random word again.
    """
    token = secrets.token_hex(16)
    say(f"::stop-commands::{token}")
    try:
        yield
    finally:
        sys.stderr.flush()
        say(f"\n::{token}::")


def _run(call: ActionCall, command_line: CommandLine) -> int:
    try:
        with interruptible():
            return int(command_line(call.argv))
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else ExitCode.BUG
    except Exception:  # noqa: BLE001 - a bug of ours is told, and never passes
        traceback.print_exc()
        return ExitCode.BUG
