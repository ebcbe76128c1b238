"""A database or a service that ends meanwhile is environment, never a verdict."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from specimens import commit, git

pytestmark = pytest.mark.slow

PROJECT = {
    "requirements.txt": "pytest\npg8000==1.31.2\n",
    "conftest.py": "",
    "shop.py": """\
        import os

        import pg8000.dbapi


        def orders():
            database = pg8000.dbapi.connect(
                host=os.environ["PGHOST"],
                port=int(os.environ["PGPORT"]),
                user=os.environ["PGUSER"],
                password=os.environ["PGPASSWORD"],
                database=os.environ["PGDATABASE"],
                timeout=60,
            )
            try:
                cursor = database.cursor()
                cursor.execute("SELECT pg_sleep(0.2), count(*) FROM orders")
                return cursor.fetchone()[1]
            finally:
                database.close()
        """,
    "tests/test_orders.py": """\
        import pytest
        import shop


        @pytest.mark.parametrize("number", range(100))
        def test_there_are_none(number):
            assert shop.orders() == 0
        """,
    ".fairtrial.yml": """\
        version: 1
        suites:
          shop:
            runner: pytest
            prepare: [pip install -r requirements.txt]
            databases:
              shop: {schema: psql -v ON_ERROR_STOP=1 -qf schema.sql}
        """,
    "schema.sql": "CREATE TABLE orders (id serial PRIMARY KEY);\n",
}


def project(folder: Path) -> Path:
    """A repository whose suite takes 20 seconds, nearly all of them in its database."""
    repository = folder / "shop"
    repository.mkdir()
    git(repository, "init", "--quiet", "--initial-branch=main")
    files = {name: textwrap.dedent(text) for name, text in PROJECT.items()}
    commit(repository, files, "Base")
    git(repository, "checkout", "--quiet", "-b", "change")
    commit(repository, {"shop.py": files["shop.py"] + "\n# A word.\n"}, "Change")
    return repository


def servers_of(run: int) -> Iterator[int]:
    """The PostgreSQL processes that one gate started, the first of each server."""
    below = {run}
    found: dict[int, tuple[int, str]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError, IndexError, ValueError):
                stat = (folder / "stat").read_text()
                name = stat[stat.index("(") + 1 : stat.rindex(")")]
                found[int(folder.name)] = (
                    int(stat.rpartition(")")[2].split()[1]),
                    name,
                )
    grown = True
    while grown:
        more = {pid for pid, (parent, _) in found.items() if parent in below} - below
        below |= more
        grown = bool(more)
    for pid in sorted(below):
        parent, name = found.get(pid, (0, ""))
        if name == "postgres" and found.get(parent, (0, ""))[1] != "postgres":
            yield pid


def test_a_database_that_is_killed_meanwhile_is_no_verdict(tmp_path: Path) -> None:
    repository = project(tmp_path)
    printed = tmp_path / "printed"
    with printed.open("wb") as stream:
        gate = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "fairtrial",
                "gate",
                f"--repo={repository}",
                "--base=main",
                "--head=change",
                "--bench=here",
                f"--report-dir={tmp_path / 'report'}",
            ],
            stdout=stream,
            stderr=stream,
            env=os.environ | {"NO_COLOR": "1"},
        )
        try:
            wait_for(lambda: b"suite shop: t2" in printed.read_bytes())
            killed = list(servers_of(gate.pid))
            time.sleep(1)
            for pid in killed:
                os.kill(pid, signal.SIGKILL)
            code = gate.wait(timeout=200)
        finally:
            gate.kill()

    assert killed
    report: dict[str, Any] = json.loads((tmp_path / "report/report.json").read_text())
    story = printed.read_text() + json.dumps(report, indent=1)
    assert code == 11, story
    assert [] == report["verdicts"], story
    assert ["environment"] == [one["state"] for one in report["suites"]], story
    rules = [one["rule"] for one in report["findings"]]
    assert "surroundings-lost" in rules, story
    assert [] == list(servers_of(gate.pid))


def wait_for(holds: Any, seconds: float = 150) -> None:
    """Return when it holds; fails after so many seconds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)
