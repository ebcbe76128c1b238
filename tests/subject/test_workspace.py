from __future__ import annotations

from pathlib import Path

import pytest
from tests.subject.repositories import repository

from fairtrial.domain.errors import ConfigurationError
from fairtrial.subject.workspace import open_repository

JOB = {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request"}


def test_an_empty_workspace_names_both_causes(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        open_repository(tmp_path, JOB)

    said = caught.value.diagnostics()
    assert "The workspace is empty." in said
    assert "checkout step is missing" in said
    assert "runner itself runs in a container" in said


def test_a_workspace_with_files_and_no_git_names_the_checkout(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(ConfigurationError, match="no git repository") as caught:
        open_repository(tmp_path, JOB)
    assert "actions/checkout" in caught.value.diagnostics()


def test_a_folder_outside_any_repository_is_told_on_a_laptop(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no git repository") as caught:
        open_repository(tmp_path, {})
    assert "--repo" in caught.value.diagnostics()


def test_a_folder_inside_a_repository_opens_it(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    inside = repo.path / "deep"
    inside.mkdir()

    with open_repository(inside, {}) as git:
        assert repo.path.resolve() == git.top


@pytest.mark.parametrize(
    "section",
    [
        '[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic eDp5\n',
        (
            '[includeIf "gitdir:/github/workspace/.git"]\n'
            "\tpath = /github/runner_temp/git-credentials-1.config\n"
        ),
    ],
)
def test_a_token_in_the_repositorys_configuration_stops_a_job(
    tmp_path: Path, section: str
) -> None:
    repo = repository(tmp_path / "repo")
    with (repo.path / ".git" / "config").open("a") as config:
        config.write(section)

    with pytest.raises(ConfigurationError, match=r"`\.git/config`") as caught:
        open_repository(repo.path, JOB)
    assert "persist-credentials: false" in caught.value.diagnostics()
    assert "eDp5" not in caught.value.diagnostics()
    open_repository(repo.path, {}).close()


def test_a_token_in_the_jobs_temporary_folder_stops_it(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    temp = tmp_path / "temp"
    temp.mkdir()
    environ = {**JOB, "RUNNER_TEMP": str(temp)}
    open_repository(repo.path, environ).close()
    (temp / "git-credentials-1.config").touch()

    with pytest.raises(ConfigurationError, match="RUNNER_TEMP"):
        open_repository(repo.path, environ)
