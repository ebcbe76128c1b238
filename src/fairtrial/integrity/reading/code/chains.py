"""What each link of a chain like `assertThat(x).isNotNull().hasSize(3)` demands."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind
from fairtrial.integrity.reading.code.checks import (
    OPPOSITES,
    Asked,
    Check,
    asked,
    opposite,
    turned,
)
from fairtrial.integrity.reading.code.code import Expr, Shape

K = AssertionKind

#: Links that only talk.
_TALK: Final = frozenset(
    {
        "as", "describedAs", "withFailMessage", "overridingErrorMessage", "because",
        "And", "and", "withMessage_", "named", "which", "that", "it", "also", "But",
        "withRepresentation", "inHexadecimal", "withThreadDumpOnError",
    }
)  # fmt: skip
#: Links that lead to a part of what is looked at, or to another view of it.
_WAYS: Final = frozenset(
    {
        "extracting", "flatExtracting", "extractingResultOf", "first", "last",
        "element", "elements", "singleElement", "asString", "size", "asInstanceOf",
        "get", "filteredOn", "filteredOnNull", "filteredOnAssertions", "map", "flatMap",
        "usingRecursiveComparison", "ignoringFields", "ignoringCollectionOrder",
        "usingComparator", "usingElementComparator",
        "usingRecursiveFieldByFieldElementComparator",
        "asList", "cause", "rootCause", "getCause", "hasMessageThat", "hasCauseThat",
        "value", "comparingElementsUsing", "comparingValuesUsing", "returns", "message",
        "withStrictTypeChecking", "comparingOnlyFields", "ignoringActualNullFields",
        "ignoringFieldsMatchingRegexes", "usingDefaultComparator", "asHexString",
        "content", "bodyAsString", "Which", "Subject", "ignoringCase",
        "usingElementComparatorIgnoringFields", "usingElementComparatorOnFields",
        "ignoringRepeatedFieldOrder", "inScenario", "succeedsWithin", "key", "actual",
        "asBoolean", "asInt", "asLong", "text", "body", "path", "headers",
        "header", "jsonPath", "responseBody",
    }
)  # fmt: skip
#: Links whose lambda checks more.
_NESTED: Final = frozenset(
    {
        "satisfies", "allSatisfy", "anySatisfy", "noneSatisfy", "satisfiesExactly",
        "satisfiesExactlyInAnyOrder", "zipSatisfy", "hasEntrySatisfying", "Satisfy",
        "AllSatisfy", "SatisfyRespectively", "value", "consumeWith", "satisfiesAnyOf",
        "hasValueSatisfying", "satisfiesOnlyOnce", "isNotNullAnd",
    }
)  # fmt: skip
#: Links with a plain lambda that has to hold.
_PREDICATES: Final = frozenset(
    {"matches", "allMatch", "anyMatch", "noneMatch", "Match", "OnlyContain", "accepts"}
)
#: Links that say how the one before has to be understood.
_TOLERANCES: Final = frozenset(
    {"within", "offset", "Within", "withPrecision", "byLessThan"}
)
#: Words of a constraint that lead to a part of what is looked at.
_PARTS: Final = frozenset(
    {
        "Count", "Length", "Message", "All", "Some", "None", "Exactly", "Property",
        "InnerException", "Items", "One",
    }
)  # fmt: skip
_SPECIAL: Final[dict[str, Asked]] = {
    "isCloseTo": Asked(K.CLOSE),
    "isNotCloseTo": Asked(K.CLOSE, "not"),
    "isEqualToIgnoringCase": Asked(K.EQUAL, "ignoring case"),
    "isEqualToIgnoringWhitespace": Asked(K.EQUAL, "ignoring white space"),
    "containsExactlyInAnyOrder": Asked(K.EQUAL, "in any order"),
    "containsExactlyInAnyOrderElementsOf": Asked(K.EQUAL, "in any order"),
    "containsExactlyElementsIn": Asked(K.EQUAL, "in any order"),
    "containsExactlyElementsOf": Asked(K.EQUAL),
    "isEqualByComparingTo": Asked(K.EQUAL, "comparing"),
    "isEqualToComparingFieldByField": Asked(K.EQUAL, "field by field"),
    "BeEquivalentTo": Asked(K.EQUAL, "in any order"),
    "hasMessage": Asked(K.RAISES, "message"),
    "hasMessageContaining": Asked(K.RAISES, "message contains"),
    "hasMessageStartingWith": Asked(K.RAISES, "message starts with"),
    "hasMessageMatching": Asked(K.RAISES, "message matches"),
    "withMessage": Asked(K.RAISES, "message"),
    "WithMessage": Asked(K.RAISES, "message"),
    "withMessageContaining": Asked(K.RAISES, "message contains"),
    "withMessageStartingWith": Asked(K.RAISES, "message starts with"),
    "withMessageMatching": Asked(K.RAISES, "message matches"),
    "hasCauseInstanceOf": Asked(K.RAISES, "cause"),
    "withCauseInstanceOf": Asked(K.RAISES, "cause"),
    "withNoCause": Asked(K.RAISES, "no cause"),
    "hasNoCause": Asked(K.RAISES, "no cause"),
    "WithInnerException": Asked(K.RAISES, "cause"),
    "doesNotThrowAnyException": Asked(K.NOT_RAISES),
    "doesNotThrow": Asked(K.NOT_RAISES),
    "NotThrow": Asked(K.NOT_RAISES),
    "NotThrowAsync": Asked(K.NOT_RAISES),
    "Throw": Asked(K.RAISES),
    "ThrowAsync": Asked(K.RAISES),
    "ThrowExactly": Asked(K.RAISES),
    "ThrowExactlyAsync": Asked(K.RAISES),
    "Be": Asked(K.EQUAL),
    "BeSameAs": Asked(K.IDENTICAL),
    "BeInRange": Asked(K.ORDERED, "between"),
    "isOne": Asked(K.EQUAL, "one"),
    "isZero": Asked(K.EQUAL, "zero"),
    "isNotZero": Asked(K.EQUAL, "not zero"),
    "isPresent": Asked(K.NOT_NONE),
    "isNotPresent": Asked(K.NONE),
    "isNotEmpty": Asked(K.LENGTH, "not empty"),
    "exists": Asked(K.TRUE, "exists"),
}


def links(expr: Expr) -> list[Expr]:
    """The calls and members of a chain, innermost first."""
    found = []
    each: Expr | None = expr
    while each is not None and each.shape in {Shape.CALL, Shape.MEMBER, Shape.NAME}:
        found.append(each)
        each = each.on
    if each is not None:
        found.append(each)
    return found[::-1]


def fluent(  # noqa: C901, PLR0912 - one case per kind of link
    actual: Expr, chain: list[Expr], *, raises: bool = False
) -> list[Check]:
    """What the links after `assertThat(actual)` demand; none at all is VACUOUS.

    `raises`: what is looked at is an error that has to come.
    """
    found: list[Check] = []
    negative = False
    prefix = ""
    for link in chain:
        name, parts = link.text, link.parts
        if link.shape is not Shape.CALL:
            if name in {"Not", "not"}:
                negative = not negative
            elif name not in _TALK:
                actual = replace(link, on=actual)
            continue
        if name in _TALK:
            continue
        if name in _TOLERANCES or (name == "of" and prefix):
            if name == "of":
                found.append(
                    Check(
                        kind=K.CLOSE,
                        actual=actual,
                        expected=parts,
                        tolerance=None,
                        wanted=prefix,
                    )
                )
                prefix = ""
            elif found and parts:
                last = found[-1]
                found[-1] = replace(last, kind=K.CLOSE, tolerance=parts[0])
            continue
        if name in {"isWithin", "isNotWithin"} and parts:
            found.append(Check(kind=K.CLOSE, actual=actual, tolerance=parts[0]))
            continue
        if name == "of" and found and found[-1].kind is K.CLOSE:
            found[-1] = replace(found[-1], expected=parts)
            continue
        lambdas = [each for each in parts if each.shape is Shape.LAMBDA]
        if name in _NESTED and lambdas:
            found += [
                Check(nested=each, actual=actual, wanted=_each_of(name))
                for each in lambdas
            ]
            continue
        if name in _WAYS:
            actual = replace(link, on=actual)
            continue
        checks = _link(actual, link, raises=raises)
        found += turned(checks) if negative else checks
        negative = False
    if raises and not any(each.kind is K.RAISES for each in found):
        found.append(Check(kind=K.RAISES_ANY, actual=actual))
    if not found:
        found.append(Check(kind=K.VACUOUS, actual=actual))
    return found


def _each_of(name: str) -> str:
    return "" if name in {"satisfies", "Satisfy", "value"} else name


def _link(actual: Expr, link: Expr, *, raises: bool) -> list[Check]:
    name, parts = link.text, link.parts
    it = _SPECIAL.get(name) or asked(name)
    if name in _PREDICATES and parts and parts[0].shape is Shape.LAMBDA:
        it = Asked(K.TRUE, name)
    if it.kind is K.TYPE and raises:
        it = Asked(K.RAISES)
    tolerance = None
    types: tuple[Expr, ...] = ()
    if link.types and it.kind in {K.RAISES, K.TYPE, K.RAISES_ANY}:
        types = tuple(Expr(shape=Shape.TYPE, text=each) for each in link.types)
        if it.kind is K.RAISES and not it.wanted:
            parts = ()
    if it.kind is K.CLOSE and len(parts) > 1:
        parts, tolerance = parts[:1], parts[1]
        if tolerance.shape is Shape.CALL and tolerance.parts:
            tolerance = tolerance.parts[0]
    elif len(parts) > 1 and _is_tolerance(parts[-1]):
        parts, tolerance = parts[:-1], parts[-1].parts[0]
        it = Asked(K.CLOSE, it.wanted)
    return [
        Check(
            aspect=Aspect.SNAPSHOT if "snapshot" in name.lower() else Aspect.ASSERTION,
            kind=it.kind,
            actual=actual,
            expected=types + parts,
            wanted=it.wanted,
            tolerance=tolerance,
        )
    ]


def _is_tolerance(expr: Expr) -> bool:
    return (
        expr.shape is Shape.CALL
        and expr.text in {"within", "offset", "withinPercentage", "withPercentage"}
        and bool(expr.parts)
    )


def constrained(  # noqa: C901 - one case per kind of word
    actual: Expr, constraint: Expr
) -> list[Check]:
    """What a constraint like `Is.Not.EqualTo(3).Within(1)` demands."""
    negative = False
    kind = None
    ways: list[str] = []
    found: list[Check] = []
    for link in links(constraint):
        name = link.text
        if name in {"Not", "No"}:
            negative = not negative
        elif name in {"Is", "Does", "Has", "Throws", "And", "Contains", "That"} and (
            link.shape is not Shape.CALL
        ):
            kind = "Throws" if name == "Throws" else kind
        elif name == "Within" and found and link.parts:
            found[-1] = replace(found[-1], kind=K.CLOSE, tolerance=link.parts[0])
        elif name in _PARTS and not found:
            ways.append(name + (f"({link.parts[0].text})" if link.parts else ""))
        elif name in {"IgnoreCase", "AsCollection", "NoClip"} and found:
            found[-1] = replace(found[-1], wanted=f"{found[-1].wanted} {name}".strip())
        else:
            it = Asked(K.RAISES) if kind == "Throws" else asked(name)
            if name == "Nothing":
                it = Asked(K.NOT_RAISES)
            elif kind == "Throws" and name == "Exception":
                it = Asked(K.RAISES_ANY)
            elif kind == "Throws" and link.shape is Shape.MEMBER:
                it = Asked(K.RAISES, name)
            if negative:
                it = opposite(it)
                negative = False
            types = tuple(Expr(shape=Shape.TYPE, text=each) for each in link.types)
            found.append(
                Check(
                    kind=it.kind,
                    actual=actual,
                    subject="".join(f"{way} of " for way in ways),
                    expected=types + link.parts,
                    wanted=it.wanted,
                )
            )
    return found or [Check(kind=K.CUSTOM, actual=actual, expected=(constraint,))]


__all__ = ["OPPOSITES", "constrained", "fluent", "links"]
