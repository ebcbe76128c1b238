"""What became of the helpers, fixtures, constants and hooks that a test uses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fairtrial.domain.demands import Aspect, Difference
from fairtrial.integrity.comparing.names import is_class_text
from fairtrial.integrity.comparing.rules import Rule, change_of
from fairtrial.integrity.comparing.sites import LocatedSupport, shortened

#: A line that may do nothing but print, and calls that print nothing of their own.
_TALK: Final = re.compile(r"^(?:print|console\.log|puts|println!?)\((.*)\);?$")
_CALL: Final = re.compile(r"(?<!\brepr)(?<!\bstr)(?<!\blen)(?<=[\w)\]}'\"])\(")

#: Both versions of a support; None where a side has none, or does not use it.
Both = tuple[LocatedSupport | None, LocatedSupport | None]

_TEAR_DOWN: Final = re.compile(
    r"tear_?down|after_?(?:each|all|class|suite)|clean_?up|finali[sz]er?|dispose",
    re.IGNORECASE,
)
_RESETS: Final = re.compile(
    r"\b\w*(?:clear|reset|close|rollback|clean_?up|restore|undo|stop|shutdown|dispose|"
    r"truncate|rmtree|unlink|teardown|finali[sz]er)\w*\b",
    re.IGNORECASE,
)


def support_differences(
    changed: Mapping[str, Both], explained: Sequence[Difference], *, is_same_text: bool
) -> Iterator[Difference]:
    """What is not told by the demands of the supports themselves.

    `explained` are the differences that were found between the demands; a support
    whose demands explain nothing is told as a whole. One that only one side has or
    uses, and that does nothing by itself, is told by what the test demands: its
    values stand in there.
    """
    for was, now in changed.values():
        if was is not None and now is not None:
            yield from _both(was, now, explained)
        elif is_same_text or explained or not is_new_constant(was, now):
            yield from _one(was, now, explained, is_same_text=is_same_text)


def is_new_constant(was: LocatedSupport | None, now: LocatedSupport | None) -> bool:
    """Whether only one side has or uses it, and it does nothing but hold a value.

    Where a test uses it, its value stands in the test's own demands.
    """
    found = now or was
    return (
        (was is None or now is None)
        and found is not None
        and not found.support.automatic
        and all(
            demand.aspect is Aspect.ARRANGEMENT
            and demand.subject.startswith(f"{found.support.name} =")
            for demand in found.support.demands
        )
    )


def without_steps(
    explained: Sequence[Difference], changed: Mapping[str, Both]
) -> list[Difference]:
    """The differences without the steps of supports, which are told as one."""
    whole = [
        found
        for was, now in changed.values()
        if (was is not None and now is not None) or (now is None and was is not None)
        for found in (was, now)
        if found is not None
    ]
    return [
        each
        for each in explained
        if each.aspect is not Aspect.ARRANGEMENT
        or not any(_told([each], found) for found in whole)
    ]


def _both(
    was: LocatedSupport, now: LocatedSupport, explained: Sequence[Difference]
) -> Iterator[Difference]:
    if not _only_cleans_up(was, now):
        if not _says_all(was, now) and not _only_talks(was, now):
            yield _difference(Rule.FIXTURE_CHANGED, was, now)
    elif not _told(explained, now):
        yield _difference(Rule.ARRANGEMENT_ADDED, was, now)


def _one(
    was: LocatedSupport | None,
    now: LocatedSupport | None,
    explained: Sequence[Difference],
    *,
    is_same_text: bool,
) -> Iterator[Difference]:
    if was is not None and is_same_text:
        yield _difference(Rule.SUPPORT_REMOVED, was, now)
        return
    found = now or was
    if found is not None and not _told(explained, found):
        rule = Rule.ARRANGEMENT_ADDED if was is None else Rule.ARRANGEMENT_REMOVED
        yield _difference(rule, was, now)


def _told(explained: Sequence[Difference], found: LocatedSupport) -> bool:
    """Whether a difference lies within the support's own lines."""
    support = found.support
    return any(
        each.path == found.path and support.line <= each.line <= support.last_line
        for each in explained
    )


