"""What does a Java test file demand? JUnit 3 to 5, TestNG, AssertJ, Truth, Mockito."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fairtrial.domain.demands import FileDemands
from fairtrial.integrity.reading.code.checks import Check
from fairtrial.integrity.reading.code.code import Expr, Shape, Unit
from fairtrial.integrity.reading.code.lowering import readable
from fairtrial.integrity.reading.code.units import read_file
from fairtrial.integrity.reading.java.declarations import JavaDeclarations
from fairtrial.integrity.reading.jvm.checks import JvmChecks
from fairtrial.integrity.reading.jvm.marks import MARKS, JvmMarks

SUFFIXES: tuple[str, ...] = (".java",)

_JUNIT_4: Final = (
    "org.junit.Assert",
    "org.junit.Test",
    "junit.framework",
    "org.junit.*",
)
#: Calls that make a list of what they are given.
_LISTS: Final = frozenset({"of", "asList", "{}", "listOf", "arrayOf"})


@dataclass(frozen=True, slots=True)
class _Java(JvmChecks, JvmMarks):
    transparent: frozenset[str] = frozenset({"assertSoftly", "assertAll", "step"})
    marks: frozenset[str] = MARKS

    def subtest(self, expr: Expr) -> tuple[str, Expr] | None:
        """`dynamicTest("name", () -> …)`."""
        if (
            expr.shape is Shape.CALL
            and expr.text == "dynamicTest"
            and len(expr.parts) > 1
            and expr.parts[0].shape is Shape.LITERAL
            and expr.parts[1].shape is Shape.LAMBDA
        ):
            return expr.parts[0].text.strip('"'), expr.parts[1]
        return None

    def of_subtest(self, expr: Expr) -> list[Check]:
        """Such a head says nothing here."""
        del expr
        return []

    def rows(self, expr: Expr) -> list[Expr] | None:
        """`List.of(…)`, `Arrays.asList(…)`, `{…}`, and streams of them."""
        if expr.shape is not Shape.CALL:
            return None
        if expr.text in {"stream", "iterator", "parallel"} and expr.on is not None:
            return self.rows(expr.on)
        if expr.text in _LISTS and (
            expr.text == "{}"
            or expr.on is None
            or expr.on.text in {"List", "Set", "Stream", "Arrays", "IntStream"}
        ):
            return list(expr.parts)
        return None

    def names(self, unit: Unit, owners: tuple[Unit, ...]) -> tuple[str, ...]:
        """Classes, outermost first, and the method."""
        return (*(each.name for each in owners), unit.name)


def read(text: str) -> FileDemands:
    """What one Java file of test code demands; raises CannotRead."""
    source = JavaDeclarations().source(readable(text, "java"))
    imported = " ".join(f"{each.replace(':', '.')}" for each in source.imports.values())
    old = any(each in imported for each in _JUNIT_4) and "jupiter" not in imported
    dialect = _Java(
        message_first=old,
        actual_first="org.testng" in imported,
        imports=source.imports,
    )
    return read_file(source, dialect)
