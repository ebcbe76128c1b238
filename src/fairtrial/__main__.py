"""`python -m fairtrial`: the command line."""

from __future__ import annotations

from fairtrial.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
