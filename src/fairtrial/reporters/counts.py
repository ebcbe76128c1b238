"""How evidence reads in a few characters: "alone: head ✗✗✗ · base ✓✓✓"."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.report import CellInfo, Verdict

#: More of one kind than this are written as a number.
_DRAWN: Final = 5

_SIGNS: Final = (
    ("passed", "✓", ""),
    ("failed", "✗", ""),
    ("timed_out", "✗", "timed out"),
    ("crashed", "✗", "crashed"),
    ("skipped", "○", "skipped"),
    ("unbuildable", "✗", "not collected"),
    ("errored", "?", "errored"),
    ("missing", "?", "missing"),
)


def seen(verdict: Verdict) -> str:
    """The evidence as counts, context by context, head's tree before the others.

    Of the searches only the end is told: what ran after the polluters or setters that
    were confirmed. Plain text: contexts may name tests.
    """
    by_context: dict[str, list[CellInfo]] = {}
    for info in verdict.evidence:
        context = _told(info.context, verdict)
        if attempts(info) and context is not None:
            by_context.setdefault(context, []).append(info)
    return "; ".join(
        f"{context}: "
        + " \u00b7 ".join(
            f"{tree(info)} {marks(info)}" for info in sorted(cells, key=_order)
        )
        for context, cells in by_context.items()
    )


def _told(context: str, verdict: Verdict) -> str | None:
    """What a context is called in a row; None for a step of a search."""
    if not context.startswith("after("):
        return context
    for tests, name in (
        (verdict.polluters, "after the polluter"),
        (verdict.setters, "after its setter"),
    ):
        if tests and context == f"after({', '.join(tests)})":
            return f"{name}s" if len(tests) > 1 else name
    return None


def marks(info: CellInfo) -> str:
    """One cell's attempts, a sign each: ✓ passed, ✗ failed, ○ skipped, ? no result."""
    drawn = []
    for field, sign, note in _SIGNS:
        count: int = getattr(info, field)
        if count:
            signs = sign * count if count <= _DRAWN else f"{count}\u00d7{sign}"
            drawn.append(f"{signs} {note}".rstrip())
    return " ".join(drawn) or "not run"


def attempts(info: CellInfo) -> int:
    """How many attempts a cell holds, whatever became of them."""
    return sum(int(getattr(info, field)) for field, _, _ in _SIGNS)


def tree(info: CellInfo) -> str:
    """Which tree it was, in as few words as say it."""
    production = (info.production, info.dependencies, info.migration)
    where = production[0] if len(set(production)) == 1 else _mixture(info)
    if info.tests != info.production:
        where = f"{where} with {info.tests}'s tests"
    if info.control == "head":
        where = f"{where}, head's control"
    return where


def _mixture(info: CellInfo) -> str:
    return (
        f"{info.production} with {info.dependencies}'s dependencies"
        f" and {info.migration}'s migrations"
    )


def _order(info: CellInfo) -> tuple[bool, bool]:
    return (info.production != "head", info.tests != info.production)
