"""The guard's lines in a conftest: what they stop, what they let pass, what stays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.paths import PathClass
from fairtrial.pipeline.guarding import Guard, GuardState
from fairtrial.trees.splitters import conftest

TEST = "def test_one():\n    assert True\n\n\ndef test_two():\n    assert True\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_shop.py").write_text(TEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def run_pytest(
    folder: Path, *words: str, env: dict[str, str] | None = None
) -> tuple[int, str]:
    """A bare pytest, as an IDE or a person starts it."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("FAIRTRIAL")}
    inherited.pop("PYTEST_ADDOPTS", None)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words],
        cwd=folder,
        env={**inherited, **(env or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_bare_run_fails_with_one_sentence_that_says_what_to_run(
    project: Path,
) -> None:
    assert Guard(repo=project).install()

    code, said = run_pytest(project, "-q", "tests/test_shop.py::test_one")

    assert pytest.ExitCode.USAGE_ERROR == code
    assert said.strip() == (
        "ERROR: this project's tests run through Fairtrial, the same for everyone:"
        " run `fairtrial run tests/test_shop.py::test_one` instead."
    )


def test_the_sentence_names_tests_as_the_repository_does_wherever_it_is_started(
    project: Path,
) -> None:
    Guard(repo=project).install()

    _, within = run_pytest(project / "tests", "test_shop.py::test_one")
    _, absolute = run_pytest(project, f"{project}/tests/test_shop.py::test_two")
    _, spaced = run_pytest(project, "tests/test_shop.py::test_a[x y]")
    _, folder = run_pytest(project, "-c", "pytest.ini", "tests", "-k", "one")
    _, whole = run_pytest(project, "-k", "one")
    _, here = run_pytest(project, ".")

    assert "`fairtrial run tests/test_shop.py::test_one`" in within
    assert "`fairtrial run tests/test_shop.py::test_two`" in absolute
    assert "`fairtrial run 'tests/test_shop.py::test_a[x y]'`" in spaced
    assert "`fairtrial run tests` instead" in folder
    assert "`fairtrial run` instead" in whole
    assert "`fairtrial run` instead" in here


def test_a_trial_passes_it_and_so_do_workers_and_what_tests_start(
    project: Path,
) -> None:
    Guard(repo=project).install()
    sanctioned = {"FAIRTRIAL_RUN": "1"}

    assert run_pytest(project, "-q", env=sanctioned)[0] == 0
    assert run_pytest(project, "-q", "-n1", env=sanctioned)[0] == 0


@pytest.mark.parametrize(
    "words", [("--collect-only",), ("--help",), ("--fixtures",), ("--markers",)]
)
def test_what_only_shows_something_is_let_pass(
    project: Path, words: tuple[str, ...]
) -> None:
    Guard(repo=project).install()

    assert run_pytest(project, *words)[0] == 0


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"import pytest\n",
        b"import pytest",
        b"import pytest\r\n\r\n\r\nX = 1\r\n",
        b"X = 1\r\nY = 2",
        b"X = 1\n\n\n\n",
        b"# -*- coding: latin-1 -*-\nX = '\xe9'\n",
    ],
)
def test_remove_takes_away_exactly_what_install_wrote(
    tmp_path: Path, text: bytes
) -> None:
    path = tmp_path / "conftest.py"
    guard = Guard(repo=tmp_path)
    if text:
        path.write_bytes(text)

    assert guard.install()
    assert GuardState.STANDS is guard.state()
    once = path.read_bytes()
    assert not guard.install()
    assert once == path.read_bytes()
    assert guard.remove()
    assert GuardState.ABSENT is guard.state()
    assert not guard.remove()
    assert (path.read_bytes() if path.exists() else b"") == text


def test_a_hook_of_the_project_of_the_same_name_goes_on_working(project: Path) -> None:
    (project / "conftest.py").write_text(
        "def pytest_cmdline_main(config):\n    print('the project was asked')\n"
    )
    Guard(repo=project).install()

    code, said = run_pytest(project, "-q", env={"FAIRTRIAL_RUN": "1"})

    assert code == 0
    assert "the project was asked" in said


def test_an_older_guard_is_replaced_and_what_follows_it_stays(tmp_path: Path) -> None:
    guard = Guard(repo=tmp_path)
    path = tmp_path / "conftest.py"
    path.write_text("X = 1\n")
    guard.install()
    path.write_text(path.read_text().replace("fairtrial run", "x") + "Y = 2\n")
    path.write_text(path.read_text().replace('"fairtrial", "run"', '"old"'))

    assert GuardState.DIFFERS is guard.state()
    assert guard.install()
    assert GuardState.STANDS is guard.state()
    guard.remove()
    assert path.read_text() == "X = 1\nY = 2\n"


@pytest.mark.parametrize("lost", ["# <<< fairtrial guard <<<\n", "# >>> fairtrial"])
def test_markers_that_make_no_sense_are_told_and_nothing_is_written(
    tmp_path: Path, lost: str
) -> None:
    guard = Guard(repo=tmp_path)
    path = tmp_path / "conftest.py"
    guard.install()
    broken = path.read_text().replace(lost, "")
    path.write_text(broken)

    for ask in (guard.install, guard.remove, guard.state):
        with pytest.raises(ConfigurationError, match="markers of the guard"):
            ask()
    assert broken == path.read_text()


def test_a_guard_in_a_folder_names_tests_from_the_repository(project: Path) -> None:
    backend = project / "backend"
    backend.mkdir()
    (backend / "pytest.ini").write_text("[pytest]\n")
    (backend / "test_it.py").write_text(TEST)
    Guard(repo=project, conftest=PurePosixPath("backend/conftest.py")).install()

    _, said = run_pytest(backend, "test_it.py::test_one")

    assert "`fairtrial run backend/test_it.py::test_one`" in said


def test_the_guard_is_control_and_stays_so_beside_another_sides_tests(
    tmp_path: Path,
) -> None:
    path = tmp_path / "conftest.py"
    path.write_text("import pytest\n\n\n@pytest.fixture\ndef cart():\n    return []\n")
    head = path.read_text()
    Guard(repo=tmp_path).install()
    base = path.read_text()
    weakened = base.replace('"FAIRTRIAL_RUN" in', '"PATH" in')

    def part(text: str) -> object:
        return conftest.parts(text)[PathClass.CONTROL]

    assert part(base) != part(head)
    assert part(base) != part(weakened)
    composed = conftest.compose(lambda one: base if one is PathClass.CONTROL else head)
    path.write_text(composed)
    assert run_pytest(tmp_path, "-q")[0] == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize(
    ("name", "text", "anchored"),
    [
        ("pytest.ini", "", True),
        ("pyproject.toml", "[tool.pytest.ini_options]\n", True),
        ("pyproject.toml", "[project]\n", False),
        ("README.md", "", False),
    ],
)
def test_what_makes_a_folder_pytests_root(
    tmp_path: Path, name: str, text: str, anchored: bool
) -> None:
    (tmp_path / name).write_text(text)

    assert anchored is Guard(repo=tmp_path).is_anchored
