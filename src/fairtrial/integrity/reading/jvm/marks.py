"""What annotations of the JVM's test libraries demand, and what is a test."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind
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
from fairtrial.integrity.reading.code.lowering import literal_text

_TESTS: Final = (
    "Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate",
    "RetryingTest", "RepeatedIfExceptionsTest", "ParameterizedRepeatedIfExceptionsTest",
    "Theory", "Property", "Example", "CartesianTest", "ArchTest",
)  # fmt: skip
_HOOKS: Final = (
    "BeforeEach", "BeforeAll", "AfterEach", "AfterAll", "Before", "After",
    "BeforeClass",
    "AfterClass", "BeforeMethod", "AfterMethod", "BeforeTest", "BeforeSuite",
    "RegisterExtension", "Rule", "ClassRule", "DynamicPropertySource", "DataProvider_",
    "BeforeTestExecution", "TestConfiguration", "Bean",
)  # fmt: skip
_OLD_HOOKS: Final = frozenset({"setUp", "tearDown", "suite"})
_SKIPS: Final = frozenset({"Disabled", "Ignore", "Ignored", "DisabledUntil"})
_CONDITIONS: Final = (
    "DisabledOn", "DisabledIf", "DisabledFor", "DisabledIn",
    "EnabledOn", "EnabledIf", "EnabledFor", "EnabledIn", "IfProfileValue",
)  # fmt: skip
_MOCKS: Final = (
    "Mock", "MockBean", "MockitoBean", "Spy", "SpyBean", "MockitoSpyBean", "MockK",
    "RelaxedMockK", "SpyK", "MockkBean", "SpykBean", "InjectMock", "InjectSpy",
)  # fmt: skip
_RETRIES: Final = frozenset(
    {"RetryingTest", "RepeatedIfExceptionsTest", "Retry", "Flaky", "RetryTest",
     "ParameterizedRepeatedIfExceptionsTest"}
)  # fmt: skip
_SOURCES: Final = frozenset(
    {"ValueSource", "CsvSource", "MethodSource", "EnumSource", "NullSource",
     "EmptySource", "NullAndEmptySource", "CsvFileSource", "ArgumentsSource",
     "FieldSource"}
)  # fmt: skip

_LISTS: Final = frozenset({"of", "asList", "listOf", "{}", "arrayOf", "sequenceOf"})

#: The annotations whose meaning is given here.
MARKS: Final = frozenset(
    {*_TESTS, *_HOOKS, *_SKIPS, *_MOCKS, *_RETRIES, *_SOURCES, "Timeout", "Nested"}
) - {"RepeatedTest"}


class JvmMarks:
    """Tests, hooks and annotations of JUnit 3 to 5, TestNG and Kotlin's libraries."""

    __slots__ = ()

    def is_test(self, unit: Unit, owners: tuple[Unit, ...]) -> bool:
        """Whether a method is a test."""
        if unit.kind is not UnitKind.FUNCTION:
            return False
        if unit.mark(*_TESTS) is not None:
            return True
        if not owners or unit.params or "static" in unit.words:
            return False
        if any(
            each.startswith("Test")
            or each.endswith("TestCase")
            or (each.endswith("Test") and not owners[-1].mark("Test"))
            for each in owners[-1].bases
        ) and unit.name.startswith("test"):
            return "private" not in unit.words and not unit.mark(*_HOOKS)
        return (
            owners[-1].mark("Test") is not None
            and "public" in unit.words
            and unit.returns == "void"
            and unit.mark(*_HOOKS) is None
        )

    def is_hook(self, unit: Unit, owners: tuple[Unit, ...]) -> bool:
        """Whether a method or field runs around tests without being named."""
        if unit.mark(*_HOOKS) is not None:
            return True
        if not owners or unit.kind is not UnitKind.FUNCTION:
            return False
        if unit.name in _OLD_HOOKS and not unit.params:
            return True
        return unit.name == owners[-1].name

    def of_marks(self, unit: Unit, owners: tuple[Unit, ...]) -> list[Check]:
        """What the annotations of a test, class or field demand."""
        found: list[Check] = []
        for mark in unit.marks:
            name = mark.name
            if name in _SKIPS:
                found.append(_skip("" if name != "DisabledUntil" else mark.written[1:]))
            elif name.startswith(_CONDITIONS):
                found.append(_skip(mark.written[1:]))
            elif name in _MOCKS and unit.kind is UnitKind.FIELD:
                found.append(Check(aspect=Aspect.MOCK, subject=", ".join(unit.types)))
            elif name == "Timeout":
                found.append(
                    Check(aspect=Aspect.TIMEOUT, subject="timeout", expected=mark.args)
                )
            elif name in _SOURCES:
                found += _rows(mark, unit, owners)
            if name in _RETRIES:
                found.append(
                    Check(aspect=Aspect.RETRY, subject=name, expected=mark.args)
                )
            if name == "Test":
                found += _of_test(mark)
        return found


