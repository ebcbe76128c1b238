"""What tests that mean harm can't do with their MariaDB."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from fairtrial.benches.databases.mariadb import OwnMariaDB
from fairtrial.benches.databases.mariadb.clone import MariaClone
from fairtrial.benches.here.remains import clean_machine
from fairtrial.benches.leftovers import Leftovers
from fairtrial.clients.mariadb import Refused, Session
from fairtrial.domain.databases import DatabaseSettings, Engine
from fairtrial.domain.errors import ServiceError

ORDERS = DatabaseSettings(name="orders", engine=Engine.MARIADB)
KEY = "hostile"


@pytest.fixture
def server(mariadb: OwnMariaDB) -> OwnMariaDB:
    def build(clone: object) -> None:
        assert isinstance(clone, MariaClone)
        run(clone, "CREATE TABLE orders (id INT PRIMARY KEY, note TEXT)")

    mariadb.template(KEY, ORDERS, build)
    return mariadb


def fresh(server: OwnMariaDB) -> MariaClone:
    clone = server.clone(KEY, ORDERS, 3306)
    assert isinstance(clone, MariaClone)
    return clone


def run(clone: MariaClone, *statements: str) -> Sequence[Sequence[object]]:
    found: Sequence[Sequence[object]] = []
    with clone.house.owner(clone.login) as session:
        session.use(clone.database)
        for each in statements:
            found = session.run(each)
    return found


def take_all(clone: MariaClone, closers: ExitStack) -> None:
    for _ in range(600):
        session = Session(clone.house.address, clone.login)
        closers.callback(session.close)


@pytest.mark.slow
def test_a_trial_can_not_take_all_connections(server: OwnMariaDB) -> None:
    clone, other = fresh(server), fresh(server)
    with ExitStack() as closers:
        with pytest.raises(Refused):
            take_all(clone, closers)
        assert [(1,)] == [tuple(row) for row in run(other, "SELECT 1")]
    clone.drop()
    other.drop()


def test_what_a_trial_had_prepared_is_gone_with_it(server: OwnMariaDB) -> None:
    clone = fresh(server)
    clone.watch()
    run(
        clone,
        "XA START 'left'",
        "INSERT INTO orders VALUES (1, 'prepared')",
        "XA END 'left'",
        "XA PREPARE 'left'",
    )

    assert "before it is committed" in clone.ledger().blind
    clone.drop()

    later = fresh(server)
    begun = time.monotonic()
    assert [] == list(run(later, "XA RECOVER"))
    later.drop()
    fresh(server).drop()
    assert time.monotonic() - begun < 5


def test_nothing_goes_on_while_it_is_looked_at(server: OwnMariaDB) -> None:
    clone = fresh(server)
    clone.watch()
    run(
        clone,
        "CREATE PROCEDURE on_and_on() BEGIN DECLARE i INT DEFAULT 0; WHILE i < 90000 DO"
        " INSERT INTO orders VALUES (i, 'x'); DO SLEEP(0.001); SET i = i + 1;"
        " END WHILE; END",
    )

    def call() -> None:
        with contextlib.suppress(ServiceError):
            run(clone, "CALL on_and_on()")

    thread = threading.Thread(target=call)
    thread.start()
    time.sleep(0.2)

    ledger = clone.ledger()

    thread.join(5)
    assert not thread.is_alive()
    with clone.house.session() as session:
        ((rows,),) = session.run(f"SELECT count(*) FROM {clone.database}.orders")
    assert rows == len(ledger.changes)
    clone.drop()


def test_a_dropped_database_is_told_and_ends_no_trial(server: OwnMariaDB) -> None:
    clone = fresh(server)
    clone.watch()
    run(clone, f"DROP DATABASE {clone.database}")

    ledger = clone.ledger()

    assert "dropped" in ledger.blind
    assert ["database"] == [one.kind for one in ledger.alterations]
    clone.drop()


INSTALLING = """
import sys
from pathlib import Path
from fairtrial.benches.databases.mariadb import OwnMariaDB
folder = Path(sys.argv[1])
OwnMariaDB(scratch=folder / "s", cache=folder / "c", search="/usr/bin:/bin")
"""


def at_work(folder: Path) -> list[bytes]:
    """The servers that make their first files in this folder."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (place / "cmdline").read_bytes()
            if os.fsencode(folder) in words and b"--bootstrap" in words:
                found.append(words)
    return found


def until(seconds: float, holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.01)
    return holds()


def test_a_gate_killed_while_it_makes_a_server_leaves_nobody_at_work(
    mariadb: OwnMariaDB,
) -> None:
    del mariadb  # only that there is one
    with tempfile.TemporaryDirectory(prefix="fairtrial-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        gate = subprocess.Popen([sys.executable, "-c", INSTALLING, name])
        try:
            assert until(30, lambda: bool(at_work(folder)))
        finally:
            gate.kill()
            gate.wait()

        assert until(1, lambda: not at_work(folder))
        clean_machine(Leftovers(folder / "c" / "runs"))
