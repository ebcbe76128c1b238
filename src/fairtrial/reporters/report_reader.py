"""Is this really a report? Reads `report.json` as data that an attacker may have made.

The comment job holds a token and gets its report from a job that ran the pull
request's code. So: a size limit, strict UTF-8 and JSON, no duplicate keys, the
schema, and agreement of the report with itself, before anything is believed.
"""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Mapping
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Any, Final, NewType, TypeVar, Union, get_args, get_origin
from typing import get_type_hints as hints_of

import jsonschema

from fairtrial.domain.decisions import Blame, Decision
from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.report import Report

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
    document = _parsed(data)
    _validate(document)
    report: Report = _built(Report, document)
    _agrees_with_itself(report)
    return report


def schema() -> dict[str, Any]:
    """The JSON Schema of `report.json`."""
    text = (
        files("fairtrial.reporters").joinpath("report.schema.json").read_text("utf-8")
    )
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def _parsed(data: bytes) -> Any:
    if len(data) > SIZE_LIMIT:
        raise ReportRefused(f"{len(data)} bytes are more than {SIZE_LIMIT}")
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unambiguous,
            parse_constant=_no_constant,
        )
    except (ValueError, RecursionError) as error:
        raise ReportRefused(
            f"no JSON that can be read: {type(error).__name__}"
        ) from error


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        # Two readers may disagree about which one counts.
        raise ReportRefused("a key appears twice in one object")
    return found


def _no_constant(name: str) -> Any:
    raise ReportRefused(f"{name} is no number of JSON")


@cache
def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema())


def _validate(document: Any) -> None:
    try:
        error = next(iter(_validator().iter_errors(document)), None)
    except RecursionError as deep:
        raise ReportRefused("nested too deeply") from deep
    if error is not None:
        # The error's own message quotes the hostile value; the place is enough.
        place = "".join(
            f"[{step}]" if isinstance(step, int) else f".{step}"
            for step in error.absolute_path
        )
        rule = f"{error.validator}"
        raise ReportRefused(f"`{rule}` of the schema does not hold at `report{place}`")


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
