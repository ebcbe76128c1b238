"""What the statements of a test demand, in order, and what is never reached."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, Demand
from fairtrial.integrity.reading.code.checks import Check
from fairtrial.integrity.reading.code.code import (
    Act,
    Arm,
    Expr,
    Shape,
    Stmt,
    statements,
)
from fairtrial.integrity.reading.code.conditions import fails_to_hold, holds
from fairtrial.integrity.reading.code.scope import Scope
from fairtrial.integrity.reading.code.steps import RESULT, Guard, Steps

K = AssertionKind

_TRUTHS: Final = {"true": True, "false": False}
#: Handlers of these are reached by a failed assertion, too.
_WIDE: Final = frozenset(
    {"Throwable", "Error", "AssertionError", "Exception", "", "AssertionFailedError"}
)


@dataclass(slots=True)
class Reading(Steps):
    """One test while it is read: its steps in order, and what decides about them."""

    def body(self, body: tuple[Stmt, ...], scope: Scope, guard: Guard) -> bool:
        """Read statements; whether what follows them is not reached."""
        for place, stmt in enumerate(body):
            ended, more = self.stmt(stmt, scope, guard)
            if more:
                guard = (*guard, more)
            rest = body[place + 1 :]
            if ended:
                if rest:
                    self.unreached(f"after {_word(stmt)}", rest)
                return True
        return False

    def stmt(  # noqa: C901, PLR0912 - one case per kind of statement
        self, stmt: Stmt, scope: Scope, guard: Guard
    ) -> tuple[bool, str]:
        """Read one statement: whether it ends the test, and a condition from now on."""
        match stmt.act:
            case Act.DECLARE:
                return self.declare(stmt, scope, guard), ""
            case Act.ASSIGN:
                self.assign(stmt, scope, guard)
            case Act.DO:
                return stmt.value is not None and self.do(stmt.value, scope, guard), ""
            case Act.RETURN:
                if stmt.value is not None and self.returns_row:
                    wanted = Expr(shape=Shape.WORD, text=RESULT)
                    check = Check(kind=K.EQUAL, actual=stmt.value, expected=(wanted,))
                    self.add(check, scope, guard, stmt.value)
                elif stmt.value is not None and stmt.value.shape is Shape.CALL:
                    self.do(stmt.value, scope, guard)
                return True, ""
            case Act.THROW:
                if self.dialect.fails(stmt) and stmt.value is not None:
                    self.add(
                        Check(kind=K.CUSTOM, subject="fail"), scope, guard, stmt.value
                    )
                elif stmt.value is not None:
                    self.arrange(stmt.value, scope, guard, "throw ")
                return True, ""
            case Act.JUMP:
                return True, ""
            case Act.IF:
                return self.choice(stmt, scope, guard)
            case Act.LOOP:
                self.loop(stmt, scope, guard)
            case Act.TRY:
                return self.attempt(stmt, scope, guard), ""
            case Act.BLOCK:
                return self.body(stmt.body, scope.inner(), guard), ""
            case Act.SWITCH:
                self.switch(stmt, scope, guard)
            case Act.DEFINE:
                inner = scope.inner()
                for name in stmt.names[1:]:
                    inner.bind(name)
                if self.asserts(stmt.body):
                    self.body(stmt.body, inner, (*guard, f"in {stmt.names[0]}()"))
        return False, ""

    def choice(  # noqa: C901, PLR0912 - each case is another meaning
        self, stmt: Stmt, scope: Scope, guard: Guard
    ) -> tuple[bool, str]:
        """An `if`: a check in disguise, a dead branch, or a condition."""
        if stmt.value is None:
            return False, ""
        if stmt.names:
            scope = scope.inner()
            for name in stmt.names:
                scope.bind(name)
        said = scope.say(stmt.value).full
        truth = _TRUTHS.get(said)
        if truth is not None:
            live, dead = (stmt.body, stmt.other) if truth else (stmt.other, stmt.body)
            if dead:
                self.unreached(f"if {said}", dead)
            return self.body(live, scope.inner(), guard), ""
        if self.failing(stmt.body) and not stmt.other:
            for check in fails_to_hold(stmt.value):
                self.add(check, scope, guard, replace(stmt.value, written=stmt.written))
            return False, ""
        if self.failing(stmt.other):
            for check in holds(stmt.value):
                self.add(check, scope, guard, stmt.value)
            return self.body(stmt.body, scope.inner(), guard), ""
        if self.failing(stmt.body):
            for check in fails_to_hold(stmt.value):
                self.add(check, scope, guard, stmt.value)
            return self.body(stmt.other, scope.inner(), guard), ""
        before = len(self.demands)
        first = self.body(stmt.body, scope.inner(), (*guard, f"if {said}"))
        skipped = any(each.aspect is Aspect.SKIP for each in self.demands[before:])
        second = self.body(stmt.other, scope.inner(), (*guard, f"unless {said}"))
        if first and second and stmt.other:
            return True, ""
        if first and not skipped:
            return False, f"unless {said}"
        return False, f"if {said}" if second else ""

    def failing(self, body: tuple[Stmt, ...]) -> bool:
        """Whether statements do nothing but fail the test (and stop)."""
        rest = [
            each
            for each in body
            if each.act not in {Act.RETURN, Act.JUMP} or each.value
        ]
        return any(self.dialect.fails(each) for each in rest) and all(
            each.act in {Act.DO, Act.THROW, Act.DECLARE, Act.RETURN} for each in rest
        )

    def loop(self, stmt: Stmt, scope: Scope, guard: Guard) -> None:
        """A loop: its body under what it goes over."""
        inner = scope.inner()
        label = "" if stmt.value is None else scope.say(stmt.value).full
        for name in stmt.names:
            if name != "_":
                inner.bind(name)
        rows = None
        if stmt.names and stmt.value is not None:
            names = stmt.names[-1:] if stmt.word == "range" else stmt.names
            rows = self.rows_of(stmt.value, names, inner, guard)
        if label == "false":
            self.unreached("while false", stmt.body or (stmt,))
            return
        why = () if rows else (f"{stmt.word} {label}".strip(),)
        self.body(stmt.body, inner, (*guard, *why))

    def switch(self, stmt: Stmt, scope: Scope, guard: Guard) -> None:
        """The arms of a `switch`, each under its label."""
        said = "" if stmt.value is None else scope.say(stmt.value).full
        live = [arm for arm in stmt.arms if not self.failing(arm.body)]
        if len(live) == 1 < len(stmt.arms) and live[0].label and stmt.value:
            arm, inner = live[0], scope.inner()
            if arm.name:
                inner.bind(arm.name)
            check = Check(kind=K.MATCHES, actual=stmt.value, expected=(live[0].label,))
            self.add(check, scope, guard, stmt.value)
            self.body(arm.body, inner, guard)
            return
        for arm in stmt.arms:
            inner = scope.inner()
            if arm.name:
                inner.bind(arm.name)
            label = "else" if arm.label is None else scope.say(arm.label).full
            self.body(arm.body, inner, (*guard, f"case {label} of {said}"))

    def attempt(self, stmt: Stmt, scope: Scope, guard: Guard) -> bool:
        """A `try`: an error that must come, one that must not, or one swallowed."""
        wide = [arm for arm in stmt.arms if self.swallows(arm)]
        must_fail = bool(stmt.body) and self.dialect.fails(stmt.body[-1])
        inner = scope.inner()
        ended = False
        if must_fail and len(stmt.arms) == 1 and (set(stmt.arms[0].types) - _WIDE):
            arm = stmt.arms[0]
            self.must_raise(stmt.body[:-1], arm, inner, guard, stmt)
        else:
            types = " | ".join(name for arm in wide for name in arm.types)
            if wide:
                self.demands.append(
                    Demand(
                        aspect=Aspect.SWALLOWED,
                        subject=types,
                        guard=" & ".join(guard),
                        text=wide[0].written,
                        line=wide[0].line,
                    )
                )
                guard_of_try: Guard = (*guard, f"swallowing {types}")
            else:
                guard_of_try = guard
            ended = self.body(stmt.body, inner, guard_of_try) and not stmt.arms
            for arm in stmt.arms:
                if self.fails_in(arm):
                    self.demands.append(
                        Demand(
                            aspect=Aspect.ASSERTION,
                            kind=K.NOT_RAISES,
                            expected=" | ".join(arm.types),
                            guard=" & ".join(guard),
                            text=arm.written,
                            line=arm.line,
                        )
                    )
                else:
                    self.handler(arm, scope, guard)
        return self.body(stmt.other, scope.inner(), guard) or ended

    def must_raise(
        self,
        body: tuple[Stmt, ...],
        arm: Arm,
        scope: Scope,
        guard: Guard,
        stmt: Stmt,
    ) -> None:
        """`try { …; fail(); } catch (E e) { … }`: the old way to demand an error."""
        lambda_ = Expr(
            shape=Shape.LAMBDA, body=body, line=stmt.line, written=stmt.written
        )
        types = Expr(shape=Shape.TYPE, text=" | ".join(arm.types))
        self.add(
            Check(kind=K.RAISES, actual=lambda_, expected=(types,)),
            scope,
            guard,
            lambda_,
        )
        self.body(body[:-1], scope, guard)
        self.handler(arm, scope, guard)

    def handler(self, arm: Arm, scope: Scope, guard: Guard) -> None:
        """What a handler checks."""
        inner = scope.inner()
        if arm.name:
            inner.bind(arm.name)
        self.body(arm.body, inner, (*guard, f"catch {' | '.join(arm.types)}"))

    def swallows(self, arm: Arm) -> bool:
        """Whether a handler lets the test go on as if nothing had happened."""
        return not (
            self.fails_in(arm)
            or self.asserts(arm.body)
            or any(
                each.act is Act.THROW
                or (each.act is Act.ASSIGN and _is_name(each.value, arm.name))
                for each in statements(arm.body)
            )
        )

    def fails_in(self, arm: Arm) -> bool:
        """Whether a handler fails the test."""
        return any(self.dialect.fails(each) for each in arm.body)


def _is_name(expr: Expr | None, name: str) -> bool:
    return expr is not None and bool(name) and expr.text == name


def _word(stmt: Stmt) -> str:
    match stmt.act:
        case Act.RETURN | Act.THROW:
            return stmt.act.value
        case Act.JUMP:
            return stmt.word
        case Act.DO if stmt.value is not None:
            return stmt.value.text
        case _:
            return stmt.act.value
