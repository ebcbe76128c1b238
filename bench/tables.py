"""How a table is printed, and how a middle value is taken."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median


def markdown(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [
        f"### {title}",
        "",
        "| " + " | ".join(heads) + " |",
        "|" + "---|" * len(heads),
        *("| " + " | ".join(row) + " |" for row in rows),
        "",
    ]
    return "\n".join(lines)


def seconds(values: Sequence[float]) -> str:
    """Middle, least and most."""
    return f"{median(values):.2f} ({min(values):.2f} to {max(values):.2f})"
