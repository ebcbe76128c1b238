"""What a parametrised test demands once its rows are written out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from fairtrial.domain.demands import Aspect, Demand, Source
from fairtrial.integrity.comparing.sites import Site, normal
from fairtrial.integrity.comparing.words import is_name, words

#: Demands that are written out at most; a larger table stays rows.
_MOST: Final = 2_000
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
#: How a reader calls the values of a loop, and the condition that is the loop.
_EACH: Final = "$each"
_ROUNDS: Final = "for each row"
#: Words that may stand around a row in one language or another.
_WRAPPERS: Final = frozenset({"param", "pytest.param", "Arguments", "of", "arguments"})


def without_rows(
    base: Sequence[Site], head: Sequence[Site]
) -> tuple[Sequence[Site], Sequence[Site]]:
    """Both sides with the rows written out, where only one of them has rows."""
    old, new = has_rows(base), has_rows(head)
    if old == new:
        return base, head
    return (written_out(base), head) if old else (base, written_out(head))


def has_rows(found: Sequence[Site]) -> bool:
    """Whether a test is parametrised."""
    return any(site.demand.aspect is Aspect.ROW for site in found)


def written_out(found: Sequence[Site]) -> list[Site]:
    """The assertions and steps once per row; what no row changes stays one.

    Several parametrisations on one test are written out one by one, not multiplied:
    each row keeps what it says itself.
    """
    rows = [site for site in found if site.demand.aspect is Aspect.ROW]
    others = [site for site in found if site.demand.aspect is not Aspect.ROW]
    if not rows or len(rows) * max(len(others), 1) > _MOST:
        return list(found)
    loop = _loop_names(others)
    bindings = [binding(row.demand, loop) for row in rows]
    if not all(bindings):
        return list(found)
    written: list[Site] = []
    for site in others:
        forms = [_substituted(site, names) for names in bindings]
        changed = [form for form in forms if form.key != site.key]
        written += changed or [site]
    return written


def _loop_names(found: Sequence[Site]) -> list[str]:
    """What stands for the values of a loop's rows, in their order."""
    return sorted(
        {
            word
            for site in found
            if site.demand.aspect is Aspect.ASSERTION
            for part in (site.demand.subject, site.demand.inputs, site.demand.expected)
            for word in words(part)
            if word.startswith(_EACH)
        }
    )


def binding(row: Demand, loop: Sequence[str] = ()) -> Mapping[str, str]:
    """The parameters of a row with their values; empty where they can't be told.

    A row without parameters is a round of a loop, whose names are given.
    """
    told = words(row.subject)
    if not told:
        return _round(row, loop)
    names = [word for word in told if is_name(word)]
    if "through" in told:
        # What reaches the test is what a fixture makes of the row.
        return {}
    values = split(row.expected)
    if len(names) == 1 and len(values) != 1:
        values = [" ".join(words(row.expected))]
    if not names or len(names) != len(values):
        return {}
    return dict(zip(names, values, strict=True))


def _round(row: Demand, loop: Sequence[str]) -> Mapping[str, str]:
    """The values of a loop's round, whole or by the number of a part."""
    values = split(row.expected)
    found = {}
    for name in loop:
        _, _, number = name.partition(".")
        if not number:
            found[name] = " ".join(words(row.expected))
        elif number.isdigit() and int(number) < len(values):
            found[name] = values[int(number)]
        else:
            return {}
    return found


def split(text: str) -> list[str]:
    """The values of a row: what stands between its outermost commas."""
    parts = words(text)
    while parts and parts[0] in _WRAPPERS:
        parts = parts[1:]
    if len(parts) > 1 and parts[0] in _OPENING and _closes_at(parts) == len(parts) - 1:
        parts = parts[1:-1]
    values: list[list[str]] = [[]]
    depth = 0
    for word in parts:
        depth += (word in _OPENING) - (word in _CLOSING)
        if word == "," and depth == 0:
            values.append([])
        else:
            values[-1].append(word)
    if values and not values[-1]:
        values.pop()
    return ["".join(_spaced(each)) for each in values]


def _closes_at(parts: Sequence[str]) -> int:
    depth = 0
    for place, word in enumerate(parts):
        depth += (word in _OPENING) - (word in _CLOSING)
        if depth == 0:
            return place
    return -1


def _spaced(parts: Sequence[str]) -> Sequence[str]:
    return [f"{part} " if part == "," else part for part in parts]


def _substituted(site: Site, names: Mapping[str, str]) -> Site:
    demand = site.demand
    subject, inputs, expected, guard = (
        _with(text, names)
        for text in (demand.subject, demand.inputs, demand.expected, demand.guard)
    )
    guard = _without_rounds(guard)
    if (subject, inputs, expected, guard) == (
        demand.subject,
        demand.inputs,
        demand.expected,
        demand.guard,
    ):
        return site
    source = Source.LITERAL if demand.source is Source.ROW else demand.source
    filled = replace(
        demand,
        subject=subject,
        inputs=inputs,
        expected=expected,
        guard=guard,
        source=source,
    )
    return replace(site, demand=filled, key=normal(filled))


def _without_rounds(guard: str) -> str:
    parts = guard.split(" and ")
    return " and ".join(part for part in parts if part != _ROUNDS)


def _with(text: str, names: Mapping[str, str]) -> str:
    """A text with names replaced, but for the names of arguments."""
    if not text:
        return text
    parts = words(text)
    if not any(part in names for part in parts):
        return text
    told = []
    for place, part in enumerate(parts):
        after = parts[place + 1 : place + 3]
        is_argument = after[:1] == ["="] and after[1:] != ["="]
        told.append(part if is_argument else names.get(part, part))
    return " ".join(told)
