"""JSON that an attacker may have made: one meaning, bounded, or refused."""

from __future__ import annotations

import json
from typing import Any


class JsonRefused(ValueError):  # noqa: N818 - said as people say it
    """It is not JSON of one meaning; the message says why, in a part of a sentence."""


def parse(data: bytes, limit: int) -> Any:
    """The document; raises JsonRefused, and never any other exception.

    No more than `limit` bytes, strict UTF-8, no key twice in one object, no number
    that JSON has no word for, no nesting beyond what Python's parser bears.
    """
    if len(data) > limit:
        raise JsonRefused(f"more than {limit} bytes")
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unambiguous,
            parse_constant=_no_constant,
        )
    except JsonRefused:
        raise
    except (ValueError, RecursionError) as wrong:
        raise JsonRefused(f"no JSON that can be read: {type(wrong).__name__}") from None


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        # Two readers may disagree about which one counts.
        raise JsonRefused("a key appears twice in one object")
    return found


def _no_constant(name: str) -> Any:
    raise JsonRefused(f"{name} is no number of JSON")
