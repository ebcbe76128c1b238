"""Which folders of a tree are Python projects with suites of their own."""

from __future__ import annotations

import re

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent
from fairtrial.runners import pytest as runner
from fairtrial.runners.python.claims import claim_of
from fairtrial.runners.python.projects import name_in

MONOREPO = [
    "api/pyproject.toml",
    "api/tests/test_a.py",
    "web/setup.py",
    "web/test_b.py",
]


def folders(paths: list[str]) -> list[tuple[str, str]]:
    found = runner.detect([RepoPath(path) for path in paths], lambda _: "")
    return [(each.name, each.folder) for each in found]


def test_each_project_of_a_monorepo_is_a_suite() -> None:
    assert [("pytest-api", "api"), ("pytest-web", "web")] == folders(MONOREPO)


@pytest.mark.parametrize(
    "more",
    [
        pytest.param(["pyproject.toml", "tests/test_c.py"], id="a project at the root"),
        pytest.param(["conftest.py"], id="what all share"),
        pytest.param(["tools/test_c.py"], id="tests of no project"),
    ],
)
def test_a_tree_with_tests_that_no_folder_has_is_one_suite(more: list[str]) -> None:
    assert [("pytest", "")] == folders([*MONOREPO, *more])


def test_the_outermost_manifest_counts() -> None:
    paths = ["api/setup.py", "api/tests/requirements.txt", "api/tests/test_a.py"]

    assert [("pytest-api", "api")] == folders(paths)


def test_a_tree_without_tests_has_none() -> None:
    assert [] == folders(["pyproject.toml", "src/a.py"])


@pytest.mark.parametrize("folder", ["a b/\n", "ä", "x" * 200, "a/../b", "-"])
def test_a_name_is_one_that_the_configuration_takes(folder: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", name_in("pytest", folder))


def test_what_a_project_demands_is_read_in_its_folder() -> None:
    files = {
        RepoPath(path): FileContent(mode=0o100644, data=text.encode())
        for path, text in {
            "requirements.txt": "not-this\n",
            "api/requirements.txt": "this\n",
            "api/tests/test_a.py": "",
        }.items()
    }

    setup = runner.setup(files, "api", None)

    assert {"api/requirements.txt", "api/.fairtrial-requirements.txt"} == set(
        setup.prepare_files
    )
    assert b"this\n" == setup.prepare_files[RepoPath("api/requirements.txt")].data


def test_a_folder_of_djangos_is_quoted_for_the_shell() -> None:
    paths = [RepoPath(f"a b$(x)/{name}") for name in ("manage.py", "tests.py")]

    claim = claim_of(paths, lambda _: "import django\n")

    assert claim is not None
    assert "cd 'a b$(x)' && python manage.py test" == claim.command
