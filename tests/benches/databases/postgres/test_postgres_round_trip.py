"""Whatever types and values there are: what is told can be put back as it was."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .conftest import Enter, MakeClone, rows

#: The server finds a parameter's type by where it stands.
UNKNOWN = 705

COLUMNS = {
    "b": ("boolean", ["true", "false"]),
    "i2": ("smallint", ["-32768", "0"]),
    "i8": ("bigint", ["9223372036854775807", "-1"]),
    "f4": ("real", ["NaN", "-Infinity", "1e-30", "3.4028235e+38", "0.1"]),
    "f8": ("double precision", ["0.1", "5e-324", "Infinity", "-0"]),
    "n": ("numeric", ["NaN", "1e400", "-0.000000001", "1.50"]),
    "n2": ("numeric(6,2)", ["1234.5", "-0.01"]),
    "m": ("money", ["12.34", "-1"]),
    "c": ("char(5)", ["a", "", "  b"]),
    "v": ("varchar(9)", ["a b ", ""]),
    "y": ("bytea", [r"\x00ff27", r"\x"]),
    "d": ("date", ["2026-02-28", "0044-03-15 BC", "infinity"]),
    "ts": ("timestamp", ["2026-01-01 00:00:00.000001", "-infinity"]),
    "tz": ("timestamptz", ["2026-07-01 12:00:00+09", "1900-01-01 00:00:00-00:01:15"]),
    "t": ("time", ["24:00:00", "00:00:00.5"]),
    "tt": ("timetz", ["12:00:00+05:30"]),
    "iv": ("interval", ["1 year -2 days 03:04:05.6", "-1 mon"]),
    "u": ("uuid", ["0195f1c4-0000-7000-8000-0123456789ab"]),
    "j": ("json", ['{"a" : [1,  null], "a": "\\u00e9"}', '"it\'s"']),
    "jb": ("jsonb", ['{"a": [1, null, {"b": "x\\ny"}]}', "null"]),
    "ai": ("int[]", ["{}", "{1,NULL,3}", "[2:3]={5,6}"]),
    "at": ("text[][]", ['{{"a,b","c\\"d"},{NULL,"NULL"}}']),
    "e": ("mood", ["so so", "gl'ad"]),
    "ip": ("inet", ["::1/64", "10.0.0.1"]),
    "bi": ("bit(3)", ["101"]),
    "vb": ("varbit", ["", "1"]),
    "p": ("point", ["(1.5,-2)"]),
    "r": ("int4range", ["[1,5)", "empty"]),
    "mr": ("int4multirange", ["{[1,3),[5,7)}"]),
    "tv": ("tsvector", ["'a':1 'b''c':2A"]),
    "dm": ("positive", ["1", "70000"]),
    "co": ("pair", ['(1,"a ""b"", c")', "(,)"]),
    "oid": ("oid", ["4294967295"]),
    "x": (
        "text",
        ["unchanged-toast-datum", "null", " new-tuple: a[b]:1", "(no-tuple-data)"],
    ),
    'odd "Name]: ': ("text", ["'", "''", "\\", "a\nb\r\n\t"]),
}
NAMES = ['"' + name.replace('"', '""') + '"' for name in COLUMNS]
TYPES = [type_ for type_, _ in COLUMNS.values()]
SCHEMA = (
    "CREATE TYPE mood AS ENUM ('so so', 'gl''ad')",
    "CREATE DOMAIN positive AS int CHECK (VALUE > 0)",
    "CREATE TYPE pair AS (a int, b text)",
    f'CREATE TABLE "All" ({", ".join(map(" ".join, zip(NAMES, TYPES, strict=True)))})',
)
TEXTS = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=50)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            name: st.none()
            | (
                st.sampled_from(texts)
                if name != "x"
                else TEXTS | st.sampled_from(texts)
            )
            for name, (_, texts) in COLUMNS.items()
        }
    ),
    min_size=1,
    max_size=30,
)


@settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(left=ROWS, updated=st.data())
def test_what_a_trial_leaves_is_the_same_when_it_is_put_into_a_fresh_database(
    make_clone: MakeClone,
    enter: Enter,
    left: Sequence[dict[str, str | None]],
    updated: st.DataObject,
) -> None:
    one, fresh = make_clone(*SCHEMA), make_clone(*SCHEMA)
    one.watch()
    inside = enter(one)
    places = ", ".join(f":v{number}" for number in range(len(NAMES)))
    insert = f'INSERT INTO "All" ({", ".join(NAMES)}) VALUES ({places})'
    for row in left:
        values = {f"v{number}": row[name] for number, name in enumerate(COLUMNS)}
        inside.run(insert, types=dict.fromkeys(values, UNKNOWN), **values)
    chosen = updated.draw(st.sampled_from(["true", "i8 < 0", "v IS NULL", "b"]))
    inside.run(f"UPDATE \"All\" SET x = coalesce(x, '') || '!' WHERE {chosen}")
    inside.run('DELETE FROM "All" WHERE e IS NULL AND d IS NULL')
    ledger = one.ledger()
    fresh.put(ledger.changes)

    was, now = rows(enter(one), '"All"'), rows(enter(fresh), '"All"')
    one.drop()
    fresh.drop()

    assert "" == ledger.blind
    assert was == now
