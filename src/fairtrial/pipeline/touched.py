"""Which tests of a suite the change touched, and how they look beside base's.

Reading sources says what was edited; the runner's own inventories say what ran. Where
they disagree the inventory wins: a test that is written and not run is gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from fairtrial.domain.demands import (
    Aspect,
    Change,
    Compared,
    Comparison,
    Difference,
    Match,
    Place,
)
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.policy.effects import Edit

PlaceOf = Mapping[TestId, Place]

#: What only adds to a test's preparations.
_ADDED = "arrangement-added"


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """One test of base that the change touched, as the runner knows it."""

    place: Place
    edit: Edit
    #: Base's ids and head's, one for each parameter row.
    base: tuple[TestId, ...]
    head: tuple[TestId, ...] = ()
    #: What was read in the sources, heaviest first; empty where nothing could be.
    differences: tuple[Difference, ...] = ()
    #: Its sources show nothing weaker; only ids of base that head has not say so.
    by_ids: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventories:
    """What both sides' runners listed, and which of base's tests came to nothing."""

    base: tuple[TestId, ...]
    head: tuple[TestId, ...]
    #: In base's inventory only, or skipped at head though base ran them.
    vanished: frozenset[TestId]
    skipped: frozenset[TestId]
    places: PlaceOf


def edit_of(compared: Compared) -> Edit:
    """What happened to what one test demands, by its source alone."""
    if compared.match is Match.GONE:
        return Edit.GONE
    match compared.change:
        case Change.EQUAL:
            return Edit.EQUAL
        case Change.STRONGER:
            return Edit.STRONGER
        case Change.WEAKENED:
            return Edit.WEAKENED
        case Change.RE_SPECIFIED:
            heavy = (
                each
                for each in compared.differences
                if each.change is Change.RE_SPECIFIED
            )
            added = all(
                each.aspect is Aspect.ARRANGEMENT and each.rule == _ADDED
                for each in heavy
            )
            return Edit.ARRANGED if added else Edit.RE_SPECIFIED


def touched(
    comparison: Comparison, inventories: Inventories, files: AbstractSet[RepoPath]
) -> tuple[Touched, ...]:
    """Every test of base that needs a look; `files` are the changed test files."""
    at_base = _by_place(inventories.base, inventories.places)
    at_head = _by_place(inventories.head, inventories.places)
    found: dict[Place, Touched] = {}
    known: set[Place] = set()
    for compared in comparison.tests:
        if compared.base is None:
            continue
        known.add(compared.base)
        ids = at_base.get(compared.base, ())
        if not ids:
            continue
        head = () if compared.head is None else at_head.get(compared.head, ())
        one = _touched(compared, ids, head, inventories)
        if one is not None:
            found[compared.base] = one
    for place, ids in at_base.items():
        if place in known:
            continue
        unlisted = _unread(place, ids, at_head.get(place, ()), inventories)
        lost = [test for test in ids if test in inventories.vanished]
        if lost or inventories.skipped & set(ids) or place.path in files:
            found[place] = unlisted
    return tuple(found[place] for place in at_base if place in found)


def _touched(
    compared: Compared,
    base: tuple[TestId, ...],
    head: tuple[TestId, ...],
    inventories: Inventories,
) -> Touched | None:
    edit, by_ids = edit_of(compared), False
    # Of a test that stayed where it was, each row has to be there as well.
    stayed = compared.match is Match.SAME
    lost = stayed and any(test in inventories.vanished for test in base)
    if not head or inventories.skipped & set(base):
        edit = Edit.GONE
    elif lost and edit not in {Edit.WEAKENED, Edit.RE_SPECIFIED}:
        edit, by_ids = Edit.WEAKENED, True
    elif compared.identical:
        return None
    return Touched(
        place=_place(compared),
        edit=edit,
        base=base,
        head=head if edit is not Edit.GONE else (),
        differences=compared.differences,
        by_ids=by_ids,
    )


def _place(compared: Compared) -> Place:
    assert compared.base is not None
    return compared.base


def _unread(
    place: Place,
    base: tuple[TestId, ...],
    head: tuple[TestId, ...],
    inventories: Inventories,
) -> Touched:
    """A test that no source shows: inherited, generated, or in an unreadable file.

    What is not recognised is taken for less, so that experiments alone can clear it.
    """
    gone = not head or bool(inventories.skipped & set(base))
    edit = Edit.GONE if gone else Edit.WEAKENED
    return Touched(place=place, edit=edit, base=base, head=() if gone else head)


def _by_place(
    tests: Iterable[TestId], places: PlaceOf
) -> Mapping[Place, tuple[TestId, ...]]:
    found: dict[Place, list[TestId]] = {}
    for test in tests:
        found.setdefault(places[test], []).append(test)
    return {place: tuple(ids) for place, ids in found.items()}


def news(comparison: Comparison, path: RepoPath) -> Iterator[Place]:
    """The places of tests of a file that demand at head what base had elsewhere.

    They are new, have taken in another test, or demand more than they did.
    """
    found = (
        compared.head
        for compared in comparison.tests
        if compared.head is not None
        and compared.head.path == path
        and (
            compared.match in {Match.NEW, Match.MERGED}
            or any(each.change is Change.STRONGER for each in compared.differences)
        )
    )
    yield from dict.fromkeys(found)


def with_equal_demands(
    inventory: Iterable[TestId], found: Iterable[Touched]
) -> frozenset[TestId]:
    """Base's tests that demand the same at head: untouched, or touched and equal."""
    other = {test for one in found if one.edit is not Edit.EQUAL for test in one.base}
    return frozenset(test for test in inventory if test not in other)
