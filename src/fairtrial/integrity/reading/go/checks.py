"""What Go's test packages demand: testing, testify, gotest.tools, Gomega, gocheck."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind
from fairtrial.integrity.reading.code.chains import links
from fairtrial.integrity.reading.code.checks import (
    Check,
    Forms,
    by_form,
    matched,
    turned,
)
from fairtrial.integrity.reading.code.code import Act, Expr, Shape, Stmt, expressions
from fairtrial.integrity.reading.code.conditions import expected_of, holds

K = AssertionKind

_FORMS: Final[Forms] = {
    **dict.fromkeys(
        ["Equal", "EqualValues", "Exactly", "JSONEq", "YAMLEq", "EqualExportedValues"],
        (K.EQUAL, "ea"),
    ),
    **dict.fromkeys(["DeepEqual", "DeepEquals", "Equals"], (K.EQUAL, "ae")),
    **dict.fromkeys(
        ["NotEqual", "NotEqualValues", "NotDeepEqual"], (K.NOT_EQUAL, "ea")
    ),
    "Same": (K.IDENTICAL, "ea"),
    "Nil": (K.NONE, "a"),
    "NotNil": (K.NOT_NONE, "a"),
    "True": (K.TRUE, "a"),
    "False": (K.FALSE, "a"),
    "NoError": (K.NOT_RAISES, "a"),
    "NilError": (K.NOT_RAISES, "a"),
    "NoErr": (K.NOT_RAISES, "a"),
    "Error": (K.RAISES_ANY, "a"),
    "ErrorIs": (K.RAISES, "ae"),
    "ErrorAs": (K.RAISES, "ae"),
    "ErrorType": (K.RAISES, "ae"),
    "EqualError": (K.RAISES, "ae"),
    "ErrorContains": (K.RAISES, "ae"),
    "Len": (K.LENGTH, "ae"),
    "Empty": (K.LENGTH, "a"),
    "NotEmpty": (K.LENGTH, "a"),
    "Contains": (K.CONTAINS, "ae"),
    "NotContains": (K.CONTAINS, "ae"),
    "Subset": (K.CONTAINS, "ae"),
    "ElementsMatch": (K.EQUAL, "ea"),
    "InDelta": (K.CLOSE, "eat"),
    "InDeltaSlice": (K.CLOSE, "eat"),
    "InEpsilon": (K.CLOSE, "eat"),
    "WithinDuration": (K.CLOSE, "eat"),
    "Greater": (K.ORDERED, "ae"),
    "GreaterOrEqual": (K.ORDERED, "ae"),
    "Less": (K.ORDERED, "ae"),
    "LessOrEqual": (K.ORDERED, "ae"),
    "Positive": (K.ORDERED, "a"),
    "Negative": (K.ORDERED, "a"),
    "IsType": (K.TYPE, "ea"),
    "Implements": (K.TYPE, "ea"),
    "Panics": (K.RAISES_ANY, "a"),
    "PanicsWithValue": (K.RAISES, "ea"),
    "PanicsWithError": (K.RAISES, "ea"),
    "NotPanics": (K.NOT_RAISES, "a"),
    "Regexp": (K.MATCHES, "ea"),
    "NotRegexp": (K.MATCHES, "ea"),
    "Zero": (K.EQUAL, "a"),
    "NotZero": (K.NOT_EQUAL, "a"),
    "FileExists": (K.TRUE, "a"),
    "DirExists": (K.TRUE, "a"),
    "NoFileExists": (K.FALSE, "a"),
}  # fmt: skip
_WANTED: Final = {
    "NotEmpty": "not empty", "Empty": "empty", "NotContains": "not",
    "NotRegexp": "not", "Subset": "subset", "ElementsMatch": "in any order",
    "Greater": ">", "GreaterOrEqual": ">=", "Less": "<", "LessOrEqual": "<=",
    "Positive": "> 0", "Negative": "< 0", "Zero": "zero", "NotZero": "zero",
    "FileExists": "file exists", "DirExists": "folder exists",
    "NoFileExists": "file exists", "ErrorContains": "message contains",
    "EqualError": "message",
}  # fmt: skip
_PACKAGES: Final = frozenset({"assert", "require", "must", "qt", "td"})
_OBJECTS: Final = frozenset(
    {"is", "a", "r", "s", "as", "at", "req", "assertions", "asserts", "suite", "ts",
     "assertion", "c", "Assert", "Require", "check", "test"}
)  # fmt: skip
_FAILS: Final = frozenset({"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"})
_SKIPS: Final = frozenset({"Skip", "Skipf", "SkipNow"})
_TALK: Final = frozenset(
    {"Parallel", "Helper", "Log", "Logf", "ReportAllocs", "ResetTimer"}
)
_TESTING: Final = re.compile(r"^(?:\w{1,2}|tb|testing|T)$")
_GOMEGA: Final = frozenset({"Expect", "Ω", "Eventually", "Consistently"})
_TO: Final = frozenset({"To", "Should", "NotTo", "ToNot", "ShouldNot"})
_OCCURRED: Final = {
    "HaveOccurred": K.RAISES_ANY,
    "Succeed": K.NOT_RAISES,
    "MatchError": K.RAISES,
    "Panic": K.RAISES_ANY,
}


@dataclass(frozen=True, slots=True)
class GoChecks:
    """How a file's packages say it."""

    #: gotest.tools and its like: what is looked at comes first.
    actual_first: bool = False

    def checks(  # noqa: C901 - one case per library
        self, expr: Expr
    ) -> list[Check] | None:
        """What a call checks; None for one that checks nothing."""
        if expr.shape is not Shape.CALL:
            return None
        name, owner = expr.text, _owner(expr)
        if _TESTING.match(owner):
            if name in _SKIPS:
                return [Check(aspect=Aspect.SKIP, subject="skip", ends=True)]
            if name in _TALK:
                return []
            if name in _FAILS and not (name == "Error" and len(expr.parts) != 1):
                return [Check(kind=K.CUSTOM, subject="fail", ends="ata" in name)]
        if name in {"deferred", "go"} and expr.on is None:
            return _deferred(expr)
        if name in {"EXPECT", "On"}:
            return None
        chain = links(expr)
        if found := _stubbed(chain):
            return found
        if (name in _TO and chain[0].text in _GOMEGA) or (
            len(chain) > 1 and chain[1].text in _GOMEGA
        ):
            return _gomega(chain)
        if name in {"AssertExpectations", "AssertCalled", "AssertNotCalled",
                    "AssertNumberOfCalls"}:  # fmt: skip
            return [
                Check(
                    kind=K.CALLED, actual=expr.on, expected=expr.parts[1:], wanted=name
                )
            ]
        if owner in {
            "snaps",
            "approvals",
            "cupaloy",
            "goldie",
            "golden",
            "g",
        } and name.startswith(("Match", "Verify", "Snapshot", "Assert")):
            actual = expr.parts[-1] if expr.parts else None
            return [
                Check(
                    aspect=Aspect.SNAPSHOT, kind=K.SNAPSHOT, subject=name, actual=actual
                )
            ]
        return self.asserted(expr, owner)

    def asserted(  # noqa: C901, PLR0912 - one case per kind
        self, expr: Expr, owner: str
    ) -> list[Check] | None:
        """testify's, gotest.tools' and gocheck's assertions."""
        name, parts = expr.text, expr.parts
        packaged = owner in _PACKAGES
        if not packaged and owner not in _OBJECTS:
            return None
        if packaged and parts:
            parts = parts[1:]
        if name not in _FORMS and name.removesuffix("f") in _FORMS:
            name = name.removesuffix("f")
        if name in {"Assert", "Check"} and parts:
            if len(parts) == 1:
                return holds(parts[0])
            kind = parts[1].text
            asked = Expr(shape=Shape.CALL, text=kind, parts=parts[2:])
            if kind in {"ErrorMatches", "PanicMatches"}:
                return [Check(kind=K.RAISES, actual=parts[0], expected=parts[2:])]
            if kind in {"IsNil", "NotNil"}:
                asked = replace(asked, text="IsNull" if kind == "IsNil" else "NotNull")
            return matched(parts[0], asked)
        if name in {"Eventually", "Never", "EventuallyWithT"} and parts:
            first = parts[0]
            found = [Check(aspect=Aspect.TIMEOUT, subject=name, expected=parts[1:2])]
            if (
                first.shape is Shape.LAMBDA
                and len(first.body) == 1
                and first.body[0].value
            ):
                return [*found, *holds(first.body[0].value)]
            if first.shape is Shape.LAMBDA:
                return [*found, Check(kind=K.TRUE, actual=first)]
            return [*found, Check(kind=K.TRUE, actual=first)]
        if name in {"Fail", "FailNow", "Failf", "FailNowf"}:
            return [Check(kind=K.CUSTOM, subject="fail", ends=True)]
        if name in {"True", "False"} and parts:
            found = holds(parts[0])
            return turned(found) if name == "False" else found
        if name not in _FORMS:
            return None
        kind, form = _FORMS[name]
        if len(parts) < len(form.rstrip("t")) and len(expr.parts) >= len(form):
            parts = expr.parts
        if kind is K.EQUAL and form == "ea" and (self.actual_first or owner == "is"):
            form = "ae"
        found = by_form(replace(expr, parts=parts), kind, form, _WANTED.get(name, ""))
        return [self._sided(each) for each in found]

    def _sided(self, check: Check) -> Check:
        """A literal is what is expected, on whichever side it stands."""
        if (
            check.kind is not K.EQUAL
            or check.actual is None
            or len(check.expected) != 1
        ):
            return check
        actual, expected = expected_of(check.expected[0], check.actual)
        if self.actual_first:
            actual, expected = expected_of(check.actual, check.expected[0])
        literal = check.actual.shape is Shape.LITERAL
        if literal and check.expected[0].shape is not Shape.LITERAL:
            return replace(check, actual=actual, expected=(expected,))
        return check

    def fails(self, stmt: Stmt) -> bool:
        """Whether a statement only fails the test."""
        value = stmt.value
        if stmt.act is not Act.DO or value is None or value.shape is not Shape.CALL:
            return False
        owner = _owner(value)
        if value.text == "panic" and value.on is None:
            return True
        if owner in {"assert", "require"}:
            return value.text.startswith("Fail")
        return value.text in _FAILS and bool(_TESTING.match(owner))


