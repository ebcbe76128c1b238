"""A file of blocks in blocks whose parts can be exchanged, text preserved.

Each leaf has a class. A block has none: it is there as long as something is in it. What
stands before an item (white space, comments) belongs to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters.tables import CLASSES, CannotSplit

#: Deepest nesting of blocks that hold several classes.
DEEPEST: Final = 50
#: Most items of two blocks that are put together.
MOST: Final = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """What belongs to one class as a whole."""

    key: str
    lead: str
    text: str
    #: None: it is part of what its block is called, and goes where the block goes.
    path_class: PathClass | None
    #: What it means, whatever its layout.
    meaning: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What can hold several classes; the outermost is the file."""

    key: str = ""
    lead: str = ""
    open: str = ""
    items: tuple[Leaf | Block, ...] = ()
    #: What stands behind the last item.
    closing: str = ""
    close: str = ""
    #: It stays when nothing is left in it: without it the file would be none.
    lasts: bool = False

    @property
    def is_bare(self) -> bool:
        """Whether nothing is in it but what it is called."""
        return all(
            each.path_class is None if isinstance(each, Leaf) else each.is_bare
            for each in self.items
        )


Item = Leaf | Block


#: The key of an item, and the how manieth of that key it is in its block.
Identity = tuple[str, int]


def _identities(items: Iterable[Item]) -> list[Identity]:
    seen: Counter[str] = Counter()
    found = []
    for item in items:
        seen[item.key] += 1
        found.append((item.key, seen[item.key]))
    return found


#: What stands between two neighbours in a block, by their texts.
Between = Callable[[str, str], str]


def nothing(before: str, after: str) -> str:
    """Neighbours that stand side by side as they are."""
    del before, after
    return ""


def rendered(item: Item, between: Between = nothing) -> str:
    """The text of an item."""
    if isinstance(item, Leaf):
        return item.lead + item.text
    inside, last = [item.lead + item.open], ""
    for at, each in enumerate(item.items):
        text = rendered(each, between)
        inside += [between(last, text) if at else "", text]
        last = text
    return "".join((*inside, item.closing, item.close))


def meanings(block: Block) -> dict[PathClass, object]:
    """The leaves of each class, comparable."""
    found: dict[PathClass, Counter[object]] = {one: Counter() for one in CLASSES}
    for path, leaf in _leaves(block, ()):
        if leaf.path_class is not None:
            found[leaf.path_class][path, leaf.key, leaf.meaning] += 1
    return {one: frozenset(each.items()) for one, each in found.items()}


def _leaves(
    block: Block, above: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Leaf]]:
    if len(above) > DEEPEST:
        raise CannotSplit("it is nested too deeply")
    for item in block.items:
        if isinstance(item, Leaf):
            yield above, item
        else:
            yield from _leaves(item, (*above, item.key))


def exchanged(ground: Block, other: Block, path_class: PathClass) -> Block:
    """The ground with one class's leaves taken from the other."""
    theirs = dict(zip(_identities(other.items), other.items, strict=True))
    mine = dict(zip(_identities(ground.items), ground.items, strict=True))
    if len(theirs) + len(mine) > MOST:
        raise CannotSplit(f"it has more than {MOST} parts side by side")
    kept: list[tuple[Identity, Item]] = []
    for identity, item in mine.items():
        left = _exchanged(item, theirs.get(identity), path_class)
        if left is not None:
            kept.append((identity, left))
    order = list(theirs)
    for at, (identity, item) in enumerate(theirs.items()):
        part = None if identity in mine else _only(item, path_class)
        if part is not None:
            present = [each for each, _ in kept]
            place = _place(present, order[:at], order[at + 1 :])
            kept.insert(place, (identity, part))
    return replace(ground, items=tuple(item for _, item in kept))


def _exchanged(mine: Item, theirs: Item | None, path_class: PathClass) -> Item | None:
    """One item of the ground with the class's part from its counterpart."""
    if isinstance(mine, Block):
        if isinstance(theirs, Leaf):
            raise CannotSplit(f"`{mine.key}` has parts on one side only")
        found = exchanged(mine, Block() if theirs is None else theirs, path_class)
        emptied = found.is_bare and not (mine.is_bare or mine.lasts)
        return None if theirs is None and emptied else found
    if isinstance(theirs, Block):
        raise CannotSplit(f"`{mine.key}` has parts on one side only")
    if mine.path_class is None:
        return mine
    if theirs is not None and mine.path_class != theirs.path_class:
        # What changed its class is the stricter one's on either side.
        raise CannotSplit(f"`{mine.key}` is of another class on either side")
    if mine.path_class != path_class:
        return mine
    return None if theirs is None else replace(theirs, lead=mine.lead)


def _only(item: Item, path_class: PathClass) -> Item | None:
    """One class's part of an item."""
    if isinstance(item, Leaf):
        return item if item.path_class in (path_class, None) else None
    parts = (_only(each, path_class) for each in item.items)
    found = replace(item, items=tuple(each for each in parts if each is not None))
    return None if found.is_bare else found


def _place(
    present: Sequence[Identity], before: Sequence[Identity], behind: Sequence[Identity]
) -> int:
    """Behind the last of what stands before it on its own side, else at the front.

    With no neighbour at all it goes to the end.
    """
    places = {identity: at for at, identity in enumerate(present)}
    above = [places[each] for each in before if each in places]
    below = [places[each] for each in behind if each in places]
    return max(above) + 1 if above else min(below, default=len(present))


def combined(
    texts: Callable[[PathClass], str],
    scan: Callable[[str], Block],
    between: Between = nothing,
) -> str:
    """The owner's text with the leaves of each class from its own text.

    Raises CannotSplit where a file is written so that the parts that were wanted are
    not what comes out.
    """
    owner = CLASSES[0]
    wanted: Mapping[PathClass, object] = {
        one: meanings(scan(texts(one)))[one] for one in CLASSES
    }
    own = meanings(scan(texts(owner)))
    differing = [one for one in CLASSES if wanted[one] != own[one]]
    if not differing:
        return texts(owner)
    block = scan(texts(owner))
    for path_class in differing:
        block = exchanged(block, scan(texts(path_class)), path_class)
    text = rendered(block, between)
    if meanings(scan(text)) != wanted:
        raise CannotSplit("it is written so that its parts can't be recombined")
    return text
