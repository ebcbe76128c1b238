"""The bench `here`: trials as processes on this machine, walled in as it allows."""

from __future__ import annotations

from fairtrial.benches.here.bench import HereBench
from fairtrial.benches.here.options import HereOptions, Limits

__all__ = ["HereBench", "HereOptions", "Limits"]
