"""Which settings a project without a configuration gets."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.names import RepoPath, SuiteName
from fairtrial.domain.settings import Settings, SuiteSettings
from fairtrial.settings.suites import RUNNERS

SOURCE: Final = "detected"

_MARKS: Final = frozenset({"conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml"})


def _looks_like_pytest(path: RepoPath) -> bool:
    name = PurePosixPath(path).name
    return name in _MARKS or (
        name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))
    )


def detect(paths: Collection[RepoPath]) -> Settings | None:
    """One suite for a project that looks like pytest's; none where nothing does.

    How its bench is prepared and built stays open: the runner finds that out.
    """
    if not any(_looks_like_pytest(path) for path in paths):
        return None
    suite = SuiteSettings(
        name=SuiteName("pytest"), runner="pytest", command=RUNNERS["pytest"]
    )
    return Settings(source=SOURCE, suites=(suite,))
