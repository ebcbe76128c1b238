from __future__ import annotations

from typing import Final

import pytest

from fairtrial.domain.demands import (
    Aspect,
    Change,
    Compared,
    Comparison,
    Difference,
    Match,
    Place,
)
from fairtrial.domain.names import RepoPath
from fairtrial.pipeline.touched import news

PATH: Final = RepoPath("tests/test_a.py")
BASE: Final = Place(path=PATH, names=("test_a",))
HEAD: Final = Place(path=PATH, names=("test_all",))


def compared(match: Match, change: Change = Change.EQUAL) -> Compared:
    difference = Difference(
        rule="row-added", aspect=Aspect.ROW, change=change, path=PATH, line=3
    )
    base = None if match is Match.NEW else BASE
    return Compared(match=match, base=base, head=HEAD, differences=(difference,))


@pytest.mark.parametrize(
    "one",
    [
        compared(Match.NEW),
        compared(Match.MERGED),
        compared(Match.RENAMED, Change.STRONGER),
        compared(Match.SAME, Change.STRONGER),
    ],
)
def test_what_a_lost_test_killed_may_be_killed_by_what_took_it_in(
    one: Compared,
) -> None:
    # Several tests of base may have become the same one.
    assert [HEAD] == list(news(Comparison(tests=(one, one)), PATH))


@pytest.mark.parametrize(
    "one",
    [
        compared(Match.SAME),
        compared(Match.RENAMED),
        compared(Match.SAME, Change.WEAKENED),
        compared(Match.SAME, Change.RE_SPECIFIED),
    ],
)
def test_tests_that_gained_nothing_make_good_for_no_other(one: Compared) -> None:
    assert [] == list(news(Comparison(tests=(one,)), PATH))


def test_tests_of_other_files_make_good_for_none_of_this() -> None:
    other = RepoPath("tests/test_b.py")

    assert [] == list(news(Comparison(tests=(compared(Match.NEW),)), other))
