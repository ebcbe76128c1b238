from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial.benches.here import HereBench, HereOptions, premises


@pytest.fixture
def options(tmp_path: Path) -> Iterator[HereOptions]:
    options = HereOptions(scratch=tmp_path, cache=tmp_path / "cache", environ={})
    yield options
    # The next run takes what the interrupted one left.
    HereBench(options).close()
    assert not [path for path in tmp_path.iterdir() if path.name != "cache"]


def test_a_bench_whose_closing_was_interrupted_can_be_closed_again(
    options: HereOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = HereBench(options)

    def interrupted(path: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(premises, "remove_tree", interrupted)
        with pytest.raises(KeyboardInterrupt):
            bench.close()

    bench.close()
