"""What a C# test file demands: xUnit, NUnit, MSTest, and the libraries beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, FileDemands
from fairtrial.integrity.reading.code.checks import Check
from fairtrial.integrity.reading.code.code import (
    Act,
    Expr,
    Mark,
    Shape,
    Unit,
    UnitKind,
    expressions,
    statements,
    word,
)
from fairtrial.integrity.reading.code.lowering import readable
from fairtrial.integrity.reading.code.units import read_file
from fairtrial.integrity.reading.csharp.checks import CSharpChecks
from fairtrial.integrity.reading.csharp.declarations import CSharpDeclarations

SUFFIXES: tuple[str, ...] = (".cs",)

_TESTS: Final = frozenset(
    {"Test", "TestCase", "TestCaseSource", "TestMethod", "DataTestMethod", "Property",
     "Combinatorial"}
)  # fmt: skip
_HOOKS: Final = (
    "SetUp", "TearDown", "OneTimeSetUp", "OneTimeTearDown", "TestInitialize",
    "TestCleanup", "ClassInitialize", "ClassCleanup", "AssemblyInitialize",
    "AssemblyCleanup", "Before", "After", "GlobalTestInitialize",
)  # fmt: skip
_NAMED_HOOKS: Final = frozenset(
    {"Dispose", "DisposeAsync", "InitializeAsync", "DisposeAsyncCore"}
)
_ROWS: Final = frozenset({"InlineData", "DataRow", "TestCase", "Arguments"})
_SOURCES: Final = frozenset(
    {"MemberData", "ClassData", "TestCaseSource", "DynamicData", "MethodDataSource"}
)
_CONDITIONS: Final = frozenset(
    {"Platform", "OSCondition", "ConditionalFact", "ConditionalTheory"}
)
_MARKS: Final = frozenset(
    {*_TESTS, *_HOOKS, *_ROWS, *_SOURCES, *_CONDITIONS, "Fact", "Theory", "Ignore",
     "Explicit", "Timeout", "MaxTime", "Retry", "ExpectedException", "CancelAfter"}
)  # fmt: skip
#: Labels of a row that are no part of its data.
_ROW_WORDS: Final = frozenset(
    {"Ignore", "IgnoreReason", "Explicit", "Reason", "TestName", "Skip", "Author",
     "Description", "DisplayName", "Category", "IncludePlatform", "ExcludePlatform"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _CSharp(CSharpChecks):
    transparent: frozenset[str] = frozenset({"Multiple", "Run"})
    marks: frozenset[str] = _MARKS

    def subtest(self, expr: Expr) -> tuple[str, Expr] | None:
        """C#'s frameworks have none."""
        del expr
        return None

    def of_subtest(self, expr: Expr) -> list[Check]:
        """Such a head says nothing here."""
        del expr
        return []

    def rows(self, expr: Expr) -> list[Expr] | None:
        """The elements of an array or collection that is written out."""
        if expr.shape is Shape.CALL and expr.text == "{}":
            return list(expr.parts)
        return None

    def is_test(self, unit: Unit, owners: tuple[Unit, ...]) -> bool:
        """Whether a method has a test's attribute."""
        del owners
        return unit.kind is UnitKind.FUNCTION and any(
            _is_test_mark(mark) for mark in unit.marks
        )

    def is_hook(self, unit: Unit, owners: tuple[Unit, ...]) -> bool:
        """Whether a method runs around tests: by attribute, or as a constructor."""
        if unit.kind is not UnitKind.FUNCTION:
            return False
        return (
            unit.mark(*_HOOKS) is not None
            or unit.name in _NAMED_HOOKS
            or (bool(owners) and unit.name == owners[-1].name)
        )

    def of_marks(self, unit: Unit, owners: tuple[Unit, ...]) -> list[Check]:
        """What the attributes of a test or class demand."""
        found: list[Check] = []
        for mark in unit.marks:
            if mark.name in {"Ignore", "Explicit"}:
                found.append(Check(aspect=Aspect.SKIP, subject="skip"))
            elif mark.name in _CONDITIONS:
                found.append(
                    Check(aspect=Aspect.SKIP, subject="skip", wanted=mark.written)
                )
            elif mark.name in {"Timeout", "MaxTime", "CancelAfter"}:
                found.append(
                    Check(
                        aspect=Aspect.TIMEOUT, subject="timeout", expected=mark.args[:1]
                    )
                )
            elif mark.name == "ExpectedException":
                found.append(
                    Check(
                        kind=AssertionKind.RAISES,
                        subject="the test",
                        expected=mark.args[:1],
                    )
                )
            elif mark.name in _ROWS:
                found += _row(mark)
            elif mark.name in _SOURCES:
                found += _source(mark, owners)
            if mark.name.startswith("Retry"):
                found.append(
                    Check(aspect=Aspect.RETRY, subject="retry", expected=mark.args)
                )
            if _is_test_mark(mark) and mark.name not in _ROWS:
                found += _of_test(mark)
        return found

    def names(self, unit: Unit, owners: tuple[Unit, ...]) -> tuple[str, ...]:
        """Classes, outermost first, and the method."""
        return (*(each.name for each in owners), unit.name)


