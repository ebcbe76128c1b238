"""Report in, publications out: one module a form, all of them pure."""

# No `from __future__ import annotations` here: a module of that name is imported.
from collections.abc import Mapping
from typing import Final

from fairtrial.reporters import annotations, markdown, report_json, terminal
from fairtrial.reporters.publication import Publication, PublicationKind, Reporter
from fairtrial.reporters.words import Locale

__all__ = ["REPORTERS", "Locale", "Publication", "PublicationKind", "Reporter"]

#: Every form of the report, in the order they are published.
REPORTERS: Final[Mapping[str, Reporter]] = {
    "report_json": report_json,
    "markdown": markdown,
    "annotations": annotations,
    "terminal": terminal,
}
