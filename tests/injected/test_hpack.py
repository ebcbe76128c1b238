"""The sink's decoder of headers does what RFC 7541's own examples show."""

from __future__ import annotations

import contextlib
import importlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FOLDER = Path(__file__).parents[2] / "src/fairtrial/injected"


@pytest.fixture
def hpack(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("fairtrial_hpack")


def test_requests_in_huffmans_code_with_a_table_that_grows(hpack: Any) -> None:
    """RFC 7541, C.4."""
    decoder = hpack.Decoder()
    blocks = (
        "828684418cf1e3c2e5f23a6ba0ab90f4ff",
        "828684be5886a8eb10649cbf",
        "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
    )
    found = [dict(decoder.decode(bytes.fromhex(block))) for block in blocks]

    assert ["www.example.com"] * 3 == [each[b":authority"].decode() for each in found]
    assert [b"/", b"/", b"/index.html"] == [each[b":path"] for each in found]
    assert b"no-cache" == found[1][b"cache-control"]
    assert b"custom-value" == found[2][b"custom-key"]
    assert (164, 3) == (decoder.size, len(decoder.entries))


def test_a_table_that_is_full_drops_its_oldest(hpack: Any) -> None:
    decoder = hpack.Decoder()
    decoder.decode(bytes.fromhex("828684418cf1e3c2e5f23a6ba0ab90f4ff"))
    # A new limit of nothing, and then a header by the place that is gone.
    decoder.decode(b"\x20")

    assert (0, []) == (decoder.size, decoder.entries)
    with pytest.raises(hpack.Broken):
        decoder.decode(b"\xbe")


@pytest.mark.parametrize(
    "block",
    [
        "be",  # nothing is in the table yet
        "80",  # entry 0
        "3fe21f",  # a table of 4097 bytes
        "40",  # no name
        "4085ffffffffff00",  # a code that is none
        "ffffffffffffffffff01",  # a number without end
    ],
)
def test_a_block_that_no_encoder_makes_is_refused(hpack: Any, block: str) -> None:
    with pytest.raises(hpack.Broken):
        hpack.Decoder().decode(bytes.fromhex(block))


@given(data=st.binary(max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_block_does_anything_but_be_read_or_refused(hpack: Any, data: bytes) -> None:
    decoder = hpack.Decoder()
    with contextlib.suppress(hpack.Broken):
        decoder.decode(data)
    assert decoder.size <= decoder.limit
