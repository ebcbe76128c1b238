"""What blobs hold, from one `git cat-file --batch` for a whole run."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Final

from fairtrial.domain.errors import ServiceError

#: Requests written before answers are read; far below a pipe's capacity.
_CHUNK: Final = 200


class Batch:
    """A running `git cat-file`; safe to use from several threads."""

    def __init__(self, cwd: Path, env: Mapping[str, str]) -> None:
        self._lock = Lock()
        self._process = subprocess.Popen(
            ["git", "cat-file", "--batch"],
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def blob(self, object_id: str) -> bytes:
        """What one blob holds; raises ServiceError when the repository lacks it."""
        return self.blobs((object_id,))[object_id]

    def blobs(self, object_ids: Iterable[str]) -> dict[str, bytes]:
        """What each blob holds, by its id."""
        waiting = iter(dict.fromkeys(object_ids))
        found: dict[str, bytes] = {}
        stdin = self._process.stdin
        assert stdin is not None
        with self._lock:
            while chunk := list(islice(waiting, _CHUNK)):
                try:
                    stdin.write("".join(f"{each}\n" for each in chunk).encode())
                    stdin.flush()
                except BrokenPipeError:
                    raise self._ended() from None
                for object_id in chunk:
                    found[object_id] = self._answer(object_id)
        return found

    def _answer(self, object_id: str) -> bytes:
        stdout = self._process.stdout
        assert stdout is not None
        header = stdout.readline().split()
        if not header:
            raise self._ended()
        if header[-1] == b"missing" or len(header) != len(("id", "type", "size")):
            raise ServiceError(
                f"The repository lacks the object {object_id}.",
                means="It is a partial clone, or it is damaged.",
                remedy="Clone without `filter:`.",
            )
        size = int(header[2])
        data = stdout.read(size + 1)
        if len(data) != size + 1:
            raise self._ended()
        return data[:-1]

    def _ended(self) -> ServiceError:
        return ServiceError(
            "`git cat-file` ended before it had answered.",
            means="The repository may be damaged.",
        )

    def close(self) -> None:
        """End the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
