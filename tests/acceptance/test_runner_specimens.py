"""Every specimen of every runner, whole: the real tool, a real bench, the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest
from specimens import FOLDER, build
from tests.acceptance.test_specimens import compare, gate
from tests.runners.played import has
from tests.runners.test_selectors import TOOLS

from fairtrial.runners import RUNNERS

#: Below `specimens`, a folder a runner.
ALL = [
    f"{runner}/{path.stem}"
    for runner in sorted(RUNNERS)
    for path in sorted((FOLDER / runner).glob("*.txt"))
]
#: Judged in the complete tier; the others, with these, by `.ci/run matrix`, which takes
#: about an hour on two cores.
COMPLETE_TIER = {"regression", "production_leak", "test_build_failure"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name,
            marks=pytest.mark.slow
            if name.partition("/")[2] in COMPLETE_TIER
            else pytest.mark.matrix,
        )
        for name in ALL
    ],
)
@pytest.mark.timeout(1000)
def test_each_runners_specimen_gets_its_verdict(name: str, tmp_path: Path) -> None:
    lacking = [tool for tool in TOOLS.get(name.partition("/")[0], ()) if not has(tool)]
    if lacking:
        pytest.skip(f"there is no {lacking[0]} on this machine")
    built = build(name, tmp_path)

    exit_code, report, printed = gate(built, tmp_path / "report", timeout=900)

    compare(name, report, exit_code, printed)
