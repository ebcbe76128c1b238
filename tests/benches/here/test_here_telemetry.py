"""A trial's own loopback takes in telemetry, and keeps it where no test reaches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fairtrial.benches.here import HereBench
from fairtrial.domain.settings import ConditionSettings, Otlp
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Setup, TrialOutput
from fairtrial.runners.reports.telemetry import read_telemetry

from .conftest import SYSTEM_PYTHON, Place, files

#: Both protocols by hand, with a request of one span that is called "order".
CLIENT = r"""
import gzip, http.client, json, os, socket, struct, sys
def part(number, data):
    return bytes([number << 3 | 2, len(data)]) + data
SPAN = part(1, part(2, part(2, part(5, b"order"))))
def post(path="/v1/traces", body=SPAN, port=4318, **headers):
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    line.request("POST", path, body, headers)
    answer = line.getresponse()
    return answer.status, answer.read()
def frame(kind, flags, stream, data=b""):
    head = struct.pack(">I", len(data))[1:] + bytes([kind, flags])
    return head + struct.pack(">I", stream) + data
# ":path" by its index, in letters as they are.
PATH = b"/opentelemetry.proto.collector.trace.v1.TraceService/Export"
HEADERS = b"\x83\x86\x44" + bytes([len(PATH)]) + PATH
def call(headers, stream=1, line=None, port=4317):
    message = b"\0" + struct.pack(">I", len(SPAN)) + SPAN
    if line is None:
        line = socket.create_connection(("127.0.0.1", port), timeout=10)
        line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0))
    line.sendall(frame(1, 4, stream, headers) + frame(6, 0, 0, b"12345678"))
    line.sendall(frame(0, 1, stream, message))
    said = b""
    while b"grpc-status" not in said:
        more = line.recv(65536)
        if not more:
            break
        said += more
    return said, line
"""


def sinking(place: Place, otlp: Otlp = Otlp.ALWAYS) -> HereBench:
    return place.own_bench(conditions=ConditionSettings(otlp=otlp))


def run(place: Place, bench: HereBench, script: str) -> TrialOutput:
    return place.run(
        bench, f"cat > s.py <<'END'\n{CLIENT}\n{script}\nEND\npython3 s.py"
    )


@pytest.fixture(scope="module")
def bench(all_places: Place) -> Iterator[HereBench]:
    made = sinking(all_places)
    if not made.own_loopback:
        pytest.skip("no network of its own can be given to a trial here")
    yield made
    all_places.close()


def test_requests_of_both_protocols_succeed_and_are_kept(
    all_places: Place, bench: HereBench
) -> None:
    output = run(
        all_places,
        bench,
        r"""
print(post(), post(body=gzip.compress(SPAN), content_encoding="gzip", port=4317))
print(post(body=b'{"resourceSpans": []}', content_type="application/json"))
print(post("/v1/metrics", b"")[0], post("/v1/logs", b"")[0], post("/else")[0])
said, line = call(HEADERS)
print(b"grpc-status\x010" in said, b"12345678" in said)
# The second call names the path by its place in the table.
again, _ = call(b"\x83\x86\xbe", 3, line)
print(b"grpc-status\x010" in again)
other, _ = call(HEADERS.replace(b"Export", b"Import"), port=4318)
print(b"grpc-status\x0212" in other)
""",
    )

    assert [
        "(200, b'') (200, b'')",
        "(200, b'{}')",
        "200 200 404",
        "True True",
        "True",
        "True",
    ] == output.stdout.decode().splitlines(), output.stderr
    found = read_telemetry(output.kept)
    assert {"traces": 5, "metrics": 1, "logs": 1} == found.requests
    assert ["order"] * 4 == [span.name for span in found.spans]
    assert (0, 0) == (found.unread, found.dropped)
    assert () == output.faults


def test_what_was_kept_can_be_neither_read_nor_forged(
    all_places: Place, bench: HereBench
) -> None:
    forge = rf"""
