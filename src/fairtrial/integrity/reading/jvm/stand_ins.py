"""What the JVM's stand-ins and result matchers demand."""

from __future__ import annotations

from dataclasses import replace

from fairtrial.domain.demands import Aspect, AssertionKind
from fairtrial.integrity.reading.code.chains import links
from fairtrial.integrity.reading.code.checks import Check, matched
from fairtrial.integrity.reading.code.code import Expr, Shape
from fairtrial.integrity.reading.jvm.words import DOERS, STUBS

K = AssertionKind


def stubbed(chain: list[Expr]) -> list[Check] | None:
    """`when(x.f(1)).thenReturn(2)` and `doReturn(2).when(x).f(1)`."""
    first = chain[0]
    if first.text in {"Mockito", "BDDMockito", "EasyMock"} and len(chain) > 1:
        first, chain = chain[1], chain[1:]
    if first.shape is not Shape.CALL:
        return None
    if first.text in {"when", "given", "lenient", "every", "coEvery", "expect"} and any(
        each.text in STUBS for each in chain[1:]
    ):
        asks = next(
            (
                each
                for each in chain
                if each.text in {"when", "given", "every", "coEvery", "expect"}
            ),
            first,
        )
        return [
            Check(
                aspect=Aspect.MOCK,
                actual=asks.parts[0] if asks.parts else None,
                expected=each.parts,
                wanted=each.text,
            )
            for each in chain
            if each.text in STUBS
        ]
    if first.text in DOERS and len(chain) > 1:
        when = next((each for each in chain if each.text in {"when", "given"}), None)
        last = chain[-1]
        if when is not None and when.parts and last is not when:
            last = replace(last, on=when.parts[0])
        return [
            Check(
                aspect=Aspect.MOCK,
                actual=last,
                expected=first.parts,
                wanted=first.text,
            )
        ]
    return None


def verified(expr: Expr) -> list[Check]:
    """`verifyNoMoreInteractions(x)`, MockK's `verify(exactly = 1) { x.f() }`."""
    lambdas = [each for each in expr.parts if each.shape is Shape.LAMBDA]
    if lambdas:
        labels = expr.labels or ("",) * len(expr.parts)
        how = ", ".join(
            f"{label} = {each.text}"
            for label, each in zip(labels, expr.parts, strict=False)
            if label
        )
        return [
            Check(
                kind=K.CALLED,
                actual=stmt.value,
                wanted=f"{expr.text} {how}".strip(),
            )
            for each in lambdas
            for stmt in each.body
            if stmt.value is not None
        ]
    if expr.text == "verify" and expr.on is None:
        return [Check(kind=K.VACUOUS, actual=expr)]
    return [Check(kind=K.CALLED, actual=each, wanted=expr.text) for each in expr.parts]


def called(chain: list[Expr]) -> list[Check]:
    """`verify(x, times(2)).f(1)` and `then(x).should().f(1)`."""
    asks = next(each for each in chain if each.text in {"verify", "should"})
    last = chain[-1]
    if asks.text == "should":
        start = chain[chain.index(asks) - 1]
        on = start.parts[0] if start.parts else start
        times = asks.parts
    else:
        on, times = asks.parts[0], asks.parts[1:]
    return [
        Check(
            kind=K.CALLED,
            actual=replace(last, on=on),
            expected=times,
        )
    ]


def result(actual: Expr, matcher: Expr) -> list[Check]:
    """Spring's `status().isOk()`, `jsonPath("$.a").value(3)`."""
    chain = links(matcher)
    last = chain[-1]
    way = "".join(
        f"{each.text}({', '.join(one.text for one in each.parts)})"
        for each in chain[:-1]
        if each.shape is Shape.CALL
    )
    if (
        len(last.parts) == 1
        and last.parts[0].shape is Shape.CALL
        and last.text == "value"
    ):
        return [
            replace(each, subject=f"{way} of ")
            for each in matched(actual, last.parts[0])
        ]
    if last.text in {"jsonPath", "content", "header"} and len(last.parts) > 1:
        return [
            replace(each, subject=f"{last.text}({last.parts[0].text}) of ")
            for each in matched(actual, last.parts[1])
        ]
    return [
        Check(
            kind=K.EQUAL,
            actual=actual,
            subject=f"{way} of ",
            expected=last.parts,
            wanted=last.text
            if last.text not in {"value", "string", "json", "is"}
            else "",
        )
    ]
