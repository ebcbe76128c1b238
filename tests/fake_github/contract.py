"""What GitHub's own API description says of a request, an answer, a schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from openapi_schema_validator import (
    OAS30ReadValidator,
    OAS30WriteValidator,
    oas30_format_checker,
)
from referencing import Registry
from referencing.jsonschema import DRAFT4

_SLICE: Final = Path(__file__).with_name("openapi-slice.json")
_HERE: Final = "urn:github"


@cache
def document() -> dict[str, Any]:
    """The description, with references that hold outside of it, too."""
    text = _SLICE.read_text("utf-8").replace('"$ref": "#/', f'"$ref": "{_HERE}#/')
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@cache
def _registry() -> Registry[Any]:
    empty: Registry[Any] = Registry()
    filled: Registry[Any] = empty.with_resource(
        _HERE, DRAFT4.create_resource(document())
    )
    return filled


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path, and the values in the path that was asked for."""

    template: str
    parameters: Mapping[str, str]
    spec: Mapping[str, Any]

    def request_errors(self, query: Mapping[str, str], body: Any) -> Iterator[str]:
        """What is wrong with a request."""
        known = {p["name"]: p for p in map(resolve, self.spec.get("parameters", []))}
        for name, value in query.items():
            if known.get(name, {}).get("in") != "query":
                yield f"there is no query parameter {name!r}"
            else:
                yield from errors(known[name]["schema"], typed(value), write=True)
        wanted = self.spec.get("requestBody")
        if wanted is None:
            if body is not None:
                yield "it takes no body"
        elif body is not None or resolve(wanted).get("required"):
            schema = resolve(wanted)["content"]["application/json"]["schema"]
            yield from errors(schema, body, write=True)

    def answer_errors(self, status: int, body: Any) -> Iterator[str]:
        """What is wrong with an answer; undocumented failures have no shape."""
        documented = self.spec["responses"].get(str(status))
        if documented is None:
            if status < 400:
                yield f"{status} is not documented"
            return
        content = resolve(documented).get("content", {}).get("application/json")
        if content is not None:
            yield from errors(content["schema"], body)


def operation(method: str, path: str) -> Operation | None:
    """The operation that a request asks for; None when there is no such path."""
    for template, methods in document()["paths"].items():
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(template))
        match = re.fullmatch(pattern, path)
        if match is not None and method.lower() in methods:
            return Operation(template, match.groupdict(), methods[method.lower()])
    return None


def resolve(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The node itself, its reference followed."""
    while "$ref" in node:
        target: Any = document()
        for step in node["$ref"].removeprefix(f"{_HERE}#/").split("/"):
            target = target[step.replace("~1", "/")]
        node = target
    return node


def errors(schema: Mapping[str, Any], value: Any, *, write: bool = False) -> list[str]:
    """What a value lacks to be as its schema says."""
    kind = OAS30WriteValidator if write else OAS30ReadValidator
    validator = kind(schema, registry=_registry(), format_checker=oas30_format_checker)
    return [f"{e.json_path}: {e.message[:200]}" for e in validator.iter_errors(value)]


def typed(text: str) -> Any:
    """A query value as JSON would write it."""
    return int(text) if re.fullmatch(r"\d{1,15}", text) else text


def specimen(schema_name: str, **given: Any) -> dict[str, Any]:
    """The smallest valid value of a schema, with what is given filled in.

    Given mappings are filled up in the same way, to any depth.
    """
    schema = document()["components"]["schemas"][schema_name]
    made = _specimen(schema, given)
    assert isinstance(made, dict)
    return made


_UNSET: Final = object()

_BY_FORMAT: Final = {
    "uri": "https://github.invalid/",
    "date-time": "2026-12-01T00:00:00Z",
}


def _specimen(node: Mapping[str, Any], given: Any = _UNSET) -> Any:
    node = _single(node)
    if given is not _UNSET and not (isinstance(given, dict) and "properties" in node):
        return given
    if node.get("nullable") and given is _UNSET:
        return None
    if "properties" in node:
        filled: dict[str, Any] = given if isinstance(given, dict) else {}
        names = [*node.get("required", []), *filled]
        return {
            name: _specimen(node["properties"].get(name, {}), filled.get(name, _UNSET))
            for name in dict.fromkeys(names)
        }
    if "enum" in node:
        return node["enum"][0]
    match node.get("type"):
        case "array":
            return []
        case "integer" | "number":
            return 1
        case "boolean":
            return False
        case "object":
            return {}
        case _:
            return _BY_FORMAT.get(node.get("format", ""), "x")


def _single(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The node without choices: the first of any, all of all."""
    node = resolve(node)
    for choice in ("oneOf", "anyOf"):
        if choice in node:
            return {**_single(node[choice][0]), "nullable": node.get("nullable", False)}
    if "allOf" in node:
        merged: dict[str, Any] = {}
        for part in node["allOf"]:
            merged |= _single(part)
        return merged
    return node
