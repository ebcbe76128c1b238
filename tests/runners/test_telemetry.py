"""What a sink kept is read with spans, names and durations, whatever it holds."""

from __future__ import annotations

import gzip
import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.traces import Span
from fairtrial.runners.reports.telemetry import read_telemetry

SECOND = 1_000_000_000


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def part(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def fixed(number: int, value: int) -> bytes:
    return varint(number << 3 | 1) + struct.pack("<Q", value)


def span(name: str, begun: int, ended: int, status: bytes = b"") -> bytes:
    ids = part(1, b"t" * 16) + part(2, b"s" * 8)
    times = fixed(7, begun * SECOND) + fixed(8, ended * SECOND)
    return ids + part(5, name.encode()) + times + part(15, status)


def request(*spans: bytes) -> bytes:
    return part(1, part(2, b"".join(part(2, each) for each in spans)))


def record(body: bytes, **head: object) -> bytes:
    return json.dumps({"size": len(body), **head}).encode() + b"\n" + body + b"\n"


def kept(*records: bytes, signal: str = "traces") -> dict[str, bytes]:
    return {f"otlp-{signal}-1.bin": b"".join(records)}


ORDER = Span(name="order", seconds=2.0, started=100.0)
FAILED = Span(name="send", seconds=1.0, started=101.0, failed=True)
PROTOBUF = request(span("order", 100, 102), span("send", 101, 102, b"\x18\x02"))
JSON = json.dumps(
    {
        "resourceSpans": [
            {
                "scopeSpans": [
                    {
                        "spans": [
                            {
                                "name": "order",
                                "startTimeUnixNano": str(100 * SECOND),
                                "endTimeUnixNano": 102 * SECOND,
                            },
                            {
                                "name": "send",
                                "startTimeUnixNano": str(101 * SECOND),
                                "endTimeUnixNano": str(102 * SECOND),
                                "status": {"code": 2},
                            },
                        ]
                    }
                ]
            }
        ]
    }
).encode()


@pytest.mark.parametrize(
    "one",
    [
        record(PROTOBUF, type="application/x-protobuf"),
        record(gzip.compress(PROTOBUF), encoding="gzip"),
        record(JSON, type="application/json"),
        record(gzip.compress(JSON), type="application/json", encoding="gzip"),
    ],
)
def test_spans_have_names_times_and_status(one: bytes) -> None:
    found = read_telemetry(kept(one))

    assert (ORDER, FAILED) == found.spans
    assert ({"traces": 1}, 0, 0) == (found.requests, found.unread, found.dropped)


def test_requests_are_counted_by_their_signal() -> None:
    both = {**kept(record(b"")), **kept(record(b"a"), record(b"b"), signal="logs")}

    assert {"traces": 1, "logs": 2} == read_telemetry(both).requests


def test_what_had_no_room_is_counted() -> None:
    records = (record(PROTOBUF), record(b"", dropped=1), record(b"", dropped=64))

    assert 64 == read_telemetry(kept(*records)).dropped


@pytest.mark.parametrize(
    "body",
    [
        b"\xff" * 40,
        part(1, part(2, part(2, b"\x00"))),
        part(1, part(2, part(2, part(7, b"text for a time")))),
        part(1, b"\x12\x7fshort"),
    ],
)
def test_what_is_no_telemetry_is_counted_and_the_rest_is_read(body: bytes) -> None:
    found = read_telemetry(kept(record(body), record(PROTOBUF)))

    assert (1, (ORDER, FAILED)) == (found.unread, found.spans)


@pytest.mark.parametrize("text", ["[" * 10_000, '{"resourceSpans": 5}', "null"])
def test_what_is_no_telemetry_in_json_is_counted(text: str) -> None:
    one = record(text.encode(), type="application/json")

    assert 1 == read_telemetry(kept(one)).unread


def test_what_unfolds_to_too_much_is_not_unfolded() -> None:
    bomb = gzip.compress(b"\0" * 64 * 1024 * 1024)

    assert 1 == read_telemetry(kept(record(bomb, encoding="gzip"))).unread


def test_a_torn_record_ends_what_is_read() -> None:
    torn = record(PROTOBUF) + record(PROTOBUF)[:-9]

    assert {"traces": 1} == read_telemetry(kept(torn)).requests


@given(st.binary(max_size=200), st.sampled_from(["", "application/json"]))
def test_no_bytes_break_it(data: bytes, kind: str) -> None:
    read_telemetry(kept(data))
    found = read_telemetry(kept(record(data, type=kind)))

    assert {"traces": 1} == found.requests


def test_without_a_channel_there_is_none() -> None:
    assert ({}, ()) == (read_telemetry(None).requests, read_telemetry(None).spans)
