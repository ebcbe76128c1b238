"""What the assertions of the JVM's test libraries demand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fairtrial.domain.demands import Aspect, AssertionKind
from fairtrial.integrity.reading.code.chains import fluent, links
from fairtrial.integrity.reading.code.checks import Check, by_form, is_text, matched
from fairtrial.integrity.reading.code.code import Act, Expr, Shape, Stmt
from fairtrial.integrity.reading.code.conditions import fails_to_hold, holds
from fairtrial.integrity.reading.jvm.stand_ins import called, result, stubbed, verified
from fairtrial.integrity.reading.jvm.words import (
    ASSUMES,
    EXPECTATIONS,
    FAILS,
    FORMS,
    NEGATIVE,
    SNAPSHOTS,
    STAND_INS,
    STARTS,
    TALK,
    TALKERS,
    THROWN,
    VERIFY,
    WITH_LAMBDA,
)

K = AssertionKind


@dataclass(frozen=True, slots=True)
class JvmChecks:
    """How a file's frameworks say it."""

    #: JUnit 3 and 4: the message comes first.
    message_first: bool = False
    #: TestNG: what is looked at comes first.
    actual_first: bool = False
    imports: Mapping[str, str] | None = None

    def checks(self, expr: Expr) -> list[Check] | None:
        """What a call checks; None for one that checks nothing."""
        if expr.shape is not Shape.CALL:
            return None
        chain = links(expr)
        if (found := self.special(expr, chain)) is not None:
            return found
        for place, link in enumerate(chain):
            if link.shape is not Shape.CALL:
                continue
            name = link.text
            if name in STARTS and (place == 0 or _is_owner(chain[place - 1])):
                return self.chain(link, chain[place + 1 :])
            if name in {"that", "assertThat"} and place and link.parts:
                return fluent(link.parts[0], chain[place + 1 :])
        if (direct := self.direct(expr)) is not None:
            return direct
        return self.expectations(chain)

    def special(  # noqa: C901, PLR0912 - one case per library
        self, expr: Expr, chain: list[Expr]
    ) -> list[Check] | None:
        """Skips, failures, stand-ins, waits."""
        name, parts = expr.text, expr.parts
        if expr.on is not None and expr.on.text in TALKERS and name in TALK:
            return []
        if name in FAILS and _plain(expr) and (name != "error" or expr.on is None):
            return [Check(kind=K.CUSTOM, subject="fail", ends=True)]
        if name in ASSUMES:
            return _assumed(name, parts)
        if found := stubbed(chain):
            return found
        if name in STAND_INS:
            return [Check(aspect=Aspect.MOCK, subject=_target(expr))]
        if name in VERIFY and (
            expr.on is None or expr.on.text in {"Mockito", "Approvals", "EasyMock"}
        ):
            if expr.on is not None and expr.on.text == "Approvals":
                return [
                    Check(
                        aspect=Aspect.SNAPSHOT,
                        kind=K.SNAPSHOT,
                        subject=name,
                        actual=parts[0] if parts else None,
                    )
                ]
            return verified(expr)
        if expr.on is not None and any(
            each.shape is Shape.CALL
            and each.text in {"verify", "should"}
            and (each.parts or each.text == "should")
            and (
                place == 0
                or chain[place - 1].text in {"Mockito", "inOrder", "order"}
                or each.text == "should"
                or chain[place - 1].shape is Shape.NAME
            )
            and chain[0].text != "StepVerifier"
            for place, each in enumerate(chain[:-1])
        ):
            return called(chain)
        if name == "assertAll":
            return [
                Check(nested=each)
                for each in (*parts, *(one for part in parts for one in part.parts))
                if each.shape is Shape.LAMBDA
            ]
        if chain[0].text in {"await", "with", "given"} or (
            len(chain) > 1 and chain[1].text == "await"
        ):
            return self.awaited(chain)
        if name in {"assertTimeout", "assertTimeoutPreemptively"} and len(parts) > 1:
            return [
                Check(aspect=Aspect.TIMEOUT, subject=name, expected=parts[:1]),
                Check(nested=parts[1]),
            ]
        if (
            name in {"expect", "expectMessage", "expectCause"}
            and expr.on is not None
            and parts
        ):
            wanted = "" if name == "expect" else name.removeprefix("expect").lower()
            if "thrown" in expr.on.text.lower() or "exception" in expr.on.text.lower():
                return [
                    Check(
                        kind=K.RAISES, subject="the test", expected=parts, wanted=wanted
                    )
                ]
        if name in SNAPSHOTS - {"verify", "verifyAll"} and parts:
            return [Check(aspect=Aspect.SNAPSHOT, kind=K.SNAPSHOT, actual=parts[0])]
        return None

    def awaited(self, chain: list[Expr]) -> list[Check] | None:
        """Awaitility: how long, and for what."""
        found = []
        for link in chain:
            if link.text in {"atMost", "timeout"} and link.parts:
                found.append(
                    Check(aspect=Aspect.TIMEOUT, subject="await", expected=link.parts)
                )
            elif link.text == "untilAsserted" and link.parts:
                found += [Check(nested=each) for each in link.parts[:1]]
            elif link.text.startswith("until") and link.parts:
                if len(link.parts) > 1:
                    found += matched(link.parts[0], link.parts[1])
                elif (
                    link.parts[0].shape is Shape.LAMBDA
                    and len(link.parts[0].body) == 1
                    and link.parts[0].body[0].value is not None
                ):
                    found += holds(link.parts[0].body[0].value)
                else:
                    found.append(Check(kind=K.TRUE, actual=link.parts[0]))
        return found or None

    def chain(self, start: Expr, rest: list[Expr]) -> list[Check]:
        """A chain from `assertThat` on."""
        name, parts = start.text, start.parts
        if name == "assertWithMessage":
            asks = next((each for each in rest if each.text == "that"), None)
            if asks is None or not asks.parts:
                return [Check(kind=K.VACUOUS, actual=start)]
            return fluent(asks.parts[0], rest[rest.index(asks) + 1 :])
        if name in THROWN or name == "assertThatExceptionOfType":
            kind = (
                parts[:1]
                if name not in THROWN
                else (Expr(shape=Shape.TYPE, text=THROWN[name]),)
            )
            by = next((each for each in rest if each.text == "isThrownBy"), None)
            subject = by.parts[0] if by is not None and by.parts else start
            if by is None:
                return [Check(kind=K.VACUOUS, actual=start)]
            more = [each for each in rest if each is not by]
            found = [Check(kind=K.RAISES, actual=subject, expected=kind)]
            return found + (fluent(subject, more) if more else [])
        if name == "assertThatNoException":
            by = next((each for each in rest if each.text == "isThrownBy"), None)
            subject = by.parts[0] if by is not None and by.parts else start
            return [Check(kind=K.NOT_RAISES, actual=subject)]
        if not parts:
            return fluent(start, rest)
        if len(parts) > 1 and not rest:
            *reason, actual, matcher = parts
            if not reason and is_text(actual) and not _is_matcherlike(matcher):
                return holds(matcher)
            return matched(actual, matcher)
        raises = name in {"assertThatThrownBy", "thenThrownBy"}
        return fluent(parts[0], rest, raises=raises)

    def direct(self, expr: Expr) -> list[Check] | None:
        """JUnit's own assertions."""
        name, parts = expr.text, expr.parts
        if name in {"assert", "assertTrue", "assertFalse"} and parts:
            first = parts[0]
            if self.message_first and len(parts) > 1 and name != "assert":
                first = parts[1]
            if (
                first.shape is Shape.LAMBDA
                and len(first.body) == 1
                and first.body[0].value
            ):
                first = first.body[0].value
            return fails_to_hold(first) if name == "assertFalse" else holds(first)
        if name not in FORMS:
            return None
        kind, form = FORMS[name]
        if name in WITH_LAMBDA:
            return self.thrown(expr, kind)
        least = len(form.rstrip("t"))
        if (
            self.message_first
            and len(parts) > least
            and (is_text(parts[0]) or len(parts) > least + form.count("t"))
        ):
            parts = parts[1:]
        if self.actual_first:
            form = {"eat": "aet", "ea": "ae"}.get(form, form)
        typed = tuple(Expr(shape=Shape.TYPE, text=each) for each in expr.types)
        found = by_form(
            replace(expr, parts=parts),
            kind,
            form,
            "not" if name in NEGATIVE else "",
        )
        if typed and kind is K.TYPE:
            found = [replace(each, expected=typed) for each in found]
        return found

    def thrown(self, expr: Expr, kind: AssertionKind) -> list[Check]:
        """`assertThrows(Type.class, () -> …)` and its like."""
        types = tuple(Expr(shape=Shape.TYPE, text=each) for each in expr.types)
        bodies = [
            each
            for each in expr.parts
            if each.shape is Shape.LAMBDA or each.text.startswith("::")
        ]
        named = [
            each
            for each in expr.parts
            if each.shape is Shape.TYPE
            or each.text in {"::class", "::java"}
            or (each.shape is Shape.MEMBER and each.text == "java")
        ]
        if kind is K.RAISES and not types and not named:
            kind = K.RAISES_ANY
        actual = bodies[-1] if bodies else (expr.parts[-1] if expr.parts else None)
        if bodies and named and actual in named:
            actual = bodies[0]
        found = [Check(kind=kind, actual=actual, expected=types or tuple(named[:1]))]
        if kind is K.NOT_RAISES and actual is not None and actual.shape is Shape.LAMBDA:
            found.append(Check(nested=actual))
        return found

    def expectations(self, chain: list[Expr]) -> list[Check] | None:
        """Spring's `andExpect`, Reactor's and REST Assured's links."""
        first = next(
            (n for n, each in enumerate(chain) if each.text in EXPECTATIONS
             and each.shape is Shape.CALL),
            None,
        )  # fmt: skip
        if first is None or first == 0:
            return None
        actual = chain[first - 1]
        found: list[Check] = []
        for place in range(first, len(chain)):
            link = chain[place]
            if link.shape is not Shape.CALL or link.text == "andReturn":
                continue
            if link.text in {"andExpect", "andExpectAll"}:
                for each in link.parts:
                    found += result(actual, each)
            elif link.text in {
                "expectStatus",
                "expectHeader",
                "expectBody",
                "expectBodyList",
            }:
                continue
            elif link.text == "body" and len(link.parts) > 1:
                found += [
                    replace(each, subject=f"body {link.parts[0].text} of ")
                    for each in matched(actual, link.parts[1])
                ]
            else:
                asks = links(link)[-2] if len(links(link)) > 1 else None
                way = ""
                if asks is not None and asks.text.startswith(("expect", "json")):
                    way = asks.text + (asks.parts[0].text if asks.parts else "")
                found.append(
                    Check(
                        kind=K.EQUAL,
                        actual=actual,
                        subject=f"{way} ",
                        expected=link.parts,
                        wanted=link.text,
                    )
                )
        return found or [Check(kind=K.VACUOUS, actual=actual)]

    def fails(self, stmt: Stmt) -> bool:
        """Whether a statement only fails the test."""
        value = stmt.value
        if value is None or value.shape is not Shape.CALL:
            return False
        if stmt.act is Act.THROW:
            return value.text in {
                "new AssertionError",
                "AssertionError",
                "new AssertionFailedError",
            }
        return stmt.act is Act.DO and value.text in FAILS and _plain(value)


