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


def hidden(
    found: Sequence[Matched], pairs: Pairs, base: Graph, head: Graph
) -> Iterator[Compared]:
    """All matches compared; what can't run any more is told as gone, and why."""
    for pair in found:
        if pair.match is Match.MOVED and _is_renamed_away(pair):
            assert pair.base is not None
            yield gone(pair.base, Rule.TEST_RENAMED_AWAY, pair.head)
        elif pair.match is Match.GONE and pair.base is not None:
            away = _away(pair.base, base, head)
            yield (
                pairs.compared(pair)
                if away is None
                else gone(pair.base, Rule.TEST_RENAMED_AWAY, away)
            )
        else:
            compared = pairs.compared(pair)
            is_shadowed = not compared.identical and _is_shadowed(pair, head)
            yield _told(compared, pair) if is_shadowed else compared


def _is_shadowed(pair: Matched, head: Graph) -> bool:
    """Whether head has base's very text, too, and another definition that counts.

    A reader tells the definition that counts, which is the last one.
    """
    if pair.base is None or pair.head is None or pair.base.place != pair.head.place:
        return False
    path = pair.head.place.path
    if PurePosixPath(path).suffix not in _SHADOWING:
        return False
    was = pair.base.test.text.strip()
    lines = head.reading.files[path].decode("utf-8", "replace").splitlines()
    before = "\n".join(lines[: max(pair.head.test.line - 1, 0)])
    return len(was.splitlines()) > 1 and was in before


def _told(compared: Compared, pair: Matched) -> Compared:
    assert pair.base is not None
    assert pair.head is not None
    shadowed = Difference(
        rule=Rule.TEST_SHADOWED.value,
        aspect=Aspect.UNREACHABLE,
        change=change_of(Rule.TEST_SHADOWED),
        path=pair.head.place.path,
        line=pair.head.test.line,
        was=shortened(pair.base.test.text),
        now=shortened(pair.head.test.text),
    )
    return replace(compared, differences=heaviest([shadowed, *compared.differences]))


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


def _away(base: Located, before: Graph, head: Graph) -> Located | None:
    """What was a test and is written down as a plain function or method now."""
    file = head.reading.demands(base.place.path)
    old = before.reading.demands(base.place.path)
    for name, support in ({} if file is None else file.support).items():
        if old is not None and name in old.support:
            continue
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
