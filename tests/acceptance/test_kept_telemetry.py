"""What tests trace is kept beside the report."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest
from specimens import Built, commit, git, read

from .test_specimens import gate

pytestmark = pytest.mark.slow

FILES = {
    "conftest.py": "",
    "requirements.txt": """\
        pytest
        opentelemetry-sdk
        opentelemetry-exporter-otlp-proto-http
        """,
    "shop.py": """\
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http import trace_exporter
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor

        sent = trace_exporter.OTLPSpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(sent))
        trace.set_tracer_provider(provider)


        def order(item):
            with trace.get_tracer("shop").start_as_current_span(f"order {item}"):
                return item
        """,
    "tests/test_shop.py": """\
        import shop


        def test_tea():
            assert shop.order("tea") == "tea"
        """,
}


def test_spans_of_the_suite_stand_in_a_file_of_their_own(tmp_path: Path) -> None:
    repository = tmp_path / "shop"
    repository.mkdir()
    git(repository, "init", "--quiet", "--initial-branch=main")
    files = {name: textwrap.dedent(text) for name, text in FILES.items()}
    base = commit(repository, files, "Base")
    head = commit(repository, {"shop.py": files["shop.py"] + "\n# A word.\n"}, "Change")
    built = Built(specimen=read("clean"), path=repository, base=base, head=head)

    code, report, printed = gate(built, tmp_path / "report")

    story = printed + json.dumps(report, indent=1)
    assert code == 0, story
    kept = json.loads((tmp_path / "report/telemetry.json").read_text())
    assert "fairtrial/telemetry/v1" == kept["schema"]
    (trial,) = kept["trials"]
    assert ["order tea"] == [span["name"] for span in trial["spans"]], story
    (told,) = [note for note in report["notices"] if "telemetry" in note]
    assert "the slowest of 1 spans is order tea" in told
