"""Finds out by experiment what would have to change for a failed test to pass."""

from typing import Final

__version__: Final = "0.1.0"
