from __future__ import annotations

import os
from pathlib import Path

import pytest

from fairtrial.action.command_files import CommandFiles, give_to_owner_of
from fairtrial.action.isolation import forget_secrets, trust_repository
from fairtrial.action.place import folder_inside, remove_old_reports
from fairtrial.domain.errors import ConfigurationError


def test_a_report_lies_in_the_workspace(tmp_path: Path) -> None:
    assert tmp_path / "a/b" == folder_inside(tmp_path, "a/b", by="repo")
    assert tmp_path / "a" == folder_inside(tmp_path, str(tmp_path / "a"), by="repo")
    assert tmp_path == folder_inside(tmp_path, ".", by="repo")


@pytest.mark.parametrize("named", ["/tmp", "../out", "a/../../b", ".git", ".git/hooks"])
def test_a_report_lies_nowhere_else(tmp_path: Path, named: str) -> None:
    with pytest.raises(ConfigurationError, match="outside the workspace"):
        folder_inside(tmp_path, named, by="report-dir")


def test_a_link_that_the_change_brings_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/report").symlink_to("/tmp")

    with pytest.raises(ConfigurationError, match="symbolic link"):
        folder_inside(tmp_path, "deep/report/today", by="report-dir")


def test_a_report_that_the_change_brings_is_removed(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text('{"decision": "pass"}')
    (tmp_path / "other.json").write_text("kept")

    remove_old_reports(tmp_path)

    assert [tmp_path / "other.json"] == list(tmp_path.iterdir())


def test_what_others_wrote_to_the_runners_files_is_taken_back(tmp_path: Path) -> None:
    output, env = tmp_path / "output", tmp_path / "env"
    output.write_text("before=1\n")
    env.touch()
    files = CommandFiles.at_start(
        {"GITHUB_OUTPUT": str(output), "GITHUB_ENV": str(env)}
    )
    output.write_text("before=1\ndecision=pass\n")

    assert ("GITHUB_OUTPUT",) == files.take_back()

    assert "before=1\n" == output.read_text()
    assert () == files.take_back()


def test_a_file_replaced_by_a_link_is_taken_back_without_following_it(
    tmp_path: Path,
) -> None:
    output, precious = tmp_path / "output", tmp_path / "precious"
    output.touch()
    precious.write_text("keep me")
    files = CommandFiles.at_start({"GITHUB_OUTPUT": str(output)})
    output.unlink()
    output.symlink_to(precious)

    assert ("GITHUB_OUTPUT",) == files.take_back()

    assert "keep me" == precious.read_text()
    assert output.read_text() == ""
    assert not output.is_symlink()


def test_secrets_leave_the_environment_and_the_rest_stays() -> None:
    environ = {
        "INPUT_GITHUB-TOKEN": "t",
        "ACTIONS_RUNTIME_TOKEN": "t",
        "STATE_x": "t",
        "GH_TOKEN": "t",
        "GITHUB_TOKEN": "t",
        "GITHUB_OUTPUT": "/o",
        "GITHUB_ACTIONS": "true",
        "PATH": "/bin",
    }

    forget_secrets(environ, ("GITHUB_OUTPUT",))

    assert {"GITHUB_ACTIONS": "true", "PATH": "/bin"} == environ


def test_git_settings_from_the_environment_are_added_to() -> None:
    environ = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "a.b"}

    trust_repository(environ, Path("/w"))

    assert "2" == environ["GIT_CONFIG_COUNT"]
    assert "a.b" == environ["GIT_CONFIG_KEY_0"]
    assert ("safe.directory", "/w") == (
        environ["GIT_CONFIG_KEY_1"],
        environ["GIT_CONFIG_VALUE_1"],
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_was_written_belongs_to_the_workspaces_owner(tmp_path: Path) -> None:
    os.chown(tmp_path, 1001, 1002)
    report = tmp_path / "deep/report"
    report.mkdir(parents=True)
    (report / "report.json").touch()
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.touch()
    (report / "link").symlink_to(outside)

    give_to_owner_of(tmp_path, report)

    for path in (report, tmp_path / "deep", report / "report.json", report / "link"):
        assert (1001, 1002) == (path.lstat().st_uid, path.lstat().st_gid)
    assert 0 == outside.stat().st_uid
