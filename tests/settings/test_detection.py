from __future__ import annotations

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.settings import detect


@pytest.mark.parametrize(
    "path", ["tests/test_a.py", "pkg/a_test.py", "conftest.py", "pytest.ini"]
)
def test_a_project_that_looks_like_pytests_gets_one_open_suite(path: str) -> None:
    settings = detect([RepoPath("src/app.py"), RepoPath(path)])

    assert settings is not None
    (suite,) = settings.suites
    assert "detected" == settings.source
    assert ("pytest", "pytest", None, None) == (
        suite.runner,
        suite.command,
        suite.prepare,
        suite.build,
    )


def test_nothing_is_made_up_for_another_project() -> None:
    paths = ["src/app.py", "test_a.txt", "latest.py", "tests/data.json"]

    assert detect([RepoPath(path) for path in paths]) is None
