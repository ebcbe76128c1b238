"""How one step of a workflow becomes one call of the command line."""

from __future__ import annotations

import secrets
import sys
import traceback
from collections.abc import Callable, MutableMapping, Sequence
from pathlib import Path
from typing import Final

from fairtrial.action.command_files import (
    COMMAND_FILES,
    CommandFiles,
    give_to_owner_of,
)
from fairtrial.action.inputs import ActionCall, ActionCommand, read_inputs
from fairtrial.action.interruption import interruptible
from fairtrial.action.isolation import forget_secrets, trust_repository
from fairtrial.action.outputs import (
    as_file_commands,
    outputs_of,
    read_report,
    summary,
)
from fairtrial.action.place import (
    remove_old_reports,
    report_place,
    require_checkout,
    require_no_credentials,
)
from fairtrial.domain.errors import ConfigurationError, ExitCode

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
        place = _prepare(call, workspace)
    except ConfigurationError as wrong:
        return _refuse(wrong, files)
    trust_repository(environ, workspace)
    if call.command is ActionCommand.COMMENT and call.token:
        environ["GITHUB_TOKEN"] = call.token
    exit_code = _run(call, command_line or _cli())
    match call.command:
        case ActionCommand.GATE:
            return _deliver(exit_code, files, workspace, place)
        case ActionCommand.COMMENT:
            return exit_code


def _cli() -> CommandLine:
    # The command line brings everything with it: a wrong input is told before.
    from fairtrial.cli import main as command_line  # noqa: PLC0415

    return command_line


def _prepare(call: ActionCall, workspace: Path) -> Path:
    place = report_place(workspace, call.report_dir)
    match call.command:
        case ActionCommand.GATE:
            require_checkout(workspace)
            require_no_credentials(workspace)
            remove_old_reports(place)
        case ActionCommand.COMMENT:
            pass
    return place


def _refuse(wrong: ConfigurationError, files: CommandFiles) -> int:
    message = wrong.diagnostics()
    _say(f"::error title=Fairtrial::{_escape(message)}")
    files.append("GITHUB_STEP_SUMMARY", f"### Fairtrial could not start\n\n{message}\n")
    outputs = outputs_of(None, exit_code=wrong.exit_code, path="")
    files.append(
        "GITHUB_OUTPUT", as_file_commands(outputs, delimiter=secrets.token_hex(16))
    )
    return wrong.exit_code


def _run(call: ActionCall, command_line: CommandLine) -> int:
    # Whatever a test prints, or is called, is no command to the runner: it takes none
    # until it sees this run's own random word again.
    token = secrets.token_hex(16)
    _say(f"::stop-commands::{token}")
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
    finally:
        sys.stderr.flush()
        _say(f"\n::{token}::")


def _deliver(exit_code: int, files: CommandFiles, workspace: Path, place: Path) -> int:
    """Outputs, summary, ownership, and the exit code that follows from them."""
    grown = files.take_back()
    if grown:
        _say(
            "::error title=Fairtrial::Something other than Fairtrial wrote to"
            f" {', '.join(grown)} during this step. It was undone; this run proves"
            " nothing."
        )
        exit_code = exit_code or ExitCode.INCONCLUSIVE
    text = _read(place / "report.json")
    report = read_report(text)
    outputs = outputs_of(
        report,
        exit_code=exit_code,
        path=(place / "report.json").relative_to(workspace).as_posix(),
    )
    files.append(
        "GITHUB_OUTPUT", as_file_commands(outputs, delimiter=secrets.token_hex(16))
    )
    page = _read(place / "report.md") or (
        f"### Fairtrial stopped without a report (exit code {exit_code})\n\n"
        "The step's log says why.\n"
    )
    files.append("GITHUB_STEP_SUMMARY", summary(page))
    give_to_owner_of(workspace, place)
    if report is None and exit_code == ExitCode.PASS:
        _say("::error title=Fairtrial::No report was written, so nothing is proved.")
        return ExitCode.BUG
    return exit_code


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _escape(message: str) -> str:
    return message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
