"""What a Kotlin test file demands: JUnit, kotlin.test, Kotest, MockK, AssertJ."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, FileDemands
from fairtrial.integrity.reading.code.checks import Check, asked, matched, turned
from fairtrial.integrity.reading.code.code import Expr, Shape, Stmt, Unit
from fairtrial.integrity.reading.code.lowering import readable
from fairtrial.integrity.reading.code.units import read_file
from fairtrial.integrity.reading.jvm.checks import JvmChecks
from fairtrial.integrity.reading.jvm.marks import MARKS, JvmMarks
from fairtrial.integrity.reading.kotlin.declarations import KotlinDeclarations

SUFFIXES: tuple[str, ...] = (".kt", ".kts")

K = AssertionKind

_TESTS: Final = frozenset(
    {
        "test", "it", "should", "expect", "scenario", "then", "Then", "and", "And",
        "given", "Given", "when", "When", "`when`", "describe", "context", "feature",
        "xtest", "xit", "xshould", "xdescribe", "xcontext", "xscenario", "xgiven",
        "xfeature", "ftest", "fit", "fdescribe", "fcontext", "-", "config", "xexpect",
        "in", "Should",
    }
)  # fmt: skip
_THROWS: Final = {
    "shouldThrow": K.RAISES,
    "shouldThrowExactly": K.RAISES,
    "shouldThrowWithMessage": K.RAISES,
    "shouldThrowAny": K.RAISES_ANY,
    "shouldThrowUnit": K.RAISES,
    "shouldNotThrow": K.NOT_RAISES,
    "shouldNotThrowAny": K.NOT_RAISES,
    "shouldFail": K.RAISES_ANY,
}
_LISTS: Final = frozenset(
    {"listOf", "arrayOf", "setOf", "sequenceOf", "intArrayOf", "{}", "of", "asList"}
)
#: The end of a line that may end a statement, and lines that never do.
_ENDED: Final = re.compile(r"[\w)\]}\"'`]\s*$")
_OPENED: Final = re.compile(r"\s*(?:\}?\s*else\b|if\b|for\b|while\b|when\b|//|\*|@)")
_TALK: Final = frozenset({"println", "print"})


@dataclass(frozen=True, slots=True)
class _Kotlin(JvmChecks, JvmMarks):
    transparent: frozenset[str] = frozenset(
        {
            "assertSoftly", "assertAll", "runTest", "runBlocking", "runBlockingTest",
            "withClue", "let", "run", "apply", "also", "with", "use", "asClue", "()",
            "withContext", "coroutineScope", "testApplication", "runTestWithPolling",
        }
    )  # fmt: skip
    marks: frozenset[str] = MARKS
    #: Tests are blocks inside specs.
    blocks: bool = False

    def checks(self, expr: Expr) -> list[Check] | None:
        """Kotest's and kotlin.test's assertions, and all of the JVM's."""
        if expr.shape is not Shape.CALL:
            return None
        name = expr.text
        if name in _TALK and expr.on is None:
            return []
        if name in _THROWS and expr.on is None:
            return self.must_throw(expr, _THROWS[name])
        if name.startswith("should") and expr.on is not None and not _is_block(expr):
            return self.should(expr)
        if name in {"assertFailsWith", "assertThrows"}:
            return self.thrown(self.plain(expr), K.RAISES)
        if expr.labels and name.startswith("assert"):
            expr = self.ordered(expr)
        return super(_Kotlin, self).checks(expr)

    def plain(self, expr: Expr) -> Expr:
        """A call without the message that may come first."""
        return replace(
            expr,
            parts=tuple(each for each in expr.parts if each.text[:1] != '"'),
            labels=(),
        )

    def ordered(self, expr: Expr) -> Expr:
        """`assertEquals(actual = x, expected = 3)` with its arguments in order."""
        order = ["expected", "illegal", "", "actual", "absoluteTolerance", "message"]
        pairs = sorted(
            zip(expr.labels, expr.parts, strict=True),
            key=lambda pair: order.index(pair[0]) if pair[0] in order else 2,
        )
        return replace(expr, parts=tuple(part for _, part in pairs), labels=())

    def must_throw(self, expr: Expr, kind: AssertionKind) -> list[Check]:
        """`shouldThrow<Type> { … }`."""
        bodies = [each for each in expr.parts if each.shape is Shape.LAMBDA]
        types = tuple(Expr(shape=Shape.TYPE, text=each) for each in expr.types)
        message = tuple(each for each in expr.parts if each.shape is not Shape.LAMBDA)
        actual = bodies[-1] if bodies else None
        found = [Check(kind=kind, actual=actual, expected=types)]
        if message and expr.text == "shouldThrowWithMessage":
            found.append(
                Check(kind=K.RAISES, actual=actual, expected=message, wanted="message")
            )
        if kind is K.NOT_RAISES and actual is not None:
            found.append(Check(nested=actual))
        return found

    def should(self, expr: Expr) -> list[Check]:
        """`x shouldBe 3`, `x.shouldBeNull()`, `x should startWith("a")`."""
        assert expr.on is not None
        name, parts = expr.text, expr.parts
        if name in {"should", "shouldNot"} and parts:
            found = matched(expr.on, parts[0])
            return turned(found) if name == "shouldNot" else found
        if name == "shouldNotThrowAny":
            return [Check(kind=K.NOT_RAISES, actual=expr.on)]
        it = asked(name)
        types = tuple(Expr(shape=Shape.TYPE, text=each) for each in expr.types)
        lambdas = [each for each in parts if each.shape is Shape.LAMBDA]
        rest = tuple(each for each in parts if each.shape is not Shape.LAMBDA)
        tolerance = None
        if (
            it.kind is K.EQUAL
            and len(rest) == 1
            and rest[0].text == "plusOrMinus"
            and rest[0].on is not None
        ):
            tolerance = rest[0].parts[0] if rest[0].parts else None
            rest = (rest[0].on,)
        found = [
            Check(
                kind=it.kind if tolerance is None else K.CLOSE,
                actual=expr.on,
                expected=types + rest,
                wanted=it.wanted,
                tolerance=tolerance,
            )
        ]
        return found + [Check(nested=each, actual=expr.on) for each in lambdas]

    def fails(self, stmt: Stmt) -> bool:
        """Whether a statement only fails the test."""
        value = stmt.value
        plain = (
            value is not None and value.text.removeprefix("new ") == "AssertionError"
        )
        return plain or super(_Kotlin, self).fails(stmt)

    def subtest(self, expr: Expr) -> tuple[str, Expr] | None:
        """A Kotest block: `"name" { … }`, `test("name") { … }`, `"name" - { … }`."""
        if not self.blocks:
            return None
        if expr.shape is Shape.BINARY and expr.text == "-":
            name, body = expr.parts
        elif expr.shape is Shape.CALL and expr.parts:
            body = expr.parts[-1]
            named = _named(expr)
            if named is None:
                return None
            name = named
        else:
            return None
        if body.shape is not Shape.LAMBDA or name.shape is not Shape.LITERAL:
            return None
        return (name.text.strip('"'), body) if name.text[:1] == '"' else None

    def of_subtest(  # noqa: C901 - one case per word
        self, expr: Expr
    ) -> list[Check]:
        """What a block's name and configuration say: `xtest`, `"!name"`, `enabled`."""
        name = _named(expr) or (expr.parts[0] if expr.parts else expr)
        chain: list[Expr] = []
        each: Expr | None = expr
        while each is not None:
            chain.append(each)
            each = each.on
        found: list[Check] = []
        for link in chain:
            if link.text.startswith("x") and link.text in _TESTS:
                found.append(Check(aspect=Aspect.SKIP, subject="skip"))
            elif link.text in {"ftest", "fit", "fdescribe", "fcontext"}:
                found.append(Check(aspect=Aspect.FOCUS, subject="focus"))
            for label, value in zip(link.labels, link.parts, strict=False):
                if label == "enabled" and value.text == "false":
                    found.append(Check(aspect=Aspect.SKIP, subject="skip"))
                elif label in {"enabled", "enabledIf", "enabledOrReasonIf"}:
                    found.append(
                        Check(
                            aspect=Aspect.SKIP,
                            subject="skip",
                            expected=(value,),
                            wanted="unless",
                        )
                    )
                elif label in {"timeout", "invocationTimeout"}:
                    found.append(
                        Check(
                            aspect=Aspect.TIMEOUT, subject="timeout", expected=(value,)
                        )
                    )
                elif label == "retries":
                    found.append(
                        Check(aspect=Aspect.RETRY, subject="retry", expected=(value,))
                    )
        if name.text.startswith('"!'):
            found.append(Check(aspect=Aspect.SKIP, subject="skip"))
        elif name.text.startswith('"f:'):
            found.append(Check(aspect=Aspect.FOCUS, subject="focus"))
        return found

    def rows(self, expr: Expr) -> list[Expr] | None:
        """The elements of a list that is written out."""
        if expr.shape is Shape.CALL and expr.text in _LISTS:
            return list(expr.parts)
        return None

    def names(self, unit: Unit, owners: tuple[Unit, ...]) -> tuple[str, ...]:
        """Classes, outermost first, and the function."""
        return (*(each.name for each in owners), unit.name)


