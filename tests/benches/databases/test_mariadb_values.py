"""Every type's values in the server's log are what the server itself shows of them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.benches.databases.mariadb import OwnMariaDB, log
from fairtrial.benches.databases.mariadb.clone import MariaClone
from fairtrial.benches.databases.mariadb.reading import emptied
from fairtrial.benches.databases.mariadb.values import Reader, Unreadable
from fairtrial.domain.databases import DatabaseSettings, Engine

#: Each column's type, with values as they are written in SQL.
TYPES = {
    "TINYINT": ["-128", "127"],
    "TINYINT UNSIGNED": ["255"],
    "SMALLINT": ["-32768"],
    "MEDIUMINT": ["-8388608", "8388607"],
    "MEDIUMINT UNSIGNED": ["16777215"],
    "INT": ["-2147483648"],
    "BIGINT": ["-9223372036854775808"],
    "BIGINT UNSIGNED": ["18446744073709551615"],
    "DECIMAL(20,4)": ["-12.5", "0.0001", "9999999999999999.9999", "-0.5", "0"],
    "DECIMAL(9,9)": ["0.123456789"],
    "DECIMAL(30,0)": ["-123456789012345678901234567890"],
    "FLOAT": ["0.1", "1e30", "-16777216"],
    "DOUBLE": ["0.1", "1e300", "3"],
    "DATE": ["'2020-02-29'", "'1000-01-01'", "'9999-12-31'"],
    "DATETIME": ["'2020-02-29 23:59:59'"],
    "DATETIME(1)": ["'2020-02-29 23:59:59.9'"],
    "DATETIME(6)": ["'2020-02-29 23:59:59.000006'"],
    "TIMESTAMP(3) NULL": ["'2020-02-29 23:59:59.123'", "'1970-01-01 00:00:01'"],
    "TIME": ["'-838:59:59'", "'00:00:01'"],
    "TIME(3)": ["'-00:00:00.500'", "'100:00:00.001'"],
    "TIME(6)": ["'-12:34:56.000001'", "'12:34:56.999999'"],
    "YEAR": ["2020", "'0000'"],
    "CHAR(5)": ["'ab'", "''", "'é😀'"],
    "CHAR(255)": ["REPEAT('é', 255)"],
    "VARCHAR(300)": ["'it''s \\\\x0a \\n'", "REPEAT('x', 300)"],
    "TEXT": ["'text\\0x'"],
    "LONGTEXT": ["REPEAT('long', 30000)"],
    "VARCHAR(9) CHARACTER SET latin1": ["'é'"],
    "ENUM('a','b''c','é')": ["'b''c'", "'é'"],
    "SET('x','y','z')": ["'x,z'", "''"],
    "BIT(10)": ["b'1010101010'"],
    "BIT(1)": ["b'1'"],
    "BINARY(4)": ["X'6100'", "X'00'"],
    "VARBINARY(300)": ["X'00FF'", "REPEAT('a', 299)"],
    "BLOB": ["X'00FF27'"],
    "UUID": [
        "'12345678-1234-1234-1234-123456789abc'",
        "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'",
        "'6ba7b810-9dad-11d1-80b4-00c04fd43000'",
    ],
    "INET6": ["'2001:db8::1'", "'::'"],
    "JSON": ['\'{"a": [1, "é"]}\''],
    "POINT": ["ST_GeomFromText('POINT(1 2)')"],
}


@pytest.fixture
def clone(mariadb: OwnMariaDB) -> MariaClone:
    settings = DatabaseSettings(name="values", engine=Engine.MARIADB)

    def build(clone: object) -> None:
        assert isinstance(clone, MariaClone)
        with clone.house.owner(clone.login) as session:
            session.use(clone.database)
            for number, kind in enumerate(TYPES):
                session.run(f"CREATE TABLE t{number} (id INT PRIMARY KEY, v {kind})")

    mariadb.template("values", settings, build)
    made = mariadb.clone("values", settings, 3306)
    assert isinstance(made, MariaClone)
    return made


def shown(clone: MariaClone) -> dict[tuple[str, str], object]:
    """What the server shows: text as text, and bytes in digits."""
    found = {}
    with clone.house.session() as session:
        session.use(clone.database)
        session.run("SET time_zone = '+00:00'")
        for number, kind in enumerate(TYPES):
            value = "CONCAT(v)"
            if kind.startswith("BIT"):
                value = "CAST(v + 0 AS CHAR)"
            elif kind.partition("(")[0] in {"BINARY", "VARBINARY", "BLOB", "POINT"}:
                value = "CONCAT('\\\\x', LOWER(HEX(v)))"
            for key, text in session.run(f"SELECT id, {value} FROM t{number}"):
                found[f"t{number}", str(key)] = text
    return found


def test_values_are_read_as_the_server_shows_them_and_put_as_they_were(
    mariadb: OwnMariaDB, clone: MariaClone
) -> None:
    clone.watch()
    with clone.house.owner(clone.login) as session:
        session.use(clone.database)
        session.run("SET time_zone = '+00:00'")
        for number, values in enumerate(TYPES.values()):
            for key, value in enumerate([*values, "NULL"]):
                session.run(f"INSERT INTO t{number} VALUES ({key}, {value})")
    found = clone.ledger()
    assert "" == found.blind
    told = {(each.table, each.values["id"]): each.values["v"] for each in found.changes}
    expected = shown(clone)
    kinds = list(TYPES)
    wrong = {
        (kinds[int(table[1:])], text, told[table, key])
        for (table, key), text in expected.items()
        if not _equal(kinds[int(table[1:])], text, told[table, key])
    }
    assert set() == wrong
    assert len(expected) == len(told)

    again = mariadb.clone("values", clone.settings, 3306)
    assert isinstance(again, MariaClone)
    again.put(found.changes)
    assert expected == shown(again)
    again.drop()
    clone.drop()


def _equal(kind: str, text: object, told: object) -> bool:
    """The server shows six digits of a FLOAT, which may have more."""
    if kind in {"FLOAT", "DOUBLE"} and text is not None and told is not None:
        return math.isclose(float(str(text)), float(str(told)), rel_tol=1e-5)
    return text == told


@given(data=st.binary(max_size=200))
def test_bytes_that_are_no_event_are_unreadable_and_nothing_else(data: bytes) -> None:
    for read in (log.table_map, log.query, log.event):
        try:
            read(data)
        except (Unreadable, IndexError):
            continue


@given(bodies=st.lists(st.binary(max_size=50), max_size=8), size=st.integers(1, 40))
def test_a_stream_is_cut_into_its_events_wherever_it_was_broken(
    bodies: list[bytes], size: int
) -> None:
    stream = b"".join(
        (len(each) + 1).to_bytes(3, "little") + b"\1\0" + each for each in bodies
    )
    packets = log.Packets()
    found = [
        body
        for at in range(0, len(stream), size)
        for body, _ in packets.feed(stream[at : at + size], float(at))
    ]
    assert bodies == found
    assert "" == packets.over


def test_a_packet_of_the_greatest_length_goes_on_in_the_next() -> None:
    body = b"\0" + b"x" * 0xFFFFFF
    first = b"\xff\xff\xff\0" + body[:0xFFFFFF]
    packets = log.Packets()
    assert [] == list(packets.feed(first, 1.0))
    ((found, at),) = packets.feed(b"\1\0\0\1" + body[0xFFFFFF:], 2.0)
    assert (body[1:], 2.0) == (found, at)


def test_an_error_ends_the_stream_with_its_reason() -> None:
    packets = log.Packets()
    wrong = b"\xff\xd4\x04#HY000no such file"
    assert [] == list(packets.feed(bytes([len(wrong), 0, 0, 1]) + wrong, 1.0))
    assert "the server ended its log: no such file" == packets.over


@given(size=st.integers(0, 20), count=st.integers(-3, 30))
def test_nothing_is_read_behind_the_end(size: int, count: int) -> None:
    reader = Reader(bytes(size))
    if 0 <= count <= size:
        assert count == len(reader.take(count))
    else:
        with pytest.raises(Unreadable):
            reader.take(count)


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("TRUNCATE t", ["t"]),
        ("truncate table `a``b`", ["a`b"]),
        ("TRUNCATE shop.t", ["t"]),
        ("TRUNCATE other.t", []),
        ("DROP TABLE IF EXISTS `x`,`shop`.`y` /* generated by server */", ["x", "y"]),
        ("/* a */ DROP TABLE x", ["x"]),
        ("DROP TABLESPACE x", []),
        ("CREATE TABLE truncate_me (id INT)", []),
    ],
)
def test_statements_that_empty_tables_are_told(text: str, tables: list[str]) -> None:
    assert tables == emptied("shop", text, "shop")
