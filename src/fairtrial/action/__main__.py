"""The container's entry point: `python -I -m fairtrial.action`."""

from __future__ import annotations

import os
import sys

from fairtrial.action.entry import main

if __name__ == "__main__":
    sys.exit(main(os.environ))
