"""When a trial's tests ran, in the time of day that files and rows are stamped with."""

from __future__ import annotations

import time
from pathlib import Path

from tests.runners.specimen import Specimen, outcomes

from fairtrial.domain.names import TestId

#: The kernel stamps files with a clock that steps 250 times a second, at least.
STEP = 0.011


def test_a_file_that_a_test_makes_is_as_old_as_the_test(tmp_path: Path) -> None:
    specimen = Specimen(folder=tmp_path)
    specimen.write(
        {
            "test_a.py": """
                import time

                def test_clocks_are_turned():
                    time.time = time.monotonic = lambda: 1.0

                def test_writes():
                    time.sleep(0.05)
                    open("left.txt", "w").close()
                    time.sleep(0.05)

                def test_later():
                    pass
            """
        }
    )
    begun = time.time()
    result = specimen.whole("python -m pytest -q -p no:cacheprovider")
    ended = time.time()
    expected = dict.fromkeys(
        (
            "test_a.py::test_clocks_are_turned",
            "test_a.py::test_writes",
            "test_a.py::test_later",
        ),
        "passed",
    )
    assert expected == outcomes(result)
    assert begun <= result.epoch <= ended
    changed = (specimen.workspace / "left.txt").stat().st_ctime - result.epoch
    started = {test: each.started for test, each in result.results.items()}
    writes, later = (
        started[TestId(f"test_a.py::test_{each}")] for each in ("writes", "later")
    )
    assert writes - STEP <= changed < later
