"""Brings missing history from the remote, as the repository's owner."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fairtrial.clients.git_process import complaint, environment, run

#: Seconds until a fetch is given up.
FETCH_TIMEOUT: Final = 600.0


def fetch(
    repository: Path,
    arguments: Sequence[str],
    *,
    server: str = "",
    token: str = "",
) -> str | None:
    """None when it worked, else what git complained about.

    The token is for `server` ("https://github.com") only; it goes into the
    environment and never into an argument. Run by root on somebody else's
    repository, git runs as that owner, so that no file of root's is left in the
    workspace for the next checkout to stumble over.
    """
    owner = repository.stat()
    foreign = os.geteuid() == 0 and owner.st_uid != 0
    settings = []
    if token and server:
        basic = b64encode(f"x-access-token:{token}".encode()).decode()
        header = f"AUTHORIZATION: basic {basic}"
        settings.append((f"http.{server.rstrip('/')}/.extraheader", header))
    # Another user can't read our HOME, and git refuses to go on then.
    extra = {"GIT_CONFIG_GLOBAL": "/dev/null", "HOME": "/nonexistent"}
    try:
        done = run(
            [
                "fetch",
                "--quiet",
                "--no-tags",
                "--no-recurse-submodules",
                "--no-write-fetch-head",
                *arguments,
            ],
            cwd=repository,
            env=environment(repository, settings, extra if foreign else None),
            timeout=FETCH_TIMEOUT,
            user=(owner.st_uid, owner.st_gid) if foreign else None,
        )
    except PermissionError as refused:
        return f"git can't run as the repository's owner: {refused.strerror}"
    if done.returncode == 0:
        return None
    said = complaint(done.stderr)
    return said.replace(token, "***") if token else said
