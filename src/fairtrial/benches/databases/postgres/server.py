"""Templates and clones on one PostgreSQL server, wherever that runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from fairtrial.benches.databases import Clone
from fairtrial.benches.databases.asking import asked_for
from fairtrial.benches.databases.names import slug
from fairtrial.benches.databases.postgres import catalog
from fairtrial.benches.databases.postgres.catalog import Catalog
from fairtrial.benches.databases.postgres.clone import PostgresClone
from fairtrial.benches.databases.postgres.house import MEMORY, House
from fairtrial.clients.postgres import Login, Refused, Session, identifier
from fairtrial.domain.databases import DatabaseSettings
from fairtrial.domain.errors import BenchFailed, ServiceError

#: Before version 15 the schema `public` belongs to the server's first user.
_PUBLIC: Final = 150_000
_FORBIDDEN: Final = "42501"
#: Names of databases can be seen by tests, so the configuration's comes first.
#: The server cuts names off after 63 letters (NAMEDATALEN - 1).
_NAME: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A database with a schema, which nobody can enter."""

    name: str
    #: Owns everything in it; each trial's role is its member.
    owner: str
    #: Of `ALTER DATABASE … SET`, which copies of a database don't have.
    settings: tuple[tuple[str, str], ...] = ()
    #: Bytes.
    size: int = 0
    holds: Catalog = field(default_factory=Catalog)