def _owner(expr: Expr) -> str:
    return "" if expr.on is None else expr.on.text


def _deferred(expr: Expr) -> list[Check] | None:
    """A deferred function: one with `recover()` swallows a panic, or demands it."""
    inner = expr.parts[0]
    recovers = any(
        each.shape is Shape.CALL and each.text == "recover" and each.on is None
        for each in expressions(inner)
    )
    if expr.text != "deferred" or not recovers:
        return None
    must = any(
        each.shape is Shape.BINARY
        and each.text == "=="
        and any(one.text == "nil" for one in each.parts)
        for each in expressions(inner)
    )
    if must:
        return [Check(kind=K.RAISES_ANY, subject="the test")]
    fails = any(
        each.shape is Shape.CALL and each.text in _FAILS for each in expressions(inner)
    )
    if fails:
        return [Check(kind=K.NOT_RAISES, subject="the test")]
    return [Check(aspect=Aspect.SWALLOWED, subject="panic")]


def _stubbed(chain: list[Expr]) -> list[Check]:
    """Gomock's and testify's stand-ins."""
    found = []
    for place, each in enumerate(chain):
        if each.text not in {"Return", "DoAndReturn", "Returns", "Panic"} or not place:
            continue
        before = next(
            (one for one in chain if one.text == "On" and one.shape is Shape.CALL), None
        )
        asked = chain[place - 1] if before is None else before
        if before is None and not any(one.text == "EXPECT" for one in chain):
            return []
        found.append(
            Check(
                aspect=Aspect.MOCK, actual=asked, expected=each.parts, wanted=each.text
            )
        )
    if not found and any(one.text == "EXPECT" for one in chain) and len(chain) > 2:  # noqa: PLR2004 - object, EXPECT(), method
        return [Check(kind=K.CALLED, actual=chain[-1])]
    return found


def _gomega(chain: list[Expr]) -> list[Check] | None:
    """`Expect(x).To(Equal(3))`."""
    start = next((each for each in chain if each.text in _GOMEGA), None)
    last = chain[-1]
    if start is None or not start.parts:
        return None
    if last.text not in _TO or not last.parts:
        return [Check(kind=K.VACUOUS, actual=start.parts[0])]
    matcher = last.parts[0]
    if matcher.text in _OCCURRED:
        found = [
            Check(
                kind=_OCCURRED[matcher.text],
                actual=start.parts[0],
                expected=matcher.parts,
            )
        ]
    else:
        found = matched(start.parts[0], matcher)
    return turned(found) if "N" in last.text else found
