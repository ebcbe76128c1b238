"""In which folders of a tree a Python project with tests of its own lies."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

from fairtrial.domain.names import RepoPath

_MANIFESTS: Final = frozenset(
    {
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "requirements.txt",
        "Pipfile",
        "pytest.ini",
        "tox.ini",
    }
)


def projects(
    paths: Collection[RepoPath], is_test: Callable[[RepoPath], bool]
) -> Mapping[str, RepoPath]:
    """The first test by folder: "" alone where the whole tree is one project.

    It is several only where each test lies below a folder with a manifest and the root
    has none; of manifests above each other the outermost counts.
    """
    tests = sorted(path for path in paths if is_test(path))
    tops = {path.rpartition("/")[0] for path in paths if _is_manifest(path)}
    found: dict[str, RepoPath] = {}
    for test in tests:
        parts = test.split("/")[:-1]
        above = ("/".join(parts[:count]) for count in range(len(parts) + 1))
        found.setdefault(next((each for each in above if each in tops), ""), test)
    if "" in found:
        return {"": tests[0]}
    return found


def name_in(runner: str, folder: str) -> str:
    """What a suite of a folder is called: at most 64 letters, digits and marks."""
    return "-".join((runner, *re.findall(r"[A-Za-z0-9._]+", folder)))[:64]


def _is_manifest(path: RepoPath) -> bool:
    return path.rpartition("/")[2] in _MANIFESTS