def _only_cleans_up(old: LocatedSupport, new: LocatedSupport) -> bool:
    """Whether nothing but clearing up was added, at the end of what there was."""
    was, now = _lines(old.support.text), _lines(new.support.text)
    added = _added(was, now)
    if not added:
        return False
    if _TEAR_DOWN.search(new.support.name):
        return True
    after_yield = [place for place, line in enumerate(now) if "yield" in line]
    return all(
        bool(_RESETS.search(now[place]))
        or bool(after_yield and place > after_yield[-1])
        for place in added
    )


def _only_talks(old: LocatedSupport, new: LocatedSupport) -> bool:
    """Whether nothing but what is printed for people differs between two texts.

    The test is tried all the same: what it prints may be what it looks at.
    """
    was, now = _lines(old.support.text), _lines(new.support.text)
    silent = [[line for line in each if not _talks(line)] for each in (was, now)]
    return was != now and silent[0] == silent[1]


def _talks(line: str) -> bool:
    """Whether a line is one call that prints, and calls nothing besides."""
    found = _TALK.match(line)
    if found is None or _CALL.search(found[1]):
        return False
    depth = 0
    for each in found[1]:
        depth += (each == "(") - (each == ")")
        if depth < 0:
            return False
    return depth == 0


def _says_all(old: LocatedSupport, new: LocatedSupport) -> bool:
    """Whether the assertions alone are what differs between two texts."""
    was, now = Counter(_lines(old.support.text)), Counter(_lines(new.support.text))
    told = _asserted(old), _asserted(new)
    return bool(any(told)) and all(
        any(line in text for text in texts)
        for lines, texts in zip((was - now, now - was), told, strict=True)
        for line in lines
    )


def _asserted(found: LocatedSupport) -> list[str]:
    return [
        demand.text
        for demand in found.support.demands
        if demand.aspect is not Aspect.ARRANGEMENT and demand.text
    ]


def _lines(text: str) -> list[str]:
    return [line for line in map(str.strip, text.splitlines()) if line]


def _added(was: list[str], now: list[str]) -> list[int]:
    """Places of added lines; empty where anything but adding was done."""
    added, place = [], 0
    for number, line in enumerate(now):
        if place < len(was) and _alike(line, was[place]):
            place += 1
        else:
            added.append(number)
    return added if place == len(was) else []


def _alike(line: str, before: str) -> bool:
    """A `return` that became a `yield` hands out the same."""
    return line == before or line == re.sub(r"^return\b", "yield", before)


def _difference(
    rule: Rule, was: LocatedSupport | None, now: LocatedSupport | None
) -> Difference:
    found = now or was
    assert found is not None
    old, new = _apart(was, now)
    cleans = rule in {Rule.ARRANGEMENT_ADDED, Rule.ARRANGEMENT_REMOVED}
    return Difference(
        rule=rule.value,
        aspect=Aspect.ARRANGEMENT if cleans else Aspect.SUPPORT,
        change=change_of(rule),
        path=found.path,
        line=found.support.line + (0 if now is None else _first_change(was, now)),
        was=shortened(old),
        now=shortened(new),
    )


def _apart(was: LocatedSupport | None, now: LocatedSupport | None) -> tuple[str, str]:
    """Both texts from the first line on that differs."""
    if any(it is not None and is_class_text(it.support.text) for it in (was, now)):
        # What a class holds is told by what it holds.
        return _heading(was), _heading(now)
    if was is None:
        return "", "" if now is None else now.support.text
    if now is None:
        return was.support.text, ""
    old, new = was.support.text.splitlines(), now.support.text.splitlines()
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    return (
        "\n".join(old[start : len(old) - end]),
        "\n".join(new[start : len(new) - end]),
    )


def _heading(found: LocatedSupport | None) -> str:
    lines = [] if found is None else found.support.text.splitlines()
    return next((line for line in lines if "class" in line), "")


def _first_change(was: LocatedSupport | None, now: LocatedSupport) -> int:
    if was is None:
        return 0
    return min(
        _common(was.support.text.splitlines(), now.support.text.splitlines()),
        max(now.support.last_line - now.support.line, 0),
    )


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count
