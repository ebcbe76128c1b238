"""What C#'s test libraries demand: xUnit, NUnit, MSTest, FluentAssertions, Moq."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fairtrial.domain.demands import Aspect, AssertionKind
from fairtrial.integrity.reading.code.chains import constrained, fluent, links
from fairtrial.integrity.reading.code.checks import Check, asked, by_form
from fairtrial.integrity.reading.code.code import Act, Expr, Shape, Stmt
from fairtrial.integrity.reading.code.conditions import fails_to_hold, holds
from fairtrial.integrity.reading.csharp.words import (
    COLLECTION_FORMS,
    FAILURES,
    FORMS,
    MOQ_ANSWERS,
    OWNERS,
    TALK,
    TALKERS,
    THROWS,
    WANTED,
)

K = AssertionKind


@dataclass(frozen=True, slots=True)
class CSharpChecks:
    """How C#'s frameworks say it."""

    def checks(self, expr: Expr) -> list[Check] | None:  # noqa: C901 - a case a library
        """What a call checks; None for one that checks nothing."""
        if expr.shape is not Shape.CALL:
            return None
        name = expr.text
        named = expr.on is not None and expr.on.shape is not Shape.CALL
        owner = expr.on.text if expr.on is not None and named else ""
        if owner in OWNERS:
            return self.asserted(expr, owner)
        if (owner in TALKERS and name in TALK) or name == "new AssertionScope":
            return []
        if owner in {"Assume", "Skip"}:
            return [
                Check(
                    aspect=Aspect.SKIP,
                    subject="skip",
                    expected=expr.parts[:1],
                    wanted="unless" if name in {"That", "IfNot"} else "",
                )
            ]
        chain = links(expr)
        if (found := stand_in(expr, chain)) is not None:
            return found
        for place, link in enumerate(chain):
            if (
                link.shape is Shape.CALL
                and link.text == "Should"
                and link.on is not None
            ):
                return self.fluently(link.on, chain[place + 1 :])
        if name.startswith("Should") and expr.on is not None and name != "Should":
            return self.shouldly(expr)
        if name in {"Verify", "VerifyAsync", "VerifyJson"} and owner in {
            "", "Verifier", "Approvals", "this",
        }:  # fmt: skip
            actual = expr.parts[0] if expr.parts else None
            return [Check(aspect=Aspect.SNAPSHOT, kind=K.SNAPSHOT, actual=actual)]
        if "Snapshot" in name:
            return [Check(aspect=Aspect.SNAPSHOT, kind=K.SNAPSHOT, actual=expr.on)]
        return None

    def fluently(self, actual: Expr, rest: list[Expr]) -> list[Check]:
        """FluentAssertions: `x.Should().Be(3).And.NotBe(4)`."""
        raises = any(each.text in THROWS for each in rest)
        return [self._untold(each) for each in fluent(actual, rest, raises=raises)]

    def _untold(self, check: Check) -> Check:
        """Without the reason that may follow the expected value."""
        if check.kind in {K.TRUE, K.FALSE, K.NONE, K.NOT_NONE, K.NOT_RAISES} and (
            check.kind is not K.TRUE or not check.wanted
        ):
            return replace(check, expected=())
        if check.kind is K.CLOSE and check.tolerance is not None:
            return check
        if (
            check.kind in {K.EQUAL, K.NOT_EQUAL, K.IDENTICAL}
            and len(check.expected) > 1
        ):
            return replace(check, expected=check.expected[:1])
        return check

    def shouldly(self, expr: Expr) -> list[Check] | None:
        """Shouldly: `x.ShouldBe(3)`, `Should.Throw<E>(() => …)`."""
        assert expr.on is not None
        name = expr.text
        if name == "ShouldSatisfyAllConditions":
            return [
                Check(nested=each) for each in expr.parts if each.shape is Shape.LAMBDA
            ]
        it = asked(name)
        types = tuple(Expr(shape=Shape.TYPE, text=each) for each in expr.types)
        if name in {"ShouldBeOfType", "ShouldBeAssignableTo"}:
            return [
                Check(kind=K.TYPE, actual=expr.on, expected=types or expr.parts[:1])
            ]
        expected = types + expr.parts
        if it.kind in {K.TRUE, K.FALSE, K.NONE, K.NOT_NONE}:
            expected = ()
        tolerance = None
        if (
            it.kind is K.EQUAL
            and len(expected) > 1
            and not expected[1].text.startswith('"')
        ):
            expected, tolerance = expected[:1], expected[1]
        kind = K.CLOSE if tolerance is not None else it.kind
        return [
            Check(
                kind=kind,
                actual=expr.on,
                expected=expected,
                wanted=it.wanted,
                tolerance=tolerance,
            )
        ]

    def asserted(  # noqa: C901, PLR0912 - one case per kind
        self, expr: Expr, owner: str
    ) -> list[Check] | None:
        """`Assert.Equal(3, x)` and all its relatives."""
        name, parts = expr.text, expr.parts
        if owner == "Should":
            types = tuple(Expr(shape=Shape.TYPE, text=each) for each in expr.types)
            raised = asked(name)
            return [
                Check(
                    kind=raised.kind, actual=parts[0] if parts else None, expected=types
                )
            ]
        if name in {"Fail", "Unreachable"}:
            return [Check(kind=K.CUSTOM, subject="fail", ends=True)]
        if name == "Pass":
            return [Check(kind=K.VACUOUS, subject="pass", ends=True)]
        if name in {"Ignore", "Inconclusive", "Skip"}:
            return [Check(aspect=Aspect.SKIP, subject="skip", ends=True)]
        if name in {"SkipWhen", "SkipUnless"}:
            wanted = "unless" if name == "SkipUnless" else ""
            return [
                Check(
                    aspect=Aspect.SKIP,
                    subject="skip",
                    expected=parts[:1],
                    wanted=wanted,
                )
            ]
        if name in {"True", "IsTrue", "False", "IsFalse"} and parts:
            return (holds if "True" in name else fails_to_hold)(parts[0])
        if name in {"That", "ThatAsync"} and parts:
            if len(parts) == 1 or parts[1].text.startswith('"'):
                return holds(parts[0])
            return constrained(parts[0], parts[1])
        if name in {"Multiple", "MultipleAsync", "EnterMultipleScope"}:
            return [Check(nested=each) for each in parts if each.shape is Shape.LAMBDA]
        if (
            name in {"All", "AllAsync", "Collection", "CollectionAsync"}
            and len(parts) > 1
        ):
            found = [
                Check(nested=each, actual=parts[0], wanted=name)
                for each in parts[1:]
                if each.shape is Shape.LAMBDA
            ]
            if name.startswith("Collection"):
                count = Expr(shape=Shape.LITERAL, text=str(len(parts) - 1))
                found.append(Check(kind=K.LENGTH, actual=parts[0], expected=(count,)))
            return found
        if name in THROWS:
            types = tuple(Expr(shape=Shape.TYPE, text=each) for each in expr.types)
            bodies = [each for each in parts if each.shape is Shape.LAMBDA]
            named = [each for each in parts if each.shape is Shape.TYPE]
            kind = THROWS[name]
            if kind is K.RAISES and not types and not named:
                kind = K.RAISES_ANY
            actual = bodies[0] if bodies else (parts[-1] if parts else None)
            found = [
                Check(kind=kind, actual=actual, expected=types or tuple(named[:1]))
            ]
            if kind is K.NOT_RAISES and bodies:
                found.append(Check(nested=bodies[0]))
            return found
        forms = (
            COLLECTION_FORMS if owner in {"CollectionAssert", "StringAssert"} else FORMS
        )
        if name not in forms:
            return None
        kind, form = forms[name]
        found = by_form(expr, kind, form, WANTED.get(name, ""))
        if expr.types and kind is K.TYPE:
            typed = tuple(Expr(shape=Shape.TYPE, text=each) for each in expr.types)
            actual = parts[-1] if name.startswith("IsInstanceOfType") else parts[0]
            found = [replace(found[0], actual=actual, expected=typed)]
        return found

    def fails(self, stmt: Stmt) -> bool:
        """Whether a statement only fails the test."""
        value = stmt.value
        if value is None or value.shape is not Shape.CALL:
            return False
        if stmt.act is Act.THROW:
            return value.text in FAILURES
        owner = "" if value.on is None else value.on.text
        return stmt.act is Act.DO and owner in OWNERS and value.text == "Fail"


