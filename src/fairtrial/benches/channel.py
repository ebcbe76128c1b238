"""What a bench's channel holds: the streams that came, and why not to trust them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from fairtrial.benches.aftermath import LEFT

#: What the collector calls the file in which it tells of faults; no stream is called
#: so.
_FAULTS: Final = "faults"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Streams by name, and a sentence for each fault; without one there was none."""

    streams: Mapping[str, bytes]
    faults: tuple[str, ...]
    #: What the trial left behind, where that was asked for.
    left: bytes | None = None


def said(files: Mapping[str, bytes], refused: Iterable[str]) -> Said:
    """What the collector's folder holds; what could not be taken is a fault, too."""
    told = files.get(_FAULTS, b"").decode("utf-8", "replace").splitlines()
    return Said(
        streams={
            name: data for name, data in files.items() if name not in {_FAULTS, LEFT}
        },
        faults=(*told, *(f"what was reported can't be taken: {it}" for it in refused)),
        left=files.get(LEFT),
    )
