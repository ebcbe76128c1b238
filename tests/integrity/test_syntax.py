from __future__ import annotations

import pytest

from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.syntax import (
    DEEPEST,
    LONGEST,
    broken_at,
    digest,
    last_line_of,
    line_of,
    one_line,
    parse,
    tokens,
    walk,
)


def test_formatting_and_comments_are_no_words() -> None:
    one = parse("x = total( [1,2] )  # why\n", "python")
    other = parse("x = total(\n    [1, 2])\n", "python")

    assert ["x", "=", "total", "(", "[", "1", ",", "2", "]", ")"] == tokens(one)
    assert digest(tokens(one)) == digest(tokens(other))


def test_a_kind_can_be_one_word() -> None:
    root = parse("x = 'a  # b'\n", "python")

    assert ["x", "=", "'a  # b'"] == tokens(root, frozenset({"string"}))


def test_a_broken_source_says_where() -> None:
    assert broken_at(parse("x = 1\n\ny = = 2\n", "python")) == 3
    assert broken_at(parse("x = 1\n", "python")) is None


def test_lines_are_counted_from_one() -> None:
    (call,) = parse("\nf(1,\n  2)\n", "python").find_all(kind="call")

    assert (2, 3) == (line_of(call), last_line_of(call))


def test_too_long_and_too_deep_are_said_and_never_a_crash() -> None:
    with pytest.raises(CannotRead, match="longer than"):
        parse("#" * (LONGEST + 1), "python")
    with pytest.raises(CannotRead, match="lines are too long"):
        parse("x = [" + "1, " * 40_000 + "]", "python")
    deep = "(" * (DEEPEST * 3) + ")" * (DEEPEST * 3)
    with pytest.raises(CannotRead, match="nested too deeply"):
        list(walk(parse(deep, "python")))


def test_a_piece_for_people_is_one_short_line() -> None:
    assert one_line("a\n   b") == "a b"
    assert one_line("x" * 50, longest=5) == "xxxx…"
