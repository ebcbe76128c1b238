"""Prints the tables of this folder: `make bench`.

Each row holds what is compared side by side, taken in turns within one run, because
machines are noisy and only ratios and differences travel.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import databases
import edited
import green
import junit
import trial


def main() -> int:
    print(f"Python {platform.python_version()}, {platform.system()}\n")
    for table in (
        green.table,
        edited.table,
        trial.table,
        databases.table,
        junit.table,
    ):
        print(table(), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
