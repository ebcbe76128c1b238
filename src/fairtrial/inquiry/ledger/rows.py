"""One table while changes are made to it: which rows are there, and whose they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fairtrial.domain.databases import Change
from fairtrial.domain.names import TestId
from fairtrial.inquiry.ledger.windows import Owned

Values = Mapping[str, str | None]
#: The values of some columns, in the order of their names.
Named = tuple[str | None, ...]


@dataclass(slots=True, eq=False)
class Row:
    """One row that was touched; equal rows are still two."""

    last: Change
    values: dict[str, str | None]
    types: dict[str, str]
    #: What named it in the template; None: it was not there.
    origin: dict[str, str | None] | None = None
    gone: bool = False
    #: The tests that wrote to it, in order; each once.
    by: dict[TestId, None] = field(default_factory=dict)
    #: Whether each writer was the only test that ran.
    certain: bool = True

    @property
    def change(self) -> Change:
        """The last change that was made to it."""
        return self.last

    def written(self, owned: Owned) -> None:
        """Note who wrote to it."""
        self.last = owned.change
        self.by.update(dict.fromkeys(owned.tests))
        self.certain = self.certain and len(owned.tests) < 2  # noqa: PLR2004 - alone
        self.types.update(owned.change.types)


class Table:
    """The touched rows of one table, found by what names them."""

    def __init__(self) -> None:
        #: The change that emptied it, if one did.
        self.emptied: Row | None = None
        self._rows: dict[int, Row] = {}
        self._next = 0
        # Rows that are there, by the values of the columns that some key has named.
        self._found: dict[tuple[str, ...], dict[Named, dict[int, Row]]] = {}
        # Rows that were deleted, by all that named them.
        self._gone: dict[frozenset[tuple[str, str | None]], list[int]] = {}

    def rows(self) -> tuple[Row, ...]:
        """The touched rows, in the order they were first touched."""
        return tuple(self._rows.values())

    def insert(self, owned: Owned) -> None:
        """A new row; one that was deleted and is put back just so is untouched."""
        values = dict(owned.change.values)
        same = self._gone.get(frozenset(values.items()))
        if same:
            del self._rows[same.pop()]
        else:
            self._add(_row(owned, values))

    def update(self, owned: Owned) -> None:
        """A row with other values; one that is as it was is untouched."""
        change = owned.change
        number, row = self._find(change.key)
        if row is None:
            values = {**change.key, **change.values}
            if values == change.key:
                return
            self._add(_row(owned, values, origin=dict(change.key)))
            return
        self._forget(number, row)
        row.values.update(change.values)
        row.written(owned)
        if row.origin is not None and row.values == row.origin:
            del self._rows[number]
        else:
            self._remember(number, row)

    def delete(self, owned: Owned) -> None:
        """A row less; of one that was inserted before, nothing is left."""
        number, row = self._find(owned.change.key)
        if row is None:
            key = dict(owned.change.key)
            self._add(_row(owned, dict(key), origin=key, gone=True))
            return
        self._forget(number, row)
        row.written(owned)
        row.gone = True
        if row.origin is None:
            del self._rows[number]
        else:
            self._bury(number, row)

    def truncate(self, owned: Owned) -> None:
        """No row at all, whatever was there."""
        self._rows.clear()
        self._found.clear()
        self._gone.clear()
        self.emptied = _row(owned, {})

    def _add(self, row: Row) -> None:
        self._rows[self._next] = row
        if row.gone:
            self._bury(self._next, row)
        else:
            self._remember(self._next, row)
        self._next += 1

    def _bury(self, number: int, row: Row) -> None:
        whole = frozenset((row.origin or {}).items())
        self._gone.setdefault(whole, []).append(number)

    def _find(self, key: Values) -> tuple[int, Row | None]:
        columns = tuple(sorted(key))
        if columns not in self._found:
            self._found[columns] = {}
            for number, row in self._rows.items():
                if not row.gone:
                    self._index(columns, number, row)
        wanted = tuple(key[column] for column in columns)
        for number, row in self._found[columns].get(wanted, {}).items():
            return number, row
        return -1, None

    def _remember(self, number: int, row: Row) -> None:
        for columns in self._found:
            self._index(columns, number, row)

    def _index(self, columns: tuple[str, ...], number: int, row: Row) -> None:
        if all(column in row.values for column in columns):
            named = tuple(row.values[column] for column in columns)
            self._found[columns].setdefault(named, {})[number] = row

    def _forget(self, number: int, row: Row) -> None:
        for columns, found in self._found.items():
            if all(column in row.values for column in columns):
                named = tuple(row.values[column] for column in columns)
                found.get(named, {}).pop(number, None)


def _row(
    owned: Owned,
    values: dict[str, str | None],
    *,
    origin: dict[str, str | None] | None = None,
    gone: bool = False,
) -> Row:
    return Row(
        last=owned.change,
        values=values,
        types=dict(owned.change.types),
        origin=origin,
        gone=gone,
        by=dict.fromkeys(owned.tests),
        certain=len(owned.tests) < 2,  # noqa: PLR2004 - alone or not
    )
