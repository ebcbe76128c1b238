"""Whose a tree's Python tests are: pytest's, unittest's or Django's."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent
from fairtrial.runners import django, unittest
from fairtrial.runners import pytest as pytest_runner

MANAGE = "import os\n\nfrom django.core.management import execute_from_command_line\n"


def found(files: Mapping[str, str]) -> list[tuple[str, str, str]]:
    paths = [RepoPath(path) for path in files]
    return [
        (one.runner, one.command, one.folder)
        for runner in (pytest_runner, unittest, django)
        for one in runner.detect(paths, lambda path: files[path])
    ]


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("\tpython3 -m unittest discover -s tests -v\n", "discover -s tests -v"),
        ("\tpython -W error -m unittest\n", ""),
        ('\tcoverage run --include="a/*.py" -m unittest tests.a && x\n', "tests.a"),
        ("\tpython -m unittest ${tests}\n\tpython -m unittest all\n", "all"),
    ],
)
def test_a_call_of_unittest_is_the_suites_command(line: str, command: str) -> None:
    files = {"Makefile": f"test:\n{line}", "tests/test_a.py": ""}

    assert [("unittest", f"python -m unittest {command}".strip(), "")] == found(files)


def test_pytest_has_all_tests_where_nothing_else_is_called_or_pytest_is_named() -> None:
    plain = {"tests/test_a.py": "import unittest\n"}
    named = {
        **plain,
        "Makefile": "test:\n\tpython -m unittest\n",
        "setup.cfg": "[options]\ntests_require = pytest\n",
    }
    configured = {**plain, "Makefile": named["Makefile"], "conftest.py": ""}

    assert ["pytest"] == [one[0] for one in found(plain)]
    assert ["pytest"] == [one[0] for one in found(named)]
    assert ["pytest"] == [one[0] for one in found(configured)]


def test_a_manage_py_without_pytest_is_djangos() -> None:
    root = {"manage.py": MANAGE, "shop/tests.py": ""}
    below = {"site/manage.py": MANAGE, "site/shop/tests.py": ""}
    own = {**below, "site/requirements.txt": "Django\n"}
    other = {**root, "requirements.txt": "pytest-django\n", "shop/test_a.py": ""}

    command = "python manage.py test"
    assert [("django", command, "")] == found(root)
    assert [("django", f"cd site && {command}", "")] == found(below)
    assert [("django", command, "site")] == found(own)
    assert ["pytest"] == [one[0] for one in found(other)]


def test_a_call_of_django_test_is_the_suites_command() -> None:
    tox = (
        "commands =\n    coverage run -m django test --settings=t.settings {posargs}\n"
    )

    assert [("django", "python -m django test --settings=t.settings", "")] == found(
        {"tox.ini": tox, "tests/test_a.py": "", "sample/manage.py": MANAGE}
    )


def test_neither_needs_pytest_and_a_folders_manifests_stay_in_it() -> None:
    files = {
        RepoPath("site/requirements.txt"): FileContent(mode=0o100644, data=b"attrs\n")
    }

    setup = django.setup(files, "site", None)

    written = b"".join(one.data for one in setup.prepare_files.values())
    assert b"pytest" not in written
    assert b"django" in written
    assert all(path.startswith("site/") for path in setup.prepare_files)
    assert b"pytest" not in b"".join(
        one.data for one in unittest.setup({}, "", None).prepare_files.values()
    )
