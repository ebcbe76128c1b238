"""Which paths are tests by a name only, although they are not: they ship.

A name such as `load_test.py`, or a folder called `testdata`, may as well be part of a
package. Loaders that compute a module's name can't be followed, so what counts is what
the file holds, or who writes its name down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.names import RepoPath

_TEST_FOLDERS: Final = frozenset({"test", "tests"})
#: Anything that a runner could collect, in whatever way it is indented.
_TEST: Final = re.compile(
    rb"^\s*(?:async\s+)?def\s+\w*test|^\s*class\s+\w*Test|TestCase|unittest|>>> ",
    re.MULTILINE | re.IGNORECASE,
)


def by_name_only(path: RepoPath) -> bool:
    """Whether no folder of tests holds it."""
    return not _TEST_FOLDERS & set(PurePosixPath(path).parts[:-1])


def ships_as_module(path: RepoPath, sources: Iterable[bytes]) -> bool:
    """Whether a module that is a test by its name holds none, on one of its sides."""
    name = PurePosixPath(path).name
    if not by_name_only(path) or not name.endswith(".py") or name == "conftest.py":
        return False
    return any(_TEST.search(source) is None for source in sources)


def named_by_production(
    path: RepoPath, production: Mapping[RepoPath, bytes]
) -> RepoPath | None:
    """A production file that names this data file and its folder; None: none does."""
    pure = PurePosixPath(path)
    if not by_name_only(path) or not pure.parent.name:
        return None
    names = (pure.name.encode(), pure.parent.name.encode())
    return next(
        (at for at, text in production.items() if all(each in text for each in names)),
        None,
    )
