"""What a condition demands of what it looks at, when it has to hold."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.demands import AssertionKind
from fairtrial.integrity.reading.code.checks import Asked, Check, opposite, turned
from fairtrial.integrity.reading.code.code import Expr, Shape

K = AssertionKind

#: Questions to an object: what is asked of it.
_METHODS: Final[dict[str, Asked]] = {
    **dict.fromkeys(
        ["equals", "Equals", "Equal", "eq", "contentEquals"], Asked(K.EQUAL)
    ),
    **dict.fromkeys(["equalsIgnoreCase"], Asked(K.EQUAL, "ignoring case")),
    **dict.fromkeys(
        ["contains", "Contains", "containsKey", "ContainsKey", "contains_key", "has"],
        Asked(K.CONTAINS),
    ),
    **dict.fromkeys(
        ["startsWith", "StartsWith", "starts_with", "HasPrefix"],
        Asked(K.CONTAINS, "start"),
    ),
    **dict.fromkeys(
        ["endsWith", "EndsWith", "ends_with", "HasSuffix"], Asked(K.CONTAINS, "end")
    ),
    **dict.fromkeys(["isEmpty", "is_empty", "IsEmpty"], Asked(K.LENGTH, "empty")),
    **dict.fromkeys(["isNotEmpty", "Any"], Asked(K.LENGTH, "not empty")),
    **dict.fromkeys(
        ["isPresent", "is_some", "HasValue", "nonNull"], Asked(K.NOT_NONE)
    ),
    **dict.fromkeys(["is_none", "isNull", "IsNullOrEmpty"], Asked(K.NONE)),
    **dict.fromkeys(["is_ok"], Asked(K.NOT_RAISES)),
    **dict.fromkeys(["is_err"], Asked(K.RAISES_ANY)),
    **dict.fromkeys(
        ["matches", "IsMatch", "MatchString", "is_match"], Asked(K.MATCHES)
    ),
    **dict.fromkeys(["isInstance", "IsInstanceOfType"], Asked(K.TYPE)),
}  # fmt: skip
#: Functions of two values that are compared.
_PAIRS: Final = frozenset(
    {
        "equals", "Equals", "Equal", "DeepEqual", "deepEquals", "Diff", "is", "Is",
        "contains", "Contains", "HasPrefix", "HasSuffix", "EqualFold", "SequenceEqual",
        "same", "ReferenceEquals", "As", "isEqual",
    }
)  # fmt: skip
_OWNERS: Final = frozenset(
    {
        "Objects", "Arrays", "reflect", "bytes", "cmp", "strings", "errors", "slices",
        "maps", "Enumerable", "Object", "object", "String", "string", "proto", "big",
    }
)  # fmt: skip
_ORDERS: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_MIRRORED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_LENGTHS: Final = frozenset(
    {"length", "Length", "size", "Count", "len", "count", "capacity"}
)
_EMPTY_VALUES: Final = frozenset({"null", "nil", "None"})


def holds(condition: Expr) -> list[Check]:
    """What is demanded when a condition has to hold."""
    if condition.shape is Shape.NOT:
        inner = condition.parts[0]
        if inner.shape is Shape.BINARY and inner.text == "||":
            return [one for each in inner.parts for one in fails_to_hold(each)]
        return fails_to_hold(inner)
    if condition.shape is Shape.BINARY:
        if condition.text in {"&&", "and"}:
            return [one for each in condition.parts for one in holds(each)]
        if (found := _compared(condition)) is not None:
            return [found]
    if condition.text == "matches!" and len(condition.parts) > 1:
        value, *patterns = condition.parts
        return [Check(kind=K.MATCHES, actual=value, expected=tuple(patterns))]
    if condition.shape is Shape.CALL and (called := _asked_of(condition)) is not None:
        return [called]
    return [Check(kind=K.TRUE, actual=condition)]


def fails_to_hold(condition: Expr) -> list[Check]:
    """What is demanded when a condition must not hold."""
    if condition.shape is Shape.NOT:
        return holds(condition.parts[0])
    if condition.shape is Shape.BINARY and condition.text in {"||", "or"}:
        return [one for each in condition.parts for one in fails_to_hold(each)]
    if condition.shape is Shape.BINARY and condition.text in {"&&", "and"}:
        return [Check(kind=K.FALSE, actual=condition)]
    found = holds(condition)
    if len(found) == 1 and found[0].kind is K.ORDERED:
        check = found[0]
        return [
            Check(
                kind=K.ORDERED,
                actual=check.actual,
                expected=check.expected,
                wanted=_ORDERS.get(check.wanted, f"not {check.wanted}"),
            )
        ]
    return turned(found)


def expected_of(left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """What is looked at and what it has to be, of two sides that are compared."""
    if _is_expected(left) > _is_expected(right):
        return right, left
    return left, right


def _is_expected(expr: Expr) -> int:
    if expr.shape is Shape.LITERAL or expr.text in _EMPTY_VALUES:
        return 3
    name = expr.text.lower()
    if expr.shape in {Shape.NAME, Shape.MEMBER} and name.startswith(
        ("want", "expect", "exp")
    ):
        return 2
    return 1 if expr.shape is Shape.NAME and expr.text.isupper() else 0


def _compared(condition: Expr) -> Check | None:
    left, right = condition.parts
    operator = condition.text
    if operator in {"==", "===", "!=", "!=="}:
        actual, expected = expected_of(left, right)
        it = Asked(K.EQUAL)
        wanted: tuple[Expr, ...] = ()
        if expected.text in _EMPTY_VALUES:
            it = Asked(K.NONE)
        else:
            wanted = (expected,)
        if actual.text in {"Diff", "Compare"} and len(actual.parts) > 1:
            actual, *rest = expected_of(actual.parts[0], actual.parts[1])
            it, wanted = Asked(K.EQUAL), tuple(rest)
        elif (of := _counted(actual)) is not None:
            it, actual = Asked(K.LENGTH), of
        if operator in {"!=", "!=="}:
            it = opposite(it)
        return Check(kind=it.kind, actual=actual, expected=wanted, wanted=it.wanted)
    if operator in _ORDERS:
        actual, expected = expected_of(left, right)
        if actual is right:
            operator = _MIRRORED[operator]
        return Check(
            kind=K.ORDERED, actual=actual, expected=(expected,), wanted=operator
        )
    if operator in {"instanceof", "is", "!is"}:
        it = Asked(K.TYPE, "not" if operator == "!is" else "")
        return Check(kind=it.kind, actual=left, expected=(right,), wanted=it.wanted)
    if operator in {"in", "!in"}:
        return Check(
            kind=K.CONTAINS,
            actual=right,
            expected=(left,),
            wanted="not" if operator == "!in" else "",
        )
    return None


def _counted(actual: Expr) -> Expr | None:
    """What is counted, where a length is looked at."""
    if actual.text not in _LENGTHS:
        return None
    if actual.shape is Shape.CALL and actual.on is None and len(actual.parts) == 1:
        return actual.parts[0]
    if actual.shape in {Shape.CALL, Shape.MEMBER} and not actual.parts:
        return actual.on
    return None


def _asked_of(call: Expr) -> Check | None:
    parts = call.parts
    owner = "" if call.on is None else call.on.text
    if call.text in _PAIRS and len(parts) > 1 and (call.on is None or owner in _OWNERS):
        actual, expected = parts[0], parts[1]
        it = _METHODS.get(call.text, Asked(K.EQUAL))
        if call.text in {"is", "Is", "As"}:
            it = Asked(K.RAISES)
        elif call.text == "EqualFold":
            it = Asked(K.EQUAL, "ignoring case")
        elif it.kind is K.EQUAL:
            actual, expected = expected_of(actual, expected)
        return Check(
            kind=it.kind, actual=actual, expected=(expected,), wanted=it.wanted
        )
    if call.on is None or (it_ := _METHODS.get(call.text)) is None or len(parts) > 1:
        return None
    if owner in _OWNERS and parts:
        return Check(kind=it_.kind, actual=parts[0], wanted=it_.wanted)
    if it_.kind is K.EQUAL and parts:
        actual, expected = expected_of(call.on, parts[0])
        return Check(
            kind=K.EQUAL, actual=actual, expected=(expected,), wanted=it_.wanted
        )
    return Check(kind=it_.kind, actual=call.on, expected=parts, wanted=it_.wanted)
