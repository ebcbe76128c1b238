"""What Rust's assertion macros demand, and those of its test crates."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind
from fairtrial.integrity.reading.code.chains import links
from fairtrial.integrity.reading.code.checks import Check, matched
from fairtrial.integrity.reading.code.code import Act, Expr, Shape, Stmt
from fairtrial.integrity.reading.code.conditions import expected_of, holds

K = AssertionKind

_PREFIX: Final = re.compile(r"^(?:debug_|prop_|k9_)")
_CLOSE: Final = re.compile(
    r"^assert_(?:approx|relative|abs_diff|ulps|float|near|close|delta|lt_eps)"
)
_FAILS: Final = frozenset(
    {"panic!", "unreachable!", "todo!", "unimplemented!", "bail!"}
)
_TALK: Final = frozenset(
    {"println!", "eprintln!", "print!", "eprint!", "dbg!", "info!", "debug!", "trace!",
     "warn!", "error!", "Ok"}
)  # fmt: skip
_ORDERS: Final = {
    "assert_gt": ">", "assert_ge": ">=", "assert_lt": "<", "assert_le": "<=",
}  # fmt: skip
_ANSWERS: Final = frozenset(
    {"returning", "return_const", "return_once", "returning_st", "times", "with",
     "never", "withf", "return_var"}
)  # fmt: skip


class RustChecks:
    """How Rust says it."""

    __slots__ = ()

    def checks(self, expr: Expr) -> list[Check] | None:
        """What a macro or call checks; None for one that checks nothing."""
        if expr.shape is not Shape.CALL:
            return None
        name, parts = expr.text, expr.parts
        if name in _TALK and (expr.on is None):
            return []
        if name.endswith("!"):
            return self.macro(expr, _PREFIX.sub("", name[:-1]))
        if name in {"unwrap_err", "expect_err"} and expr.on is not None:
            return [Check(kind=K.RAISES_ANY, actual=expr.on)]
        if name in {"unwrap", "expect"} and expr.on is not None:
            return [Check(kind=K.NOT_RAISES, actual=expr.on)]
        if name == "catch_unwind" or name.endswith("::catch_unwind"):
            return [Check(aspect=Aspect.SWALLOWED, subject="panic")]
        if name == "assert_eq" and parts and expr.on is not None:
            return [Check(kind=K.EQUAL, actual=parts[0], expected=(expr.on,))]
        if name == "assert_debug_eq" and parts and expr.on is not None:
            return [Check(kind=K.EQUAL, actual=parts[0], expected=(expr.on,))]
        chain = links(expr)
        if any(each.text.startswith("expect_") for each in chain) and any(
            each.text in _ANSWERS for each in chain
        ):
            return _expected(chain)
        return None

    def macro(  # noqa: C901 - one case per macro
        self, expr: Expr, name: str
    ) -> list[Check] | None:
        """What a macro checks."""
        parts = expr.parts
        if expr.text in _FAILS:
            return [Check(kind=K.CUSTOM, subject="fail", ends=True)]
        if "snapshot" in name:
            return [
                Check(
                    aspect=Aspect.SNAPSHOT,
                    kind=K.SNAPSHOT,
                    subject=name,
                    actual=parts[-1] if parts else None,
                    expected=(),
                )
            ]
        if name == "assert" and parts:
            return condition(parts[0])
        if name in {"assert_matches", "assert_let"} and len(parts) > 1:
            return [Check(kind=K.MATCHES, actual=parts[0], expected=parts[1:2])]
        if name in {"assert_ok", "assert_err", "assert_some", "assert_none"} and parts:
            kind = {
                "assert_ok": K.NOT_RAISES,
                "assert_err": K.RAISES_ANY,
                "assert_some": K.NOT_NONE,
                "assert_none": K.NONE,
            }[name]
            return [Check(kind=kind, actual=parts[0])]
        if name in _ORDERS and len(parts) > 1:
            return [
                Check(
                    kind=K.ORDERED,
                    actual=parts[0],
                    expected=parts[1:2],
                    wanted=_ORDERS[name],
                )
            ]
        if name in {"assert_that", "expect_that", "verify_that"} and len(parts) > 1:
            return matched(parts[0], parts[1])
        if len(parts) < 2:  # noqa: PLR2004 - two sides
            return None
        if _CLOSE.match(name):
            actual, expected = expected_of(parts[0], parts[1])
            return [
                Check(
                    kind=K.CLOSE,
                    actual=actual,
                    expected=(expected,),
                    tolerance=parts[2] if len(parts) > 2 else None,  # noqa: PLR2004 - the third
                )
            ]
        if name in {
            "assert_eq",
            "assert_str_eq",
            "eq",
            "assert_json_eq",
        } or name.startswith("eq"):
            return _sides(K.EQUAL, parts)
        if name in {"assert_ne", "ne"}:
            return _sides(K.NOT_EQUAL, parts)
        return None

    def fails(self, stmt: Stmt) -> bool:
        """Whether a statement only fails the test."""
        value = stmt.value
        if stmt.act not in {Act.DO, Act.RETURN} or value is None:
            return False
        if value.shape is not Shape.CALL:
            return False
        if value.text == "assert!" and value.parts and value.parts[0].text == "false":
            return True
        return value.text in _FAILS or (value.text == "Err" and stmt.act is Act.RETURN)


def _sides(kind: AssertionKind, parts: tuple[Expr, ...]) -> list[Check]:
    """Both sides; the right one is what is expected, unless only the left is plain."""
    actual, expected = expected_of(parts[0], parts[1])
    plain = {"Some", "Ok", "Err", "{}", "new"}
    left, right = parts[0], parts[1]
    if _is_plain(left, plain) and not _is_plain(right, plain):
        actual, expected = right, left
    if kind is K.EQUAL and expected.text in {"true", "false"}:
        found = condition(actual)
        if expected.text == "true":
            return found
    return [Check(kind=kind, actual=actual, expected=(expected,))]


def _is_plain(expr: Expr, plain: set[str]) -> bool:
    """Whether a value is written out: literals, and constructors of such."""
    if expr.shape is Shape.LITERAL:
        return True
    return (
        expr.shape is Shape.CALL
        and expr.on is None
        and (expr.text in plain or expr.text.startswith("new "))
        and all(_is_plain(each, plain) for each in expr.parts)
    )


def condition(expr: Expr) -> list[Check]:
    """What `assert!` demands of a condition."""
    negative = expr.shape is Shape.NOT
    inner = expr.parts[0] if negative else expr
    if inner.shape is Shape.CALL and inner.text == "matches!" and len(inner.parts) > 1:
        return [
            Check(
                kind=K.MATCHES,
                actual=inner.parts[0],
                expected=inner.parts[1:],
                wanted="not" if negative else "",
            )
        ]
    return holds(expr)


def _expected(chain: list[Expr]) -> list[Check]:
    """mockall: `mock.expect_name().with(…).times(1).returning(…)`."""
    start = next(each for each in chain if each.text.startswith("expect_"))
    rest = chain[chain.index(start) + 1 :]
    asked = next((each.parts for each in rest if each.text == "with"), ())
    actual = replace(start, text=start.text.removeprefix("expect_"), parts=asked)
    found = [
        Check(aspect=Aspect.MOCK, actual=actual, expected=each.parts, wanted=each.text)
        for each in rest
        if each.text.startswith("return")
    ]
    found += [
        Check(kind=K.CALLED, actual=actual, expected=each.parts, wanted=each.text)
        for each in rest
        if each.text in {"times", "never"}
    ]
    return found
