"""What exporters of telemetry sent during a trial, as the sink kept it.

All of it is hostile: sizes are bounded, and what can't be read is counted.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fairtrial.domain.traces import Span, Telemetry
from fairtrial.runners.reports.fields import Malformed
from fairtrial.runners.reports.wire import message, parts

#: As the sink calls its streams.
_STREAMS: Final = {
    signal: f"otlp-{signal}-1.bin" for signal in ("traces", "metrics", "logs")
}
#: Bytes that one request may unfold to, and spans that are kept.
_UNFOLDED: Final = 32 * 1024 * 1024
_MOST_SPANS: Final = 20_000
_GZIP: Final = 31
_NAME: Final = 300
_BILLION: Final = 1_000_000_000
_ERROR: Final = 2


def read_telemetry(kept: Mapping[str, bytes] | None) -> Telemetry:
    """Everything that a bench's `TrialOutput.kept` has of telemetry."""
    spans: list[Span] = []
    requests: dict[str, int] = {}
    unread = dropped = 0
    for signal, stream in _STREAMS.items():
        for head, body in _records((kept or {}).get(stream, b"")):
            lost = head.get("dropped")
            if isinstance(lost, int):
                dropped = max(dropped, lost)
                continue
            requests[signal] = requests.get(signal, 0) + 1
            if signal != "traces" or len(spans) >= _MOST_SPANS:
                continue
            try:
                spans += _spans(head, body)
            except (Malformed, ValueError, RecursionError, zlib.error):
                unread += 1
    return Telemetry(
        spans=tuple(spans[:_MOST_SPANS]),
        requests=requests,
        unread=unread,
        dropped=dropped,
    )


def _records(data: bytes) -> Iterator[tuple[Mapping[str, Any], bytes]]:
    """(the line that tells of it, the request) in order; a torn one ends them."""
    at = 0
    while at < len(data):
        end = data.find(b"\n", at, at + 2000)
        if end < 0:
            return
        try:
            head = json.loads(data[at:end])
        except (ValueError, RecursionError):
            return
        size = head.get("size") if isinstance(head, dict) else None
        if not isinstance(size, int) or not 0 <= size <= len(data) - end - 2:
            return
        yield head, data[end + 1 : end + 1 + size]
        at = end + 1 + size + 1


def _spans(head: Mapping[str, Any], body: bytes) -> list[Span]:
    if head.get("encoding") == "gzip":
        unfold = zlib.decompressobj(wbits=_GZIP)
        body = unfold.decompress(body, _UNFOLDED)
        if unfold.unconsumed_tail:
            raise Malformed("it unfolds to more than is read")
    if head.get("type") == "application/json":
        return list(_from_json(json.loads(body)))
    return list(_from_protobuf(body))


def _from_protobuf(body: bytes) -> Iterator[Span]:
    """ExportTraceServiceRequest: resource_spans 1, scope_spans 2, spans 2."""
    for resource in parts(body, 1):
        for scope in parts(resource, 2):
            for span in parts(scope, 2):
                yield _span(span)


def _span(data: bytes) -> Span:
    found = dict(message(data))
    name, status = found.get(5, b""), found.get(15, b"")
    begun, ended = found.get(7, 0), found.get(8, 0)
    if not isinstance(name, bytes) or not isinstance(status, bytes):
        raise Malformed("a span with a number for its name")
    if isinstance(begun, bytes) or isinstance(ended, bytes):
        raise Malformed("a span with a text for its time")
    return _made(
        name[: _NAME * 4].decode("utf-8", "replace"),
        begun,
        ended,
        failed=(3, _ERROR) in message(status),
    )


def _from_json(request: Any) -> Iterator[Span]:
    for resource in _list(request, "resourceSpans"):
        for scope in _list(resource, "scopeSpans"):
            for span in _list(scope, "spans"):
                status = span.get("status") if isinstance(span, dict) else None
                code = status.get("code") if isinstance(status, dict) else None
                yield _made(
                    str(span.get("name", "")),
                    _nanoseconds(span.get("startTimeUnixNano")),
                    _nanoseconds(span.get("endTimeUnixNano")),
                    failed=code in (_ERROR, "STATUS_CODE_ERROR"),
                )


def _list(value: Any, key: str) -> list[Any]:
    found = value.get(key, []) if isinstance(value, dict) else None
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise Malformed(f"{key} is no list of mappings")
    return found


def _nanoseconds(value: Any) -> int:
    """JSON has numbers of 64 bits as text."""
    if isinstance(value, str) and value.isdecimal() and len(value) <= len(str(2**64)):
        return int(value)
    return value if type(value) is int and 0 <= value < 2**64 else 0


def _made(name: str, begun: int, ended: int, *, failed: bool) -> Span:
    return Span(
        name=name[:_NAME],
        seconds=max(0, ended - begun) / _BILLION,
        started=begun / _BILLION,
        failed=failed,
    )
