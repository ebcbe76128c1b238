"""Fairtrial as a GitHub action: what stands between runner and command line."""

from __future__ import annotations

from fairtrial.action.entry import main

__all__ = ["main"]
