"""How names of tables are written, so that each engine reads them back as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairtrial.domain.databases import Engine

#: What every engine reads as it stands. Words that mean something else (`order`) are
#: among them: in statements that we print names are always quoted.
_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")


def quoted(name: str, engine: Engine) -> str:
    """A name in the engine's own quotes, which are doubled inside it."""
    mark = _mark(engine)
    return f"{mark}{name.replace(mark, mark * 2)}{mark}"


def spelled(names: Sequence[str], engine: Engine) -> str:
    """Names with dots between them, quoted where they have to be: `public."Order"`."""
    return ".".join(
        name if _PLAIN.fullmatch(name) else quoted(name, engine) for name in names
    )


def names_in(text: str, engine: Engine) -> tuple[str, ...]:
    """The names that were spelled with dots between them.

    What is not spelled well is one name as it stands.
    """
    mark = _mark(engine)
    part = rf"(?:{mark}(?:[^{mark}]|{mark}{mark})*{mark}|[^{mark}.]+)"
    if not re.fullmatch(rf"{part}(?:\.{part})*", text, re.DOTALL):
        return (text,)
    return tuple(
        found[1:-1].replace(mark * 2, mark) if found.startswith(mark) else found
        for found in re.findall(part, text, re.DOTALL)
    )


def _mark(engine: Engine) -> str:
    match engine:
        case Engine.MARIADB:
            return "`"
        case Engine.POSTGRESQL | Engine.SQLITE:
            return '"'
