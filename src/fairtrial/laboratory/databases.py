"""Which fresh logical databases a trial gets, and what it left in them."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from fairtrial.benches import Bench
from fairtrial.benches.databases import Clone, Server
from fairtrial.benches.databases.carrying import carrying, taken_back
from fairtrial.benches.ports import free_port
from fairtrial.domain.connections import variables
from fairtrial.domain.databases import Change, DatabaseSettings, Engine, Ledger
from fairtrial.domain.errors import SurroundingsLost, TreeBroken
from fairtrial.domain.names import TrialId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.settings import SuiteSettings
from fairtrial.domain.trees import Revision, Tree, canonical
from fairtrial.domain.trials import Door, Ending, TrialOutput, TrialSpec
from fairtrial.laboratory.passwords import unsaid, unwritten
from fairtrial.laboratory.source import TreeSource, frozen_tree

#: Where each engine listens as a rule; the next server of the same kind is one above.
USUAL: Final = {Engine.POSTGRESQL: 5432, Engine.MARIADB: 3306, Engine.SQLITE: 0}

#: Of what a schema's commands printed, so many characters are told.
_PRINTED: Final = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """The databases of one trial, ready and empty but for their schema."""

    clones: tuple[Clone, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    doors: tuple[Door, ...] = ()
    watched: bool = False

    def run(self, spec: TrialSpec, bench: Bench) -> TrialOutput:
        """What came of a trial that has these databases beside it."""
        spec = replace(
            spec,
            env={**spec.env, **self.env},
            doors=(*spec.doors, *self.doors),
        )
        output = taken_back(bench.run(carrying(spec, self.clones)), self.clones)
        return unsaid(output, self._passwords())

    def ledgers(self) -> tuple[Ledger, ...]:
        """What was committed in each; nothing where it was not watched."""
        if not self.watched:
            return ()
        passwords = self._passwords()
        return tuple(unwritten(one.ledger(), passwords) for one in self.clones)

    def _passwords(self) -> list[str]:
        return [one.connection.password for one in self.clones]


@dataclass(slots=True, kw_only=True)
class Databases:
    """The logical databases of one suite: a template per tree, a clone per trial."""

    suite: SuiteSettings
    bench: Bench
    source: TreeSource
    #: By the database's name; several may have one server.
    servers: Mapping[str, Server]
    #: The classes in which base and head differ: equal trees share a template.
    changed: frozenset[PathClass]
    #: Programs for the schema's commands, found behind the bench's own, and the
    #: folder of the executable ones among them.
    programs: Mapping[str, bytes] = field(default_factory=dict)
    folder: str = ""
    #: Seconds that the schema's commands may take.
    timeout: float
    #: Templates are the run's, whose suites may share a server.
    numbers: count[int] = field(default_factory=count)
    _templates: dict[tuple[str, Tree], str] = field(default_factory=dict)
    #: Why a tree's schema can't be built, so that it is not tried again.
    _broken: dict[tuple[str, Tree], TreeBroken] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def prepare(self, revision: Revision) -> None:
        """Build the schemas of base or head; raises TreeBroken when one does not."""
        for settings in self.suite.databases:
            self._template(settings, frozen_tree(revision))

    @contextmanager
    def fresh(
        self, tree: Tree, *, rows: Sequence[Change] = (), watched: bool = False
    ) -> Iterator[Fresh]:
        """Clones of the tree's templates with these rows in them, for one trial.

        Raises SurroundingsLost when a server is gone, TreeBroken when the schema of
        this tree can't be built.
        """
        with ExitStack() as closers:
            clones: list[Clone] = []
            doors: dict[int, Door] = {}
            env: dict[str, str] = {}
            engines: set[Engine] = set()
            ports = self._ports()
            for settings in self.suite.databases:
                server, port = self.servers[settings.name], ports[settings.name]
                key = self._template(settings, tree)
                with lost_if_gone(server):
                    clone = server.clone(key, settings, port)
                    closers.callback(clone.drop)
                    own = [each for each in rows if each.database == settings.name]
                    if own:
                        clone.put(own)
                    if watched:
                        clone.watch()
                clones.append(clone)
                if clone.door is not None:
                    doors[clone.door.port] = clone.door
                first = settings.engine not in engines
                engines.add(settings.engine)
                env |= variables(settings, clone.connection, first=first)
            yield Fresh(
                clones=tuple(clones),
                env=env,
                doors=tuple(doors.values()),
                watched=watched,
            )

    def lost(self) -> str:
        """Why a server can't be used any more; empty while all can."""
        for name, server in self.servers.items():
            gone = server.alive()
            if gone:
                return f"database {name}: {gone}"
        return ""

    def _ports(self) -> Mapping[str, int]:
        """One port for each server, the usual one where the loopback is the trial's."""
        ports: dict[int, int] = {}
        found = {}
        for settings in self.suite.databases:
            server = id(self.servers[settings.name])
            if server not in ports:
                usual = USUAL[settings.engine]
                while usual and usual in ports.values():
                    usual += 1
                fixed = self.bench.own_loopback or not usual
                ports[server] = usual if fixed else free_port()
            found[settings.name] = ports[server]
        return found

    def _template(self, settings: DatabaseSettings, tree: Tree) -> str:
        """The key of a tree's template, which is built when it is first asked for.

        What stands over a tree (a mutant, a single test of base) is left out: it
        changes no schema that is worth another build.
        """
        plain = replace(canonical(tree, self.changed), overlay=None)
        known = (settings.name, plain)
        with self._lock:
            if known in self._broken:
                raise self._broken[known]
            if known not in self._templates:
                key = f"{self.suite.name}-{settings.name}-{next(self.numbers)}"
                server = self.servers[settings.name]
                try:
                    with lost_if_gone(server):
                        server.template(
                            key,
                            settings,
                            lambda clone: self._build(settings, tree, clone),
                        )
                except TreeBroken as broken:
                    self._broken[known] = broken
                    raise
                self._templates[known] = key
            return self._templates[known]

    def _build(self, settings: DatabaseSettings, tree: Tree, clone: Clone) -> None:
        """Run the schema's commands in the tree, as any trial is run."""
        if not settings.schema:
            return
        script = "\n".join(settings.schema)
        if self.folder:
            folder = shlex.quote(str(self.bench.places.inputs / self.folder))
            script = f"PATH=$PATH:{folder}\n{script}"
        plain = replace(tree, overlay=None)
        fresh = Fresh(
            clones=(clone,),
            env=variables(settings, clone.connection, first=True),
            doors=() if clone.door is None else (clone.door,),
        )
        spec = TrialSpec(
            trial=TrialId(f"schema-{settings.name}"),
            frozen=plain.frozen_from,
            delta=self.source.delta(plain),
            argv=("sh", "-ec", script),
            env=self.suite.env,
            programs=self.programs,
            timeout=self.timeout,
        )
        output = fresh.run(spec, self.bench)
        if output.ending is not Ending.EXITED or output.code != 0:
            printed = (output.stdout + output.stderr).decode("utf-8", "replace")
            step = "; ".join(settings.schema)
            raise TreeBroken(plain.frozen_from, step, printed[-_PRINTED:])


@contextmanager
def lost_if_gone(server: Server) -> Iterator[None]:
    """What fails while the server is gone is its doing, not the tree's."""
    try:
        yield
    except SurroundingsLost:
        raise
    except Exception as error:
        gone = server.alive()
        if gone:
            raise SurroundingsLost(gone) from error
        raise
