"""How git is started: on a repository that nobody vouches for."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from fairtrial.domain.errors import ConfigurationError, ServiceError

#: Seconds until a git command that only reads is given up.
READ_TIMEOUT: Final = 300.0

#: What git may see of our environment; no GIT_* variable of the caller's is in it.
_ALLOWED: Final = (
    "PATH",
    "HOME",
    "XDG_CONFIG_HOME",
    "TMPDIR",
    "SYSTEMROOT",
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "NO_PROXY",
    "no_proxy",
    "ALL_PROXY",
    "all_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
)

#: Settings that a repository's own configuration can't take back.
_HARDENED: Final = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.splitIndex", "false"),
    ("core.untrackedCache", "false"),
    ("protocol.ext.allow", "never"),
    ("credential.helper", ""),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
)


def environment(
    repository: Path,
    settings: Sequence[tuple[str, str]] = (),
    extra: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The whole environment of a git process on one repository.

    Only this repository is trusted whoever owns it: in a container action the
    workspace belongs to the runner's user. Settings travel by the environment,
    which other users' `ps` does not show.
    """
    env = {name: os.environ[name] for name in _ALLOWED if name in os.environ}
    env |= {
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ATTR_NOSYSTEM": "1",
    }
    pairs = (("safe.directory", str(repository)), *_HARDENED, *settings)
    env["GIT_CONFIG_COUNT"] = str(len(pairs))
    for number, (key, value) in enumerate(pairs):
        env[f"GIT_CONFIG_KEY_{number}"] = key
        env[f"GIT_CONFIG_VALUE_{number}"] = value
    return env | dict(extra or {})


def run(
    arguments: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: bytes = b"",
    timeout: float = READ_TIMEOUT,
    user: tuple[int, int] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """What one git command printed and how it ended; never raises for its exit code.

    `user` is a uid and gid to run as. Raises ConfigurationError where there is no
    git, ServiceError where it does not come to an end.
    """
    uid, gid = user if user is not None else (None, None)
    try:
        return subprocess.run(
            ["git", *arguments],
            cwd=cwd,
            env=dict(env),
            input=stdin,
            capture_output=True,
            check=False,
            timeout=timeout,
            user=uid,
            group=gid,
            extra_groups=[] if user is not None else None,
        )
    except FileNotFoundError as missing:
        raise ConfigurationError(
            "git can't be started: it is not on the PATH.",
            means="Base and head are read from the repository's git objects.",
            remedy="Install git 2.36 or newer.",
        ) from missing
    except subprocess.TimeoutExpired as expired:
        raise ServiceError(
            f"`git {arguments[0]}` did not end within {timeout:.0f} seconds."
        ) from expired


def checked(
    arguments: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: bytes = b"",
) -> bytes:
    """What a git command printed; raises ServiceError when it fails."""
    done = run(arguments, cwd=cwd, env=env, stdin=stdin)
    if done.returncode:
        raise ServiceError(
            f"`git {arguments[0]}` failed: {complaint(done.stderr)}",
            means="The repository may be damaged, or a lock may be held.",
        )
    return done.stdout


def complaint(stderr: bytes) -> str:
    """The last line that git complained with, for a message."""
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:500] if lines else "it said nothing"
