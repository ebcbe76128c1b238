"""What a line of a test checks, before it is said in words of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from fairtrial.domain.demands import Aspect, AssertionKind
from fairtrial.integrity.reading.code.code import Expr, Shape, Stmt, Unit

K = AssertionKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that a line demands, in terms of its expressions."""

    aspect: Aspect = Aspect.ASSERTION
    kind: AssertionKind | None = None
    #: What is looked at.
    actual: Expr | None = None
    #: What is looked at, where it is no expression; else what is put before it.
    subject: str = ""
    expected: tuple[Expr, ...] = ()
    #: What is put before the expected value: "not", ">=", "ignoring case".
    wanted: str = ""
    tolerance: Expr | None = None
    #: A lambda whose statements check, too; its first parameter is `actual`.
    nested: Expr | None = None
    #: Nothing after it is reached.
    ends: bool = False


class Dialect(Protocol):
    """What the shared reading has to know of a language and its frameworks."""

    @property
    def transparent(self) -> frozenset[str]:
        """Calls whose lambda simply runs, once."""

    @property
    def marks(self) -> frozenset[str]:
        """Annotations whose meaning `of_marks` gives; others arrange something."""

    def checks(self, expr: Expr) -> list[Check] | None:
        """What an expression that stands as a statement checks; None for nothing."""

    def fails(self, stmt: Stmt) -> bool:
        """Whether a statement fails the test, whatever happened."""

    def subtest(self, expr: Expr) -> tuple[str, Expr] | None:
        """The name and the body of a test inside a test."""

    def of_subtest(self, expr: Expr) -> list[Check]:
        """What the head of a test inside a test demands: skips, focus."""

    def rows(self, expr: Expr) -> list[Expr] | None:
        """The rows of a written table of cases."""

    def is_test(self, unit: Unit, owners: tuple[Unit, ...]) -> bool:
        """Whether a function is a test."""

    def is_hook(self, unit: Unit, owners: tuple[Unit, ...]) -> bool:
        """Whether a function runs around tests without being named."""

    def of_marks(self, unit: Unit, owners: tuple[Unit, ...]) -> list[Check]:
        """What the annotations and the signature of a test or class demand."""

    def names(self, unit: Unit, owners: tuple[Unit, ...]) -> tuple[str, ...]:
        """The names of a test inside its file."""


#: A direct assertion: its kind and what its arguments are, in order: `e`xpected,
#: `a`ctual, `t`olerance, `-` ignored.
Forms = Mapping[str, tuple[AssertionKind, str]]


def by_form(
    expr: Expr, kind: AssertionKind, form: str, wanted: str = ""
) -> list[Check]:
    """The check of a call whose arguments have fixed places."""
    actual = tolerance = None
    expected = []
    for role, each in zip(form, expr.parts, strict=False):
        match role:
            case "a":
                actual = each
            case "e":
                expected.append(each)
            case "t":
                tolerance = each
            case _:
                pass
    if tolerance is not None and is_text(tolerance):
        tolerance = None
    if tolerance is not None and kind is K.EQUAL:
        kind = K.CLOSE
    return [
        Check(
            kind=kind,
            actual=actual,
            expected=tuple(expected),
            tolerance=tolerance,
            wanted=wanted,
        )
    ]


def is_text(expr: Expr) -> bool:
    """Whether an expression is a text for people."""
    match expr.shape:
        case Shape.LITERAL:
            return expr.text.startswith('"')
        case Shape.BINARY:
            return expr.text == "+" and any(is_text(each) for each in expr.parts)
        case Shape.LAMBDA:
            return not expr.params
        case Shape.CALL:
            return expr.text in {"format", "formatted", "Format", "format!"}
        case Shape.TOKENS:
            return bool(expr.parts) and expr.written[:2].strip("$") in {'"', '@"'}
        case Shape.NAME:
            return expr.text.lower() in {"message", "msg", "reason"}
        case Shape.TYPE | Shape.MEMBER | Shape.NOT | Shape.WORD:
            return False


