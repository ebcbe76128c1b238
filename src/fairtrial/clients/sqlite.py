"""What SQLite files hold, asked of a process of their own; it decides nothing."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from fairtrial.clients import process
from fairtrial.domain.errors import ServiceError

_WORKER: Final = Path(__file__).with_name("sqlite_worker.py")
_NOBODY: Final = 65534
#: Seconds for one task.
_PATIENCE: Final = 120.0

#: A database's file, and what it calls its log of committed pages.
FILE: Final = "now"
LOG: Final = "now-wal"


def compare(was: bytes, now: Mapping[str, bytes]) -> Mapping[str, Any]:
    """How the files `now` (by FILE and LOG) differ from `was`; see the worker.

    Raises ServiceError when they can't be read.
    """
    found, _ = _worker("compare", {"was": was, **now}, None)
    return found


def put(file: bytes, changes: Sequence[Mapping[str, Any]]) -> bytes:
    """The file with these changes made; raises ServiceError when one can't be."""
    _, made = _worker("put", {FILE: file}, changes)
    return made


def catalog(file: bytes) -> Mapping[str, Any]:
    """Tables and foreign keys; raises ServiceError."""
    found, _ = _worker("catalog", {FILE: file}, None)
    return found


def merged(files: Mapping[str, bytes]) -> bytes:
    """One file, with what its log had worked in; raises ServiceError."""
    _, made = _worker("put", files, [])
    return made


def _worker(
    task: str, files: Mapping[str, bytes], given: object
) -> tuple[dict[str, Any], bytes]:
    folder = Path(tempfile.mkdtemp(prefix="fairtrial-sqlite-"))
    try:
        for name, data in files.items():
            (folder / name).write_bytes(data)
        if os.geteuid() == 0:
            for path in (*folder.iterdir(), folder):
                os.chown(path, _NOBODY, _NOBODY)
        ended = process.run(
            (sys.executable, "-I", "-S", str(_WORKER), task, str(folder)),
            env={"SQLITE_TMPDIR": str(folder)},
            timeout=_PATIENCE,
            stdin=json.dumps(given).encode(),
        )
        if ended.timed_out or ended.code != 0:
            said = ended.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
            why = "it took too long" if ended.timed_out else said[:500]
            raise ServiceError(f"a SQLite file could not be read: {why}")
        found: dict[str, Any] = json.loads(ended.stdout)
        if "wrong" in found:
            raise ServiceError(f"SQLite: {found['wrong']}")
        return found, (folder / FILE).read_bytes()
    except OSError as error:
        raise ServiceError(f"a SQLite file could not be read: {error}") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
