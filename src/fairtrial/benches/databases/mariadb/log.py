"""What the events of a server's log of changes say, read one by one.

Formats: the server's binary log, version 4, as MariaDB and MySQL document it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from fairtrial.benches.databases.mariadb.values import (
    META,
    Column,
    Reader,
    Unreadable,
    read,
)
from fairtrial.domain.databases import Verb

QUERY, ROTATE, DESCRIPTION, XID, TABLE_MAP = 2, 4, 15, 16, 19
#: Row events by their verb, in both versions of the format.
ROWS: Final = {
    23: Verb.INSERT,
    24: Verb.UPDATE,
    25: Verb.DELETE,
    30: Verb.INSERT,
    31: Verb.UPDATE,
    32: Verb.DELETE,
}
#: Row events that MariaDB compressed, and MySQL's transactions in one piece.
PACKED: Final = frozenset({166, 167, 168, 169, 170, 171, 40, 39})
_SECOND: Final = frozenset({30, 31, 32})

_HEADER: Final = struct.Struct("<IBIIIH")
#: Of what ties rows to their table's map.
_LONG_NUMBER: Final = 6
_CHECKSUM: Final = 4
_ARTIFICIAL: Final = 0x20
#: Of a packet: its head, and the greatest length of what is behind it.
_FRAME: Final = 4
_GREATEST: Final = 0xFFFFFF


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event; `end` is its place in the log's file."""

    kind: int
    end: int
    body: bytes
    #: Made for this reader, and in no file.
    artificial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMap:
    """What table the rows behind it are of, and how their values are written."""

    number: int
    database: str
    table: str
    kinds: bytes
    metas: tuple[int, ...]


#: A row by column; None is NULL. A column that an event leaves out is not in it.
Row = dict[str, "str | None"]


def event(data: bytes, checksum: int = 0) -> Event:
    """An event without its checksum, which has so many bytes; raises Unreadable."""
    if len(data) < _HEADER.size + checksum:
        raise Unreadable("the event is too short")
    _, kind, _, _, end, flags = _HEADER.unpack_from(data)
    # A description is what tells of checksums, so it is left whole.
    last = len(data) - (0 if kind == DESCRIPTION else checksum)
    return Event(
        kind=kind,
        end=end,
        body=data[_HEADER.size : last],
        artificial=bool(flags & _ARTIFICIAL) or not end,
    )


def checksum_of(body: bytes) -> int:
    """How many bytes of checksum the events behind a description have.

    A description ends with the kind of checksum and one of its own, in any case.
    """
    return _CHECKSUM if body[-_CHECKSUM - 1 : -_CHECKSUM] == b"\x01" else 0


class Packets:
    """Cuts a stream of bytes into events, each with the time at which it was whole.

    Packets have three bytes of length and a number; one of the greatest length goes on
    in the next. The first byte says what it is: 0 for an event.
    """

    def __init__(self) -> None:
        self._rest = bytearray()
        self._begun = b""
        #: Why there are no more events; empty: they go on.
        self.over = ""

    def feed(self, data: bytes, at: float) -> Iterator[tuple[bytes, float]]:
        """The events that are whole now."""
        self._rest += data
        place = 0
        while len(self._rest) - place >= _FRAME and not self.over:
            length = int.from_bytes(self._rest[place : place + 3], "little")
            end = place + _FRAME + length
            if end > len(self._rest):
                break
            self._begun += bytes(self._rest[place + _FRAME : end])
            place = end
            if length == _GREATEST:
                continue
            packet, self._begun = self._begun, b""
            if packet[:1] == b"\0":
                yield packet[1:], at
            else:
                self.over = "the server ended its log"
                if packet[:1] == b"\xff":
                    said = packet[9:].decode("utf-8", "replace")
                    self.over = f"the server ended its log: {said[:300]}"
        del self._rest[:place]


def rotated(body: bytes) -> tuple[str, int]:
    """The next file's name, and where it goes on."""
    return body[8:].decode("utf-8", "replace"), int.from_bytes(body[:8], "little")


def query(body: bytes) -> tuple[str, str]:
    """The database and the statement of a statement's event."""
    reader = Reader(body)
    reader.take(8)
    database_size = reader.number(1)
    reader.take(2)
    reader.take(reader.number(2))
    database = reader.take(database_size).decode("utf-8", "replace")
    reader.take(1)
    return database, reader.take(reader.left).decode("utf-8", "replace")


def map_number(body: bytes) -> int:
    """The number that ties rows to their table's map."""
    return int.from_bytes(body[:_LONG_NUMBER], "little")


def table_map(body: bytes) -> TableMap:
    """A table's map; raises Unreadable."""
    reader = Reader(body)
    number = reader.number(_LONG_NUMBER)
    reader.take(2)
    database = reader.take(reader.number(1)).decode("utf-8", "replace")
    reader.take(1)
    table = reader.take(reader.number(1)).decode("utf-8", "replace")
    reader.take(1)
    kinds = reader.take(reader.length())
    inner = Reader(reader.take(reader.length()))
    metas = tuple(inner.number(META.get(kind, 0)) for kind in kinds)
    return TableMap(
        number=number, database=database, table=table, kinds=kinds, metas=metas
    )


def rows(
    kind: int, body: bytes, table: TableMap, columns: Sequence[Column]
) -> Iterator[tuple[Row, Row]]:
    """Each row as it was and as it is; an insert was nothing, a delete is nothing.

    `columns` are all of the table's, in its order. Raises Unreadable.
    """
    reader = Reader(body)
    reader.take(_LONG_NUMBER + 2)
    if kind in _SECOND:
        reader.take(reader.number(2) - 2)
    width = reader.length()
    if width != len(table.kinds) or width != len(columns):
        raise Unreadable("the table was altered")
    verb = ROWS[kind]
    first = _set_bits(reader, width)
    second = _set_bits(reader, width) if verb is Verb.UPDATE else first
    while reader.left:
        row = _row(reader, table, columns, first)
        match verb:
            case Verb.INSERT:
                yield {}, row
            case Verb.UPDATE:
                yield row, _row(reader, table, columns, second)
            case Verb.DELETE | Verb.TRUNCATE:
                yield row, {}


def _set_bits(reader: Reader, width: int) -> list[int]:
    bits = reader.number((width + 7) // 8)
    return [at for at in range(width) if bits >> at & 1]


def _row(
    reader: Reader, table: TableMap, columns: Sequence[Column], present: list[int]
) -> Row:
    nulls = reader.number((len(present) + 7) // 8)
    row: Row = {}
    for number, at in enumerate(present):
        column = columns[at]
        if nulls >> number & 1:
            row[column.name] = None
        else:
            row[column.name] = read(table.kinds[at], table.metas[at], column, reader)
    return row