def stand_in(expr: Expr, chain: list[Expr]) -> list[Check] | None:
    """Moq, NSubstitute and FakeItEasy."""
    name = expr.text
    if name in {"new Mock", "new AutoMock"}:
        return [Check(aspect=Aspect.MOCK, subject=", ".join(expr.types))]
    if (
        expr.on is not None
        and expr.on.text in {"Substitute", "A", "Mock"}
        and expr.types
    ):
        return [Check(aspect=Aspect.MOCK, subject=", ".join(expr.types))]
    for place, link in enumerate(chain):
        if link.shape is not Shape.CALL:
            continue
        if link.text in {"Setup", "SetupGet", "SetupSequence", "CallTo"} and link.parts:
            owner = (
                ""
                if link.on is None or link.text == "CallTo"
                else f"{link.on.written}: "
            )
            answers = [each for each in chain[place + 1 :] if each.shape is Shape.CALL]
            if any(each.text.startswith("MustHave") for each in answers):
                return [
                    Check(
                        kind=K.CALLED,
                        actual=link.parts[0],
                        expected=each.parts,
                        wanted=each.text,
                    )
                    for each in answers
                ]
            return [
                Check(
                    aspect=Aspect.MOCK,
                    subject=owner,
                    actual=link.parts[0],
                    expected=each.parts,
                    wanted=each.text,
                )
                for each in answers
            ] or [Check(aspect=Aspect.MOCK, subject=owner, actual=link.parts[0])]
        if link.text in {"Received", "DidNotReceive", "ReceivedWithAnyArgs"} and place:
            last = chain[-1]
            times = Expr(
                shape=Shape.WORD,
                text=f"{link.text}({', '.join(each.text for each in link.parts)})",
            )
            return [
                Check(
                    kind=K.CALLED,
                    actual=replace(last, on=link.on) if last is not link else link.on,
                    expected=(times,),
                )
            ]
    if name in {
        "Verify",
        "VerifyGet",
        "VerifySet",
        "VerifyAll",
        "VerifyNoOtherCalls",
    } and (
        expr.on is not None and expr.on.text not in {"Verifier", "Approvals", "this"}
    ):
        return [
            Check(
                kind=K.CALLED,
                subject=f"{expr.on.written}: ",
                actual=expr.parts[0] if expr.parts else None,
                expected=expr.parts[1:],
                wanted="" if name == "Verify" and expr.parts else name,
            )
        ]
    if name in MOQ_ANSWERS and expr.on is not None and expr.on.shape is Shape.CALL:
        return [
            Check(aspect=Aspect.MOCK, actual=expr.on, expected=expr.parts, wanted=name)
        ]
    return None