def _assumed(name: str, parts: tuple[Expr, ...]) -> list[Check]:
    """An assumption: the test is skipped where it does not hold."""
    if not parts:
        return [Check(aspect=Aspect.SKIP, subject="skip")]
    condition = parts[0]
    bodies = [each for each in parts[1:] if each.shape is Shape.LAMBDA]
    if name == "assumingThat" and bodies:
        return [Check(nested=each, wanted=f"if {condition.written}") for each in bodies]
    never = "true" if name == "assumeFalse" else "false"
    if condition.text == never:
        return [Check(aspect=Aspect.SKIP, subject="skip", ends=True)]
    if name != "assumeFalse":
        condition = Expr(shape=Shape.NOT, parts=(condition,), line=condition.line)
    return [Check(aspect=Aspect.SKIP, subject="skip", expected=(condition,))]


def _plain(expr: Expr) -> bool:
    return expr.on is None or expr.on.text in {
        "Assert", "Assertions", "TestCase", "this", "org", "Fail",
    }  # fmt: skip


def _is_owner(link: Expr) -> bool:
    return link.shape in {Shape.NAME, Shape.MEMBER, Shape.WORD}


def _is_matcherlike(expr: Expr) -> bool:
    return expr.shape is Shape.CALL


def _target(expr: Expr) -> str:
    if expr.types:
        return ", ".join(expr.types)
    return expr.parts[0].written if expr.parts else ""
