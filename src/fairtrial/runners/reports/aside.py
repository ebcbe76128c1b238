"""What the processes of one trial told beside their tests' results.

A line that can't have been written by the plugin ends what is read of its process:
nothing here decides a verdict, so nothing is lost by leaving it out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from fairtrial.runners.reports.fields import Event

#: Bytes of one process; the plugin stops a little earlier.
LIMIT: Final = 8 * 1024 * 1024
_FILE: Final = re.compile(r"aside-[A-Za-z0-9_.]{1,40}-\d{1,10}\.jsonl")


def told(files: Mapping[str, bytes]) -> Iterator[Event]:
    """Every readable event of a trial's streams, in order of the streams' names."""
    for name, data in sorted(files.items()):
        if _FILE.fullmatch(name):
            yield from _events(data[:LIMIT])


def _events(data: bytes) -> Iterator[Event]:
    # A process that is killed while it writes leaves half a line, and only at the end.
    for line in data.split(b"\n")[:-1]:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(event, dict):
            return
        yield event
