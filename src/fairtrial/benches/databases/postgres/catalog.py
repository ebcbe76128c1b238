"""What is in a database besides its rows, and what differs from its template."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from fairtrial.benches.databases.postgres.changes import Table
from fairtrial.clients.postgres import Refused, Session
from fairtrial.domain.databases import Alteration

#: Characters of a definition that are told.
_TOLD: Final = 2000
#: Seconds that counting the rows of one unlogged table may take.
_COUNTING: Final = 5
#: The server ended a statement that took too long.
_TOO_LONG: Final = "57014"

_UNUSED: Final = "unused"

#: Schemas of the server's own, of temporary tables, and what extensions brought.
_OURS: Final = """
    n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND NOT EXISTS (
        SELECT FROM pg_depend e
        WHERE e.objid = {object} AND e.classid = '{catalog}'::regclass
        AND e.deptype = 'e')
"""


def _ours(catalog: str, object_: str) -> str:
    return _OURS.format(catalog=catalog, object=object_)


_CLASS: Final = _ours("pg_class", "c.oid")

#: Each gives kind, name and definition.
_THINGS: Final = (
    f"""
    SELECT CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
        WHEN 'f' THEN 'foreign table' ELSE 'table' END,
        c.oid::regclass::text,
        CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid)
        ELSE CASE c.relpersistence WHEN 'u' THEN 'unlogged' ELSE '' END
            || CASE WHEN c.relrowsecurity THEN ' row security' ELSE '' END END
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND {_CLASS}
    """,  # noqa: S608 - of constants only
    f"""
    SELECT 'column', c.oid::regclass::text || '.' || quote_ident(a.attname),
        format_type(a.atttypid, a.atttypmod)
        || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
        || CASE WHEN a.attidentity <> '' THEN ' identity ' || a.attidentity::text
            ELSE '' END
        || CASE WHEN a.attgenerated <> '' THEN ' generated ' ELSE '' END
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relkind IN ('r', 'p', 'f') AND a.attnum > 0 AND NOT a.attisdropped
    AND {_CLASS}
    """,  # noqa: S608 - of constants only
    f"""
    SELECT 'index', c.oid::regclass::text, pg_get_indexdef(c.oid)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('i', 'I') AND {_CLASS}
    """,  # noqa: S608 - of constants only
    f"""
    SELECT 'constraint', c.oid::regclass::text || '.' || quote_ident(k.conname),
        pg_get_constraintdef(k.oid)
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE {_CLASS}
    """,  # noqa: S608 - of constants only
    f"""
    SELECT 'trigger', c.oid::regclass::text || '.' || quote_ident(t.tgname),
        pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE NOT t.tgisinternal AND {_CLASS}
    """,  # noqa: S608 - of constants only
    f"""
    SELECT 'rule', c.oid::regclass::text || '.' || quote_ident(r.rulename),
        pg_get_ruledef(r.oid)
    FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE r.rulename <> '_RETURN' AND {_CLASS}
    """,  # noqa: S608 - of constants only
    f"""
    SELECT 'policy', c.oid::regclass::text || '.' || quote_ident(p.polname),
        concat_ws(' ', p.polcmd::text, p.polpermissive,
        pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
    FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE {_CLASS}
    """,  # noqa: S608 - of constants only
    f"""
    SELECT CASE p.prokind WHEN 'a' THEN 'aggregate' WHEN 'p' THEN 'procedure'
        ELSE 'function' END, p.oid::regprocedure::text,
        CASE WHEN p.prokind = 'a' THEN p.prosrc ELSE pg_get_functiondef(p.oid) END
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE {_ours("pg_proc", "p.oid")}
    """,  # noqa: S608 - of constants only
    f"""
    SELECT 'type', t.oid::regtype::text, concat_ws(' ', t.typtype::text,
        CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod) END,
        (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)
            FROM pg_enum e WHERE e.enumtypid = t.oid),
        (SELECT string_agg(pg_get_constraintdef(k.oid), ', ' ORDER BY k.conname)
            FROM pg_constraint k WHERE k.contypid = t.oid))
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
    WHERE t.typtype IN ('d', 'e', 'r', 'c') AND {_ours("pg_type", "t.oid")}
    AND (t.typrelid = 0 OR
        (SELECT c.relkind = 'c' FROM pg_class c WHERE c.oid = t.typrelid))
    """,  # noqa: S608 - of constants only
    "SELECT 'extension', quote_ident(extname), extversion FROM pg_extension",
    f"""
    SELECT 'schema', quote_ident(n.nspname), '' FROM pg_namespace n
    WHERE {_ours("pg_namespace", "n.oid")}
    """,  # noqa: S608 - of constants only
    f"""
    SELECT 'sequence', c.oid::regclass::text,
        coalesce(pg_sequence_last_value(c.oid)::text, '{_UNUSED}')
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'S' AND {_CLASS}
    """,  # noqa: S608 - of constants only
    """
    SELECT 'setting', CASE WHEN s.setrole = 0 THEN '' ELSE 'role: ' END
        || split_part(one, '=', 1), substr(one, strpos(one, '=') + 1)
    FROM pg_db_role_setting s, unnest(s.setconfig) one
    WHERE s.setdatabase IN
        (SELECT oid FROM pg_database WHERE datname = current_database())
    OR s.setdatabase = 0 AND s.setrole IN
        (SELECT datdba FROM pg_database WHERE datname = current_database())
    """,
    """
    SELECT 'large object', 'count', count(*)::text
    FROM pg_largeobject_metadata HAVING count(*) > 0
    """,
)

#: Tables whose rows no decoder tells of.
_UNTOLD: Final = f"""
    SELECT c.oid::regclass::text, c.relkind = 'm'
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE (c.relkind = 'r' AND c.relpersistence = 'u' OR c.relkind = 'm')
    AND c.relispopulated AND {_CLASS}
