"""What is known while the statements of one Python function are read in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Self

from fairtrial.domain.demands import Aspect, AssertionKind, Demand, Source
from fairtrial.integrity.reading.python.claims import Claim
from fairtrial.integrity.reading.python.mocks import StandIn
from fairtrial.integrity.reading.python.names import Scope, Slot
from fairtrial.integrity.reading.python.text import blanked
from fairtrial.integrity.reading.python.tree import Node, statements
from fairtrial.integrity.syntax import one_line


class Exit(StrEnum):
    """How a run of statements ends."""

    FALLS = "falls through"
    RETURNS = "after a return"
    FAILS = "after a failure"
    SKIPS = "after a skip"


class Reader:
    """The demands of one function, as far as it has been read."""

    def __init__(
        self, scope: Scope, walk: Callable[[Reader, list[Node]], Exit]
    ) -> None:
        self.scope = scope
        self.walk = walk
        self.entries: list[Demand | Slot] = []
        self.guards: list[str] = []
        #: Why nothing here runs; "" while it does.
        self.dead = ""
        #: What a handler around swallows; "" without one.
        self.swallowed = ""
        #: A failure here is the other side of an `if`, which says what is asserted.
        self.conditional = False
        #: Directly inside an inner class: its methods are called by others.
        self.in_class = False
        self.loops = 0

    @property
    def demands(self) -> list[Demand]:
        """What was found, in order, without the calls that later lines speak for."""
        return [
            each.demand if isinstance(each, Slot) else each
            for each in self.entries
            if not isinstance(each, Slot) or each.keep
        ]

    @property
    def guard(self) -> str:
        """The conditions under which the next statement runs."""
        return " and ".join(self.guards)

    def run(self, block: Node | None) -> Exit:
        """Read a block."""
        return self.walk(self, statements(block))

    @contextmanager
    def under(self, *guards: str) -> Iterator[list[str]]:
        """Read under conditions; gives those that were added inside, at its end."""
        kept, added = len(self.guards), list[str]()
        self.guards += [each for each in guards if each]
        inside = len(self.guards)
        yield added
        added += self.guards[inside:]
        del self.guards[kept:]

    @contextmanager
    def as_dead(self, reason: str) -> Iterator[Self]:
        """Read what never runs; nothing changes for "" ."""
        saved = self.dead
        self.dead = saved or reason
        yield self
        self.dead = saved

    @contextmanager
    def plainly(self) -> Iterator[None]:
        """Read what is no longer directly below an `if`."""
        saved, self.conditional = self.conditional, False
        yield
        self.conditional = saved

    def claim(self, claims: Iterable[Claim], node: Node) -> None:
        """Note what is asserted."""
        for each in claims:
            subject, inputs = blanked(each.subject)
            aspect, guard = Aspect.ASSERTION, self.guard
            if self.dead:
                aspect, guard = Aspect.UNREACHABLE, self.dead
            elif self.swallowed:
                aspect = Aspect.SWALLOWED
            self.entries.append(
                Demand(
                    aspect=aspect,
                    kind=each.kind,
                    subject=subject,
                    inputs=inputs,
                    expected=each.expected,
                    source=each.source,
                    tolerance=each.tolerance,
                    guard=guard,
                    text=one_line(node.text),
                    line=node.line,
                )
            )

    def add(self, aspect: Aspect, node: Node, **said: str) -> None:
        """Note something else, where it runs."""
        if self.dead:
            return
        self.entries.append(self._demand(aspect, node, said))

    def arrange(self, text: str, node: Node, *, word: str = "") -> None:
        """Note something that is done."""
        subject, inputs = blanked(text)
        self.add(Aspect.ARRANGEMENT, node, subject=f"{word}{subject}", inputs=inputs)
        self.scope.effects += 1

    def put(self, target: str, text: str, node: Node) -> None:
        """Note that something outside a name is given a value."""
        subject, inputs = blanked(target)
        given = "; ".join(each for each in (inputs, text) if each)
        self.add(Aspect.ARRANGEMENT, node, subject=f"{subject} =", inputs=given)
        self.scope.effects += 1

    def replace(self, found: StandIn, node: Node) -> None:
        """Note a stand-in."""
        self.add(Aspect.MOCK, node, subject=found.target, expected=found.value)
        self.scope.effects += 1

    def skip(self, subject: str, node: Node, condition: str = "") -> None:
        """Note a skip where it stands; its guards are its condition."""
        under = [each for each in (self.guard, condition) if each]
        if self.dead:
            return
        demand = self._demand(
            Aspect.SKIP,
            node,
            {"subject": subject, "expected": " and ".join(under) or "always"},
        )
        self.entries.append(_without_guard(demand))

    def slot(
        self, name: str, text: str, node: Node, *, unless_used: bool = False
    ) -> None:
        """Note a call whose result is named: it counts unless a later line shows it.

        A line that shows it after something else was done does not take its place,
        unless `unless_used` says so.
        """
        if self.dead:
            return
        subject, inputs = blanked(text)
        found = Slot(
            demand=self._demand(
                Aspect.ARRANGEMENT, node, {"subject": subject, "inputs": inputs}
            ),
            effects=None if unless_used else self.scope.effects,
        )
        self.entries.append(found)
        self.scope.pending[name] = found

    def fail(self, node: Node) -> Exit:
        """Note a failure, unless the `if` above it says what it means."""
        if not self.conditional:
            self.claim([Claim(kind=AssertionKind.CUSTOM, subject="fail")], node)
        return Exit.FAILS

    def cut_short(self, node: Node) -> None:
        """Note a loop that is left in its first round: its other rows never run."""
        self.add(Aspect.UNREACHABLE, node, subject="later rounds")

    def _demand(self, aspect: Aspect, node: Node, said: dict[str, str]) -> Demand:
        return Demand(
            aspect=aspect,
            subject=said.get("subject", ""),
            inputs=said.get("inputs", ""),
            expected=said.get("expected", ""),
            source=Source.LITERAL,
            guard=self.guard,
            text=one_line(node.text),
            line=node.line,
        )


def _without_guard(demand: Demand) -> Demand:
    return Demand(
        aspect=demand.aspect,
        subject=demand.subject,
        expected=demand.expected,
        source=demand.source,
        text=demand.text,
        line=demand.line,
    )
