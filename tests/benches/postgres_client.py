"""What a trial that has no driver installed needs to talk to PostgreSQL."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping

from fairtrial.benches.databases import Clone

#: Writes rows, reads a long answer, and tries to get out.
SCRIPT = """
import pg8000.dbapi, os, socket, time
with pg8000.dbapi.connect(
    host="127.0.0.1", port=5432, user=os.environ["PGUSER"],
    password=os.environ["PGPASSWORD"], database=os.environ["PGDATABASE"],
) as connection:
    cursor = connection.cursor()
    cursor.execute("CREATE TABLE orders (number int, note text)")
    rows = [(number, None) for number in range(9)]
    cursor.executemany("INSERT INTO orders VALUES (%s, %s)", rows)
    connection.commit()
    cursor.execute("SELECT count(*), repeat('x', 3000000) FROM orders")
    count, long = cursor.fetchone()
    print(count, len(long))
begun = time.monotonic()
try:
    socket.create_connection(("198.51.100.7", 5432))
except OSError as error:
    print(error.strerror, time.monotonic() - begun < 0.1)
"""
EXPECTED = ["9 3000000", "Network is unreachable True"]
#: Connections that end with the server, until there is none to be had any more.
AGAIN = (
    "import socket, time\n"
    "for _ in range(100):\n"
    "    socket.create_connection(('127.0.0.1', 5432)).recv(1)\n"
    "    time.sleep(0.05)"
)


def variables(clone: Clone) -> Mapping[str, str]:
    """libpq's own."""
    connection = clone.connection
    return {
        "PGHOST": connection.host,
        "PGPORT": str(connection.port),
        "PGUSER": connection.user,
        "PGPASSWORD": connection.password,
        "PGDATABASE": connection.name,
    }


def inputs() -> Mapping[str, bytes]:
    """The script, and below `drivers` one in pure Python."""
    files = {"test.py": SCRIPT.encode(), "again.py": AGAIN.encode()}
    for name in ("pg8000", "scramp", "asn1crypto", "python-dateutil", "six"):
        for path in importlib.metadata.distribution(name).files or ():
            if path.suffix == ".py" or path.name == "METADATA":
                files[f"drivers/{path}"] = path.read_binary()
    return files
