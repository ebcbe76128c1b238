"""Which rows a table of parameters has, and what its columns are called."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.domain.demands import Aspect, Demand
from fairtrial.integrity._ecmascript_acts import demand
from fairtrial.integrity._ecmascript_scopes import (
    Speaker,
    bind_pattern,
)
from fairtrial.integrity._ecmascript_words import bare, parameters_of
from fairtrial.integrity._naming import (
    Binding,
    Origin,
    Scope,
)
from fairtrial.integrity._sources import Piece
from fairtrial.integrity._wording import joined


def rows_of(table: Piece, speaker: Speaker) -> list[Demand]:
    """A demand for each row of `it.each(table)`; one for a table that is computed."""
    whole = speaker.value_of(table)
    if whole.kind == "template_string":
        return _of_template(whole, speaker)
    if whole.kind != "array":
        return [_row(table, joined(speaker.say(table)))]
    found = []
    for each in whole.nodes:
        row = speaker.value_of(each)
        if row.kind == "array":
            cells = ", ".join(joined(speaker.say(cell)) for cell in row.nodes)
            found.append(_row(each, cells))
        else:
            found.append(_row(each, joined(speaker.say(each))))
    return found


def _row(piece: Piece, cells: str) -> Demand:
    return demand(Aspect.ROW, piece, subject="row", expected=cells)


def _of_template(table: Piece, speaker: Speaker) -> list[Demand]:
    """The rows of a table between backquotes: its first line names the columns."""
    heads = [name.strip() for name in _first_line(table).split("|")]
    cells = [each for each in table.nodes if each.kind == "template_substitution"]
    found = []
    for place in range(0, len(cells), len(heads)):
        row = cells[place : place + len(heads)]
        said = ", ".join(
            f"{name}: {joined(speaker.say(cell.nodes[0])) if cell.nodes else ''}"
            for name, cell in zip(heads, row, strict=False)
        )
        found.append(_row(row[0], "{" + said + "}"))
    return found


def _first_line(table: Piece) -> str:
    text = table.text[1:-1].strip()
    return text.split("\n", 1)[0]


def bind_rows(function: Piece, scope: Scope) -> None:
    """Binds the parameters of a test to the cells of its row.

    The first is "row0" where rows are lists; of an object it is "row.name".
    """
    parameters = parameters_of(function)
    if parameters is None:
        return
    listed: Sequence[Piece] = (
        [parameters] if parameters.kind == "identifier" else parameters.nodes
    )
    for place, each in enumerate(listed):
        pattern = _pattern(each)
        if pattern.kind in {"object_pattern", "array_pattern"}:
            bind_pattern(scope, pattern, ["row"], Origin.ROW)
        else:
            scope.names[pattern.text] = Binding(
                origin=Origin.ROW, words=(f"row{place}",)
            )


def _pattern(parameter: Piece) -> Piece:
    inner = bare(parameter)
    while inner.kind in {
        "required_parameter",
        "optional_parameter",
        "assignment_pattern",
    }:
        if not inner.nodes:
            return inner
        inner = inner.nodes[0]
    return inner
