"""The page docs/runners.md: which runners there are, and what was seen of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.matrix.cells import NAMES, Cell, digest, file_of, specimens_of

_HEAD = """\
# Runners

<!-- Made by `python bench/matrix --page` from docs/runners/ and runs. -->

A runner translates: it says what to run, and what the bytes that come out amount to.
It starts nothing itself. `fairtrial.runners.RUNNERS` lists the runners; `runner:` of a
suite names one, and `fairtrial init` writes the suites that a repository has.
"""
_TABLE = """\
## What was seen

Each cell is a run of `fairtrial gate` on a small project with one pull request, with
the real tool: `right` where the exit code, every verdict and every culprit were as that
specimen demands, and what the gate decided. `-` is a specimen that a runner has not;
its page says why. `not run` is one that was changed, or written, since the last run.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What one runner's own page begins with; "" and "" where there is none yet."""

    title: str
    summary: str


def matrix(
    specimens: Path, runners: Sequence[str], cells: Mapping[tuple[str, str], Cell]
) -> str:
    """The table: a line for each specimen, a column for each runner."""
    have = {runner: specimens_of(specimens, runner) for runner in runners}
    extra = sorted({each for of in have.values() for each in of} - set(NAMES))
    lines = [
        "| specimen | " + " | ".join(runners) + " |",
        "|" + "---|" * (len(runners) + 1),
    ]
    for name in (*NAMES, *extra):
        row = [
            _cell(specimens, runner, name, cells) if name in have[runner] else "-"
            for runner in runners
        ]
        lines.append(f"| `{name}` | " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


def _cell(
    specimens: Path,
    runner: str,
    name: str,
    cells: Mapping[tuple[str, str], Cell],
) -> str:
    cell = cells.get((runner, name))
    if cell is None or cell.of != digest(file_of(specimens, runner, name)):
        return "not run"
    word = cell.seen.partition(":")[0]
    return f"right: {word}" if cell.ok else f"**wrong**: {word}"


def page_of(path: Path) -> Page:
    """A runner's page: its title, and the first paragraph under it."""
    if not path.is_file():
        return Page(title="", summary="")
    blocks = [each.strip() for each in path.read_text("utf-8").split("\n\n")]
    title = next((each[2:].strip() for each in blocks if each.startswith("# ")), "")
    plain = (each for each in blocks if each and not re.match(r"[#|<`]", each))
    return Page(title=title, summary=next(plain, ""))


def whole(
    docs: Path,
    specimens: Path,
    runners: Sequence[str],
    cells: Mapping[tuple[str, str], Cell],
) -> str:
    """The whole page."""
    parts = [_HEAD]
    for runner in runners:
        page = page_of(docs / "runners" / f"{runner}.md")
        told = page.summary or "It has no page yet."
        told = re.sub(r"\]\((\w+\.md)", r"](runners/\1", told)
        link = f"\n\n[{page.title}](runners/{runner}.md)" if page.title else ""
        parts.append(f"## {runner}\n\n{told}{link}\n")
    parts.append(_TABLE)
    parts.append(matrix(specimens, runners, cells))
    return "\n".join(parts)
