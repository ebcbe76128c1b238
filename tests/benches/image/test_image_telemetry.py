"""A container's own loopback takes in telemetry, and root's helper keeps it."""

from __future__ import annotations

from typing import Final

import pytest

from fairtrial.domain.settings import ConditionSettings, Otlp
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Setup
from fairtrial.runners.reports.telemetry import read_telemetry

from .conftest import MakeBench, RunShell, tree

pytestmark = pytest.mark.engine

POST: Final = """
import http.client, os
for port in (4317, 4318):
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    span = bytes([10, 13, 18, 11, 18, 9, 42, 5]) + b"order" + bytes([56 | 0, 1])
    line.request("POST", "/v1/traces", span)
    print(line.getresponse().status)
print(os.path.exists("/fairtrial/out/kept/otlp-traces-1.bin"))
"""


def test_telemetry_is_taken_in_and_kept_out_of_reach(
    make_bench: MakeBench, run_shell: RunShell
) -> None:
    bench = make_bench(pinned=ConditionSettings(otlp=Otlp.ALWAYS))
    bench.freeze(Revision.BASE, tree(**{"s.py": POST}), Setup())

    output = run_shell(bench, "python3 s.py")

    assert ["200", "200", "False"] == output.stdout.decode().split(), output.stderr
    found = read_telemetry(output.kept)
    assert ["order", "order"] == [span.name for span in found.spans]
    assert () == output.faults


def test_where_it_is_not_wanted_both_ports_are_free(
    make_bench: MakeBench, run_shell: RunShell
) -> None:
    listen = "import socket\nfor p in (4317, 4318): socket.create_server(('', p))\n"
    bench = make_bench()
    bench.freeze(Revision.BASE, tree(**{"s.py": listen}), Setup())

    assert 0 == run_shell(bench, "python3 s.py").code
