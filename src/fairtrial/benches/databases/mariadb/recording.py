"""Records what is committed in one database while a trial runs."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from fairtrial.benches.databases.mariadb import log
from fairtrial.benches.databases.mariadb.reading import Kept, emptied, made
from fairtrial.benches.databases.mariadb.values import Unreadable
from fairtrial.clients.mariadb import Address, Login, Stream
from fairtrial.domain.errors import ServiceError

#: Bytes of the server's log that are kept of one trial, whosever they are.
MOST: Final = 128 * 1024 * 1024
#: Seconds to wait, after a trial, for what it had committed.
_PATIENCE: Final = 10.0
_MOMENT: Final = 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place in the server's log."""

    file: str
    at: int


class Recorder:
    """Listens to a server's log from one place on, in a thread of its own.

    The log names no time that is fine enough, so a change's time is when its commit
    arrived here, which over a Unix socket is a fraction of a millisecond later.
    """

    def __init__(
        self, address: Address, login: Login, database: str, begin: Place
    ) -> None:
        """Raises ServiceError when the server does not let its log be read."""
        self._database = database
        self._stream = Stream(address, login, begin.file, begin.at)
        #: What came, and when; taken out by another thread than puts it in.
        self._came: deque[tuple[bytes, float]] = deque()
        self._over = False
        self._ended = ""
        self._packets = log.Packets()
        self._kept: list[Kept] = []
        self._open: list[Kept] = []
        self._ours: set[int] = set()
        #: Databases that the tests made and named after theirs, in order.
        self.made: dict[str, None] = {}
        #: How many bytes each event has behind its content.
        self._checksum = 0
        self._seen = begin
        self._why = ""
        self._thread = threading.Thread(
            target=self._listen, name="mariadb-log", daemon=True
        )
        self._thread.start()

    def _listen(self) -> None:
        # As little as possible: it is done beside the trial, and takes its time.
        size = 0
        try:
            while data := self._stream.some():
                self._came.append((data, time.time()))
                size += len(data)
                if size > MOST:
                    self._ended = f"more than {MOST // 1024**2} MiB were committed"
                    return
        except ServiceError as error:
            self._ended = f"the server's log ended: {error}"
        finally:
            self._over = True

    def _take(self, event: log.Event, at: float) -> None:
        match event.kind:
            case log.DESCRIPTION:
                self._checksum = log.checksum_of(event.body)
            case log.ROTATE if not event.artificial:
                file, place = log.rotated(event.body)
                self._seen = Place(file=file, at=place)
                return
            case kind if kind == log.TABLE_MAP or kind in log.ROWS:
                self._row(event)
            case kind if kind in log.PACKED:
                self._why = "the server compresses its log, which is not read here"
            case log.QUERY if not _inside(event):
                self._statement(event)
                self._commit(event.end, at)
            case log.XID:
                self._commit(event.end, at)
            case _:
                pass
        if not event.artificial:
            self._seen = replace(self._seen, at=event.end)

    def _row(self, event: log.Event) -> None:
        number = log.map_number(event.body)
        if event.kind == log.TABLE_MAP:
            if log.table_map(event.body).database == self._database:
                self._ours.add(number)
            else:
                self._ours.discard(number)
        if number in self._ours:
            self._keep(event)

    def _statement(self, event: log.Event) -> None:
        database, text = log.query(event.body)
        if self._open and text.upper().startswith("XA "):
            self._why = "a transaction in two phases is told before it is committed"
        if another := made(text, self._database):
            self.made[another] = None
        if emptied(database, text, self._database):
            self._keep(event)

    def _keep(self, event: log.Event) -> None:
        self._open.append(Kept(kind=event.kind, body=event.body))

    def _commit(self, end: int, at: float) -> None:
        for each in self._open:
            each.at, each.transaction = at, end
        self._kept += self._open
        self._open.clear()

    def ended(self, until: Place) -> tuple[Sequence[Kept], str]:
        """All that was committed up to a place, and why it is not all; it ends then."""
        deadline = time.monotonic() + _PATIENCE
        try:
            while not _reached(self._seen, until):
                # Asked before what came is read, so that nothing comes in between.
                over = self._over
                if not self._read() and (over or time.monotonic() > deadline):
                    ended = self._ended or self._packets.over
                    self._why = self._why or ended or "the server's log came too late"
                    break
        except Unreadable as error:
            self._why = self._why or f"the server's log can't be read: {error}"
        self.close()
        return tuple(self._kept), self._why

    def _read(self) -> bool:
        """Read what came; waits a moment where there is nothing."""
        if not self._came:
            time.sleep(_MOMENT)
            return False
        data, arrived = self._came.popleft()
        for event, at in self._packets.feed(data, arrived):
            self._take(log.event(event, self._checksum), at)
        return True

    @property
    def number(self) -> int:
        """The connection's number, for whoever wants to end it on the server, too."""
        return self._stream.number

    def close(self) -> None:
        """Stop listening; safe to call twice."""
        self._stream.cut()
        self._thread.join(_PATIENCE)
        self._stream.close()


def _reached(seen: Place, until: Place) -> bool:
    """Whether a place was passed; the files' names end with numbers that grow."""
    if seen.file == until.file:
        return seen.at >= until.at
    return (len(seen.file), seen.file) > (len(until.file), until.file)


def _inside(event: log.Event) -> bool:
    """Whether a statement is one inside a transaction, which ends nothing."""
    return (
        log.query(event.body)[1]
        .upper()
        .startswith(("BEGIN", "SAVEPOINT", "ROLLBACK TO"))
    )
