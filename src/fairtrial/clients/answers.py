"""Answers that outlive the process that asked: one file, one JSON line each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

#: More than this is not read back, in bytes.
LIMIT: Final = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """What was answered under one key.

    A line is whole on the disk before the next question is asked; half a line, which
    a killed process leaves, and one that is no mapping are none.
    """

    path: Path

    def read(self) -> Iterator[Mapping[str, Any]]:
        """Each answer, in the order they came; nothing where there is no file."""
        try:
            with self.path.open("rb") as file:
                data = file.read(LIMIT)
        except OSError:
            return
        for line in data.split(b"\n")[:-1]:
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict):
                yield found

    def add(self, answer: Mapping[str, Any]) -> None:
        """Keep one more; raises OSError where it can't be kept.

        A half line of a killed process before it is ended first.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
        descriptor = os.open(self.path, flags, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            torn = size and os.pread(descriptor, 1, size - 1) != b"\n"
            line = json.dumps(answer).encode("ascii") + b"\n"
            os.write(descriptor, (b"\n" if torn else b"") + line)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def forget(self) -> None:
        """Remove what was kept; nothing where there is nothing."""
        self.path.unlink(missing_ok=True)
