"""The command that sets a repository up: `fairtrial init`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from fairtrial.cli import options
from fairtrial.domain.errors import ExitCode
from fairtrial.pipeline.starting import Draft, Start, start, write
from fairtrial.pipeline.starting.files import Stand
from fairtrial.pipeline.starting.words import shown
from fairtrial.subject.workspace import open_repository


@click.command("init")
@options.repo
@click.option(
    "--print", "only_shown", is_flag=True, help="Show both files, and write nothing."
)
def command(repo: Path, *, only_shown: bool) -> int:
    """Write a configuration and a workflow for the suites that a repository has.

    Exit codes: 0 both are there, 10 a file that was there is left as it is, 2 no
    repository or an unusable file, 4 no suite.
    """
    with open_repository(repo, {}) as git:
        found = start(git)
        if only_shown:
            for draft in found.drafts:
                sys.stdout.write(f"# --- {draft.path}\n{draft.text}")
            _tell_open(found)
            return ExitCode.PASS
        stands = write(git.top, found.drafts)
    lines = [
        _line(draft, stand, found)
        for draft, stand in zip(found.drafts, stands, strict=True)
    ]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    _tell_open(found)
    if Stand.LEFT in stands:
        return ExitCode.REPAIR
    if Stand.WRITTEN in stands:
        sys.stdout.write(_next(found))
    return ExitCode.PASS


def _line(draft: Draft, stand: Stand, found: Start) -> str:
    if draft.instead is not None:
        return f"{draft.path}: not needed, {draft.instead} runs Fairtrial already."
    match stand:
        case Stand.WRITTEN:
            return f"{draft.path}: written{_with_suites(draft, found)}."
        case Stand.SAME:
            return f"{draft.path}: stands already."
        case Stand.LEFT:
            return (
                f"{draft.path}: left as it is, and other than what would be written:"
                " `fairtrial init --print` shows that. Take over what you want of it,"
                " or move the file away and run `fairtrial init` again."
            )


def _with_suites(draft: Draft, found: Start) -> str:
    if draft is not found.drafts[0]:
        return ""
    named = (
        f"{each.suite.name} ({shown(each.because)})"
        if each.because
        else each.suite.name
        for each in found.suites
    )
    return f", with {', '.join(named)}"


def _tell_open(found: Start) -> None:
    """What could not be decided, on standard error, so that `--print` stays YAML."""
    for each in found.said:
        sys.stderr.write(f"not decided: {each}\n")
    sys.stderr.flush()


def _next(found: Start) -> str:
    path = found.drafts[0].path
    return (
        "Commit them to the default branch, where they count, and require the check"
        f" `fairtrial`.{os.linesep}Until then: `fairtrial gate --config {path}`.\n"
    )
