"""Is this really a report? Reads `report.json` as data that an attacker may have made.

The comment job holds a token and gets its report from a job that ran the pull
request's code. So: a size limit, strict UTF-8 and JSON, no duplicate keys, the
schema, and agreement of the report with itself, before anything is believed.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, Final, NewType, TypeVar, Union, get_args, get_origin
from typing import get_type_hints as hints_of

from fairtrial.domain.decisions import Blame, Decision
from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.report import Report
from fairtrial.reporters.strict_json import JsonRefused, check, parse

SCHEMA_NAME: Final = "fairtrial/report/v1"

#: Bytes; a report takes about 3,000 a verdict, so this holds ten thousand of them.
SIZE_LIMIT: Final = 32_000_000

_T = TypeVar("_T")


class ReportRefused(ConfigurationError):  # noqa: N818 - said as people say it
    """The bytes are no report that could be believed."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"the report is refused: {why}",
            means="It was cut off, made by another version, or tampered with.",
            remedy="Run the gate again; the gate job's own summary has the decision.",
        )
        self.why = why


def load(data: bytes) -> Report:
    """The report that `dump` wrote; fields that this version does not know are dropped.

    Raises ReportRefused for anything else, and never any other exception.
    """
    try:
        document = parse(data, SIZE_LIMIT)
        check(document, "report")
    except JsonRefused as wrong:
        raise ReportRefused(str(wrong)) from wrong
    report: Report = _built(Report, document)
    _agrees_with_itself(report)
    return report


def _agrees_with_itself(report: Report) -> None:
    """A decision is never lighter than what it is made of."""
    parts = [
        *((v.decision, v.introduced, v.side) for v in report.verdicts),
        *((f.decision, f.introduced, f.side) for f in report.findings),
    ]
    heaviest = max((decision for decision, _, _ in parts), default=Decision.PASS)
    if report.decision < heaviest:
        raise ReportRefused("its decision is lighter than its heaviest verdict")
    asks = any(
        introduced and side in {Blame.PRODUCTION, Blame.BOTH}
        for decision, introduced, side in parts
        if decision is not Decision.PASS
    )
    if asks and not report.requires_production_change:
        raise ReportRefused(
            "a verdict asks for a production change, the report does not"
        )


@cache
def _hints(cls: type[Any]) -> Mapping[str, Any]:
    return hints_of(cls)


def _built(cls: type[_T], document: Mapping[str, Any]) -> _T:
    """One dataclass from one object; the schema has already checked all of it."""
    assert dataclasses.is_dataclass(cls)
    hints = _hints(cls)
    return cls(
        **{
            field.name: _value(hints[field.name], document[field.name])
            for field in dataclasses.fields(cls)
            if field.name in document
        }
    )


def _value(wanted: Any, given: Any) -> Any:
    if isinstance(wanted, NewType):
        return given
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin in {types.UnionType, Union}:
        inner = next(part for part in arguments if part is not types.NoneType)
        return None if given is None else _value(inner, given)
    if origin is tuple:
        return tuple(_value(arguments[0], item) for item in given)
    if origin is not None:
        return {key: _value(arguments[1], item) for key, item in given.items()}
    if wanted is Decision:
        return Decision[given.upper()]
    if isinstance(wanted, type) and dataclasses.is_dataclass(wanted):
        return _built(wanted, given)
    if issubclass(wanted, Enum | int | float):
        return wanted(given)
    return given
