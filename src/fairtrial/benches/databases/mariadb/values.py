"""What a column's bytes in the log of changes mean, as the server would write them.

Formats: the server's binary log, row events, as MariaDB and MySQL document them.
"""

from __future__ import annotations

import ipaddress
import struct
from dataclasses import dataclass, field
from typing import Final

#: Type codes of the log.
TINY, SHORT, LONG, FLOAT, DOUBLE = 1, 2, 3, 4, 5
LONGLONG, INT24, DATE, YEAR, VARCHAR, BIT = 8, 9, 10, 13, 15, 16
TIMESTAMP2, DATETIME2, TIME2 = 17, 18, 19
NEWDECIMAL, ENUM, SET = 246, 247, 248
BLOBS: Final = frozenset({249, 250, 251, 252, 255})
VAR_STRING, STRING = 253, 254

#: How many bytes of metadata a type has in the table's map.
META: Final = {
    FLOAT: 1,
    DOUBLE: 1,
    VARCHAR: 2,
    BIT: 2,
    TIMESTAMP2: 1,
    DATETIME2: 1,
    TIME2: 1,
    140: 1,
    141: 2,
    242: 1,
    245: 1,
    NEWDECIMAL: 2,
    ENUM: 2,
    SET: 2,
    **dict.fromkeys(BLOBS, 1),
    VAR_STRING: 2,
    STRING: 2,
}

_WIDTHS: Final = {TINY: 1, SHORT: 2, INT24: 3, LONG: 4, LONGLONG: 8}
_CHARSETS: Final = {
    "utf8": "utf-8",
    "utf8mb3": "utf-8",
    "utf8mb4": "utf-8",
    "latin1": "cp1252",
    "ascii": "ascii",
    "ucs2": "utf-16-be",
    "utf16": "utf-16-be",
    "utf16le": "utf-16-le",
    "utf32": "utf-32-be",
    "latin2": "iso8859_2",
    "cp1250": "cp1250",
    "cp1251": "cp1251",
    "sjis": "shift_jis",
    "euckr": "euc_kr",
    "gbk": "gbk",
    "big5": "big5",
}
#: Bytes that hold so many decimal digits, in the server's packed numbers.
_DIGITS: Final = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)
_NINE: Final = 9


class Unreadable(Exception):  # noqa: N818 - said as people say it
    """A value that is not understood; what follows it in the row can't be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column as the server's catalog describes it."""

    name: str
    #: "int(10) unsigned", "varchar(20)", "enum('a','b')".
    type: str
    #: None: bytes.
    charset: str | None = None
    in_key: bool = False
    generated: bool = False
    #: An ENUM's or a SET's words, in order.
    labels: tuple[str, ...] = field(default=())


class Reader:
    """Bytes that are read from front to back."""

    __slots__ = ("at", "data")

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        """The next bytes; raises Unreadable when there are not so many."""
        end = self.at + count
        if count < 0 or end > len(self.data):
            raise Unreadable("the event ends too early")
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def number(self, count: int) -> int:
        """The next bytes as a number, the lowest first."""
        return int.from_bytes(self.take(count), "little")

    def length(self) -> int:
        """A number that is as long as it has to be."""
        first = self.number(1)
        return first if first < 251 else self.number({252: 2, 253: 3}.get(first, 8))  # noqa: PLR2004 - the protocol's own

    @property
    def left(self) -> int:
        """How many bytes have not been read."""
        return len(self.data) - self.at


