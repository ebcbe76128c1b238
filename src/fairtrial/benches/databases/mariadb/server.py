"""Templates and clones on one MariaDB or MySQL server, wherever that runs."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from fairtrial.benches.databases import Clone
from fairtrial.benches.databases.asking import asked_for
from fairtrial.benches.databases.mariadb import catalog
from fairtrial.benches.databases.mariadb.catalog import Catalog
from fairtrial.benches.databases.mariadb.clone import MariaClone
from fairtrial.benches.databases.mariadb.copying import make_like
from fairtrial.benches.databases.mariadb.house import House
from fairtrial.clients.mariadb import Login
from fairtrial.domain.databases import DatabaseSettings
from fairtrial.domain.errors import BenchFailed, ServiceError


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A database with a schema, whose user is gone."""

    database: str
    name: str
    holds: Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A fresh copy of a template."""

    database: str
    login: Login


@dataclass(slots=True, kw_only=True, eq=False)
class MariaServer:
    """Satisfies `Server`, for each of the places that it runs in.

    Copying 100 tables takes 0.2 to 0.3 s, which is the server's time for making so many
    tables. So the next copy is made while a trial runs with the one before.
    """

    house: House
    #: The port through which schema commands reach a template that is being built.
    port: int = 3306
    _templates: dict[str, Template] = field(default_factory=dict)
    _next: dict[str, Future[Copy]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _aside: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(
            max_workers=1, thread_name_prefix="mariadb"
        )
    )

    @property
    def level(self) -> str:
        """Each trial has a copy of its own."""
        return "template-clone"

    @property
    def version(self) -> str:
        """Engine and version: "mariadb 10.11.6", "mysql 8.4.0"."""
        return self.house.version

    def template(
        self,
        key: str,
        settings: DatabaseSettings,
        build: Callable[[Clone], None],
    ) -> None:
        """Have a template under `key`; see `Server`."""
        with self._lock:
            if key not in self._templates:
                self._templates[key] = self._built(settings, build)
                self._prepare(key)

    def _built(
        self, settings: DatabaseSettings, build: Callable[[Clone], None]
    ) -> Template:
        house = self.house
        database = house.name(f"{settings.name}_schema")
        with asked_for(f"no template of database {settings.name} can be made"):
            login = house.make(database)
        clone = MariaClone(
            house=house,
            settings=settings,
            database=database,
            login=login,
            port=self.port,
            remove=house.remove,
        )
        try:
            build(clone)
            with asked_for(f"the schema of {settings.name} can't be kept"):
                house.remove_user(database)
                with house.session() as session:
                    holds = catalog.look(session, database)
                template = Template(database=database, name=settings.name, holds=holds)
                # What can't be copied is found out now, and not in each trial.
                copy = self._copied(template)
                house.remove_user(copy.database)
                house.remove(copy.database)
        except BaseException:
            clone.drop()
            raise
        return template

    def clone(self, key: str, settings: DatabaseSettings, port: int) -> Clone:
        """A fresh copy of a template; see `Server`."""
        template = self._templates.get(key)
        if template is None:
            raise BenchFailed(f"there is no template {key} of {settings.name}")
        with self._lock:
            ready = self._next.pop(key, None)
        with asked_for(f"no fresh database {settings.name} can be made"):
            copy = self._copied(template) if ready is None else ready.result()
        with self._lock:
            self._prepare(key)
        return MariaClone(
            house=self.house,
            settings=settings,
            database=copy.database,
            login=copy.login,
            port=port,
            template=template.holds,
            remove=self._remove,
        )

    def _prepare(self, key: str) -> None:
        with contextlib.suppress(RuntimeError):
            if key not in self._next:
                self._next[key] = self._aside.submit(self._copied, self._templates[key])

    def _copied(self, template: Template) -> Copy:
        house = self.house
        database = house.name(template.name)
        login = house.make(database, template.holds.charset, template.holds.collation)
        with house.session() as admin, house.owner(login) as owner:
            make_like(template.holds, template.database, database, admin, owner)
        return Copy(database=database, login=login)

    def _remove(self, database: str) -> None:
        """Remove a database when nothing else is to be done."""
        try:
            self._aside.submit(self._quietly_removed, database)
        except RuntimeError:
            self._quietly_removed(database)

    def _quietly_removed(self, database: str) -> None:
        with contextlib.suppress(ServiceError):
            self.house.remove(database)

    def alive(self) -> str:
        """Why it can't be used any more; see `Server`."""
        try:
            with self.house.session() as session:
                session.run("SELECT 1")
        except ServiceError as error:
            return f"MariaDB does not answer: {error}"
        return ""

    def close(self) -> None:
        """Begin nothing more, and keep no session with it; safe to call twice."""
        self.end_copying()
        self.house.close()

    def end_copying(self, *, wait: bool = False) -> None:
        """Begin no copy any more; without `wait` what is under way is left alone."""
        with self._lock:
            self._next.clear()
        self._aside.shutdown(wait=wait, cancel_futures=not wait)