def _is_block(expr: Expr) -> bool:
    """Whether `"name" should { … }` opens a block of tests."""
    return (
        expr.text == "should"
        and expr.on is not None
        and expr.on.shape is Shape.LITERAL
        and bool(expr.parts)
        and expr.parts[-1].shape is Shape.LAMBDA
    )


def _named(expr: Expr) -> Expr | None:
    """The literal that names a Kotest block."""
    on = expr.on
    if expr.text == "()" and on is not None and on.shape is Shape.LITERAL:
        return on
    if expr.text in _TESTS:
        if on is None:
            return expr.parts[0] if len(expr.parts) > 1 else None
        if on.shape is Shape.LITERAL:
            return on
        if on.shape is Shape.CALL and on.text in _TESTS and on.on is None and on.parts:
            return on.parts[0]
    return None


def _apart(text: str) -> str:
    """A source in which a line that begins with `(` begins a statement.

    The grammar takes it for the arguments of the line before, Kotlin does not. Nothing
    changes its place: a blank of the indent becomes a semicolon.
    """
    lines = text.split("\n")
    quoted = 0
    for place, line in enumerate(lines):
        stripped = line.lstrip()
        if (
            quoted % 2 == 0
            and stripped.startswith("(")
            and line != stripped
            and place
            and _ENDED.search(lines[place - 1])
            and not _OPENED.match(lines[place - 1])
        ):
            indent = len(line) - len(stripped)
            lines[place] = f"{line[: indent - 1]};{stripped}"
        quoted += line.count('"""')
    return "\n".join(lines)


def read(text: str) -> FileDemands:
    """What one Kotlin file of test code demands; raises CannotRead."""
    source = KotlinDeclarations().source(readable(_apart(text), "kotlin"))
    imported = " ".join(each.replace(":", ".") for each in source.imports.values())
    old = "org.junit.Assert" in imported and "jupiter" not in imported
    dialect = _Kotlin(
        message_first=old,
        actual_first="org.testng" in imported,
        imports=source.imports,
        blocks="kotest" in imported
        or "spek" in imported
        or any("Spec" in base for unit in source.units for base in unit.bases),
    )
    return read_file(source, dialect)