def read(kind: int, meta: int, column: Column, reader: Reader) -> str:
    """The next value as text; raises Unreadable for a type that is not known.

    Bytes are written in hexadecimal digits behind a backslash and an x. `meta` is the
    type's metadata, its first byte lowest.
    """
    if kind in _WIDTHS:
        signed = "unsigned" not in column.type
        taken = reader.take(_WIDTHS[kind])
        return str(int.from_bytes(taken, "little", signed=signed))
    if kind == STRING:
        kind, meta = _real(meta)
    if kind == FLOAT:
        return _single(struct.unpack("<f", reader.take(4))[0])
    if kind == DOUBLE:
        return repr(struct.unpack("<d", reader.take(8))[0])
    if kind == NEWDECIMAL:
        return _decimal(meta & 0xFF, meta >> 8, reader)
    if kind in {ENUM, SET}:
        return _words(kind, reader.number(meta), column.labels)
    if kind == BIT:
        bits = (meta >> 8) * 8 + (meta & 0xFF)
        return str(int.from_bytes(reader.take((bits + 7) // 8), "big"))
    if kind in BLOBS:
        return _text(reader.take(reader.number(meta)), column)
    if kind in {VARCHAR, VAR_STRING, STRING}:
        return _text(reader.take(reader.number(1 if meta < 256 else 2)), column)  # noqa: PLR2004 - one byte
    return _moment(kind, meta, reader)


def _real(meta: int) -> tuple[int, int]:
    """What a STRING is, and its length, whose high bits are in the type's place."""
    first, second = meta & 0xFF, meta >> 8
    if first & 0x30 != 0x30:  # noqa: PLR2004 - two bits of the type
        return first | 0x30, second | ((first & 0x30) ^ 0x30) << 4
    return first, second


def _text(data: bytes, column: Column) -> str:
    family = column.type.partition("(")[0]
    if family == "uuid":
        return _uuid(data.ljust(16, b"\0"))
    if family in {"inet4", "inet6"}:
        size = 4 if family == "inet4" else 16
        return str(ipaddress.ip_address(data.ljust(size, b"\0")))
    if column.charset is None:
        if family == "binary":
            size = int(column.type[7:-1])
            data = data.ljust(size, b"\0")
        return "\\x" + data.hex()
    return data.decode(_CHARSETS.get(column.charset, "utf-8"), "replace")


def _uuid(data: bytes) -> str:
    text = data.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _single(value: float) -> str:
    """The shortest text that is the same number in four bytes."""
    for digits in range(6, 10):
        text = f"{value:.{digits}g}"
        if struct.unpack("<f", struct.pack("<f", float(text)))[0] == value:
            return text
    return repr(value)


def _words(kind: int, number: int, labels: tuple[str, ...]) -> str:
    if kind == ENUM:
        return labels[number - 1] if 0 < number <= len(labels) else ""
    return ",".join(each for at, each in enumerate(labels) if number >> at & 1)


def _decimal(precision: int, scale: int, reader: Reader) -> str:
    whole = precision - scale
    groups, rest = divmod(whole, _NINE)
    fraction_groups, fraction_rest = divmod(scale, _NINE)
    size = (groups + fraction_groups) * 4 + _DIGITS[rest] + _DIGITS[fraction_rest]
    data = bytearray(reader.take(size))
    negative = not data[0] & 0x80
    data[0] ^= 0x80
    if negative:
        data = bytearray(each ^ 0xFF for each in data)
    inner = Reader(bytes(data))
    digits = _group(inner, rest)
    digits += "".join(_group(inner, _NINE) for _ in range(groups))
    fraction = "".join(_group(inner, _NINE) for _ in range(fraction_groups))
    fraction += _group(inner, fraction_rest)
    sign = "-" if negative else ""
    number = digits.lstrip("0") or "0"
    return f"{sign}{number}.{fraction}" if scale else f"{sign}{number}"


def _group(reader: Reader, digits: int) -> str:
    if not digits:
        return ""
    return str(int.from_bytes(reader.take(_DIGITS[digits]), "big")).zfill(digits)


def _moment(kind: int, meta: int, reader: Reader) -> str:
    if kind == YEAR:
        year = reader.number(1)
        return str(year + 1900) if year else "0000"
    if kind == DATE:
        packed = reader.number(3)
        return f"{packed >> 9:04}-{packed >> 5 & 15:02}-{packed & 31:02}"
    size = (meta + 1) // 2
    if kind == TIMESTAMP2:
        seconds = int.from_bytes(reader.take(4), "big")
        return _stamp(seconds) + _fraction(reader.take(size), meta)
    if kind == DATETIME2:
        packed = int.from_bytes(reader.take(5), "big") - (1 << 39)
        days, clock = packed >> 17, packed & 0x1FFFF
        month, day = divmod(days, 32)
        return (
            f"{month // 13:04}-{month % 13:02}-{day:02} {_clock(clock)}"
            f"{_fraction(reader.take(size), meta)}"
        )
    if kind == TIME2:
        packed = int.from_bytes(reader.take(3 + size), "big") - (0x800000 << 8 * size)
        whole, part = divmod(abs(packed), 1 << 8 * size)
        sign = "-" if packed < 0 else ""
        return f"{sign}{_clock(whole)}{_fraction(part.to_bytes(size, 'big'), meta)}"
    raise Unreadable(f"type {kind} is not known")


def _clock(packed: int) -> str:
    return f"{packed >> 12:02}:{packed >> 6 & 63:02}:{packed & 63:02}"


def _fraction(data: bytes, digits: int) -> str:
    if not digits:
        return ""
    number = int.from_bytes(data, "big") * 10 ** (6 - 2 * len(data))
    return "." + f"{number:06}"[:digits]


def _stamp(seconds: int) -> str:
    """Seconds since the epoch in UTC; 0 is the server's date that is none."""
    if not seconds:
        return "0000-00-00 00:00:00"
    days, rest = divmod(seconds, 86400)
    year, month, day = _date(days)
    hour, minute = divmod(rest // 60, 60)
    return f"{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{rest % 60:02}"


def _date(days: int) -> tuple[int, int, int]:
    """The date so many days after 1970-01-01 (Howard Hinnant, civil_from_days)."""
    era, of_era = divmod(days + 719468, 146097)
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    shifted = (5 * of_year + 2) // 153
    day = of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + 3 if shifted < 10 else shifted - 9  # noqa: PLR2004 - March first
    return year + era * 400 + (month <= 2), month, day  # noqa: PLR2004 - January, February
