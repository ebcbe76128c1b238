"""What a bench's trusted first process found that a trial had left behind."""

from __future__ import annotations

import base64
import binascii
import json
import math
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.trials import LeftFile

#: What it is called among the results; no stream is called so.
LEFT: Final = "left"
#: Things that are taken, and sentences.
_MOST: Final = 2000
_SENTENCES: Final = 20
_KINDS: Final = frozenset(
    {"file", "folder", "link", "special", "removed", "port", "process"}
)
_PARTS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Aftermath:
    """Files, ports and processes, and why not all of them could be seen."""

    left: tuple[LeftFile, ...] = ()
    blind: tuple[str, ...] = ()


def aftermath(data: bytes | None, *, asked: bool) -> Aftermath:
    """What the findings say; of a trial that was killed there are none."""
    if not asked:
        return Aftermath()
    if data is None:
        return Aftermath(blind=("the trial ended before anybody could look after it",))
    try:
        found = json.loads(data)
        left = tuple(_left(each) for each in found["left"][:_MOST])
        blind = tuple(str(each)[:300] for each in found["blind"][:_SENTENCES])
    except (ValueError, TypeError, KeyError, RecursionError):
        return Aftermath(blind=("what the trial left can't be read",))
    return Aftermath(left=left, blind=blind)


def _left(value: object) -> LeftFile:
    if not isinstance(value, list) or len(value) != _PARTS:
        raise ValueError("it has other parts")
    path, changed, size, kind, data = value
    if not isinstance(path, str) or kind not in _KINDS or not math.isfinite(changed):
        raise ValueError("a part is of another kind")
    try:
        content = None if data is None else base64.b64decode(data, validate=True)
    except binascii.Error as error:
        raise ValueError("its content can't be read") from error
    return LeftFile(
        # A name may hold any bytes; only what can be written down goes further.
        path=path.encode("utf-8", "backslashreplace").decode(),
        changed=float(changed),
        size=int(size),
        kind=kind,
        data=content,
    )
