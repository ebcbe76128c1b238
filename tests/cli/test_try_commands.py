"""The commands that try and do not judge, on a real repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from specimens import Built, build


def fairtrial(built: Built, command: str, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "fairtrial",
            command,
            f"--repo={built.path}",
            f"--base={built.base}",
            f"--head={built.head}",
            "--bench=here",
            *words,
        ],
        check=False,
        capture_output=True,
        text=True,
        timeout=200,
    )
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def regression(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build("regression", tmp_path_factory.mktemp("alone"))


def test_run_ends_with_the_suites_own_exit_code(regression: Built) -> None:
    code, printed = fairtrial(regression, "run")

    assert code == 1
    assert "3 passed, 1 failed" in printed
    assert "tests/test_cart.py::test_total_discount" in printed


def test_run_of_a_test_that_there_is_not_ran_nothing(regression: Built) -> None:
    code, _ = fairtrial(regression, "run", "tests/test_cart.py::test_nothing")

    assert code == 4


def test_run_of_one_test_passes(regression: Built) -> None:
    code, printed = fairtrial(regression, "run", "tests/test_cart.py::test_count")

    assert (0, "suite pytest: 1 passed\n") == (code, printed)


def test_alone_tells_a_failure_each_time(regression: Built) -> None:
    test = "tests/test_cart.py::test_total_discount"
    code, printed = fairtrial(regression, "alone", test, "-n", "2")

    assert code == 10
    assert printed.count("failed: AssertionError") == 2


def test_alone_tells_a_pass(regression: Built) -> None:
    code, printed = fairtrial(regression, "alone", "tests/test_cart.py::test_total")

    assert (0, "passed\n") == (code, printed)


def test_alone_without_a_receipt_is_neither(regression: Built) -> None:
    code, printed = fairtrial(regression, "alone", "tests/test_cart.py::test_nothing")

    assert code == 11
    assert "no such test" in printed


def test_polluter_names_the_polluter(tmp_path: Path) -> None:
    built = build("old_contamination", tmp_path)

    code, printed = fairtrial(built, "polluter", "tests/test_b_state.py::test_empty")

    assert code == 0
    assert "  tests/test_a_orders.py::test_first_order\n" in printed


@pytest.mark.slow
def test_polluter_names_the_setter_of_a_brittle_test(tmp_path: Path) -> None:
    built = build("old_brittle", tmp_path)

    code, printed = fairtrial(
        built, "polluter", "tests/test_a_login.py::test_b_profile"
    )

    assert code == 0
    assert "  tests/test_a_login.py::test_a_login\n" in printed


@pytest.mark.slow
def test_polluter_of_a_sound_test_finds_none(regression: Built) -> None:
    code, printed = fairtrial(regression, "polluter", "tests/test_cart.py::test_total")

    assert code == 11
    assert "No polluter" in printed


def test_explain_paths_gives_each_path_its_class_and_reason(
    regression: Built,
) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "fairtrial",
            "explain",
            "--paths",
            f"--repo={regression.path}",
            f"--base={regression.base}",
        ],
        check=True,
        capture_output=True,
        text=True,
    )

    assert done.stdout.startswith("production   modified src/cart.py   (")


def test_doctor_says_which_levels_are_reached() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fairtrial", "doctor"],
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0
    for level in ("files", "user", "network", "memory", "processes"):
        assert f"\n  {level}" in done.stdout
