"""Plugins that projects use: no retry, shuffle or threshold reaches a verdict."""

from __future__ import annotations

import pytest
from tests.runners.specimen import Specimen, failure, outcomes, the

from fairtrial.domain.results import Outcome

pytestmark = pytest.mark.slow


def test_retries_are_off(equipped: Specimen) -> None:
    equipped.write(
        {
            "pytest.ini": "[pytest]\naddopts = --reruns 3 --strict-markers\n",
            "test_a.py": """
                import pytest
                state = []
                def test_option():
                    state.append(1)
                    assert len(state) > 1
                @pytest.mark.flaky(reruns=5)
                def test_mark():
                    state.append(1)
                    assert len(state) > 2
            """,
        }
    )

    for command in ("python -m pytest", "python -m pytest -n 2"):
        result = equipped.whole(command)

        assert ["failed", "failed"] == list(outcomes(result).values())


def test_flakys_decorator_repeats_nothing(equipped: Specimen) -> None:
    if equipped.name != "pytest8":
        equipped.write({"flaky.py": "def flaky(test): return test\n"})
    equipped.write(
        {
            "test_a.py": """
                from flaky import flaky
                state = []
                @flaky
                def test_a():
                    state.append(1)
                    assert len(state) > 1
            """
        }
    )

    assert {"test_a.py::test_a": "failed"} == outcomes(equipped.whole())


def test_shuffles_are_off(equipped: Specimen) -> None:
    names = [f"test_{n}" for n in range(30)]
    equipped.write({"test_a.py": "\n".join(f"def {n}(): pass" for n in names)})
    more = " --random-order --reverse" if equipped.name == "pytest8" else ""

    result = equipped.whole(f"python -m pytest{more}")

    assert [f"test_a.py::{name}" for name in names] == list(result.orders["main"])
    assert 30 == len(outcomes(result))


def test_a_seed_that_the_project_names_stays_and_no_other(equipped: Specimen) -> None:
    equipped.write(
        {"test_a.py": "import random\ndef test_a(): raise OSError(random.random())\n"}
    )

    def drawn(command: str) -> str:
        return failure(equipped.whole(command), "test_a.py::test_a").message

    named = "python -m pytest -p randomly --randomly-seed=7"
    assert drawn(named) == drawn(named)
    assert drawn("python -m pytest") != drawn("python -m pytest")


@pytest.mark.parametrize("where", ["addopts", "coveragerc"])
def test_a_coverage_threshold_counts_in_the_suite_trial_only(
    equipped: Specimen, where: str
) -> None:
    option = "--cov-fail-under=100" if where == "addopts" else ""
    rule = "[report]\nfail_under = 100\n" if where == "coveragerc" else ""
    equipped.write(
        {
            "pytest.ini": f"[pytest]\naddopts = --cov=cart {option}\n",
            ".coveragerc": rule,
            "cart.py": "def a():\n    return 1\ndef b():\n    return 2\n",
            "test_a.py": "import cart\ndef test_a(): assert cart.a() == 1\n",
        }
    )

    suite = equipped.whole(thresholds=True)
    code = equipped.output.code
    replay = equipped.whole()
    alone = equipped.alone("test_a.py::test_a")

    assert {"test_a.py::test_a": "passed"} == outcomes(suite)
    assert 1 == code
    assert ("the coverage threshold was missed: 75 of 100 percent",) == suite.notices
    for result in (replay, alone):
        the(result, "test_a.py::test_a", Outcome.PASSED)
        assert () == result.notices
    assert 0 == equipped.output.code
