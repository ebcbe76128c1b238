"""Every specimen of every runner, whole: the real tool, a real bench, the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest
from specimens import FOLDER, build
from tests.acceptance.test_specimens import compare, gate

from fairtrial.runners import RUNNERS

#: Below `specimens`, a folder a runner.
ALL = [
    f"{runner}/{path.stem}"
    for runner in sorted(RUNNERS)
    for path in sorted((FOLDER / runner).glob("*.txt"))
]


@pytest.mark.slow
@pytest.mark.timeout(1000)
@pytest.mark.parametrize("name", ALL)
def test_each_runners_specimen_gets_its_verdict(name: str, tmp_path: Path) -> None:
    built = build(name, tmp_path)

    exit_code, report, printed = gate(built, tmp_path / "report", timeout=900)

    compare(name, report, exit_code, printed)
