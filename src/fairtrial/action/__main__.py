"""The container's entry point: `python -I -m fairtrial.action`."""

from __future__ import annotations

import os
import sys

from fairtrial.action.entry import main
from fairtrial.action.isolation import close_process

if __name__ == "__main__":
    close_process()
    sys.exit(main(os.environ))