"""  # noqa: S608 - of constants only

#: By the server's own function: a table's type may have a cast to text that its owner
#: wrote, which would run as the administrator.
_ROW: Final = "md5(pg_catalog.record_out(t.*)::text)"
_DIGEST: Final = (
    f"SELECT count(*)::text, coalesce(md5(string_agg({_ROW}, '' ORDER BY {_ROW})), '')"
)

_TABLES: Final = """
    SELECT n.nspname, c.relname, c.oid::regclass::text, a.attname,
        format_type(a.atttypid, NULL), a.attgenerated = 'v',
        c.relreplident = 'f', coalesce(a.attnum = ANY (i.indkey::int2[]), false)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid
    LEFT JOIN pg_index i ON i.indrelid = c.oid AND (
        c.relreplident = 'd' AND i.indisprimary
        OR c.relreplident = 'i' AND i.indisreplident)
    WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
    AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    ORDER BY c.oid, a.attnum
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """Definitions by (kind, name), and what the decoder needs of the tables."""

    things: Mapping[tuple[str, str], str] = field(default_factory=dict)
    tables: Mapping[tuple[str, str], Table] = field(default_factory=dict)


def look(session: Session) -> Catalog:
    """All of it, as the session's database has it now."""
    things: dict[tuple[str, str], str] = {}
    for statement in _THINGS:
        for kind, name, definition in session.run(statement):
            things[str(kind), str(name)] = str(definition).strip()
    things.update(_contents(session))
    return Catalog(things=things, tables=tables(session))


def _contents(session: Session) -> Iterator[tuple[tuple[str, str], str]]:
    for name, is_view in session.run(_UNTOLD):
        kind = "rows of a materialized view" if is_view else "unlogged table"
        session.run(f"SET statement_timeout = '{_COUNTING}s'")
        try:
            # `name` comes from regclass, which quotes it.
            only = "" if is_view else "ONLY "
            [[count, digest]] = session.run(f"{_DIGEST} FROM {only}{name} t")
            yield (kind, name), f"{count} rows ({digest[:8]})"
        except Refused as refused:
            if refused.code != _TOO_LONG:
                raise
            yield (kind, name), "too many rows to count"
        finally:
            session.run("SET statement_timeout = 0")


def tables(session: Session) -> Mapping[tuple[str, str], Table]:
    """The session's database's tables, by schema and name."""
    columns: dict[tuple[str, str], dict[str, str]] = {}
    keys: dict[tuple[str, str], list[str]] = {}
    virtual: dict[tuple[str, str], set[str]] = {}
    rest: dict[tuple[str, str], tuple[str, bool]] = {}
    for schema, name, quoted, column, type_, computed, all_, in_key in session.run(
        _TABLES
    ):
        table = (str(schema), str(name))
        columns.setdefault(table, {})[str(column)] = str(type_)
        rest[table] = (str(quoted), bool(all_))
        if in_key:
            keys.setdefault(table, []).append(str(column))
        if computed:
            virtual.setdefault(table, set()).add(str(column))
    return {
        table: Table(
            quoted=rest[table][0],
            columns=known,
            key=tuple(keys.get(table, ())),
            whole=rest[table][1],
            virtual=frozenset(virtual.get(table, ())),
        )
        for table, known in columns.items()
    }


def last_value(session: Session, sequence: str) -> str:
    """Where a sequence stands, by its quoted name."""
    [[last]] = session.run("SELECT pg_sequence_last_value($1::regclass)", sequence)
    return _UNUSED if last is None else str(last)


def identify(session: Session) -> None:
    """Let updates and deletes in tables without a primary key tell the whole row."""
    for (name,) in session.run(
        f"""
        SELECT c.oid::regclass::text
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p') AND c.relreplident = 'd' AND {_CLASS}
        AND NOT EXISTS
            (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)
        """  # noqa: S608 - of constants only
    ):
        session.run(f"ALTER TABLE {name} REPLICA IDENTITY FULL")


def differences(
    database: str,
    was: Mapping[tuple[str, str], str],
    now: Mapping[tuple[str, str], str],
) -> tuple[Alteration, ...]:
    """What is new, gone or different; a new table is told without its columns."""
    added = {name for (kind, name) in now.keys() - was.keys() if kind == "table"}
    gone = {name for (kind, name) in was.keys() - now.keys() if kind == "table"}
    found = []
    for thing in sorted(was.keys() | now.keys()):
        kind, name = thing
        before, after = was.get(thing), now.get(thing)
        inside = name.rpartition(".")[0]
        part = kind in {"column", "constraint", "trigger", "rule", "policy"}
        if before == after or (part and inside in added | gone):
            continue
        found.append(
            Alteration(
                database=database,
                kind=kind,
                name=name,
                was="" if before is None else (before or "there")[:_TOLD],
                now="" if after is None else (after or "there")[:_TOLD],
            )
        )
    return tuple(found)
