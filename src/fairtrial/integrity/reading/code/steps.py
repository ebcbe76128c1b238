"""What one step of a test demands: an effect, a check, a local's value."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, Demand, Source
from fairtrial.integrity.reading.code.checks import Check, Dialect
from fairtrial.integrity.reading.code.code import Expr, Shape, Stmt, inside, statements
from fairtrial.integrity.reading.code.demanding import demand
from fairtrial.integrity.reading.code.scope import WHOLE_ROW, Said, Scope

K = AssertionKind
#: Fields of a row that only talk.
_TALK: Final = frozenset(
    {"name", "desc", "description", "title", "label", "testname", "scenario", "comment"}
)
#: What a row says a test has to return.
RESULT: Final = "$result"
_EACH: Final = frozenset({"forEach", "ForEach", "for_each", "onEach", "forAll"})
Guard = tuple[str, ...]

#: Helpers that check something, by their names.
_HELPER: Final = re.compile(
    r"^(?:(?:new )?assert|verify|check|expect|should|ensure|require|must|validate"
    r"|compare|then)(?:[A-Z_0-9]|That|$)|^(?:Assert|Verify|Check|Expect|Should|Ensure|Must"
    r"|Require|Validate|Then)",
)


@dataclass(slots=True)
class Subtest:
    """A test inside a test, with the names that it sees."""

    name: str
    body: Expr
    scope: Scope
    #: Where its head stands.
    head: Expr


@dataclass(slots=True)
class Steps(ABC):
    """One test while it is read; `demands` and `subtests` are its result."""

    dialect: Dialect
    demands: list[Demand] = field(default_factory=list)
    subtests: list[Subtest] = field(default_factory=list)
    #: Bodies that were asked for checks, by identity.
    asserting: dict[int, bool] = field(default_factory=dict)
    #: Whether its rows tell what it has to return.
    returns_row: bool = False
    #: Names that the test mentions anywhere.
    mentioned: frozenset[str] = frozenset()
    #: Locals that are tables of cases.
    tables: dict[str, list[Expr]] = field(default_factory=dict)

    @abstractmethod
    def body(self, body: tuple[Stmt, ...], scope: Scope, guard: Guard) -> bool:
        """Read statements; whether what follows them is not reached."""

    def add(self, check: Check, scope: Scope, guard: Guard, at: Expr) -> None:
        """One more demand."""
        if check.aspect is Aspect.SKIP and not check.expected and guard:
            check = replace(check, wanted=" & ".join(guard))
            guard = ()
        self.demands.append(demand(check, scope, guard, at))

    def unreached(self, why: str, body: tuple[Stmt, ...]) -> None:
        """Statements that never run."""
        first = body[0]
        self.demands.append(
            Demand(
                aspect=Aspect.UNREACHABLE,
                subject=why,
                text=first.written,
                line=first.line,
            )
        )

    def declare(self, stmt: Stmt, scope: Scope, guard: Guard) -> bool:
        """A local gets its first value."""
        value = stmt.value
        ended = False
        if value is not None:
            if (rows := self.dialect.rows(value)) is not None and stmt.names:
                self.tables[stmt.names[0]] = rows
            checks = self.dialect.checks(value)
            unused = value.shape is Shape.CALL and not (
                set(stmt.names) & self.mentioned
            )
            if checks is not None or unused:
                ended = self.do(value, scope, guard)
        said = None if value is None else scope.say(value)
        scope.declare(stmt.names, said)
        if said is not None and set(stmt.names) & scope.changing:
            names = ", ".join(
                each.full if (each := scope.look(name)) else name for name in stmt.names
            )
            self.demands.append(
                Demand(
                    aspect=Aspect.ARRANGEMENT,
                    subject=f"{names} = {said.blanked if said.inputs else '_'}",
                    inputs="; ".join(said.inputs) or said.full,
                    source=said.source,
                    guard=" & ".join(guard),
                    text=stmt.written,
                    line=stmt.line,
                )
            )
        return ended

    def assign(self, stmt: Stmt, scope: Scope, guard: Guard) -> None:
        """A name, member or element gets another value."""
        if stmt.value is None or stmt.target is None:
            return
        target, said = scope.say(stmt.target), scope.say(stmt.value)
        if self.dialect.checks(stmt.value) is not None:
            self.do(stmt.value, scope, guard)
            return
        inputs = (*target.inputs, *(said.inputs or (said.full,)))
        right = said.blanked if said.inputs else "_"
        self.demands.append(
            Demand(
                aspect=Aspect.ARRANGEMENT,
                subject=f"{target.blanked} {stmt.word} {right}",
                inputs="; ".join(inputs),
                source=said.source,
                guard=" & ".join(guard),
                text=stmt.written,
                line=stmt.line,
            )
        )

    def do(self, expr: Expr, scope: Scope, guard: Guard) -> bool:
        """An expression that stands for its effect; whether it ends the test."""
        if (sub := self.dialect.subtest(expr)) is not None:
            self.subtests.append(Subtest(sub[0], sub[1], scope.inner(), expr))
            return False
        checks = self.dialect.checks(expr)
        if checks is not None:
            for check in checks:
                if check.nested is not None:
                    self.nested(check.nested, scope, guard, check)
                else:
                    self.add(check, scope, guard, expr)
            return any(check.ends for check in checks) and not guard
        lambdas = [each for each in _inside_calls(expr) if self.asserts(each.body)]
        if lambdas:
            self.around(expr, lambdas, scope, guard)
            return False
        if expr.shape in {Shape.NAME, Shape.LITERAL, Shape.WORD, Shape.TYPE}:
            return False
        if expr.shape is Shape.LAMBDA:
            return self.body(expr.body, scope.inner(), guard)
        last = expr
        if last.shape is Shape.CALL and _HELPER.match(last.text):
            said = scope.say(expr)
            self.demands.append(
                Demand(
                    aspect=Aspect.ASSERTION,
                    kind=K.CUSTOM,
                    subject=said.blanked,
                    inputs="; ".join(said.inputs),
                    source=said.source,
                    guard=" & ".join(guard),
                    text=expr.written,
                    line=expr.line,
                )
            )
            return False
        self.arrange(expr, scope, guard)
        return False

    def arrange(self, expr: Expr, scope: Scope, guard: Guard, before: str = "") -> None:
        """An effect that is no check."""
        said = scope.say(expr)
        self.demands.append(
            Demand(
                aspect=Aspect.ARRANGEMENT,
                subject=before + said.blanked,
                inputs="; ".join(said.inputs),
                source=said.source,
                guard=" & ".join(guard),
                text=expr.written,
                line=expr.line,
            )
        )

    def around(
        self, expr: Expr, lambdas: list[Expr], scope: Scope, guard: Guard
    ) -> None:
        """A call whose lambdas check something: what they check, and the call."""
        name = expr.text
        if expr.on is not None and lambdas[0].params and name in _EACH:
            inner = scope.inner()
            params = lambdas[0].params
            for param in params:
                inner.bind(param)
            if self.rows_of(expr.on, params, inner, guard):
                self.body(lambdas[0].body, inner, guard)
                return
        if name not in self.dialect.transparent:
            on = "" if expr.on is None else scope.say(expr.on).blanked
            others = [each for each in expr.parts if each.shape is not Shape.LAMBDA]
            guard = (*guard, f"in {on}{'.' if on else ''}{name}")
            if others and expr.shape is Shape.CALL:
                self.arrange(
                    replace(expr, parts=tuple(others), labels=()), scope, guard[:-1]
                )
        for each in lambdas:
            self.nested(each, scope, guard, None)

    def nested(
        self, body: Expr, scope: Scope, guard: Guard, check: Check | None
    ) -> None:
        """The statements of a lambda, as they run."""
        inner = scope.inner()
        params = body.params
        if check is not None:
            if check.actual is not None and params:
                inner.known[params[0]] = scope.say(check.actual)
                params = params[1:]
            if check.wanted:
                guard = (*guard, check.wanted)
        for name in params:
            inner.bind(name)
        self.body(body.body, inner, guard)

    def rows_of(
        self, expr: Expr, names: tuple[str, ...], inner: Scope, guard: Guard
    ) -> list[Expr] | None:
        """The rows of a table that is gone through, which become demands; or None.

        `names` are the variables of a row; the last one alone holds the whole row
        where its rows name their fields.
        """
        rows = self.tables.get(expr.text) if expr.shape is Shape.NAME else None
        if rows is None:
            rows = self.dialect.rows(expr)
        if not rows:
            return None
        fields = list(
            dict.fromkeys(
                label
                for row in rows
                for label in row.labels
                if label and label.lower() not in _TALK
            )
        )
        if len(names) > 1 and any(len(row.parts) != len(names) for row in rows):
            names = names[-1:]
        if len(names) == 1:
            inner.known[names[0]] = Said(WHOLE_ROW, WHOLE_ROW, (), Source.ROW)
            subject = ", ".join(f"${each}" for each in fields) or WHOLE_ROW
        else:
            subject = ", ".join(said.full for n in names if (said := inner.look(n)))
        for row in rows:
            said = inner.say(row)
            plain = ", ".join(inner.say(each).full for each in row.parts)
            cells = dict(zip(row.labels, row.parts, strict=False))
            expected = (
                ", ".join(
                    inner.say(cells[each]).full if each in cells else "zero"
                    for each in fields
                )
                if fields
                else (plain if len(names) > 1 else said.full)
            )
            self.demands.append(
                Demand(
                    aspect=Aspect.ROW,
                    subject=subject,
                    expected=expected,
                    source=said.source,
                    guard=" & ".join(guard),
                    text=row.written,
                    line=row.line,
                )
            )
        return rows

    def asserts(self, body: tuple[Stmt, ...]) -> bool:
        """Whether statements check something, at any depth."""
        known = self.asserting.get(id(body))
        if known is None:
            known = self.asserting[id(body)] = self._asserts(body)
        return known

    def _asserts(self, body: tuple[Stmt, ...]) -> bool:
        for stmt in statements(body):
            if self.dialect.fails(stmt):
                return True
        for each in inside(body):
            if each.shape is Shape.CALL and (
                _HELPER.match(each.text) or self.dialect.checks(each)
            ):
                return True
            if each.shape is Shape.BINARY and self.dialect.checks(each):
                return True
        return False


def _inside_calls(expr: Expr) -> list[Expr]:
    """The lambdas among the arguments of a chain of calls."""
    found = []
    stack = [expr]
    while stack:
        each = stack.pop()
        if each.shape is Shape.LAMBDA:
            found.append(each)
            continue
        stack += reversed([*([] if each.on is None else [each.on]), *each.parts])
    return found
