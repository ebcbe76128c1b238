from __future__ import annotations

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.subject.detected import detect


def _nothing(path: RepoPath) -> str:
    raise AssertionError(path)


@pytest.mark.parametrize(
    "path", ["tests/test_a.py", "pkg/a_test.py", "conftest.py", "pytest.ini"]
)
def test_a_project_that_looks_like_pytests_gets_one_open_suite(path: str) -> None:
    found = detect([RepoPath("src/app.py"), RepoPath(path)], _nothing)

    assert found is not None
    settings, notices = found
    (suite,) = settings.suites
    assert "detected" == settings.source
    assert ("pytest", "pytest", None, None) == (
        suite.runner,
        suite.command,
        suite.prepare,
        suite.build,
    )
    assert ("No configuration: one pytest suite was detected.",) == notices


def test_nothing_is_made_up_for_another_project() -> None:
    paths = ["src/app.py", "test_a.txt", "latest.py", "tests/data.json"]

    assert detect([RepoPath(path) for path in paths], _nothing) is None


def test_suites_of_folders_that_read_alike_keep_names_of_their_own() -> None:
    paths = ["a-b/pom.xml", "a-b/src/test/java/ATest.java"]
    paths += ["a/b/pom.xml", "a/b/src/test/java/ATest.java"]

    found = detect([RepoPath(path) for path in paths], lambda _: "")

    assert found is not None
    names = [suite.name for suite in found[0].suites]
    assert ["maven-a-b", "maven-a-b-2"] == names
