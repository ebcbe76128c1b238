"""A small project for each test, tried by the pytest that runs this."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.runners.specimen import Specimen


@pytest.fixture
def specimen(tmp_path: Path) -> Specimen:
    return Specimen(folder=tmp_path)