_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_FILLERS: Final = frozenset(
    {
        "is", "are", "to", "be", "should", "does", "do", "has", "have", "a", "an", "of",
        "with", "that", "and", "was", "will", "async",
    }
)  # fmt: skip

#: What is left of a matcher's name without its fillers, and what it asks.
_MATCHERS: Final[dict[str, AssertionKind]] = {
    **dict.fromkeys(
        [
            "", "equal", "equals", "value", "eq", "equivalent", "contain exactly",
            "exactly", "contain exactly elements", "contain exactly entries",
            "array equals", "deep equal", "equal all",
        ],
        K.EQUAL,
    ),
    **dict.fromkeys(
        ["same", "same as", "same instance", "same instance as", "same reference as"],
        K.IDENTICAL,
    ),
    **dict.fromkeys(
        ["null", "nil", "none", "absent", "null value", "default"], K.NONE
    ),
    **dict.fromkeys(["some", "present", "any value"], K.NOT_NONE),
    **dict.fromkeys(["true"], K.TRUE),
    **dict.fromkeys(["false"], K.FALSE),
    **dict.fromkeys(
        [
            "empty", "size", "count", "length", "len", "blank", "single",
            "single element", "same size as", "null or empty", "empty string",
            "empty collection",
            "null or white space", "singleton", "null or blank",
        ],
        K.LENGTH,
    ),
    **dict.fromkeys(
        [
            "instance", "type", "exactly instance", "assignable", "assignable from",
            "instance type", "compatible type", "assignable type", "exact type",
            "any instance",
        ],
        K.TYPE,
    ),
    **dict.fromkeys(
        [
            "close", "approximately", "close offset", "within percentage",
            "close percentage",
        ],
        K.CLOSE,
    ),
    **dict.fromkeys(
        ["throw", "throws", "throw exactly", "thrown by", "throws exactly", "raise"],
        K.RAISES,
    ),
}  # fmt: skip
_BEGINNINGS: Final[tuple[tuple[str, AssertionKind], ...]] = (
    ("contain", K.CONTAINS),
    ("start", K.CONTAINS),
    ("end", K.CONTAINS),
    ("item", K.CONTAINS),
    ("key", K.CONTAINS),
    ("entry", K.CONTAINS),
    ("subset", K.CONTAINS),
    ("substring", K.CONTAINS),
    ("include", K.CONTAINS),
    ("in", K.CONTAINS),
    ("one", K.CONTAINS),
    ("match", K.MATCHES),
    ("greater", K.ORDERED),
    ("less", K.ORDERED),
    ("between", K.ORDERED),
    ("positive", K.ORDERED),
    ("negative", K.ORDERED),
    ("before", K.ORDERED),
    ("after", K.ORDERED),
    ("at", K.ORDERED),
    ("strictly", K.ORDERED),
    ("range", K.ORDERED),
    ("gt", K.ORDERED),
    ("lt", K.ORDERED),
    ("size", K.LENGTH),
    ("count", K.LENGTH),
    ("length", K.LENGTH),
    ("instance", K.TYPE),
    ("equal", K.EQUAL),
    ("zero", K.EQUAL),
    ("empty", K.LENGTH),
)
#: What an opposite asks, where it has a kind of its own.
OPPOSITES: Final = {
    K.EQUAL: K.NOT_EQUAL,
    K.NONE: K.NOT_NONE,
    K.NOT_NONE: K.NONE,
    K.TRUE: K.FALSE,
    K.FALSE: K.TRUE,
    K.RAISES: K.NOT_RAISES,
    K.RAISES_ANY: K.NOT_RAISES,
    K.NOT_EQUAL: K.EQUAL,
    K.NOT_RAISES: K.RAISES_ANY,
}


_SIZES: Final = frozenset({"size", "count", "length", "len"})


@dataclass(frozen=True, slots=True)
class Asked:
    """What a matcher asks: its kind, and what stands before the expected value."""

    kind: AssertionKind
    wanted: str = ""


