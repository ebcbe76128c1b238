"""Which of pytest, unittest and Django a tree's Python tests belong to.

pytest runs unittest's tests, too, so it has them unless the project's own files start
another one and nothing in them names pytest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.names import RepoPath
from fairtrial.runners.building.rebuilding import inside

#: Files that say how a project's tests are run.
_SAYING: Final = frozenset(
    {
        "Makefile",
        "Pipfile",
        "noxfile.py",
        "pyproject.toml",
        "runtests.sh",
        "setup.cfg",
        "setup.py",
        "tox.ini",
        ".travis.yml",
        ".gitlab-ci.yml",
    }
)
_PYTEST: Final = frozenset({"conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml"})
_MANIFESTS: Final = frozenset(
    {"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"}
)
#: A call with its arguments, up to what ends a command in a shell.
_CALL: Final = (
    r"(?:python[0-9.]*|coverage\s+run)(?:\s+(?!-m\b)[\w./=*\"'-]+)*\s+-m\s+{module}\b"
    r"(?P<rest>[^\n\"';&|#<>\\]*)"
)
_UNITTEST: Final = re.compile(_CALL.format(module="unittest"))
_DJANGO: Final = re.compile(_CALL.format(module=r"django\s+test"))
#: What tox puts in place of further arguments.
_MORE: Final = re.compile(r"\{posargs(?::[^}]*)?\}|\{\[[^}]*\}")
_MANAGED: Final = re.compile(r"manage\.py['\"]?,?\s+['\"]?test\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Whose the tests are, by which command, and which file says so."""

    runner: str
    command: str
    because: RepoPath
    folder: str = ""


def claim_of(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> Claim | None:
    """The claim of unittest or Django on a tree's tests; None: pytest's, if any's."""
    if any(path.rpartition("/")[2] in _PYTEST for path in paths):
        return None
    texts = {path: read(path) for path in sorted(paths) if _says(path)}
    named = "\n".join(texts.values())
    if "pytest-django" in named or "[tool.pytest" in named:
        return None
    called = "pytest" not in named and "py.test" not in named
    return (
        (_called(_DJANGO, "django", "python -m django test", texts) if called else None)
        or _managed(paths, read, named)
        or (
            _called(_UNITTEST, "unittest", "python -m unittest", texts)
            if called
            else None
        )
    )


def _managed(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str], named: str
) -> Claim | None:
    managed = [
        path
        for path in sorted(paths, key=lambda each: (each.count("/"), each))
        if path.rpartition("/")[2] == "manage.py" and "django" in read(path).lower()
    ]
    if not managed or not any(map(_is_test, paths)):
        return None
    if "pytest" in named and not _MANAGED.search(named):
        return None
    folder = managed[0].rpartition("/")[0]
    command = "python manage.py test"
    own = any(f"{folder}/{name}" in paths for name in _MANIFESTS)
    if folder and not own:
        line = inside(folder, command)
        return Claim(runner="django", command=line, because=managed[0])
    return Claim(runner="django", command=command, because=managed[0], folder=folder)


def _called(
    pattern: re.Pattern[str], runner: str, start: str, texts: dict[RepoPath, str]
) -> Claim | None:
    """The first call in the project's own files that names nothing unknown."""
    for path, text in texts.items():
        for found in pattern.finditer(text):
            rest = " ".join(_MORE.sub("", found["rest"]).split())
            # What a matrix or a variable fills in can't be known from here.
            if not any(mark in rest for mark in "${}`%()[]"):
                command = f"{start} {rest}".rstrip()
                return Claim(runner=runner, command=command, because=path)
    return None


def _says(path: RepoPath) -> bool:
    name = path.rpartition("/")[2]
    if path.startswith(".github/workflows/"):
        return path.endswith((".yml", ".yaml"))
    requirements = name.endswith(".txt") and "require" in name
    inside = path.startswith("requirements/")
    at_top = path.count("/") == 0 and name in _SAYING
    return at_top or requirements or inside


def _is_test(path: RepoPath) -> bool:
    name = path.rpartition("/")[2]
    return name == "tests.py" or (name.startswith("test") and name.endswith(".py"))
