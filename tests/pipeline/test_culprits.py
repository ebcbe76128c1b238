"""How a hunk is named to people."""

from __future__ import annotations

import pytest

from fairtrial.domain.names import HunkId
from fairtrial.pipeline.judging import culprit


@pytest.mark.parametrize(
    ("hunk", "path", "lines"),
    [
        ("src/cart.py:41-47", "src/cart.py", "41-47"),
        ("src/cart.py:41-41", "src/cart.py", "41"),
        ("src/cart.py:after-40", "src/cart.py", "after 40"),
        ("a:b.py:deleted", "a:b.py", "deleted"),
        ("pyproject.toml:whole", "pyproject.toml", "whole"),
    ],
)
def test_a_hunk_is_a_path_and_lines(hunk: str, path: str, lines: str) -> None:
    told = culprit(HunkId(hunk))

    assert (path, lines) == (told.path, told.lines)
