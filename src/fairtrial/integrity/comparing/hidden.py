"""Which tests of head are written down and never run: shadowed, or renamed away."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.demands import (
    Aspect,
    Compared,
    Difference,
    Match,
    Support,
    WrittenTest,
)
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.comparing.graph import Graph
from fairtrial.integrity.comparing.matching import LIKE, Matched
from fairtrial.integrity.comparing.pairs import Pairs, gone, heaviest
from fairtrial.integrity.comparing.rules import Rule, change_of
from fairtrial.integrity.comparing.sites import Located, shortened

#: What the names of test files say in one language or another.
_TESTS: Final = re.compile(r"test|spec|feature|steps|should|it$|cest$", re.IGNORECASE)
#: Languages in which a later definition takes the place of an earlier one.
_SHADOWING: Final = frozenset({".py", ".rb"})


def hidden(found: Sequence[Matched], pairs: Pairs, head: Graph) -> Iterator[Compared]:
    """All matches compared; what can't run any more is told as gone, and why."""
    shadowed = _shadowed(found)
    for pair in found:
        if pair.match is Match.NEW and pair.head in shadowed.values():
            continue
        if pair.match is Match.MOVED and _is_renamed_away(pair):
            assert pair.base is not None
            yield gone(pair.base, Rule.TEST_RENAMED_AWAY, pair.head)
        elif pair.match is Match.GONE and pair.base is not None:
            away = _away(pair.base, head)
            yield (
                pairs.compared(pair)
                if away is None
                else gone(pair.base, Rule.TEST_RENAMED_AWAY, away)
            )
        else:
            compared = pairs.compared(pair)
            by = shadowed.get(id(pair))
            yield compared if by is None else _told(compared, by)


def _shadowed(found: Sequence[Matched]) -> dict[int, Located]:
    """Pairs whose test has an earlier definition at head that does not count."""
    last: dict[object, Matched] = {}
    for pair in found:
        if pair.head is not None and pair.base is not None:
            last[pair.head.place] = pair
    told = {}
    for pair in found:
        if pair.match is not Match.NEW or pair.head is None:
            continue
        effective = last.get(pair.head.place)
        if effective is not None and _shadows(pair.head):
            told[id(effective)] = pair.head
    return told


def _shadows(located: Located) -> bool:
    return PurePosixPath(located.place.path).suffix in _SHADOWING


def _told(compared: Compared, by: Located) -> Compared:
    shadowed = Difference(
        rule=Rule.TEST_SHADOWED.value,
        aspect=Aspect.UNREACHABLE,
        change=change_of(Rule.TEST_SHADOWED),
        path=by.place.path,
        line=by.test.line,
        was=shortened(by.test.text),
    )
    return replace(
        compared,
        differences=heaviest([shadowed, *compared.differences]),
        identical=False,
    )


def _is_renamed_away(pair: Matched) -> bool:
    """Whether a file of tests got a name that says nothing of tests."""
    if pair.base is None or pair.head is None:
        return False
    return _says_tests(pair.base.place.path) and not _says_tests(pair.head.place.path)


def _says_tests(path: RepoPath) -> bool:
    pure = PurePosixPath(path)
    if "__tests__" in pure.parts:
        return True
    return bool(_TESTS.search(pure.name.partition(".")[0])) or bool(
        _TESTS.search("".join(pure.suffixes[:-1]))
    )


def _away(base: Located, head: Graph) -> Located | None:
    """What was a test and is written down as a plain function or method now."""
    file = head.reading.demands(base.place.path)
    for support in () if file is None else file.support.values():
        same = bool(base.test.digest) and support.digest == base.test.digest
        if same or (base.test.demands and _likeness(base, support) >= LIKE):
            return Located(
                place=base.place,
                test=WrittenTest(
                    names=base.place.names,
                    line=support.line,
                    last_line=support.last_line,
                    text=support.text,
                ),
            )
    return None


def _likeness(base: Located, support: Support) -> float:
    mine = Counter(each.key for each in base.told or base.test.demands)
    theirs = Counter(each.key for each in support.demands)
    return (mine & theirs).total() / max(mine.total(), theirs.total(), 1)
