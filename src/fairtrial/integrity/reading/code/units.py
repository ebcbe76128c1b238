"""What a whole file of test code holds: its tests, and what supports them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from fairtrial.domain.demands import (
    Aspect,
    Demand,
    FileDemands,
    Support,
    WrittenTest,
)
from fairtrial.domain.demands import Source as Origin
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.reading.code.body import Reading
from fairtrial.integrity.reading.code.checks import Dialect
from fairtrial.integrity.reading.code.code import (
    Expr,
    Mark,
    Shape,
    Source,
    Unit,
    UnitKind,
    inside,
    word,
)
from fairtrial.integrity.reading.code.mentions import (
    CONDITIONS,
    COSMETIC,
    mark_uses,
    said,
    uses_of,
)
from fairtrial.integrity.reading.code.scope import Scope, changing
from fairtrial.integrity.reading.code.steps import RESULT, Subtest
from fairtrial.integrity.syntax import digest, one_line

#: A field with one of these keeps the value that it is declared with.
_CONSTANT: Final = frozenset({"final", "const", "readonly", "val"})


def read_file(source: Source, dialect: Dialect) -> FileDemands:
    """All that a file demands; raises CannotRead for one nested too deeply."""
    try:
        return _File(source, dialect).read()
    except RecursionError:
        raise CannotRead("it is nested too deeply to be read") from None


class _File:
    def __init__(self, source: Source, dialect: Dialect) -> None:
        self.source = source
        self.dialect = dialect
        self.tests: list[WrittenTest] = []
        self.support: dict[str, list[tuple[str, Support]]] = {}
        self.constants = Scope()
        stack = list(reversed(source.units))
        while stack:
            unit = stack.pop()
            stack += reversed(unit.members)
            if (
                unit.kind is UnitKind.FIELD
                and unit.words & _CONSTANT
                and unit.value is not None
                and unit.name not in self.constants.known
                and not dialect.checks(unit.value)
            ):
                self.constants.declare((unit.name,), self.constants.say(unit.value))

    def read(self) -> FileDemands:
        for unit in self.source.units:
            self.unit(unit, ())
        support = {}
        for name, found in self.support.items():
            if len(found) == 1:
                support[name] = found[0][1]
            else:
                support |= {
                    f"{owner}.{name}" if owner else name: each for owner, each in found
                }
        several: dict[str, set[str]] = {}
        for key in support:
            several.setdefault(key.rpartition(".")[2], set()).add(key)

        def resolved(uses: frozenset[str]) -> frozenset[str]:
            return uses.union(*(several.get(name, ()) for name in uses))

        return FileDemands(
            tests=tuple(replace(each, uses=resolved(each.uses)) for each in self.tests),
            support={
                key: replace(each, name=key, uses=resolved(each.uses) - {key})
                for key, each in support.items()
            },
            imports=dict(self.source.imports),
        )

    def unit(self, unit: Unit, owners: tuple[Unit, ...]) -> None:
        match unit.kind:
            case UnitKind.CLASS:
                self.klass(unit, owners)
            case UnitKind.FUNCTION:
                if self.dialect.is_test(unit, owners):
                    self.test(unit, owners)
                else:
                    self.helper(unit, owners)
            case UnitKind.FIELD if (
                unit.value is not None and self.dialect.subtest(unit.value) is not None
            ):
                reading = self.opened(unit)[1]
                reading.do(unit.value, Scope(outer=self.constants), ())
                self.inside(unit, reading, tuple(each.name for each in owners))
            case UnitKind.FIELD | UnitKind.INITIALISER:
                self.helper(unit, owners)

    def klass(self, unit: Unit, owners: tuple[Unit, ...]) -> None:
        inner = (*owners, unit)
        if unit.body:
            scope, reading = self.opened(unit)
            for place in range(len(inner)):
                for check in self.dialect.of_marks(inner[place], inner[:place]):
                    reading.add(check, scope, (), _at(inner[place]))
            reading.body(unit.body, scope, ())
            self.inside(unit, reading, tuple(each.name for each in inner))
        holds_tests = any(
            self.dialect.is_test(each, owned)
            for each, owned in _functions(unit, owners)
        )
        tests_outside = bool(owners) and any(
            self.dialect.is_test(each, owned)
            for each, owned in _functions(owners[-1], owners[:-1])
        )
        if holds_tests or not owners or not tests_outside:
            for member in unit.members:
                self.unit(member, inner)
        if not holds_tests and not unit.body:
            self.keep(
                unit,
                owners,
                demands=self.demands_of_class(unit, inner) if tests_outside else (),
                uses=uses_of(unit),
                automatic=False,
            )

    def demands_of_class(
        self, unit: Unit, owners: tuple[Unit, ...]
    ) -> tuple[Demand, ...]:
        found: list[Demand] = []
        for each, _ in _functions(unit, owners[:-1]):
            found += self.read_body(each).demands
        return tuple(found)

    def keep(
        self,
        unit: Unit,
        owners: tuple[Unit, ...],
        *,
        demands: Iterable[Demand],
        uses: frozenset[str],
        automatic: bool,
    ) -> None:
        support = Support(
            name=unit.name,
            demands=tuple(demands),
            uses=uses,
            digest=digest(said(unit)),
            automatic=automatic,
            line=unit.line,
            last_line=unit.last_line,
            text=unit.text,
        )
        owner = ".".join(each.name for each in owners)
        self.support.setdefault(unit.name, []).append((owner, support))

    def helper(self, unit: Unit, owners: tuple[Unit, ...]) -> None:
        reading = self.read_body(unit)
        marks = [
            each
            for each in self.dialect.of_marks(unit, owners)
            if each.aspect is Aspect.MOCK
        ]
        for check in marks:
            reading.add(check, Scope(), (), _at(unit))
        automatic = unit.kind is UnitKind.INITIALISER or self.dialect.is_hook(
            unit, owners
        )
        self.keep(
            unit,
            owners,
            demands=reading.demands,
            uses=uses_of(unit),
            automatic=automatic or bool(marks),
        )

    def read_body(self, unit: Unit) -> Reading:
        scope, reading = self.opened(unit)
        if unit.value is not None:
            checks = self.dialect.checks(unit.value) or ()
            for check in checks:
                if check.nested is None:
                    reading.add(check, scope, (), unit.value)
            constant = unit.name in self.constants.known
            if not checks and not constant and unit.kind is UnitKind.FIELD:
                value = scope.say(unit.value)
                right = value.blanked if value.inputs else "_"
                reading.demands.append(
                    Demand(
                        aspect=Aspect.ARRANGEMENT,
                        subject=f"{unit.name} = {right}",
                        inputs="; ".join(value.inputs) or value.full,
                        source=value.source,
                        text=one_line(unit.text),
                        line=unit.line,
                    )
                )
        reading.body(unit.body, scope, ())
        return reading

    def opened(self, unit: Unit) -> tuple[Scope, Reading]:
        scope = Scope(changing=changing(unit.body), outer=self.constants)
        for name in unit.params:
            scope.number(name, Origin.ROW)
        mentioned = frozenset(
            each.text for each in inside(unit.body) if each.shape is Shape.NAME
        )
        return scope, Reading(dialect=self.dialect, mentioned=mentioned)

    def test(self, unit: Unit, owners: tuple[Unit, ...]) -> None:
        scope, reading = self.opened(unit)
        for place in range(len(owners)):
            for check in self.dialect.of_marks(owners[place], owners[:place]):
                if check.aspect is not Aspect.MOCK:
                    reading.add(check, scope, (), _at(owners[place]))
        for check in self.dialect.of_marks(unit, owners):
            if check.aspect is Aspect.ROW and not check.subject:
                names = unit.params[: len(check.expected)]
                looked = [scope.look(each) for each in names]
                listed = ["" if it is None else it.full for it in looked]
                if len(check.expected) == len(names) + 1:
                    listed.append(RESULT)
                    reading.returns_row = True
                subject = ", ".join(listed)
                check = replace(check, subject=subject)  # noqa: PLW2901 - completed
            reading.add(check, scope, (), _at(unit))
        for mark in unit.marks:
            self.mark(mark, reading, scope)
        reading.body(unit.body, scope, ())
        names = self.dialect.names(unit, owners)
        uses = uses_of(unit).union(
            *(each.bases for each in owners),
            *(mark_uses(each) for each in owners),
        )
        self.tests.append(
            WrittenTest(
                names=names,
                demands=tuple(reading.demands),
                uses=uses,
                digest=digest(said(unit)),
                line=unit.line,
                last_line=unit.last_line,
                text=unit.text,
            )
        )
        for sub in reading.subtests:
            self.subtest(sub, names, uses, reading)

    def inside(self, unit: Unit, reading: Reading, names: tuple[str, ...]) -> None:
        """The tests of a class or variable that is a tree of blocks."""
        shared = [each for each in reading.demands if each.aspect is Aspect.SKIP]
        rest = [each for each in reading.demands if each.aspect is not Aspect.SKIP]
        if rest:
            self.arranged(names, rest, unit)
        reading.demands = shared
        for sub in reading.subtests:
            self.subtest(sub, names, uses_of(unit), reading)

    def arranged(
        self, names: tuple[str, ...], demands: Iterable[Demand], unit: Unit
    ) -> None:
        """What a block of tests does before and beside them applies to all."""
        found = tuple(demands)
        support = Support(
            name=".".join((*names, "{}")),
            demands=found,
            digest=digest([one for each in found for one in each.key]),
            automatic=True,
            line=unit.line,
            last_line=unit.last_line,
            text="\n".join(each.text for each in found),
        )
        self.support.setdefault(support.name, []).append(("", support))

    def subtest(
        self,
        sub: Subtest,
        names: tuple[str, ...],
        uses: frozenset[str],
        around: Reading,
    ) -> None:
        reading = Reading(
            dialect=self.dialect, mentioned=around.mentioned, tables=around.tables
        )
        inherited = [
            each
            for each in around.demands
            if each.aspect in {Aspect.SKIP, Aspect.FOCUS}
        ]
        for check in self.dialect.of_subtest(sub.head):
            reading.add(check, sub.scope, (), sub.head)
        for name in sub.body.params:
            sub.scope.number(name)
        reading.body(sub.body.body, sub.scope, ())
        last = max(sub.body.line + sub.body.lines, sub.head.line + sub.head.lines)
        names = (*names, sub.name)
        if sub.head.text not in {"Run", "dynamicTest"}:
            reading.demands[:0] = inherited
        if reading.subtests and not any(
            each.aspect is Aspect.ASSERTION for each in reading.demands
        ):
            self.group(reading, names, uses, sub)
            return
        plain = Scope(resolving=False)
        self.tests.append(
            WrittenTest(
                names=names,
                demands=tuple(reading.demands),
                uses=uses,
                digest=digest([plain.block(sub.body.body)]),
                line=sub.head.line,
                last_line=last,
                text=sub.head.written,
            )
        )
        for each in reading.subtests:
            self.subtest(each, names, uses, reading)

    def group(
        self,
        reading: Reading,
        names: tuple[str, ...],
        uses: frozenset[str],
        sub: Subtest,
    ) -> None:
        """A block that only holds tests."""
        kept = {Aspect.SKIP, Aspect.FOCUS}
        rest = [each for each in reading.demands if each.aspect not in kept]
        if rest:
            at = Unit(
                kind=UnitKind.FUNCTION,
                name=sub.name,
                line=sub.body.line,
                last_line=sub.body.line + sub.body.lines,
            )
            self.arranged(names, rest, at)
        for each in reading.subtests:
            self.subtest(each, names, uses, reading)

    def mark(self, mark: Mark, reading: Reading, scope: Scope) -> None:
        """An annotation that no framework's reading knows arranges something."""
        known = mark.name in COSMETIC or mark.name in self.dialect.marks
        if known or mark.name.startswith(CONDITIONS):
            return
        shown = [scope.say(each).full for each in mark.args]
        reading.demands.append(
            Demand(
                aspect=Aspect.ARRANGEMENT,
                subject=f"@{mark.name}",
                inputs=", ".join(shown),
                text=mark.written,
                line=mark.line,
            )
        )


def _functions(
    unit: Unit, owners: tuple[Unit, ...]
) -> Iterable[tuple[Unit, tuple[Unit, ...]]]:
    """All functions of a class, nested classes included, with their owners."""
    stack = [(member, (*owners, unit)) for member in unit.members]
    while stack:
        each, owned = stack.pop()
        if each.kind is UnitKind.FUNCTION:
            yield each, owned
        stack += [(member, (*owned, each)) for member in each.members]


def _at(unit: Unit) -> Expr:
    """Where a demand stands that is a declaration's own."""
    return word(one_line(unit.text, 120), unit.line)