def _skip(condition: str) -> Check:
    return Check(aspect=Aspect.SKIP, subject="skip", wanted=condition)


def _of_test(mark: Mark) -> list[Check]:
    found = []
    if (kind := mark.value("expected", "expectedExceptions")) is not None:
        found.append(
            Check(kind=AssertionKind.RAISES, subject="the test", expected=(kind,))
        )
    if (text := mark.value("expectedExceptionsMessageRegExp")) is not None:
        found.append(
            Check(
                kind=AssertionKind.RAISES,
                subject="the test",
                expected=(text,),
                wanted="message matches",
            )
        )
    if (limit := mark.value("timeout", "timeOut")) is not None and limit.text != "0":
        found.append(Check(aspect=Aspect.TIMEOUT, subject="timeout", expected=(limit,)))
    if (enabled := mark.value("enabled")) is not None and enabled.text == "false":
        found.append(_skip(""))
    if (again := mark.value("retryAnalyzer")) is not None:
        found.append(Check(aspect=Aspect.RETRY, subject="retry", expected=(again,)))
    return found


def _rows(mark: Mark, unit: Unit, owners: tuple[Unit, ...]) -> list[Check]:
    rows: list[tuple[Expr, ...]] = []
    match mark.name:
        case "ValueSource":
            rows = [(each,) for arg in mark.args for each in _items(arg)]
        case "CsvSource":
            lines = mark.value("textBlock")
            if lines is not None:
                rows = [
                    _cells(line)
                    for line in lines.text.strip('"').split("\\n")
                    if line.strip() and not line.lstrip().startswith("#")
                ]
            for listed in mark.values("value", ""):
                delimiter = mark.value("delimiter", "delimiterString")
                sign = "," if delimiter is None else delimiter.text.strip('"')
                rows += [_cells(each.text.strip('"'), sign) for each in _items(listed)]
        case "NullSource":
            rows = [(word("null", mark.line),)]
        case "EmptySource":
            rows = [(word("empty", mark.line),)]
        case "NullAndEmptySource":
            rows = [(word("null", mark.line),), (word("empty", mark.line),)]
        case "MethodSource" | "FieldSource":
            names = [
                each.text.strip('"')
                for listed in mark.values("value", "")
                for each in _items(listed)
            ] or [unit.name]
            rows = [row for name in names for row in _made(name, owners)]
            rows = rows or [(word(mark.written, mark.line),)]
        case _:
            rows = [(word(mark.written, mark.line),)]
    return [Check(aspect=Aspect.ROW, expected=row) for row in rows]


def _items(listed: Expr) -> tuple[Expr, ...]:
    if listed.shape is Shape.CALL and listed.text in {"{}", "[]", "arrayOf"}:
        return listed.parts
    return (listed,)


def _cells(line: str, delimiter: str = ",") -> tuple[Expr, ...]:
    """The cells of a row of comma-separated values, quoted by `'`."""
    cells, cell, quoted = [], "", False
    for sign in line:
        if sign == "'":
            quoted = not quoted
        elif sign == delimiter[:1] and not quoted:
            cells.append(cell)
            cell = ""
        else:
            cell += sign
    return tuple(_cell(each.strip()) for each in (*cells, cell))


def _cell(text: str) -> Expr:
    said = literal_text(text)
    if said in {"true", "false", "null"} or said[:1].isdigit() or said[1:2].isdigit():
        return Expr(shape=Shape.LITERAL, text=said)
    return Expr(shape=Shape.LITERAL, text=f'"{text}"')


def _made(name: str, owners: tuple[Unit, ...]) -> list[tuple[Expr, ...]]:
    """The rows that a method of the same class makes, where it lists them."""
    for owner in reversed(owners):
        for each in _with_companions(owner):
            if each.name != name or each.kind is UnitKind.CLASS:
                continue
            values = [
                stmt.value
                for stmt in statements(each.body)
                if stmt.act in {Act.RETURN, Act.DO} and stmt.value is not None
            ]
            if each.value is not None:
                values.append(each.value)
            return [row for value in values for row in _listed(value)]
    return []


def _with_companions(owner: Unit) -> list[Unit]:
    found = list(owner.members)
    for each in owner.members:
        if each.kind is UnitKind.CLASS and each.name == "Companion":
            found += each.members
    return found


def _listed(value: Expr) -> list[tuple[Expr, ...]]:
    for each in expressions(value):
        if (
            each.shape is Shape.CALL
            and each.text in _LISTS
            and (each.on is None or each.on.text not in {"Arguments", "Map"})
        ):
            return [_row(part) for part in each.parts]
    return []


def _row(part: Expr) -> tuple[Expr, ...]:
    if part.shape is Shape.CALL and part.text in {
        "of", "arguments", "{}", "arrayOf", "argumentSet", "new Object[]"
    }:  # fmt: skip
        return part.parts
    return (part,)
