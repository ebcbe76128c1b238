"""Which fields a message of Protocol Buffers holds, read without knowing its schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairtrial.runners.reports.fields import Malformed

#: Fields of one message; more is nobody's telemetry.
_MOST: Final = 200_000
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT: Final = 70


def message(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """(number, value) of each field in order; raises Malformed where it is none.

    A value is a number for variable and fixed lengths, little-endian, and bytes for
    everything else.
    """
    at = 0
    for _ in range(_MOST):
        if at == len(data):
            return
        tag, at = _varint(data, at)
        number, kind = tag >> 3, tag & 7
        if number == 0:
            raise Malformed("a field without a number")
        if kind == _VARINT:
            value, at = _varint(data, at)
            yield number, value
            continue
        if kind == _BYTES:
            length, at = _varint(data, at)
        elif kind == _FIXED64:
            length = 8
        elif kind == _FIXED32:
            length = 4
        else:
            raise Malformed("a field of a kind that is no more")
        if at + length > len(data):
            raise Malformed("it ends too early")
        part, at = data[at : at + length], at + length
        yield number, part if kind == _BYTES else int.from_bytes(part, "little")
    raise Malformed("more fields than are read")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, _LONGEST_VARINT, 7):
        if at >= len(data):
            raise Malformed("it ends too early")
        byte, at = data[at], at + 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004 - the bit that says: more follows
            return value, at
    raise Malformed("a number that is too long")


def parts(data: bytes, number: int) -> Iterator[bytes]:
    """The embedded messages of one number."""
    for each, value in message(data):
        if each == number and isinstance(value, bytes):
            yield value
