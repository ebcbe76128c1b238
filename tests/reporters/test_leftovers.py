"""Readers see the rows that were left, and nothing but text in them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.reporters.hostile_text import hostile
from tests.reporters.rendered import LINKED, page
from tests.reporters.sample import LEAK, PASSED, VICTIM

from fairtrial.domain.decisions import Decision
from fairtrial.domain.names import TestId
from fairtrial.domain.report import Leftover, Report, Verdict, Waited
from fairtrial.reporters import leftovers, markdown, report_json, terminal
from fairtrial.reporters.words import WORDS, Locale

SAY = (
    "3 rows of `orders` left by `tests/test_a.py::test_first`, `discount` NULL in "
    "each, are enough to make `tests/test_orders.py::test_import` fail; so is one of "
    "them. With other values there it passes."
)
LEFT = Leftover(
    resource="database",
    name="public.orders",
    by=(TestId("tests/test_a.py::test_first"),),
    proven=True,
    rows=tuple(
        {"id": str(number), "discount": None, "total": "10.00"} for number in range(3)
    ),
    columns=("discount",),
    say=SAY,
)
PINNED = replace(LEAK, resource="database", leftovers=(LEFT,))
UNPINNED = replace(
    VICTIM,
    leftovers=(replace(LEFT, proven=False, rows=(), say="Not pinned: it can't be."),),
)


def report(*verdicts: Verdict) -> Report:
    heaviest = max(verdict.decision for verdict in verdicts)
    return replace(PASSED, decision=heaviest, verdicts=verdicts)


def in_the_open(text: str) -> str:
    return text.partition("<details>")[0]


def test_the_sentence_comes_first_and_then_the_rows_with_what_counts_in_front() -> None:
    text = in_the_open(markdown.comment(report(PINNED)))

    assert (
        "**Pinned:** 3 rows of `orders` left by `tests/test_a.py::test_first`, "
        "`discount` NULL in each, are enough to make "
        "`tests/test_orders.py::test_import` fail; so is one of them. "
        "With other values there it passes."
    ) in text
    assert (
        "| `discount` | `id` | `total` |\n"
        "| --- | --- | --- |\n"
        "| NULL | `0` | `10.00` |\n"
        "| NULL | `1` | `10.00` |\n"
    ) in text


def test_what_is_not_pinned_is_told_in_the_fold_alone() -> None:
    text = markdown.comment(report(UNPINNED))

    assert "Not pinned" not in in_the_open(text)
    assert "Not pinned: it can't be." in text


def test_only_the_heaviest_are_spread_out_and_the_others_are_folded() -> None:
    many = [
        replace(PINNED, test=TestId(f"t::n{number}"), decision=Decision.REPAIR)
        for number in range(5)
    ]
    text = markdown.comment(report(*many))

    assert 3 == in_the_open(text).count("| NULL | `0` | `10.00` |")
    assert 5 == text.count("| NULL | `0` | `10.00` |")


def test_a_pass_tells_it_too() -> None:
    acquitted = replace(VICTIM, leftovers=(LEFT,))

    assert "| NULL | `0` | `10.00` |" in in_the_open(
        markdown.comment(report(acquitted))
    )


def test_many_rows_and_columns_are_cut_and_counted() -> None:
    row = {f"c{number:02d}": "x" * 500 for number in range(30)}
    wide = replace(LEFT, rows=(row,) * 20, columns=("c29",))

    made = page(leftovers.table(wide))
    text = markdown.comment(report(replace(PINNED, leftovers=(wide,))))

    assert [9] * 6 == made.rows
    assert "c29" == made.codes[0]
    assert max(map(len, made.codes)) <= 60
    assert "15 more in the report." in in_the_open(text)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "NULL"),
        ("NULL", "`NULL`"),
        ("", "`''`"),
        ("  ", "`' '`"),
        ("a|b", "`a\\|b`"),
        ("a\nb", "`a b`"),
    ],
)
def test_a_null_an_empty_text_and_the_word_are_three_things(
    value: str | None, shown: str
) -> None:
    left = replace(LEFT, rows=({"x": value},), columns=())

    assert f"| {shown} |" == leftovers.table(left).splitlines()[2]


def test_a_row_that_lacks_a_column_has_an_empty_cell() -> None:
    left = replace(LEFT, rows=({"a": "1"}, {"b": "2"}), columns=())

    assert ["| `1` |  |", "|  | `2` |"] == leftovers.table(left).splitlines()[2:]


def test_a_wait_and_what_was_reached_for_are_told_by_name() -> None:
    waiting = replace(
        VICTIM,
        waited=(
            Waited(call="KafkaProducer.send", seconds=60.04, where="shop/bus.py:31"),
        ),
        reached=("broker:9092",),
    )
    text = in_the_open(markdown.comment(report(waiting)))

    assert (
        f"`{VICTIM.test}` waited `60.0` s in `KafkaProducer.send` (`shop/bus.py:31`) "
        "and tried to reach `broker:9092`."
    ) in text.replace(" 60.0 ", " `60.0` ")


def test_a_terminal_has_the_sentence_and_a_line_a_row() -> None:
    lines = terminal.final(report(PINNED)).splitlines()

    (place,) = [n for n, one in enumerate(lines) if "3 rows of orders left by" in one]
    assert "      discount NULL | id 0 | total 10.00" == lines[place + 1]
    assert lines[-1].startswith("REPAIR")


def test_a_terminal_says_what_is_not_pinned() -> None:
    assert "    Not pinned: it can't be.\n" in terminal.final(report(UNPINNED))


def test_the_report_keeps_some_rows_and_the_beginning_of_values() -> None:
    row = {"x" * 5000: "y" * 5000, "n": None}
    long = replace(LEFT, rows=(row,) * 100, say="s" * 10_000)
    dumped = json.loads(report_json.dump(report(replace(PINNED, leftovers=(long,)))))

    (kept,) = dumped["verdicts"][0]["leftovers"]
    assert 20 == len(kept["rows"])
    assert {2000, 1} == {len(column) for column in kept["rows"][0]}
    assert {None, "y" * 1999 + "…"} == set(kept["rows"][0].values())
    assert 4000 == len(kept["say"])


def test_what_the_report_keeps_is_read_again() -> None:
    made = report(PINNED)

    assert made == report_json.load(report_json.dump(made).encode())


ROWS = st.lists(
    st.dictionaries(hostile, st.none() | hostile, max_size=12), min_size=1, max_size=8
)


@given(hostile, hostile, ROWS)
@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_rows_hold_the_page_is_ours(
    one: str, two: str, rows: list[dict[str, str | None]]
) -> None:
    left = replace(LEFT, name=one, say=two, rows=tuple(rows), columns=(one, two))
    block = leftovers.spread_out(
        [
            replace(
                PINNED,
                leftovers=(left,),
                waited=(Waited(call=one, seconds=1.0, where=two),),
                reached=(two, one),
            )
        ],
        400,
        WORDS[Locale.EN],
    )
    made = page(block)

    assert {"p", "strong", "code", "table", "thead", "tbody", "tr", "th", "td"} >= set(
        made.elements
    )
    assert LINKED.search(made.text) is None
    if any(rows[:5]):
        assert [made.rows[0]] * (min(5, len(rows)) + 1) == made.rows


@given(hostile, ROWS)
@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
def test_no_row_is_a_workflow_command(
    text: str, rows: list[dict[str, str | None]]
) -> None:
    left = replace(LEFT, say=text, rows=tuple(rows))

    for each in leftovers.on_a_terminal(replace(PINNED, leftovers=(left,))):
        assert not each.lstrip().startswith("::")
        assert "##[" not in each
        assert each.isprintable()
