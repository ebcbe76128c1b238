"""Trials in containers of their own, beside the gate's."""

from __future__ import annotations

from fairtrial.benches.image.bench import ImageBench

__all__ = ["ImageBench"]
