"""Each runner's specimens through the gate: `python bench/matrix [RUNNER]…`.

`--rows FILE` appends what was seen to a file of JSON lines, `--table FILE` runs nothing
and prints what was kept, and `--page` writes docs/runners.md from it besides. Where no
file is named it is `bench/matrix/cells.jsonl`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "acceptance")]

from test_specimens import compare  # type: ignore[import-not-found]

from bench.gating import gated
from bench.matrix.cells import (
    Cell,
    digest,
    expected,
    file_of,
    keep,
    kept,
    seen,
    specimens_of,
)
from bench.matrix.page import matrix, whole
from fairtrial.runners import RUNNERS
from specimens import FOLDER, build, read

ROWS = Path(__file__).parent / "cells.jsonl"
#: Seconds for one specimen.
_PATIENCE = 600.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, help="append what was seen, a line each")
    parser.add_argument("--table", type=Path, help="run nothing: print these rows")
    parser.add_argument("--page", action="store_true", help="write docs/runners.md")
    parser.add_argument("--specimen", action="append", help="only those of this name")
    parser.add_argument("runners", nargs="*", metavar="RUNNER")
    options = parser.parse_args()
    unknown = sorted(set(options.runners) - set(RUNNERS))
    if unknown:
        parser.error(f"no such runner: {', '.join(unknown)}")
    file = options.table or options.rows or ROWS
    # The page alone is made of what was kept.
    runs = options.table is None and (
        not options.page or bool(options.runners or options.rows)
    )
    if runs:
        for runner in options.runners or RUNNERS:
            _run(runner, options.specimen, file)
    cells = kept(file)
    if options.page:
        page = whole(ROOT / "docs", FOLDER, list(RUNNERS), cells)
        (ROOT / "docs" / "runners.md").write_text(page, "utf-8")
    shown = options.runners or list(RUNNERS)
    print(matrix(FOLDER, shown, cells))
    wrong = [cell for cell in cells.values() if cell.runner in shown and not cell.ok]
    return 1 if wrong else 0


def _run(runner: str, only: list[str] | None, file: Path) -> None:
    for name in specimens_of(FOLDER, runner):
        if only and name not in only:
            continue
        cell = _cell(runner, name)
        word = "right" if cell.ok else "WRONG"
        line = f"{runner}/{name}  {word}  {cell.seconds:.0f} s  {cell.seen}"
        print(line, file=sys.stderr, flush=True)
        keep(file, cell)


def _cell(runner: str, name: str) -> Cell:
    path = file_of(FOLDER, runner, name)
    # Taken before the run: what is edited meanwhile was not tried.
    of, wanted = digest(path), expected(path)
    whole_name = str(path.relative_to(FOLDER).with_suffix(""))
    with tempfile.TemporaryDirectory(prefix="fairtrial-matrix-") as folder:
        built = build(whole_name, Path(folder))
        authority = read(whole_name).expected.get("authority", "person")
        found = gated(
            built.path,
            built.base,
            built.head,
            Path(folder) / "report",
            f"--authority={authority}",
            patience=_PATIENCE,
        )
        try:
            compare(whole_name, dict(found.report), found.code, found.printed)
            ok = True
        except Exception as wrong:  # noqa: BLE001 - whatever it is, it is not right
            ok = False
            print(f"{type(wrong).__name__}: {wrong}"[:1500], file=sys.stderr)
    return Cell(
        runner=runner,
        specimen=name,
        expected=wanted,
        seen=seen(found.code, found.report),
        ok=ok,
        seconds=round(found.seconds, 1),
        of=of,
    )


if __name__ == "__main__":
    raise SystemExit(main())
