"""SQLAlchemy with four drivers: a public project's tests, and rows that are pinned."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest
from tests.acceptance.public_projects import Release, change, gate, repository

from fairtrial.benches.databases.mariadb.process import find
from fairtrial.domain.databases import Engine
from fairtrial.domain.errors import BenchUnavailable

pytestmark = pytest.mark.slow

DATABASES = Release(
    name="databases",
    version="0.9.0",
    sha256="d2f259677609bf187737644c95fa41701072e995dfeb8d2882f335795c5b61b0",
)
#: What its tests need is none of its dependencies.
ASYNC = """\
version: 1
suites:
  unit:
    runner: pytest
    prepare:
      - >-
        pip install pytest "sqlalchemy<2.1" asyncpg psycopg2-binary aiosqlite
        setuptools wheel
    build: [pip install --no-deps --no-build-isolation -e .]
    command: pytest tests/test_databases.py
    databases:
      main: {env: TEST_DATABASE_URLS, driver: asyncpg}
"""

SHOP: Final = {
    "shop.py": """\
import os

import sqlalchemy
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

engine = sqlalchemy.create_engine(os.environ["DATABASE_URL"])


class Base(DeclarativeBase):
    pass


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(primary_key=True)
    discount: Mapped[int | None]
""",
    "conftest.py": """\
import pytest
from shop import Base, engine
from sqlalchemy.orm import Session


@pytest.fixture(scope="session", autouse=True)
def tables():
    Base.metadata.create_all(engine)
    yield
    Base.metadata.drop_all(engine)


@pytest.fixture
def session():
    with Session(engine) as one:
        yield one
""",
    "tests/test_orders.py": """\
from shop import Order


def test_all_tell_their_discount(session):
    session.add(Order(discount=3))
    session.flush()
    assert all(one.discount is not None for one in session.query(Order))
""",
    "tests/test_first.py": "",
}
POLLUTER = """\
from shop import Order


def test_import(session):
    session.add(Order(discount=None))
    session.commit()
"""
SUITE = """\
version: 1
suites:
  unit:
    runner: pytest
    prepare: ["pip install pytest sqlalchemy 'psycopg[binary]' pymysql"]
    databases:
      shop:
        env: DATABASE_URL
        engine: {engine}
        driver: {driver}
"""
TABLES = (
    "        schema: python -c"
    ' "import shop; shop.Base.metadata.create_all(shop.engine)"\n'
)
VICTIM = "tests/test_orders.py::test_all_tell_their_discount"


def shop(folder: Path, configuration: str) -> Path:
    """Orders whose tests make their own tables; a new test commits one."""
    folder.mkdir()
    repository(folder, {**SHOP, ".fairtrial.yml": configuration})
    change(folder, "polluter", {"tests/test_first.py": POLLUTER})
    return folder


def test_an_asynchronous_project_passes_on_its_own_database(tmp_path: Path) -> None:
    sources = DATABASES.unpacked(tmp_path)
    repository(sources, {".fairtrial.yml": ASYNC})
    change(sources, "harmless", {"databases/core.py": "# A word.\n"})

    said = gate(sources, "harmless", tmp_path / "report")

    assert 0 == said.code, said.story
    (suite,) = said.report["suites"]
    assert (59, 0, 1) == (suite["passed"], suite["failed"], suite["skipped"])
    assert [] == said.report["verdicts"], said.story


@pytest.mark.parametrize(
    ("engine", "driver"),
    [(Engine.POSTGRESQL, "psycopg"), (Engine.MARIADB, "pymysql")],
)
def test_a_row_that_a_session_commits_is_pinned_with_its_column(
    engine: Engine, driver: str, tmp_path: Path
) -> None:
    if engine is Engine.MARIADB:
        try:
            find(os.environ.get("PATH", ""))
        except BenchUnavailable as error:
            pytest.skip(str(error))
    text = SUITE.format(engine=engine, driver=driver) + TABLES

    said = gate(shop(tmp_path / "shop", text), "polluter", tmp_path / "report")

    assert 10 == said.code, said.story
    verdict = said.verdict(VICTIM)
    assert ("victim", "tests") == (verdict["category"], verdict["side"]), said.story
    assert ["tests/test_first.py::test_import"] == verdict["polluters"]
    (left,) = verdict["leftovers"]
    assert left["proven"], said.story
    assert [None] == [row["discount"] for row in left["rows"]], said.story
    assert ["discount"] == left["columns"], said.story


def test_rows_of_tables_that_fixtures_make_are_not_pinned_and_nothing_else_is_blamed(
    tmp_path: Path,
) -> None:
    text = SUITE.format(engine=Engine.POSTGRESQL, driver="psycopg")

    said = gate(shop(tmp_path / "shop", text), "polluter", tmp_path / "report")

    assert 10 == said.code, said.story
    verdict = said.verdict(VICTIM)
    assert ["tests/test_first.py::test_import"] == verdict["polluters"], said.story
    (left,) = verdict["leftovers"]
    assert (False, "database") == (left["proven"], left["resource"]), said.story
    assert "there is no table public.orders to put rows into" in left["say"]
