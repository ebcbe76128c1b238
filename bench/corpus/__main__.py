"""Real cases through the gate: `python bench/corpus --corpus DIR [CASE]…`.

The verdict on each case's own test is held against what is known to be true of it, and
so are the tests that are named as its polluters or setters, and what those left. A
case whose test fails alone and passes in its suite has nothing for a gate to judge: it
goes through `fairtrial alone` and `fairtrial polluter`, and is not in the percentage.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from attempts import attempt
from cases import Case, read
from rows import Row, keep, kept, line
from told import table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--mirror", type=Path, help="clone from OWNER+NAME folders")
    parser.add_argument("--rows", type=Path, help="what was seen: read, and appended")
    parser.add_argument(
        "--table", action="store_true", help="run nothing: only print what is in --rows"
    )
    parser.add_argument(
        "--search", action="store_true", help="victims: only look for their polluters"
    )
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    cases = read(options.corpus.resolve())
    known = kept(options.rows)
    if not options.table:
        for row in _rows(options, cases):
            known[row.id] = row
            print(line(row), file=sys.stderr, flush=True)
            if options.rows is not None:
                keep(options.rows, [row])
    print(table(cases, known))
    return 1 if any(row.let_through for row in known.values()) else 0


def _rows(options: argparse.Namespace, cases: tuple[Case, ...]) -> Iterator[Row]:
    unknown = set(options.cases) - {case.id for case in cases}
    if unknown:
        raise SystemExit(f"no such case: {', '.join(sorted(unknown))}")
    for case in cases:
        if not options.cases or case.id in options.cases:
            with tempfile.TemporaryDirectory(prefix="fairtrial-corpus-") as folder:
                yield attempt(case, Path(folder), options.mirror, search=options.search)


if __name__ == "__main__":
    raise SystemExit(main())
