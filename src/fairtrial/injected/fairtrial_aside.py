"""What a process tells beside its tests' results, in a stream of its own.

A stream of its own, because it is written from other threads than the tests', and a
line of one must not get into the middle of another's. Runs on Python 3.7 and newer,
with the standard library only.
"""

from __future__ import annotations

from fairtrial_witness import REAL, write_all

#: Bytes that one process may tell; what comes after that is left out.
LIMIT = 4 * 1024 * 1024


class Aside:
    """Says events as they happen; a fork of this process stays silent."""

    def __init__(self, channel):
        self.channel = channel
        self.left = LIMIT
        # At once and not with the first word, since tests count descriptors.
        self.fd = channel.open("aside", "jsonl")

    def write(self, event, **fields):
        if REAL["pid"]() != self.channel.pid:
            return
        fields["e"] = event
        line = (REAL["dumps"](fields) + "\n").encode("ascii")
        self.left -= len(line)
        if self.left < 0:
            return
        for _ in range(2):
            try:
                if self.fd is None:
                    self.fd = self.channel.open("aside", "jsonl")
                write_all(self.fd, line)
                return
            except OSError:  # a test closed every descriptor that it could find
                self.fd = None