def asked(name: str) -> Asked:
    """What a matcher asks, by its name; CUSTOM for one that says nothing known.

    "isEqualTo", "NotBeNull", "doesNotContain", "shouldHaveSize" and "hasItem" are all
    read by their words.
    """
    words = [each.lower() for each in _WORDS.findall(name)]
    negative = bool({"not", "no", "never"} & set(words))
    rest = [
        {"contains": "contain", "matches": "match", "starts": "start"}.get(each, each)
        for each in words
        if each not in _FILLERS and each not in {"not", "no", "never"}
    ]
    base = " ".join(rest)
    kind = _MATCHERS.get(base)
    wanted = ""
    if kind is None:
        kind = next(
            (k for begin, k in _BEGINNINGS if rest and rest[0] == begin), K.CUSTOM
        )
        wanted = base if base != "contain" else ""
        if base in {"in", "one"}:
            wanted = "one of"
    elif kind is K.LENGTH and base not in _SIZES:
        wanted = base
    if kind is K.CUSTOM:
        return Asked(K.CUSTOM, name)
    return opposite(Asked(kind, wanted)) if negative else Asked(kind, wanted)


def opposite(it: Asked) -> Asked:
    """What is asked when it must not be so."""
    if not it.wanted and (other := OPPOSITES.get(it.kind)):
        return Asked(other)
    if it.wanted == "not" or it.wanted.startswith("not "):
        return Asked(it.kind, it.wanted[4:])
    return Asked(it.kind, f"not {it.wanted}".strip())


def is_matcher(expr: Expr) -> bool:
    """Whether an expression reads like a matcher of Hamcrest's."""
    return expr.shape is Shape.CALL and (
        asked(expr.text).kind is not K.CUSTOM or expr.text in WRAPPERS
    )


#: Matchers around others.
WRAPPERS: Final = frozenset(
    {"is", "not", "allOf", "both", "and", "anyOf", "either", "describedAs", "everyItem"}
)


def matched(actual: Expr, matcher: Expr) -> list[Check]:
    """What a matcher of Hamcrest's demands of what is looked at."""
    if matcher.shape is not Shape.CALL:
        return [Check(kind=K.CUSTOM, actual=actual, expected=(matcher,))]
    name, parts = matcher.text, matcher.parts
    if name in {"is", "describedAs"} and parts and is_matcher(parts[-1]):
        return matched(actual, parts[-1])
    if name in {"allOf", "both", "and"}:
        inner = () if matcher.on is None else (matcher.on,)
        return [
            each
            for part in (*inner, *parts)
            if part.shape is Shape.CALL
            for each in matched(actual, part)
        ]
    if name == "not" and parts:
        if is_matcher(parts[0]):
            return turned(matched(actual, parts[0]))
        return [Check(kind=K.NOT_EQUAL, actual=actual, expected=parts)]
    if name in WRAPPERS - {"is"}:
        return [Check(kind=K.CUSTOM, actual=actual, expected=parts, wanted=name)]
    it = asked(name)
    tolerance = None
    if it.kind is K.CLOSE and len(parts) > 1:
        tolerance, parts = parts[-1], parts[:-1]
    if it.kind is K.CLOSE and matcher.text == "closeTo":
        it = Asked(K.CLOSE)
    if len(parts) == 1 and is_matcher(parts[0]):
        return [replace(each, subject=f"{name} ") for each in matched(actual, parts[0])]
    return [
        Check(
            kind=it.kind,
            actual=actual,
            expected=parts,
            wanted=it.wanted,
            tolerance=tolerance,
        )
    ]


def turned(checks: Iterable[Check]) -> list[Check]:
    """The opposite of some checks."""
    found = []
    for each in checks:
        it = opposite(Asked(each.kind or K.CUSTOM, each.wanted))
        found.append(replace(each, kind=it.kind, wanted=it.wanted))
    return found
