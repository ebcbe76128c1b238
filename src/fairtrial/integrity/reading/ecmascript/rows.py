"""Which rows a table of parameters has, and what its columns are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairtrial.domain.demands import Aspect, Demand
from fairtrial.integrity.reading.ecmascript.scopes import Speaker, bind_pattern
from fairtrial.integrity.reading.ecmascript.words import bare, parameters_of
from fairtrial.integrity.reading.script.naming import Binding, Origin, Scope
from fairtrial.integrity.reading.script.notes import demand
from fairtrial.integrity.reading.script.sources import Piece
from fairtrial.integrity.reading.script.wording import joined

#: The condition under which a loop's assertions stand, where its rows are told.
ROUNDS = "for each row"


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What the parameters of a test with rows are called in its demands."""

    names: tuple[str, ...] = ()
    #: The keys that are taken from each row, where rows are objects.
    keys: tuple[str, ...] = ()


def bind_columns(function: Piece, scope: Scope, level: int = 0) -> Columns:
    """Binds the parameters of a test to the cells of its row, and says their names.

    They are "$row0" and so on by their place, "$row_price" by an object's key;
    `level` tells tables inside of tables apart.
    """
    parameters = parameters_of(function)
    if parameters is None:
        return Columns()
    single = parameters.kind == "identifier"
    listed: Sequence[Piece] = [parameters] if single else parameters.nodes
    return bind_patterns([pattern_of(each) for each in listed], scope, level)


def bind_patterns(patterns: Sequence[Piece], scope: Scope, level: int = 0) -> Columns:
    """The same for patterns; one that takes a list apart stands for its parts."""
    start = "$row" if level == 0 else f"$row{'x' * level}"
    if patterns and patterns[0].kind == "object_pattern":
        return _by_keys(patterns[0], scope, start)
    if len(patterns) == 1 and patterns[0].kind == "array_pattern":
        patterns = patterns[0].nodes
    names = tuple(f"{start}{place}" for place in range(len(patterns)))
    for name, pattern in zip(names, patterns, strict=True):
        bind_pattern(scope, pattern, [name], Origin.ROW)
    return Columns(names=names)


def _by_keys(pattern: Piece, scope: Scope, start: str) -> Columns:
    keys: list[str] = []
    for each in pattern.nodes:
        named = each.nodes[0] if each.kind == "pair_pattern" else pattern_of(each)
        if each.kind == "object_assignment_pattern" and each.nodes:
            named = each.nodes[0]
        key = named.text.strip("'\"")
        keys.append(key)
        inner = each.nodes[-1] if each.kind == "pair_pattern" else named
        name = f"{start}_{key}"
        if inner.kind == "shorthand_property_identifier_pattern":
            scope.names[key] = Binding(origin=Origin.ROW, words=(name,))
        else:
            bind_pattern(scope, inner, [name], Origin.ROW)
    return Columns(names=tuple(f"{start}_{key}" for key in keys), keys=tuple(keys))


def pattern_of(parameter: Piece) -> Piece:
    """The name or pattern of a parameter, without its type and default."""
    inner = bare(parameter)
    while (
        inner.kind in {"required_parameter", "optional_parameter", "assignment_pattern"}
        and inner.nodes
    ):
        inner = inner.nodes[0]
    return inner


def rows_of(table: Piece, columns: Columns, speaker: Speaker) -> list[Demand]:
    """A demand for each row of `it.each(table)`; one for a table that is computed."""
    whole = speaker.value_of(table)
    if whole.kind == "template_string":
        return _of_template(whole, columns, speaker)
    if whole.kind != "array":
        return [_row(table, columns, joined(speaker.say(table)))]
    found = []
    for each in whole.nodes:
        row = speaker.value_of(each)
        if row.kind == "array":
            cells = [joined(speaker.say(cell)) for cell in row.nodes]
            found.append(_row(each, columns, ", ".join(cells[: _taken(columns)])))
        elif row.kind == "object" and columns.keys:
            found.append(_row(each, columns, _by_key(_pairs(row, speaker), columns)))
        else:
            found.append(_row(each, columns, joined(speaker.say(each))))
    return found


def _taken(columns: Columns) -> int | None:
    """How many cells of a row the test takes; None for all."""
    return len(columns.names) if len(columns.names) > 1 else None


def _row(piece: Piece, columns: Columns, cells: str) -> Demand:
    subject = ", ".join(columns.names)
    return demand(Aspect.ROW, piece, subject=subject, expected=cells)


def _pairs(row: Piece, speaker: Speaker) -> Mapping[str, str]:
    found = {}
    for each in row.nodes:
        if each.kind == "pair" and each.nodes:
            key = each.nodes[0].text.strip("'\"")
            found[key] = joined(speaker.say(each.nodes[-1]))
        elif each.kind == "shorthand_property_identifier":
            found[each.text] = joined(speaker.naming(each.text) or [each.text])
    return found


def _by_key(cells: Mapping[str, str], columns: Columns) -> str:
    return ", ".join(cells.get(key, "undefined") for key in columns.keys)


def _of_template(table: Piece, columns: Columns, speaker: Speaker) -> list[Demand]:
    """The rows of a table between backquotes: its first line names the columns."""
    heads = [name.strip() for name in _first_line(table).split("|")]
    cells = [each for each in table.nodes if each.kind == "template_substitution"]
    found = []
    for place in range(0, len(cells), len(heads)):
        row = cells[place : place + len(heads)]
        told = {
            name: joined(speaker.say(cell.nodes[0])) if cell.nodes else ""
            for name, cell in zip(heads, row, strict=False)
        }
        if columns.keys:
            said = _by_key(told, columns)
        else:
            said = "{" + ", ".join(f"{key}: {it}" for key, it in told.items()) + "}"
        found.append(_row(row[0], columns, said))
    return found


def _first_line(table: Piece) -> str:
    return table.text[1:-1].strip().split("\n", 1)[0]
