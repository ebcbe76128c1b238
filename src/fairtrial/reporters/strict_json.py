"""JSON that an attacker may have made: one meaning, bounded, or refused."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

#: Letters of the place where a document is wrong.
_PLACE: Final = 200


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


def check(document: Any, name: str) -> None:
    """Raises JsonRefused where a document is not as its schema, `name`, demands."""
    try:
        error = next(iter(_validator(name).iter_errors(document)), None)
    except RecursionError:
        raise JsonRefused("it is nested too deeply") from None
    if error is not None:
        # The error's own message quotes the hostile value; the place is enough.
        place = name + "".join(
            f"[{step}]" if isinstance(step, int) else f".{step}"
            for step in error.absolute_path
        )
        raise JsonRefused(
            f"`{error.validator}` of the schema does not hold at `{place[:_PLACE]}`"
        )


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of `report`, `receipt` or `audit`, which lies beside this."""
    place = files("fairtrial.reporters").joinpath(f"{name}.schema.json")
    loaded: dict[str, Any] = json.loads(place.read_text("utf-8"))
    return loaded


@cache
def _validator(name: str) -> Draft202012Validator:
    # Slow to load, and most calls check no document.
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    return Draft202012Validator(schema(name))


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        # Two readers may disagree about which one counts.
        raise JsonRefused("a key appears twice in one object")
    return found


def _no_constant(name: str) -> Any:
    raise JsonRefused(f"{name} is no number of JSON")
