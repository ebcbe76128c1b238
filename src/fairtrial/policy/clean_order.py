"""In which order the tables of a database are emptied, children before parents."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

#: A table with its schema, where the engine has schemas.
Table = tuple[str, ...]


class OnDelete(StrEnum):
    """What happens to a child's row when its parent's row is deleted."""

    REFUSED = "refused"
    CASCADE = "cascade"
    SET_NULL = "set null"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignKey:
    """One table's reference to another, or to itself."""

    child: Table
    parent: Table
    columns: tuple[str, ...]
    on_delete: OnDelete = OnDelete.REFUSED
    #: Whether all of its columns may be NULL.
    nullable: bool = False

    @property
    def binds(self) -> bool:
        """Whether the parent's rows can't be deleted while the child has rows."""
        return self.on_delete is OnDelete.REFUSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Tables that are emptied together: mostly one, more where they form a cycle."""

    #: In the order to empty them.
    tables: tuple[Table, ...]
    #: References that are set to NULL before, so that the order holds.
    loosened: tuple[ForeignKey, ...] = ()
    #: References that can't be: the engine has to be told to look away.
    stuck: tuple[ForeignKey, ...] = ()
    #: How the tables refer to each other, once around; empty without a cycle.
    cycle: tuple[Table, ...] = ()
    #: All references inside the group.
    keys: tuple[ForeignKey, ...] = ()


def clean_order(
    tables: Collection[Table], keys: Collection[ForeignKey]
) -> tuple[Group, ...]:
    """All tables, each once, children before parents; the same for the same input.

    Within a cycle, references that delete or loosen their rows themselves are left out
    first, then as few as needed of those that may be NULL. (Strongly connected
    components after R. Tarjan, 1972.)
    """
    known = sorted(
        {*tables, *(key.child for key in keys), *(key.parent for key in keys)}
    )
    parents: dict[Table, list[Table]] = {table: [] for table in known}
    keys = sorted(keys, key=_place)
    for key in keys:
        if key.child != key.parent:
            parents[key.child].append(key.parent)
    groups = [
        _group(component, [key for key in keys if _inside(key, component)])
        for component in _components(parents)
    ]
    # Components come parents first.
    return tuple(reversed(groups))


def _place(key: ForeignKey) -> tuple[object, ...]:
    return key.child, key.parent, key.columns, key.on_delete, key.nullable


def _inside(key: ForeignKey, tables: Collection[Table]) -> bool:
    return key.child in tables and key.parent in tables


def _components(parents: Mapping[Table, Sequence[Table]]) -> list[tuple[Table, ...]]:
    """Strongly connected tables, each after all that it refers to; no recursion."""
    numbers: dict[Table, int] = {}
    lowest: dict[Table, int] = {}
    stack: list[Table] = []
    found: list[tuple[Table, ...]] = []
    placed: set[Table] = set()
    for root in sorted(parents, reverse=True):
        if root in numbers:
            continue
        work: list[tuple[Table, Iterator[Table]]] = [(root, iter(parents[root]))]
        numbers[root] = lowest[root] = len(numbers)
        stack.append(root)
        while work:
            table, rest = work[-1]
            other = next((each for each in rest if each not in placed), None)
            if other is None:
                work.pop()
                if work:
                    above = work[-1][0]
                    lowest[above] = min(lowest[above], lowest[table])
                if lowest[table] == numbers[table]:
                    at = stack.index(table)
                    found.append(tuple(sorted(stack[at:])))
                    placed.update(stack[at:])
                    del stack[at:]
            elif other in numbers:
                lowest[table] = min(lowest[table], numbers[other])
            else:
                numbers[other] = lowest[other] = len(numbers)
                stack.append(other)
                work.append((other, iter(parents[other])))
    return found


def _group(tables: tuple[Table, ...], keys: list[ForeignKey]) -> Group:
    binding = sorted((key for key in keys if key.binds), key=_place)
    selves = [key for key in binding if key.child == key.parent]
    between = [key for key in binding if key.child != key.parent]
    cycle = _around(tables, keys)
    loosened: list[ForeignKey] = []
    stuck: list[ForeignKey] = []
    order = _sorted(tables, between)
    while order is None:
        # One that lies on a cycle, and of those one that can be loosened if there is.
        on_cycles = [key for key in between if _reaches(key.parent, key.child, between)]
        chosen = next((key for key in on_cycles if key.nullable), on_cycles[0])
        (loosened if chosen.nullable else stuck).append(chosen)
        between.remove(chosen)
        order = _sorted(tables, between)
    for key in selves:
        (loosened if key.nullable else stuck).append(key)
    return Group(
        tables=order,
        loosened=tuple(loosened),
        stuck=tuple(stuck),
        cycle=cycle,
        keys=tuple(sorted(keys, key=_place)),
    )


def _sorted(
    tables: Sequence[Table], keys: Sequence[ForeignKey]
) -> tuple[Table, ...] | None:
    """Children before parents; none where there is a cycle."""
    waiting = list(tables)
    order: list[Table] = []
    while waiting:
        free = [
            table
            for table in waiting
            if not any(key.parent == table and key.child in waiting for key in keys)
        ]
        if not free:
            return None
        order.append(free[0])
        waiting.remove(free[0])
    return tuple(order)


def _reaches(start: Table, goal: Table, keys: Sequence[ForeignKey]) -> bool:
    seen, waiting = {start}, [start]
    while waiting:
        table = waiting.pop()
        if table == goal:
            return True
        above = {key.parent for key in keys if key.child == table} - seen
        seen |= above
        waiting += above
    return False


def _around(tables: tuple[Table, ...], keys: Sequence[ForeignKey]) -> tuple[Table, ...]:
    """One way from the first table back to it; none where there is no cycle."""
    first = tables[0]
    came: dict[Table, Table] = {}
    waiting = [first]
    for table in waiting:
        for key in sorted(keys, key=_place):
            if key.child != table:
                continue
            if key.parent == first:
                way = [first]
                while table != first:
                    way.insert(1, table)
                    table = came[table]  # noqa: PLW2901 - the way back
                return (*way, first)
            if key.parent not in came:
                came[key.parent] = table
                waiting.append(key.parent)
    return ()
