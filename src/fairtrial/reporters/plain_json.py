"""Values of the domain as JSON text, field for field."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any


def _whole(value: Any) -> Any:
    return value


def dump(schema: str, value: Any, kept: Callable[[Any], Any] = _whole) -> str:
    """A document as JSON text, ASCII only, ending with a line end.

    The name of its schema comes first, then its field `tool`. `kept` is given every
    value inside, and says what of it is written.
    """
    plain = _plain(value, kept)
    head = {"schema": schema, "tool": plain.pop("tool")}
    return json.dumps({**head, **plain}, indent=1, allow_nan=False) + "\n"


def _plain(value: Any, kept: Callable[[Any], Any]) -> Any:
    """The same in JSON's own types."""
    value = kept(value)
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value):
        return {
            field.name: _plain(getattr(value, field.name), kept)
            for field in dataclasses.fields(value)
        }
    if isinstance(value, Mapping):
        return {str(key): _plain(item, kept) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item, kept) for item in value]
    return value
