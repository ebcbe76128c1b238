"""What `${{ … }}` is worth.

After the runner's expression parser: literals, contexts, `.` and `[]`, operators in
GitHub's order of binding, loose comparison that ignores case, and the functions below.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Value = Any
Function = Callable[..., Value]

_TOKEN = re.compile(
    r"\s*(?:(?P<string>'(?:[^']|'')*')"
    r"|(?P<number>[-+]?(?:0x[0-9a-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?))"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_-]*)"
    r"|(?P<sign>&&|\|\||==|!=|<=|>=|[!<>()\[\].,*]))"
)

#: From loosest to tightest.
_BINARY = (("||",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="))


class ExpressionError(Exception):
    """An expression that GitHub would refuse."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Contexts by name, and the functions that depend on where we are."""

    contexts: Mapping[str, Value]
    functions: Mapping[str, Function] = field(default_factory=dict)


def evaluate(text: str, scope: Scope) -> Value:
    """The value of an expression, with or without its `${{ }}`.

    Raises `ExpressionError`.
    """
    inner = text.strip()
    if inner.startswith("${{") and inner.endswith("}}"):
        inner = inner[3:-2]
    return _Parser(_tokens(inner), scope).whole()


def interpolate(text: str, scope: Scope) -> str:
    """The text with each `${{ … }}` in it replaced by what it is worth."""
    return re.sub(
        r"\$\{\{(.*?)\}\}",
        lambda match: as_text(evaluate(match[1], scope)),
        text,
        flags=re.DOTALL,
    )


def names_a_status(text: str) -> bool:
    """Whether a condition asks for a status itself; else `success()` goes before it."""
    tokens = _tokens(text.strip().removeprefix("${{").removesuffix("}}"))
    return any(
        token.lower() in {"always", "success", "failure", "cancelled"}
        and tokens[at + 1 : at + 2] == ["("]
        for at, token in enumerate(tokens)
    )


def truthy(value: Value) -> bool:
    return not (value is None or value is False or value in (0, "") or _nan(value))


def as_text(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer():
            return str(int(value))
        case Mapping():
            return "Object"
        case list():
            return "Array"
        case _:
            return str(value)


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    at = 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            raise ExpressionError(f"unexpected symbol in `{text}` at {at}")
        found.append(match[0].strip())
        at = match.end()
    return found


class _Parser:
    def __init__(self, tokens: list[str], scope: Scope) -> None:
        self._tokens = tokens
        self._at = 0
        self._scope = scope

    def whole(self) -> Value:
        value = self._binary(0)
        if self._at != len(self._tokens):
            raise ExpressionError(f"unexpected `{self._peek()}`")
        return value

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, *expected: str) -> str:
        token = self._peek()
        if not token or (expected and token not in expected):
            raise ExpressionError(f"expected {expected or 'a value'}, found `{token}`")
        self._at += 1
        return token

    def _binary(self, level: int) -> Value:
        if level == len(_BINARY):
            return self._unary()
        left = self._binary(level + 1)
        while self._peek() in _BINARY[level]:
            operator = self._take()
            right = self._binary(level + 1)
            left = _apply(operator, left, right)
        return left

    def _unary(self) -> Value:
        if self._peek() == "!":
            self._take()
            return not truthy(self._unary())
        return self._postfix(self._primary())

    def _primary(self) -> Value:
        token = self._take()
        if token == "(":
            value = self._binary(0)
            self._take(")")
            return value
        if token.startswith("'"):
            return token[1:-1].replace("''", "'")
        if token[0].isdigit() or token[0] in "+-":
            return _number(token)
        if not re.match(r"[A-Za-z_]", token):
            raise ExpressionError(f"unexpected `{token}`")
        if self._peek() == "(":
            return self._call(token)
        constants = {"true": True, "false": False, "null": None}
        if token in constants:
            return constants[token]
        if token.lower() not in self._scope.contexts:
            raise ExpressionError(f"unrecognized named-value `{token}`")
        return self._scope.contexts[token.lower()]

    def _postfix(self, value: Value) -> Value:
        while self._peek() in {".", "["}:
            if self._take() == ".":
                value = index(value, self._take())
            else:
                value = index(value, self._binary(0))
                self._take("]")
        return value

    def _call(self, name: str) -> Value:
        self._take("(")
        arguments: list[Value] = []
        while self._peek() != ")":
            arguments.append(self._binary(0))
            if self._peek() != ")":
                self._take(",")
        self._take(")")
        functions = {
            key.lower(): one
            for key, one in {**_FUNCTIONS, **self._scope.functions}.items()
        }
        if name.lower() not in functions:
            raise ExpressionError(f"unrecognized function `{name}`")
        return functions[name.lower()](*arguments)


def index(value: Value, key: Value) -> Value:
    """A property or an element; null where there is none. Names ignore case."""
    if isinstance(value, Mapping):
        wanted = as_text(key).lower()
        return next(
            (one for name, one in value.items() if str(name).lower() == wanted), None
        )
    if isinstance(value, list) and isinstance(key, int | float):
        return value[int(key)] if 0 <= key < len(value) else None
    return None


def _apply(operator: str, left: Value, right: Value) -> Value:
    if operator == "||":
        return left if truthy(left) else right
    if operator == "&&":
        return right if truthy(left) else left
    if operator in {"==", "!="}:
        return _equal(left, right) is (operator == "==")
    if isinstance(left, str) and isinstance(right, str):
        one, other = left.upper(), right.upper()
        return {
            "<": one < other,
            "<=": one <= other,
            ">": one > other,
            ">=": one >= other,
        }[operator]
    low, high = as_number(left), as_number(right)
    return {"<": low < high, "<=": low <= high, ">": low > high, ">=": low >= high}[
        operator
    ]


def _equal(left: Value, right: Value) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return left.upper() == right.upper()
    if isinstance(left, Mapping | list) or isinstance(right, Mapping | list):
        return left is right
    if type(left) is type(right):
        return bool(left == right)
    return as_number(left) == as_number(right)


def as_number(value: Value) -> float:
    match value:
        case None:
            return 0.0
        case bool() | int() | float():
            return float(value)
        case str():
            return _number(value) if value.strip() else 0.0
        case _:
            return math.nan


def _number(text: str) -> float:
    try:
        return float(int(text, 16)) if "0x" in text else float(text)
    except ValueError:
        return math.nan


def _nan(value: Value) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _contains(where: Value, what: Value) -> bool:
    if isinstance(where, list):
        return any(_equal(one, what) for one in where)
    return as_text(what).upper() in as_text(where).upper()


def _format(pattern: str, *values: Value) -> str:
    return re.sub(
        r"\{\{|\}\}|\{(\d+)\}",
        lambda match: as_text(values[int(match[1])]) if match[1] else match[0][0],
        pattern,
    )


_FUNCTIONS: dict[str, Function] = {
    "contains": _contains,
    "startsWith": lambda text, start: (
        as_text(text).upper().startswith(as_text(start).upper())
    ),
    "endsWith": lambda text, end: as_text(text).upper().endswith(as_text(end).upper()),
    "format": _format,
    "join": lambda values, by=",": as_text(by).join(as_text(one) for one in values),
    "toJSON": lambda value: json.dumps(value, indent=2, default=dict),
    "fromJSON": lambda text: json.loads(as_text(text)),
}
