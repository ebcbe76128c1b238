"""The schema that we ship and the dataclasses say the same."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from enum import Enum
from typing import Any, NewType, get_args, get_origin, get_type_hints

import jsonschema
import pytest

from fairtrial.domain import report
from fairtrial.domain.decisions import Decision
from fairtrial.reporters.strict_json import schema

CLASSES = [
    member
    for member in vars(report).values()
    if isinstance(member, type) and dataclasses.is_dataclass(member)
]


def described(cls: type[Any]) -> Mapping[str, Any]:
    whole = schema("report")
    found: Mapping[str, Any] = (
        whole if cls is report.Report else whole["$defs"][cls.__name__]
    )
    return found


def expected(kind: Any) -> dict[str, Any]:
    """What a field's type has to be in the schema, at least."""
    if isinstance(kind, NewType):
        return {"type": "string"}
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is types.UnionType:
        [inner] = [expected(a) for a in arguments if a is not types.NoneType]
        if "$ref" in inner:
            return {"anyOf": [inner, {"type": "null"}]}
        if "enum" in inner:
            return {"enum": [*inner["enum"], None]}
        return {**inner, "type": [inner["type"], "null"]}
    if origin is tuple:
        return {"type": "array", "items": expected(arguments[0])}
    if origin is not None:
        return {"type": "object", "additionalProperties": expected(arguments[1])}
    if kind is Decision:
        return {"enum": [decision.word for decision in Decision]}
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    return {
        "type": {bool: "boolean", int: "integer", float: "number"}.get(kind, "string")
    }


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(schema("report"))


def test_the_schema_describes_every_class_and_no_other() -> None:
    names = {cls.__name__ for cls in CLASSES} - {"Report"}

    assert names == set(schema("report")["$defs"])


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_the_schema_has_exactly_the_fields(cls: type[Any]) -> None:
    names = {field.name for field in dataclasses.fields(cls)}
    extra = {"schema"} if cls is report.Report else set()

    assert names | extra == set(described(cls)["properties"])


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_the_schema_requires_what_has_no_default(cls: type[Any]) -> None:
    required = {
        field.name
        for field in dataclasses.fields(cls)
        if field.default is dataclasses.MISSING
        and field.default_factory is dataclasses.MISSING
    }
    extra = {"schema"} if cls is report.Report else set()

    assert required | extra == set(described(cls).get("required", []))


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_the_schema_has_each_fields_type(cls: type[Any]) -> None:
    hints = get_type_hints(cls)
    for field in dataclasses.fields(cls):
        told = described(cls)["properties"][field.name]
        wanted = expected(hints[field.name])
        if "enum" in told and wanted == {"type": "string"}:
            # A closed set of words that the domain keeps as text.
            assert all(isinstance(word, str) for word in told["enum"])
        else:
            assert wanted == {key: told[key] for key in wanted}, field.name


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_numbers_are_bounded(cls: type[Any]) -> None:
    for name, told in described(cls)["properties"].items():
        if {"integer", "number"} & {*_types(told)}:
            assert {"minimum", "maximum"} <= set(told), name


def _types(told: Mapping[str, Any]) -> list[str]:
    kind = told.get("type", [])
    return [kind] if isinstance(kind, str) else kind
