"""Ledgers made short: changes, trials that committed them, tables to try them on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fairtrial.domain.databases import Change, Verb
from fairtrial.domain.experiments import (
    SUITE,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import SuiteName, TestId, TrialId
from fairtrial.domain.results import Outcome, Result
from fairtrial.domain.trees import HEAD

#: When trials here begin.
EPOCH = 1_700_000_000.0

Values = Mapping[str, str | None]


def insert(table: str, at: float = 0.0, /, **values: str | None) -> Change:
    """A row put in, `at` seconds into the trial."""
    return Change(
        database="main",
        table=table,
        verb=Verb.INSERT,
        values=values,
        types=dict.fromkeys(values, "text"),
        at=EPOCH + at,
    )


def update(table: str, key: Values, values: Values, at: float = 0.0) -> Change:
    """A row changed."""
    return Change(
        database="main",
        table=table,
        verb=Verb.UPDATE,
        key=key,
        values=values,
        types=dict.fromkeys((*key, *values), "text"),
        at=EPOCH + at,
    )


def delete(table: str, key: Values, at: float = 0.0) -> Change:
    """A row taken out."""
    return Change(
        database="main",
        table=table,
        verb=Verb.DELETE,
        key=key,
        types=dict.fromkeys(key, "text"),
        at=EPOCH + at,
    )


def truncate(table: str, at: float = 0.0) -> Change:
    """A table emptied."""
    return Change(database="main", table=table, verb=Verb.TRUNCATE, at=EPOCH + at)


def observation(
    changes: Sequence[Change],
    windows: Mapping[str, tuple[float, float]],
    *,
    workers: Mapping[str, str] | None = None,
    unrecorded: tuple[str, ...] = (),
    trust: Trust = Trust.SOUND,
    epoch: float = EPOCH,
    watched: bool = True,
) -> Observation:
    """A suite trial; `windows` holds when each test began, and its seconds."""
    workers = workers or {}
    results = {
        TestId(name): Result(
            test=TestId(name),
            outcome=Outcome.PASSED,
            started=started,
            seconds=seconds,
            worker=workers.get(name, "main"),
        )
        for name, (started, seconds) in windows.items()
    }
    return Observation(
        trial=TrialId("t1"),
        experiment=Experiment(
            suite=SuiteName("unit"),
            tree=HEAD,
            context=SUITE,
            shape=Shape.WHOLE,
            purpose=Purpose.SUITE,
            watched=watched,
        ),
        results=results,
        trust=trust,
        epoch=epoch,
        changes=tuple(changes),
        unrecorded=unrecorded,
    )


class Tables:
    """A database that does what changes say, and knows nothing of what they mean."""

    def __init__(self, rows: Mapping[str, Iterable[Values]] | None = None) -> None:
        self.rows: dict[str, list[dict[str, str | None]]] = {
            table: [dict(row) for row in held] for table, held in (rows or {}).items()
        }

    def make(self, change: Change) -> None:
        """One change; a row that a key names has to be there."""
        rows = self.rows.setdefault(change.table, [])
        match change.verb:
            case Verb.INSERT:
                rows.append(dict(change.values))
            case Verb.UPDATE:
                self._named(rows, change.key).update(change.values)
            case Verb.DELETE:
                rows.remove(self._named(rows, change.key))
            case Verb.TRUNCATE:
                rows.clear()

    def _named(
        self, rows: list[dict[str, str | None]], key: Values
    ) -> dict[str, str | None]:
        return next(row for row in rows if key.items() <= row.items())

    @property
    def content(self) -> dict[str, list[tuple[tuple[str, str | None], ...]]]:
        """The rows of each table that has some, in no order."""
        return {
            table: sorted(
                (tuple(sorted(row.items())) for row in rows),
                key=lambda row: [
                    (name, value is None, value or "") for name, value in row
                ],
            )
            for table, rows in self.rows.items()
            if rows
        }
