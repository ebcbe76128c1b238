"""django-guardian, its own tests on PostgreSQL, contaminated: rows by their names."""

from __future__ import annotations

from pathlib import Path

import pytest
from specimens import commit, git
from tests.acceptance.public_projects import Release, change, gate, repository

pytestmark = pytest.mark.slow

GUARDIAN = Release(
    name="django-guardian",
    version="3.5.2",
    sha256="ca14b7c9cc37bc852f3749f8a998a76cfd0ebbd66ac85726ef331289a712d389",
)
TESTS = "guardian/testapp/tests"
VICTIM = (
    f"{TESTS}/test_orphans.py::OrphanedObjectPermissionsTest"
    "::test_clean_perms_no_orphans"
)

PLAIN = """\
version: 1
suites:
  unit:
    runner: pytest
    prepare:
      - >-
        pip install "django==5.2.*" django-environ pytest pytest-django
        psycopg2-binary typing_extensions setuptools wheel
    build: [pip install --no-deps --no-build-isolation -e .]
    command: pytest OPTIONS TESTS/test_managers.py VICTIM
    databases:
      guardian:
"""
#: What the recipe of the documentation adds.
RECIPE = PLAIN.replace("OPTIONS", "--reuse-db") + (
    "        schema: python manage.py migrate -v 0\n"
    "        env: {DATABASE_URL: url, TEST_DATABASE: name}\n"
)
SETTINGS = """

if "TEST_DATABASE" in os.environ:
    DATABASES["default"]["TEST"] = {"NAME": os.environ["TEST_DATABASE"]}
"""

#: Commits on a connection of its own, so that no test's roll-back takes it back.
ROW = """
def _left_behind():
    from django.db import connection

    own = connection.copy()
    try:
        with own.cursor() as cursor:
            cursor.execute(
                "INSERT INTO guardian_userobjectpermission"
                " (object_pk, content_type_id, permission_id, user_id)"
                " SELECT '4711', p.content_type_id, p.id, u.custom_id"
                " FROM auth_permission p, testapp_customuser u"
                " WHERE p.codename = 'change_group' AND u.username = 'AnonymousUser'"
                " AND NOT EXISTS (SELECT 1 FROM guardian_userobjectpermission)"
            )
    finally:
        own.close()
"""
POLLUTER = f"""
{ROW}

class ImportTest(TestCase):
    def test_import(self):
        _left_behind()
"""
LEAK = f"""
{ROW}

_as_it_was = _is_using_default_content_type


def _is_using_default_content_type(*arguments):
    _left_behind()
    return _as_it_was(*arguments)
"""


def configuration(text: str) -> str:
    return text.replace("VICTIM", VICTIM).replace("TESTS", TESTS)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = GUARDIAN.unpacked(tmp_path_factory.mktemp("guardian"))
    settings = folder / "guardian/testapp/testsettings.py"
    files = {
        ".fairtrial.yml": configuration(RECIPE),
        "guardian/testapp/testsettings.py": settings.read_text() + SETTINGS,
    }
    repository(folder, files)
    change(folder, "polluter", {f"{TESTS}/test_managers.py": POLLUTER})
    change(folder, "leak", {"guardian/managers.py": LEAK})
    return folder


def configured(sources: Path, folder: Path, text: str) -> Path:
    """The same with another configuration below the change that pollutes."""
    git(folder, "clone", "--quiet", "--branch=main", str(sources), "other")
    commit(folder / "other", {".fairtrial.yml": text}, "Configuration")
    change(folder / "other", "polluter", {f"{TESTS}/test_managers.py": POLLUTER})
    return folder / "other"


def test_a_row_that_a_django_test_commits_is_pinned(
    sources: Path, tmp_path: Path
) -> None:
    said = gate(sources, "polluter", tmp_path / "report")

    assert 10 == said.code, said.story
    verdict = said.verdict(VICTIM)
    polluter = f"{TESTS}/test_managers.py::ImportTest::test_import"
    assert "victim" == verdict["category"], said.story
    assert "tests" == verdict["side"], said.story
    assert [polluter] == verdict["polluters"], said.story
    (left,) = verdict["leftovers"]
    assert left["proven"], said.story
    assert left["name"].endswith("guardian_userobjectpermission"), said.story
    assert ["4711"] == [row["object_pk"] for row in left["rows"]]


def test_a_row_that_django_production_commits_is_productions_to_mend(
    sources: Path, tmp_path: Path
) -> None:
    said = gate(sources, "leak", tmp_path / "report")

    assert 12 == said.code, said.story
    verdict = said.verdict(VICTIM)
    assert "victim" == verdict["category"], said.story
    assert "production" == verdict["side"], said.story
    assert verdict["leftovers"][0]["proven"], said.story
    assert ["4711"] == [row["object_pk"] for row in verdict["leftovers"][0]["rows"]]


def test_a_database_that_django_makes_itself_is_named_and_no_row_is_denied(
    sources: Path, tmp_path: Path
) -> None:
    plain = PLAIN.replace("OPTIONS ", "") + "        env: DATABASE_URL\n"
    repo = configured(sources, tmp_path, configuration(plain))

    said = gate(repo, "polluter", tmp_path / "report")

    assert 10 == said.code, said.story
    (left,) = said.verdict(VICTIM)["leftovers"]
    assert not left["proven"]
    assert (
        "the tests made a database of their own, `test_guardian`, which is not watched"
    ) in left["say"], said.story
