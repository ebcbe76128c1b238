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
