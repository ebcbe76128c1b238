"""The fixture `github`, known to every test through tests/conftest.py."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.fake_github.server import FakeGitHub


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    """An empty fake GitHub; the test fails when anyone broke the API's description."""
    fake = FakeGitHub()
    fake.start()
    try:
        yield fake
    finally:
        fake.stop()
    assert [] == fake.violations
