"""Django's own runner under a plan, in two of its majors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from specimens import read
from tests.runners.played import Played

from fairtrial.domain.experiments import Trust
from fairtrial.domain.names import TestId
from fairtrial.runners import SuiteResult
from fairtrial.runners import django as runner

pytestmark = pytest.mark.slow

TESTS = """\
from django.test import SimpleTestCase, TestCase, TransactionTestCase

from shelf.models import Book


class ALast(TransactionTestCase):
    def test_flushes(self):
        Book.objects.create(title="Emma")


class BFirst(TestCase):
    def test_rows(self):
        self.assertEqual(0, Book.objects.count())

    def test_fails(self):
        self.assertEqual(1, Book.objects.count())


class CPlain(SimpleTestCase):
    def test_plain(self):
        pass
"""
RUNNER = """\
from django.test.runner import DiscoverRunner


class Own(DiscoverRunner):
    def run_suite(self, suite, **kwargs):
        print("own runner")
        return super().run_suite(suite, **kwargs)
"""
T = "tests/test_book.py::tests.test_book."


@pytest.fixture(scope="module", params=["4.2", "5.2"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    folder = tmp_path_factory.mktemp("django")
    subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True)
    python = folder / "env/bin/python"
    wanted = f"django=={request.param}.*"
    subprocess.run([python, "-m", "pip", "install", "-q", wanted], check=True)
    return folder / "env/bin"


@pytest.fixture
def played(site: Path, tmp_path: Path) -> Played:
    base = dict(read("django/regression").base)
    base["settings.py"] += 'TEST_RUNNER = "own.Own"\n'
    command = "python manage.py test --parallel 2 --failfast"
    played = Played(folder=tmp_path, runner=runner, command=command, path=str(site))
    played.write({**base, "own.py": RUNNER, "tests/test_book.py": TESTS})
    return played


def outcomes(result: SuiteResult) -> dict[str, str]:
    assert Trust.SOUND is result.trust, result.distrust
    return {test: one.outcome.value for test, one in result.results.items()}


def test_a_whole_suite_keeps_djangos_order_and_the_projects_runner(
    played: Played,
) -> None:
    (played.workspace / "tests/test_cart.py").unlink()

    result = played.whole()

    assert {
        f"{T}BFirst.test_fails": "failed",
        f"{T}BFirst.test_rows": "passed",
        f"{T}CPlain.test_plain": "passed",
        f"{T}ALast.test_flushes": "passed",
    } == outcomes(result)
    first = {f"{T}BFirst.test_fails", f"{T}BFirst.test_rows"}
    assert first == set(result.orders["main"][:2])
    assert b"own runner" in played.output.stdout


def test_listed_tests_run_in_the_order_that_was_asked_for(played: Played) -> None:
    names = ("ALast.test_flushes", "CPlain.test_plain", "BFirst.test_rows")
    asked = tuple(f"{T}{name}" for name in names)

    result = played.listed(*asked)

    assert {"main": asked} == result.orders
    assert {"passed"} == set(outcomes(result).values())


def test_a_test_without_a_database_makes_none(played: Played) -> None:
    played.command = "python manage.py test -v 2"
    played.listed(f"{T}CPlain.test_plain")

    assert b"Creating test database" not in played.output.stderr


def test_what_is_not_there_is_missing_and_nothing_passes(played: Played) -> None:
    test = TestId(f"{T}BFirst.test_none")

    assert {test: "missing"} == outcomes(played.listed(test))


def test_a_listing_runs_nothing(played: Played) -> None:
    result = played.inventory()

    assert Trust.SOUND is result.trust, result.distrust
    assert 7 == len(result.listed)


def test_a_failing_migration_fails_each_test_that_was_chosen(played: Played) -> None:
    broken = "raise ValueError('no migration')\n"
    played.write({"shelf/migrations/0001_initial.py": broken})

    result = played.listed(f"{T}BFirst.test_rows")

    assert ["failed"] == list(outcomes(result).values())
    failure = result.results[TestId(f"{T}BFirst.test_rows")].failure
    assert failure is not None
    assert "ValueError" == failure.type
    assert "setup" == failure.phase.value


def test_settings_that_can_not_be_loaded_keep_every_test_out(played: Played) -> None:
    played.write({"settings.py": "import nothing_here\n"})

    result = played.listed(f"{T}BFirst.test_rows")

    assert ["unbuildable"] == list(outcomes(result).values())
