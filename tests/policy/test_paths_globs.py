from __future__ import annotations

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.policy.paths_globs import first_match, matches


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.md", "README.md"),
        ("*.md", "docs/deep/README.md"),
        ("conftest.py", "a/b/conftest.py"),
        ("tests/**", "tests/test_a.py"),
        ("tests/**", "tests/a/b.txt"),
        ("tests/", "tests/a/b.txt"),
        ("/setup.cfg", "setup.cfg"),
        ("**/migrations/**", "migrations/0001.py"),
        ("**/migrations/**", "shop/migrations/0001.py"),
        ("src/*/a?.py", "src/pkg/ab.py"),
        ("src/[id]/page.py", "src/[id]/page.py"),
        ("**", "anything/at/all"),
    ],
)
def test_a_pattern_describes_a_path(pattern: str, path: str) -> None:
    assert matches(pattern, RepoPath(path))


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("tests/**", "latests/a.py"),
        ("tests/**", "src/tests/a.py"),
        ("tests/**", "tests"),
        ("test_*.py", "latest_a.py"),
        ("test_*.py", "test_a/b.py"),
        ("/setup.cfg", "sub/setup.cfg"),
        ("src/*.py", "src/a/b.py"),
        ("src/[id].py", "src/i.py"),
        ("a.py", "axpy"),
        ("*.py", "a.py\n"),
    ],
)
def test_a_pattern_does_not_describe_a_path(pattern: str, path: str) -> None:
    assert not matches(pattern, RepoPath(path))


def test_the_first_matching_pattern_is_named() -> None:
    path = RepoPath("tests/a.py")

    assert "*.py" == first_match(["*.md", "*.py", "tests/**"], path)
    assert first_match(["*.md"], path) is None
