"""The trusted job that tells the pull request: `fairtrial comment`."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from fairtrial.clients.github import API, GitHubClient
from fairtrial.comment import Trigger, post, read
from fairtrial.domain.errors import ConfigurationError
from fairtrial.pipeline.verifying import put_predicate
from fairtrial.reporters import Locale
from fairtrial.reporters.hostile import console


@click.command("comment")
@click.argument(
    "report", type=click.Path(path_type=Path, dir_okay=False), metavar="REPORT"
)
@click.option("--variant", default=None, help="Names one job of a matrix.")
@click.option(
    "--locale",
    type=click.Choice([one.value for one in Locale]),
    default=Locale.EN.value,
    show_default=True,
    help="The language of the comment.",
)
def command(report: Path, variant: str | None, locale: str) -> int:
    """Post what REPORT says to the pull request of this job's event.

    Runs nothing of the change, reads the token from GITHUB_TOKEN, and ends with 0
    whether or not GitHub took the comment: the gate's verdict is the gate's.
    """
    environ = dict(os.environ)
    try:
        data = read(report)
    except OSError:
        # The gate wrote no report: there is something to say about that, too.
        data = b""
    trigger = trigger_of(environ, variant)
    github = GitHubClient(
        api_url=environ.get("GITHUB_API_URL") or API,
        repository=environ.get("GITHUB_REPOSITORY", ""),
        token=environ.get("GITHUB_TOKEN", ""),
        sleep=time.sleep,
        now=time.time,
    )
    posted = post(data, trigger, github, locale=Locale(locale))
    sys.stdout.write(f"{posted.publication().content}\n")
    sys.stdout.write(f"{console(_attestable(report, trigger.sha))}\n")
    return 0


def _attestable(report: Path, commit: str) -> str:
    """What a later step of this job may attest; a want of it is never its end."""
    try:
        return put_predicate(report, commit)
    except OSError as wrong:
        return f"There is nothing to attest: {wrong.strerror}."


def trigger_of(environ: Mapping[str, str], variant: str | None) -> Trigger:
    """What GitHub says about this job; raises ConfigurationError outside of one."""
    return Trigger(
        event=environ.get("GITHUB_EVENT_NAME", ""),
        payload=_payload(environ.get("GITHUB_EVENT_PATH", "")),
        run=_number(environ.get("GITHUB_RUN_ID", "")),
        attempt=_number(environ.get("GITHUB_RUN_ATTEMPT", "1")),
        sha=environ.get("GITHUB_SHA", ""),
        actor=environ.get("GITHUB_ACTOR", ""),
        workflow=environ.get("GITHUB_WORKFLOW", ""),
        variant=variant,
    )


def _payload(path: str) -> Mapping[str, Any]:
    try:
        found = json.loads(Path(path).read_bytes())
    except (OSError, ValueError) as wrong:
        raise ConfigurationError(
            "There is no event to comment on.",
            means="GITHUB_EVENT_PATH names no readable event file: this command runs "
            "in a job of a workflow.",
            remedy="Use `fairtrial explain` to read a report elsewhere.",
        ) from wrong
    return found if isinstance(found, dict) else {}


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0
