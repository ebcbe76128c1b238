"""What remains of a list of changes: the rows that differ from the template at last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from fairtrial.domain.databases import Change, Verb
from fairtrial.domain.names import TestId
from fairtrial.inquiry.ledger.rows import Row, Table
from fairtrial.inquiry.ledger.windows import Owned


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Left:
    """One difference from the template, as one change that makes it.

    An insert has the row as it is at last; an update has the template's row as its
    key; what was inserted and deleted again is none. Two equal rows are two: each is
    equal to itself alone.
    """

    change: Change
    #: Who wrote to the row, in order; empty: set-up did.
    by: tuple[TestId, ...] = ()
    #: Whether each of its writers was the only test that ran.
    certain: bool = True


@dataclass(slots=True)
class _Ledger:
    tables: dict[tuple[str, str], Table] = field(default_factory=dict)
    #: Changes whose row can't be told: they are kept as they are.
    loose: list[Left] = field(default_factory=list)

    def take(self, owned: Owned) -> None:
        change = owned.change
        table = self.tables.setdefault((change.database, change.table), Table())
        match change.verb:
            case Verb.INSERT:
                table.insert(owned)
            case Verb.TRUNCATE:
                self.loose = [
                    left
                    for left in self.loose
                    if (left.change.database, left.change.table)
                    != (change.database, change.table)
                ]
                table.truncate(owned)
            case Verb.UPDATE | Verb.DELETE if not change.key:
                self.loose.append(
                    Left(
                        change=change,
                        by=owned.tests,
                        certain=len(owned.tests) < 2,  # noqa: PLR2004 - alone or not
                    )
                )
            case Verb.UPDATE:
                table.update(owned)
            case Verb.DELETE:
                table.delete(owned)


def net(changes: Iterable[Owned]) -> tuple[Left, ...]:
    """What is left when all of them were made, in an order that can be made again.

    Whole tables emptied come first, then rows deleted, changed and inserted: made in
    this order on the template, they give what the changes gave.
    """
    ledger = _Ledger()
    for each in changes:
        ledger.take(each)
    emptied: list[Left] = []
    deleted: list[Left] = []
    updated: list[Left] = []
    inserted: list[Left] = []
    for table in ledger.tables.values():
        if table.emptied is not None:
            emptied.append(_left(table.emptied.change, table.emptied))
        rows = table.rows()
        for row in rows:
            if row.origin is None:
                inserted.append(_insert(row))
            elif row.gone:
                deleted.append(_delete(row))
            elif _in_the_way(row, rows):
                deleted.append(_delete(row))
                inserted.append(_insert(row))
            else:
                updated.append(_update(row))
    return (*emptied, *deleted, *updated, *inserted, *ledger.loose)


def _in_the_way(row: Row, rows: Iterable[Row]) -> bool:
    """Whether a changed row, as it is at last, is taken for another one's old self."""
    return any(
        other is not row
        and other.origin is not None
        and not other.gone
        and matches(row.values, other.origin)
        for other in rows
    )


def matches(values: Mapping[str, str | None], key: Mapping[str, str | None]) -> bool:
    """Whether a row is the one that a key names."""
    return all(
        column in values and values[column] == value for column, value in key.items()
    )


def _insert(row: Row) -> Left:
    change = replace(
        row.last, verb=Verb.INSERT, key={}, values=row.values, types=row.types
    )
    return _left(change, row)


def _delete(row: Row) -> Left:
    change = replace(
        row.last, verb=Verb.DELETE, key=row.origin or {}, values={}, types=row.types
    )
    return _left(change, row)


def _update(row: Row) -> Left:
    change = replace(
        row.last,
        verb=Verb.UPDATE,
        key=row.origin or {},
        values=row.values,
        types=row.types,
    )
    return _left(change, row)


def _left(change: Change, row: Row) -> Left:
    return Left(change=change, by=tuple(row.by), certain=row.certain)


def written_by(
    lefts: Iterable[Left], tests: frozenset[TestId] | None
) -> Iterator[Left]:
    """Those that tests wrote; None: any test, but not set-up."""
    for left in lefts:
        if left.by and (tests is None or not tests.isdisjoint(left.by)):
            yield left
