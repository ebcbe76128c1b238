"""Fixes of public projects, taken back: `python bench/public --mirror DIR [RUNNER]…`.

Each entry of `bench/public/*.yml` names a fix. Base is the fix, head the same with its
production part as it was before; the gate has to block with the right tests and paths.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.gating import PATIENCE, gated
from bench.public.changes import NotThere, change_of
from bench.public.entries import Entry, chosen, entries
from bench.public.rows import Row, judged, keep, kept, table, untried


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--mirror", type=Path, help="clone from OWNER+NAME folders; else from GitHub"
    )
    parser.add_argument("--rows", type=Path, help="append what was seen, a line each")
    parser.add_argument("--table", type=Path, help="run nothing: print these rows")
    parser.add_argument(
        "--patience", type=float, default=PATIENCE, help="seconds for one gate"
    )
    parser.add_argument("runners", nargs="*", metavar="RUNNER")
    options = parser.parse_args()
    if options.table is not None:
        print(table(kept(options.table)))
        return 0
    rows = []
    for entry in chosen(entries(), options.runners):
        row = _attempt(entry, options.mirror, options.patience)
        rows.append(row)
        word = {True: "right", False: "WRONG", None: "-"}[row.right]
        print(f"{row.runner}  {word}  {row.seen}", file=sys.stderr, flush=True)
        if options.rows is not None:
            keep(options.rows, row)
    print(table(rows))
    return 0 if all(row.right for row in rows) else 1


def _attempt(entry: Entry, mirror: Path | None, patience: float) -> Row:
    with tempfile.TemporaryDirectory(prefix="fairtrial-public-") as name:
        folder = Path(name)
        try:
            change = change_of(entry, folder, mirror)
        except NotThere as missing:
            return untried(entry, str(missing))
        more: list[str] = []
        if entry.configuration:
            file = folder / "fairtrial.yml"
            file.write_text(entry.configuration, "utf-8")
            more = ["--config", str(file)]
        seen = gated(
            change.path,
            change.base,
            change.head,
            folder / "report",
            *more,
            patience=patience,
        )
        row = judged(entry, seen.decision, seen.report, seen.seconds)
        if not row.right:
            print(seen.printed[-4000:], file=sys.stderr)
        return row


if __name__ == "__main__":
    raise SystemExit(main())