def _is_test_mark(mark: Mark) -> bool:
    return mark.name in _TESTS or mark.name.endswith(("Fact", "Theory"))


def _of_test(mark: Mark) -> list[Check]:
    found = []
    for label in ("Skip", "Ignore", "IgnoreReason", "Explicit"):
        value = mark.value(label)
        if value is not None and value.text not in {"null", "false"}:
            when = mark.value("SkipWhen", "SkipUnless")
            wanted = "" if when is None else when.text.strip('"')
            found.append(Check(aspect=Aspect.SKIP, subject="skip", wanted=wanted))
    if (limit := mark.value("Timeout")) is not None:
        found.append(Check(aspect=Aspect.TIMEOUT, subject="timeout", expected=(limit,)))
    if (retries := mark.value("MaxRetries")) is not None:
        found.append(Check(aspect=Aspect.RETRY, subject="retry", expected=(retries,)))
    return found


def _row(mark: Mark) -> list[Check]:
    cells = [
        each
        for each, label in zip(mark.args, mark.labels, strict=True)
        if label not in _ROW_WORDS
    ]
    skipped = any(
        label in {"Ignore", "IgnoreReason", "Skip", "Explicit"} for label in mark.labels
    )
    found = [Check(aspect=Aspect.ROW, expected=tuple(cells))]
    if skipped:
        found.append(
            Check(aspect=Aspect.SKIP, subject="skip of a row", expected=tuple(cells))
        )
    return found


def _source(mark: Mark, owners: tuple[Unit, ...]) -> list[Check]:
    names = {
        each.text.strip('"')
        for arg in mark.args
        for each in expressions(arg)
        if each.shape in {Shape.NAME, Shape.LITERAL, Shape.MEMBER}
    }
    for owner in reversed(owners):
        for each in owner.members:
            if each.name in names:
                rows = _made(each)
                if rows:
                    return [Check(aspect=Aspect.ROW, expected=row) for row in rows]
    return [Check(aspect=Aspect.ROW, expected=(word(mark.written, mark.line),))]


def _made(unit: Unit) -> list[tuple[Expr, ...]]:
    values = [] if unit.value is None else [unit.value]
    yielded: list[tuple[Expr, ...]] = []
    for stmt in statements(unit.body):
        if stmt.value is None or stmt.act not in {Act.RETURN, Act.DO}:
            continue
        if stmt.word == "yield":
            yielded.append(_cells(stmt.value))
        else:
            values.append(stmt.value)
    if yielded:
        return yielded
    for value in values:
        if value.shape is Shape.CALL and value.parts:
            return [_cells(each) for each in value.parts]
    return []


def _cells(row: Expr) -> tuple[Expr, ...]:
    if row.shape is Shape.CALL and (
        row.text in {"{}", "new TestCaseData", "new object[]"} and row.parts
    ):
        return row.parts
    if (
        row.shape is Shape.CALL
        and row.on is not None
        and row.text in {"Returns", "SetName"}
    ):
        return (*_cells(row.on), *(row.parts if row.text == "Returns" else ()))
    return (row,)


def read(text: str) -> FileDemands:
    """What one C# file of test code demands; raises CannotRead."""
    return read_file(CSharpDeclarations().source(readable(text, "csharp")), _CSharp())
