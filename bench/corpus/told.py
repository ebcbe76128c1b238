"""How what came of the cases is told: by kind, and each test with what pinned it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cases import Case
from rows import Row
from tables import markdown

Rows = Mapping[str, Row]

#: Words of a known mechanism, and what a report calls such a thing.
_RESOURCES: Final = {
    "cwd": "working directory",
    "os.environ": "environment variable",
    "file": "files",
    "module": "module",
    "global": "module",
    "class-level": "module",
    "sys.modules": "module",
    "registry": "module",
}
#: The process as a whole: right, and not pinned any further.
_WHOLE: Final = "process"
_WIDE: Final = 60


def table(cases: Sequence[Case], rows: Rows) -> str:
    """A line for each kind, one for each test with company, and what is odd."""
    judged = [
        row.right
        for case in cases
        if (row := rows.get(case.id)) is not None
        if row.right is not None and row.judged and not case.alone
    ]
    right = sum(judged)
    share = f" ({100 * right / len(judged):.1f} %)" if judged else ""
    return "\n".join(
        [
            _kinds(cases, rows),
            f"Right: {right} of {len(judged)}{share}.",
            "",
            _company(cases, rows),
            *_odd(cases, rows),
        ]
    )


def _kinds(cases: Sequence[Case], rows: Rows) -> str:
    lines = []
    for kind, alone in dict.fromkeys((case.kind, case.alone) for case in cases):
        mine = [case for case in cases if (case.kind, case.alone) == (kind, alone)]
        seen = [rows[case.id] for case in mine if case.id in rows]
        seen = [row for row in seen if row.judged or alone]
        tried = [row for row in seen if row.right is not None]
        lines.append(
            (
                f"{kind} (`alone` and `polluter`)" if alone else kind,
                str(len(mine)),
                str(len(tried)),
                str(sum(bool(row.right) for row in tried)),
                str(sum(row.let_through for row in tried)),
                f"{sum(row.seconds for row in tried):.0f}",
            )
        )
    heads = ("kind", "cases", "tried", "right", "regressions let through", "seconds")
    return markdown("Verdicts", heads, lines)


def _company(cases: Sequence[Case], rows: Rows) -> str:
    """Each test that other tests make fail or pass: who, what they left, the cost."""
    lines = []
    for case in cases:
        row = rows.get(case.id)
        if not case.company or row is None or row.right is None:
            continue
        lines.append(
            (
                f"`{case.id}`",
                _verdict(row),
                named(case, row),
                pinned(row),
                f"{case.mechanism.partition(';')[0]}: {compared(case, row)}",
                str(row.trials),
                f"{row.seconds:.0f}",
            )
        )
    heads = (
        *("case", "verdict", "polluters or setters", "what is left"),
        *("known mechanism", "trials", "seconds"),
    )
    return markdown("Polluters, setters, and what they leave", heads, lines)


def _verdict(row: Row) -> str:
    if not row.judged:
        return "not asked" if row.right else "nothing found"
    return "right" if row.right else "wrong"


def named(case: Case, row: Row) -> str:
    """Whether the tests that were named are the known ones."""
    if not row.named:
        return "none named"
    last = ", ".join(f"`{_cut(_test(each))}`" for each in row.named)
    if set(row.named) == set(case.company):
        return f"the known: {last}"
    return f"another, confirmed: {last}"


def pinned(row: Row) -> str:
    """What was left, and how sure it is; a pipe would end the table's cell."""
    told = []
    for each in row.left:
        name = f" `{_cut(each.name)}`" if each.name else ""
        why = "" if each.proven else f", not proven: {each.say}"
        told.append(f"{each.resource}{name}{why}")
    return "; ".join(told).replace("|", "\\|") or (
        "nothing told" if row.judged else "not asked"
    )


def compared(case: Case, row: Row) -> str:
    """Whether what was pinned is of a kind that the mechanism names."""
    proven = {each.resource for each in row.left if each.proven}
    if not proven:
        return "not pinned" if row.judged else "not asked"
    wanted = {kind for word, kind in _RESOURCES.items() if word in case.mechanism}
    if proven <= wanted:
        return "agrees"
    return "as far as pinned" if proven == {_WHOLE} else "differs"


def _test(name: str) -> str:
    return name.rpartition("/")[2].partition("::")[2] or name


def _cut(text: str) -> str:
    shown = text.replace("\n", " ").replace("`", "'")
    return shown if len(shown) <= _WIDE else f"{shown[: _WIDE - 1]}…"


def _odd(cases: Sequence[Case], rows: Rows) -> list[str]:
    """Each case that is wrong or could not be tried, and which were not run."""
    found = []
    for case in cases:
        row = rows.get(case.id)
        if row is not None and not row.right:
            word = "left out: " if row.right is None else ""
            found.append(f"- `{case.id}`: {word}{row.seen}")
    rest = ", ".join(f"`{case.id}`" for case in cases if case.id not in rows)
    return [*found, f"- not run: {rest}"] if rest else found