post()
line = socket.socket(socket.AF_UNIX)
line.connect({str(bench.places.channel)!r})
line.sendall(b"otlp-traces-1.bin\nforged")
print(line.recv(1))
"""
    output = run(all_places, bench, forge)

    assert output.kept is not None
    assert b"forged" not in output.kept["otlp-traces-1.bin"]
    assert ("two processes claim to be otlp-traces-1.bin",) == output.faults


def test_nonsense_ends_its_own_connection_and_nothing_else(
    all_places: Place, bench: HereBench
) -> None:
    output = run(
        all_places,
        bench,
        r"""
bad = [
    b"\0" * 5000, b"POST /v1/traces HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
    b"POST /v1/traces HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n",
    b"POST /v1/traces HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(1, 4, 1, b"\xff" * 40),
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(9, 0, 7, b"a" * 9999) * 40,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 99,
    b"POST /v1/traces HTTP/1.1\r\n" + b"a: b\r\n" * 5000,
]
for each in bad * 10:
    line = socket.create_connection(("127.0.0.1", 4318), timeout=5)
    try:
        line.sendall(each)
        line.shutdown(socket.SHUT_WR)
        while line.recv(65536):
            pass
    except OSError:
        pass
print(post()[0])
""",
    )

    assert b"200\n" == output.stdout, output.stderr
    assert {"traces": 1} == read_telemetry(output.kept).requests


@pytest.mark.slow
def test_a_flood_is_answered_and_kept_only_up_to_a_limit(
    all_places: Place, bench: HereBench
) -> None:
    output = run(
        all_places,
        bench,
        "for _ in range(5): print(post(body=bytes(4 * 1024 * 1024))[0])",
    )

    assert ["200"] * 5 == output.stdout.decode().split(), output.stderr
    found = read_telemetry(output.kept)
    assert (2, 3) == (found.dropped, found.requests["traces"])
    assert () == output.faults


@pytest.mark.slow
def test_where_it_is_not_wanted_both_ports_are_free(place: Place) -> None:
    bench = sinking(place, Otlp.NEVER)
    listen = "for p in (4317, 4318): print(socket.create_server(('127.0.0.1', p)))"

    assert 0 == run(place, bench, listen).code


#: The real thing; every export's own answer is printed.
EXPORT = """
import os, sys, time
from opentelemetry.exporter.otlp.proto.grpc import metric_exporter, trace_exporter
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
def spans(exporter):
    provider, answers, export = TracerProvider(), [], exporter.export
    exporter.export = lambda batch: answers.append(export(batch)) or answers[-1]
    provider.add_span_processor(BatchSpanProcessor(exporter))
    for number in range(1000):
        with provider.get_tracer("t").start_as_current_span("work"):
            pass
    begun = time.monotonic()
    provider.force_flush(); provider.shutdown()
    print({each.name for each in answers}, time.monotonic() - begun < 5)
spans(OTLPSpanExporter())
spans(OTLPSpanExporter(compression=Compression.Gzip))
spans(trace_exporter.OTLPSpanExporter(insecure=True))
spans(trace_exporter.OTLPSpanExporter(endpoint="http://127.0.0.1:4318"))
second = metric_exporter.OTLPMetricExporter(insecure=True)
for exporter in (OTLPMetricExporter(), second):
    provider = MeterProvider([PeriodicExportingMetricReader(exporter)])
    provider.get_meter("m").create_counter("orders").add(1)
    print(provider.force_flush(), provider.shutdown())
"""


@pytest.mark.slow
def test_the_real_exporters_of_opentelemetry_succeed_at_once(place: Place) -> None:
    bench = place.empty_bench(
        "whole", {"conditions": ConditionSettings(otlp=Otlp.ALWAYS)}
    )
    packages = "opentelemetry-sdk opentelemetry-exporter-otlp"
    setup = Setup(
        python=SYSTEM_PYTHON, prepare=(f"python -m pip install -q {packages}",)
    )
    try:
        bench.freeze(Revision.BASE, files({"s.py": EXPORT}), setup)
        output = place.run(bench, "python s.py", timeout=60)
    finally:
        bench.close()

    assert ["{'SUCCESS'} True"] * 4 + ["True None"] * 2 == (
        output.stdout.decode().splitlines()
    ), output.stderr
    found = read_telemetry(output.kept)
    assert 4000 == len(found.spans)
    assert found.requests["metrics"] >= 2
    assert (0, 0) == (found.unread, found.dropped)
