"""A folder for what git writes, gone with its process; also after a kill.

The folder's lock is held as long as the process lives. Whoever makes the next one
removes those of the same user whose lock nobody holds.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Final

_LOCK: Final = "lock"


class Scratch:
    """A private folder; `close` removes it."""

    def __init__(self, prefix: str) -> None:
        remove_abandoned(prefix)
        self.path = Path(tempfile.mkdtemp(prefix=prefix))
        # The lock gets its name when it is held, so that nobody finds it free.
        early = self.path / "early"
        self._held = os.open(early, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._held, fcntl.LOCK_EX)
        early.rename(self.path / _LOCK)

    def close(self) -> None:
        """Remove the folder with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._held)


def remove_abandoned(prefix: str) -> None:
    """Remove this user's folders of dead processes."""
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        try:
            status = folder.lstat()
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
                continue
            lock = os.open(
                folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            )
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except BlockingIOError:
            pass
        finally:
            os.close(lock)
