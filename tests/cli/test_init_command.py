"""`fairtrial init` on real repositories: what it writes, and what it never touches."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from specimens import commit, git
from tests.pipeline.starting import (
    CONFIGURATION,
    PROJECTS,
    WORKFLOW,
    init,
    repository,
    under,
)

from fairtrial.cli import main
from fairtrial.domain.errors import ExitCode


def gate(folder: Path, *more: str) -> tuple[int, str]:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "fairtrial",
            "gate",
            f"--repo={folder}",
            "--bench=here",
            f"--report-dir={folder.parent / 'report'}",
            *more,
        ],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
        timeout=280,
    )
    return done.returncode, done.stdout + done.stderr


def both(folder: Path) -> tuple[str, str]:
    return (folder / CONFIGURATION).read_text(), (folder / WORKFLOW).read_text()


def test_both_files_are_written_and_a_second_call_changes_nothing(
    tmp_path: Path,
) -> None:
    folder = repository(tmp_path / "it", PROJECTS["pytest"])
    inside = folder / "tests"

    first, written = init(inside), both(folder)
    second = init(folder)

    assert (ExitCode.PASS, ExitCode.PASS) == (first.code, second.code)
    assert f"{CONFIGURATION}: written, with pytest" in first.out
    assert "Commit them to the default branch" in first.out
    assert f"{WORKFLOW}: stands already." in second.out
    assert written == both(folder)


def test_what_was_written_once_is_no_reason_to_write_it_otherwise(
    tmp_path: Path,
) -> None:
    folder = repository(tmp_path / "it", PROJECTS["mocha"])
    init(folder)
    commit(folder, {}, "Set up")

    again = init(folder)

    assert (ExitCode.PASS, 2) == (again.code, again.out.count("stands already"))


def test_print_shows_both_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = repository(tmp_path / "it", PROJECTS["pytest"])

    code = main(["init", f"--repo={folder}", "--print"])

    shown = capsys.readouterr().out
    assert ExitCode.PASS == code
    assert "" == git(folder, "status", "--short")
    main(["init", f"--repo={folder}"])
    configuration, workflow = both(folder)
    expected = f"# --- {CONFIGURATION}\n{configuration}# --- {WORKFLOW}\n{workflow}"
    assert expected == shown


@pytest.mark.parametrize("path", [CONFIGURATION, ".fairtrial.yaml", WORKFLOW])
def test_a_file_that_is_there_is_left_and_told(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = "suites: {mine: {command: python -m pytest}}\n"
    folder = repository(tmp_path / "it", {**PROJECTS["pytest"], path: own})

    code = main(["init", f"--repo={folder}"])

    told = capsys.readouterr().out
    assert ExitCode.REPAIR == code
    assert own == (folder / path).read_text()
    assert f"{path}: left as it is" in told
    assert "move the file away" in told
    assert 1 == len(list(folder.glob(".fairtrial.y*ml")))
    assert (folder / WORKFLOW).exists()


@pytest.mark.parametrize("target", ["../outside", "nowhere", "README.md"])
def test_a_link_where_a_file_would_be_is_not_followed(
    target: str, tmp_path: Path
) -> None:
    folder = repository(tmp_path / "it", {**PROJECTS["pytest"], "README.md": "Hi.\n"})
    (folder / CONFIGURATION).symlink_to(target)

    told = init(folder)

    assert ExitCode.CONFIGURATION == told.code
    assert "no regular file" in told.err
    assert not (tmp_path / "outside").exists()
    assert not (folder / "nowhere").exists()
    assert "Hi.\n" == (folder / "README.md").read_text()
    assert not (folder / WORKFLOW).exists()


@pytest.mark.parametrize("link", [".github", ".github/workflows"])
def test_nothing_is_written_through_a_folder_that_leads_out(
    link: str, tmp_path: Path
) -> None:
    folder = repository(tmp_path / "it", PROJECTS["pytest"])
    outside = tmp_path / "outside"
    outside.mkdir()
    (folder / link).parent.mkdir(exist_ok=True)
    (folder / link).symlink_to(outside)

    told = init(folder)

    assert ExitCode.CONFIGURATION == told.code
    assert "is a link" in told.err
    assert [] == list(outside.iterdir())
    assert not (folder / CONFIGURATION).exists()


def test_a_folder_where_the_file_would_be_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = repository(tmp_path / "it", PROJECTS["pytest"])
    (folder / CONFIGURATION).mkdir()

    assert ExitCode.REPAIR == main(["init", f"--repo={folder}"])
    assert f"{CONFIGURATION}: left as it is" in capsys.readouterr().out


def test_no_repository_is_one_clear_stop(tmp_path: Path) -> None:
    told = init(tmp_path)

    assert ExitCode.CONFIGURATION == told.code
    assert "no git repository" in told.err
    assert [] == list(tmp_path.iterdir())


def test_a_repository_without_a_suite_is_one_clear_stop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = repository(tmp_path / "it", {"README.md": ""})

    assert ExitCode.NOTHING_TO_JUDGE == main(["init", f"--repo={folder}"])
    assert "no suite of tests" in capsys.readouterr().err
    assert "" == git(folder, "status", "--short")


def test_a_repository_without_a_commit_gets_both(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "test_it.py").write_text("def test_it():\n    pass\n")

    assert ExitCode.PASS == main(["init", f"--repo={tmp_path}"])
    assert (tmp_path / CONFIGURATION).exists()


@pytest.mark.slow
def test_a_small_project_is_judged_by_what_was_written(tmp_path: Path) -> None:
    folder = repository(tmp_path / "it", PROJECTS["pytest"])
    assert ExitCode.PASS == init(folder).code

    # Before it is committed, beside a change that breaks something.
    broken = "def total(prices):\n    return 0\n"
    (folder / "cart.py").write_text(broken)
    code, printed = gate(folder, f"--config={folder / CONFIGURATION}")
    assert ExitCode.BLOCK == code, printed

    # And committed, as the base's own.
    (folder / "cart.py").write_text(PROJECTS["pytest"]["cart.py"])
    commit(folder, {}, "Set up")
    commit(folder, {"cart.py": broken}, "Change")
    code, printed = gate(folder, "--base=HEAD^", "--head=HEAD")
    assert ExitCode.BLOCK == code, printed
    assert "tests/test_cart.py::test_total" in printed


@pytest.mark.slow
def test_what_init_itself_writes_passes_the_gate(tmp_path: Path) -> None:
    folder = repository(tmp_path / "it", PROJECTS["pytest"])
    init(folder)

    code, printed = gate(folder)

    assert ExitCode.PASS == code, printed


@pytest.mark.slow
def test_both_suites_of_a_monorepo_are_judged(tmp_path: Path) -> None:
    project = {**PROJECTS["pytest"], "pyproject.toml": "", "pytest.ini": ""}
    project["pytest.ini"] = "[pytest]\npythonpath = .\n"
    files = {**under("api", project), **under("web app", project)}
    folder = repository(tmp_path / "it", files)
    assert ExitCode.PASS == init(folder).code
    commit(folder, {}, "Set up")
    commit(folder, {"web app/cart.py": "def total(prices):\n    return 0\n"}, "Change")

    code, printed = gate(folder, "--base=HEAD^", "--head=HEAD")

    assert ExitCode.BLOCK == code, printed
    assert "web app/tests/test_cart.py::test_total" in printed
    assert "suite pytest-api" in printed
