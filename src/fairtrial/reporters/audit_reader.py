"""Is this an audit? Reads `audit.json` as data that an attacker may have made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import jsonschema

from fairtrial.domain.names import SuiteName, TestId
from fairtrial.reporters.strict_json import JsonRefused, parse

SCHEMA_NAME: Final = "fairtrial/audit/v1"
#: Bytes.
SIZE_LIMIT: Final = 32_000_000


class AuditRefused(ValueError):  # noqa: N818 - said as people say it
    """It is no audit; the message says why, in a part of a sentence."""


def guesses(data: bytes) -> Mapping[SuiteName, Mapping[TestId, Any]]:
    """By suite and test, the sets that an audit confirmed; raises AuditRefused."""
    found: dict[SuiteName, dict[TestId, tuple[tuple[TestId, ...], ...]]] = {}
    for each in load(data)["findings"]:
        sets = tuple(
            tuple(map(TestId, one)) for one in (*each["polluters"], *each["setters"])
        )
        tests = found.setdefault(SuiteName(each["suite"]), {})
        test = TestId(each["test"])
        tests[test] = (*tests.get(test, ()), *sets)
    return found


def load(data: bytes) -> Mapping[str, Any]:
    """The document, of which every field has its type; raises AuditRefused only."""
    try:
        document = parse(data, SIZE_LIMIT)
        error = next(iter(_validator().iter_errors(document)), None)
    except JsonRefused as wrong:
        raise AuditRefused(str(wrong)) from wrong
    except RecursionError:
        raise AuditRefused("it is nested too deeply") from None
    if error is not None:
        steps = list(error.absolute_path)[:6]
        place = "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in steps)
        raise AuditRefused(
            f"`{error.validator}` of the schema does not hold at `audit{place[:200]}`"
        )
    loaded: Mapping[str, Any] = document
    return loaded


def schema() -> dict[str, Any]:
    """The JSON Schema of `audit.json`."""
    text = files("fairtrial.reporters").joinpath("audit.schema.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@cache
def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema())
