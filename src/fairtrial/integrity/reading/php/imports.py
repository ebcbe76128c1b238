"""The names that `use` statements of PHP bring into a file."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.integrity.reading.script.sources import Piece, below


def imported(statement: Piece) -> Iterator[tuple[str, str]]:
    """Each local name of a `use`, with its whole path."""
    prefix = statement.first("namespace_name")
    start = "" if prefix is None else prefix.text + "\\"
    for each in below(statement):
        if each.kind == "namespace_use_clause" and each.nodes:
            path = start + each.nodes[0].text.lstrip("\\")
            local = each.nodes[-1].text if each.has("as") else path.rsplit("\\", 1)[-1]
            yield local, path