@dataclass(slots=True, kw_only=True, eq=False)
class PostgresServer:
    """Satisfies `Server`, for each of the places that it runs in."""

    house: House
    #: The port through which schema commands reach a template that is being built.
    port: int = 5432
    _templates: dict[str, Template] = field(default_factory=dict)
    _building: dict[str, threading.Lock] = field(default_factory=dict)
    _putter: Login | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def level(self) -> str:
        """Each trial has a copy of its own."""
        return "template-clone"

    @property
    def version(self) -> str:
        """Engine and version: "postgresql 18.6"."""
        return self.house.version

    def template(
        self,
        key: str,
        settings: DatabaseSettings,
        build: Callable[[Clone], None],
    ) -> None:
        """Have a template under `key`; see `Server`."""
        with self._lock:
            building = self._building.setdefault(key, threading.Lock())
        # Schemas of several suites may be built side by side.
        with building:
            if key not in self._templates:
                self._templates[key] = self._built(settings, build)

    def _built(
        self, settings: DatabaseSettings, build: Callable[[Clone], None]
    ) -> Template:
        house = self.house
        word = slug(settings.name, _NAME)
        name, owner = house.name(f"{word}_template_"), house.name(f"{word}_owner_")
        what = f"no template of database {settings.name} can be made"
        with asked_for(what), self._lock:
            if self._putter is None:
                self._putter = self._new_putter()
            putter = self._putter
        try:
            with asked_for(what):
                house.make_role(owner, "NOLOGIN")
                login = house.make_role(name, "LOGIN CREATEDB")
                house.join(name, owner)
                house.make_database(name, "template0", name)
                with house.session() as session:
                    session.run(f"GRANT {_id(owner)} TO {_id(putter.user)}")
                if house.number < _PUBLIC:
                    self._hand_over(name, owner)
            build(
                PostgresClone(
                    house=house,
                    settings=settings,
                    login=login,
                    port=self.port,
                    putter=putter,
                )
            )
            with asked_for(f"the schema of {settings.name} can't be kept"):
                return self._kept(name, owner)
        except BaseException:
            with suppress(ServiceError):
                for role in (name, owner):
                    for database in house.databases_of(role):
                        house.drop_database(database)
                    house.drop_role(role)
            raise

    def _hand_over(self, name: str, owner: str) -> None:
        with self.house.inside(name) as session:
            try:
                session.run(f"ALTER SCHEMA public OWNER TO {_id(owner)}")
            except Refused as refused:
                # Not a superuser's to give; everybody may make tables in it anyway.
                if refused.code != _FORBIDDEN:
                    raise

    def _new_putter(self) -> Login:
        # No superuser, since functions of the tests' own schema may run while rows are
        # put in; what a superuser sets for it holds all the same.
        every = " BYPASSRLS" if self.house.superuser else ""
        putter = self.house.make_role(self.house.name("putter_"), f"LOGIN{every}")
        if self.house.superuser:
            with self.house.session() as session:
                session.run(
                    f"ALTER ROLE {_id(putter.user)}"
                    " SET session_replication_role = replica"
                )
        return putter

    def _kept(self, name: str, owner: str) -> Template:
        house = self.house
        house.empty(name)
        with house.inside(name) as session:
            session.run(f"REASSIGN OWNED BY {_id(name)} TO {_id(owner)}")
            session.run(f"DROP OWNED BY {_id(name)}")
            catalog.identify(session)
            holds = catalog.look(session)
            settings = _settings(session)
            [[size]] = session.run("SELECT pg_database_size(current_database())")
        with house.session() as session:
            session.run(f"ALTER DATABASE {_id(name)} OWNER TO CURRENT_USER")
            session.run(f"ALTER DATABASE {_id(name)} ALLOW_CONNECTIONS false")
        for other in house.databases_of(owner):
            house.drop_database(other)
        house.drop_role(name)
        return Template(
            name=name, owner=owner, settings=settings, size=int(size), holds=holds
        )

    def clone(self, key: str, settings: DatabaseSettings, port: int) -> Clone:
        """A fresh copy of a template; see `Server`."""
        template, putter, house = self._templates.get(key), self._putter, self.house
        if template is None or putter is None:
            raise BenchFailed(f"there is no template {key} of {settings.name}")
        name = house.name(f"{slug(settings.name, _NAME)}_")
        with asked_for(f"no fresh database {settings.name} can be made"):
            login = house.make_role(
                name, f"LOGIN CREATEDB CONNECTION LIMIT {house.connections}"
            )
            house.join(name, template.owner)
            clone = PostgresClone(
                house=house,
                settings=settings,
                login=login,
                port=port,
                putter=putter,
                owner=template.owner,
                before=template.holds,
            )
            try:
                house.make_database(name, template.name, name, size=template.size)
                if template.settings:
                    self._set(name, template.settings)
            except BaseException:
                clone.drop()
                raise
        return clone

    def _set(self, name: str, settings: tuple[tuple[str, str], ...]) -> None:
        # The values are the schema's own words, so they stand in no statement: the
        # server takes them from the session, which is thrown away.
        with self.house.inside(self.house.database) as session:
            for setting, value in settings:
                session.run("SELECT set_config($1, $2, false)", setting, value)
                quoted = ".".join(map(_id, setting.split(".")))
                session.run(f"ALTER DATABASE {_id(name)} SET {quoted} FROM CURRENT")

    def alive(self) -> str:
        """Why it can't be used any more; see `Server`."""
        try:
            self._write()
        except ServiceError:
            # A session that was kept may have been cut off by itself.
            self.house.forget()
            try:
                self._write()
            except ServiceError as error:
                return f"PostgreSQL does not work any more: {error.happened}"
        return ""

    def close(self) -> None:
        """Keep no session with it; safe to call twice."""
        self.house.close()

    def _write(self) -> None:
        # Not only read: a full disk is seen by what can't be written.
        with self.house.session() as session, session.transaction():
            for place in ("", MEMORY) if self.house.memory else ("",):
                there = f" TABLESPACE {place}" if place else ""
                session.run(
                    f"CREATE TEMPORARY TABLE alive ON COMMIT DROP{there}"
                    " AS SELECT 'yes'"
                )
                session.run("DROP TABLE pg_temp.alive")


def _settings(session: Session) -> tuple[tuple[str, str], ...]:
    """What was set for the session's database, as the server keeps it."""
    rows = session.run(
        "SELECT unnest(setconfig) FROM pg_db_role_setting WHERE setrole = 0 AND"
        " setdatabase IN"
        " (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    pairs = (str(line).partition("=") for (line,) in rows)
    return tuple((name, value) for name, _, value in pairs)


def _id(name: str) -> str:
    return identifier(name)
