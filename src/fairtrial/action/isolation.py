"""What the code under test must not find, and how it is kept away."""

from __future__ import annotations

import ctypes
from collections.abc import MutableMapping
from pathlib import Path
from typing import Final

_SECRET_PREFIXES: Final = ("ACTIONS_", "INPUT_", "STATE_")
_SECRET_NAMES: Final = frozenset(
    {"GITHUB_TOKEN", "GH_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "GH_ENTERPRISE_TOKEN"}
)

#: `PR_SET_DUMPABLE` of Linux's prctl(2).
_PR_SET_DUMPABLE: Final = 4


def forget_secrets(environ: MutableMapping[str, str], hidden: tuple[str, ...]) -> None:
    """Removes inputs, tokens and the variables in `hidden` from the environment."""
    for name in tuple(environ):
        if name.startswith(_SECRET_PREFIXES) or name in _SECRET_NAMES or name in hidden:
            del environ[name]


def close_process() -> bool:
    """Makes /proc/self of this process unreadable to others; False where it can't be.

    A process with our own uid could otherwise read the environment that the runner
    started us with, tokens included, in /proc/1/environ: removing a variable does not
    remove it there. Without CAP_SYS_PTRACE, which Docker does not grant, root can't
    read it either. Each program that we start is readable again, as it should be.
    """
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        return int(libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)) == 0
    except (OSError, AttributeError):
        return False


def trust_repository(environ: MutableMapping[str, str], repository: Path) -> None:
    """Lets git read the repository, which belongs to the runner's user and not to us.

    By environment and for this one folder: git reads it as the command line's own
    configuration (from 2.38), and no file of the user's changes.
    """
    count = int(environ.get("GIT_CONFIG_COUNT") or 0)
    environ[f"GIT_CONFIG_KEY_{count}"] = "safe.directory"
    environ[f"GIT_CONFIG_VALUE_{count}"] = str(repository)
    environ["GIT_CONFIG_COUNT"] = str(count + 1)
