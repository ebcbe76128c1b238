"""What a polluter left behind, and what a test waited for, as readers are shown it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from fairtrial.domain.report import Leftover, Verdict
from fairtrial.reporters.hostile import cell, code, console, cut, line, prose
from fairtrial.reporters.words import Words

#: Of a leftover, so much is shown: a reader needs to see what the rows are like.
ROWS: Final = 5
COLUMNS: Final = 8
_VALUE: Final = 60
#: So many verdicts have their leftovers in the open.
_OPEN: Final = 3
_NAMED: Final = 5

#: Of each leftover, `report.json` keeps so many rows, characters a value, columns.
KEPT_ROWS: Final = 20
KEPT_VALUE: Final = 2_000
KEPT_COLUMNS: Final = 200

_NULL: Final = "NULL"
_MORE: Final = "…"

Row = Mapping[str, str | None]


def in_the_open(verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """The heaviest verdicts whose leftovers are shown outside the fold."""
    told = [each for each in verdicts if _is_telling(each)]
    return tuple(told[:_OPEN])


def _is_telling(verdict: Verdict) -> bool:
    proven = any(one.proven for one in verdict.leftovers)
    return proven or bool(verdict.waited or verdict.reached)


def spread_out(shown: Sequence[Verdict], text: int, words: Words) -> str:
    """For each verdict what was proven of it, and what it waited for.

    Sentences first; then their rows. `text` bounds a sentence, in characters.
    """
    return "\n\n".join(
        block for verdict in shown for block in _blocks(verdict, text, words)
    )


def _blocks(verdict: Verdict, text: int, words: Words) -> Iterator[str]:
    for leftover in verdict.leftovers:
        if leftover.proven:
            yield from proven(leftover, text, words)
    waited = " and ".join(waits(verdict))
    if waited:
        yield f"{code(verdict.test)} {prose(f'{waited}.', max(text, 100))}"


def proven(leftover: Leftover, text: int, words: Words) -> Iterator[str]:
    """What was left, in a sentence and a small table."""
    rows = table(leftover)
    if leftover.say:
        yield f"**Pinned:** {_following(leftover.say, max(text, 100))}"
    elif rows:
        yield f"**Pinned:** {prose(leftover.resource, 40)} {code(leftover.name, 120)}"
    if rows:
        yield rows
    more = len(leftover.rows) - ROWS
    if rows and more > 0:
        yield words.more.format(count=f"{more:,}") + "."


def _following(say: str, limit: int) -> str:
    """A sentence behind a word: here a number begins no list."""
    return prose(f"Pinned: {say}", limit).removeprefix("Pinned:").lstrip()


def unproven(verdict: Verdict, text: int) -> Iterator[str]:
    """What could not be pinned, a sentence each."""
    for leftover in verdict.leftovers:
        if not leftover.proven and leftover.say:
            yield prose(leftover.say, max(text, 100))


def table(leftover: Leftover) -> str:
    """The first rows as a table; the columns that count come first."""
    heads, rows = _grid(leftover)
    if not heads:
        return ""
    shown = heads[:COLUMNS]
    more = [_MORE] if len(heads) > COLUMNS else []
    lines = [
        [*(code(column, _VALUE) for column in shown), *more],
        ["---"] * (len(shown) + len(more)),
        *([*(_cell(row, column) for column in shown), *more] for row in rows),
    ]
    return "\n".join(f"| {' | '.join(map(cell, each))} |" for each in lines)


def waits(verdict: Verdict) -> Iterator[str]:
    """What it waited for and tried to reach, to follow the test's name."""
    for wait in verdict.waited[:_NAMED]:
        where = f" (`{wait.where}`)" if wait.where else ""
        yield f"waited {wait.seconds:,.1f} s in `{wait.call}`{where}"
    if verdict.reached:
        named = ", ".join(f"`{place}`" for place in verdict.reached[:_NAMED])
        more = f" and {len(verdict.reached) - _NAMED} more places"
        rest = more if len(verdict.reached) > _NAMED else ""
        yield f"tried to reach {named}{rest}"


def on_a_terminal(verdict: Verdict) -> Iterator[str]:
    """The same as lines, each of them safe on a console."""
    for leftover in verdict.leftovers:
        if leftover.say:
            yield console(leftover.say.replace("`", ""), 400)
        if leftover.proven:
            yield from (f"  {text}" for text in _lines(leftover))
    for told in waits(verdict):
        yield console(f"It {told.replace('`', '')}.", 300)


def _lines(leftover: Leftover) -> Iterator[str]:
    heads, rows = _grid(leftover)
    for row in rows:
        values = (
            f"{line(column, 40)} {_plain(row[column])}"
            for column in heads[:COLUMNS]
            if column in row
        )
        yield console(" | ".join(values), 300)
    if len(leftover.rows) > ROWS:
        yield f"and {len(leftover.rows) - ROWS:,} more rows"


def kept(leftover: Leftover) -> Leftover:
    """What `report.json` keeps of it."""
    return replace(
        leftover,
        name=cut(leftover.name, KEPT_VALUE),
        rows=tuple(map(_shortened, leftover.rows[:KEPT_ROWS])),
        say=cut(leftover.say, KEPT_VALUE * 2),
    )


def _shortened(row: Row) -> dict[str, str | None]:
    found = {}
    for column, value in list(row.items())[:KEPT_COLUMNS]:
        short = None if value is None else cut(value, KEPT_VALUE)
        found[cut(column, KEPT_VALUE)] = short
    return found


def _grid(leftover: Leftover) -> tuple[list[str], Sequence[Row]]:
    rows = leftover.rows[:ROWS]
    every = dict.fromkeys(column for row in rows for column in row)
    first = [column for column in leftover.columns if column in every]
    return [*first, *_without(every, first)], rows


def _without(columns: Iterable[str], first: Sequence[str]) -> Iterator[str]:
    return (column for column in columns if column not in first)


def _cell(row: Row, column: str) -> str:
    if column not in row:
        return ""
    value = row[column]
    if value is None:
        return _NULL
    return code(value, _VALUE) if value.strip() else code(repr(value), _VALUE)


def _plain(value: str | None) -> str:
    if value is None:
        return _NULL
    return line(value, 40) if value.strip() else repr(value)[:40]
