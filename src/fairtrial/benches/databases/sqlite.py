"""SQLite: a file that is built once, copied for each trial, and compared at its end."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from fairtrial.benches.databases import Clone
from fairtrial.clients import sqlite
from fairtrial.domain.databases import (
    Alteration,
    Change,
    Connection,
    DatabaseSettings,
    Engine,
    Ledger,
    Verb,
)
from fairtrial.domain.errors import BenchFailed, ServiceError
from fairtrial.domain.identifiers import names_in, spelled
from fairtrial.domain.trials import Door, Places, TrialOutput

#: Characters of a definition that are told.
_TOLD: Final = 2000

#: Of a rollback journal that ends in the middle of a transaction.
_HOT: Final = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"

_NO_TIMES: Final = (
    "SQLite does not record when a row was committed: what the suite left in database"
    " {name} is known, and which test left it is not"
)


@dataclass(slots=True, kw_only=True)
class SqliteServer:
    """Satisfies `Server`; there is no process to be lost."""

    places: Places
    _templates: dict[str, bytes] = field(default_factory=dict)

    @property
    def level(self) -> str:
        """Each trial has a copy of the file."""
        return "copy"

    @property
    def version(self) -> str:
        """The gate's own SQLite, which compares; the tests bring theirs."""
        return f"sqlite {sqlite3.sqlite_version}"

    def template(
        self,
        key: str,
        settings: DatabaseSettings,
        build: Callable[[Clone], None],
    ) -> None:
        """Have the schema's commands make the file, beginning with an empty one."""
        clone = SqliteClone(settings=settings, places=self.places, content=b"")
        build(clone)
        if clone.lost:
            raise BenchFailed(
                f"The file of database {settings.name} can't be used: {clone.lost}."
            )
        self._templates[key] = clone.file

    def clone(self, key: str, settings: DatabaseSettings, port: int) -> Clone:  # noqa: ARG002 - a file has no port
        """A copy of the template, to be carried into a trial."""
        return SqliteClone(
            settings=settings, places=self.places, content=self._templates[key]
        )

    def content(self, key: str) -> bytes:
        """A template's file."""
        return self._templates[key]

    def alive(self) -> str:
        """It always is."""
        return ""

    def close(self) -> None:
        """Nothing is left outside of trials."""
        self._templates.clear()


@dataclass(slots=True, kw_only=True)
class SqliteClone:
    """Satisfies `Clone` and `Carried`."""

    settings: DatabaseSettings
    places: Places
    content: bytes
    #: Why the file that came back can't be read; empty: it can.
    lost: str = ""
    _was: bytes = b""
    _watched: bool = False
    _back: Mapping[str, bytes] | None = None

    @property
    def connection(self) -> Connection:
        """The file where the tests find it."""
        return Connection(
            engine=Engine.SQLITE, name=self.settings.name, path=self.copied[1]
        )

    @property
    def door(self) -> Door | None:
        """A file needs none."""
        return None

    @property
    def inputs(self) -> Mapping[str, bytes]:
        """The file, as the trial gets it."""
        return {self._name: self.content}

    @property
    def copied(self) -> tuple[str, str]:
        """From the inputs into the outputs."""
        name = self._name
        return str(self.places.inputs / name), str(self.places.outputs / name)

    @property
    def _name(self) -> str:
        return f"database-{self.settings.name}.sqlite"

    @property
    def file(self) -> bytes:
        """The file that came back, with its log worked in."""
        if self._back is None:
            return self.content
        if sqlite.LOG not in self._back:
            return self._back[sqlite.FILE]
        return sqlite.merged(self._back)

    def put(self, changes: Sequence[Change]) -> None:
        """Put rows into the file before it is handed in."""
        asked = [
            {
                "table": names_in(each.table, Engine.SQLITE)[-1],
                "verb": each.verb.value,
                "key": dict(each.key),
                "values": dict(each.values),
                "types": dict(each.types),
            }
            for each in changes
        ]
        try:
            self.content = sqlite.put(self.content, asked)
        except ServiceError as error:
            raise BenchFailed(
                f"Rows can't be put into database {self.settings.name}: {error}"
            ) from error

    def watch(self) -> None:
        """What is there now is what the file is compared with."""
        self._was, self._watched = self.content, True

    def take(self, output: TrialOutput) -> None:
        """Take the file back from the outputs."""
        name = self._name
        found = {
            own: output.files[f"{name}{end}"]
            for own, end in ((sqlite.FILE, ""), (sqlite.LOG, "-wal"))
            if f"{name}{end}" in output.files
        }
        if sqlite.FILE not in found:
            self.lost = "it was removed, or is too large to take back"
        elif output.files.get(f"{name}-journal", b"").startswith(_HOT):
            self.lost = "it was left in the middle of a transaction"
        else:
            self._back, self.lost = found, ""

    def ledger(self) -> Ledger:
        """How the file differs from the one that was handed in; without times."""
        name = self.settings.name
        if not self._watched or self._back is None:
            why = self.lost or "it did not come back"
            return Ledger(blind=f"the file of database {name} can't be read: {why}")
        try:
            found = sqlite.compare(self._was, self._back)
        except ServiceError as error:
            return Ledger(blind=f"the file of database {name} can't be read: {error}")
        if found.get("more"):
            blind = f"more rows of database {name} differ than can be told"
        else:
            blind = _NO_TIMES.format(name=name)
        return Ledger(
            changes=tuple(_change(name, each) for each in found["changes"]),
            alterations=tuple(
                Alteration(
                    database=name,
                    kind=str(kind),
                    name=str(what),
                    was=str(was)[:_TOLD],
                    now=str(now)[:_TOLD],
                )
                for kind, what, was, now in found["alterations"]
            ),
            blind=blind,
        )

    def drop(self) -> None:
        """Let go of the bytes."""
        self._back = None
        self._was = b""


def _change(database: str, found: Mapping[str, Any]) -> Change:
    return Change(
        database=database,
        table=spelled((found["table"],), Engine.SQLITE),
        verb=Verb(found["verb"]),
        key=found["key"],
        values=found["values"],
        types=found["types"],
    )
