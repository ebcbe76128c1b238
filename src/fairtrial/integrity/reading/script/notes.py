"""What a test was seen to demand so far, and under which conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fairtrial.domain.demands import Aspect, Demand, Source
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.reading.script.naming import Binding, Numbers, Origin, Scope
from fairtrial.integrity.reading.script.sources import Piece
from fairtrial.integrity.reading.script.wording import blanked
from fairtrial.integrity.syntax import digest, one_line


def demand(
    aspect: Aspect,
    piece: Piece,
    *,
    subject: str = "",
    inputs: str = "",
    expected: str = "",
    guard: str = "",
) -> Demand:
    """A demand that is no assertion."""
    return Demand(
        aspect=aspect,
        subject=subject,
        inputs=inputs,
        expected=expected,
        source=Source.UNKNOWN,
        guard=guard,
        text=one_line(piece.text[:2000]),
        line=piece.line,
    )


#: Demands of one file that are kept; a table of rows counts for each of its tests.
MOST: Final = 200_000
#: Longest condition that is said in full.
_LONGEST: Final = 300


class Budget:
    """How much of one file is still read."""

    def __init__(self) -> None:
        self._left = MOST

    def spend(self, demands: int) -> None:
        """Counts demands; raises CannotRead where a file has too many."""
        self._left -= demands
        if self._left < 0:
            raise CannotRead(f"its tests demand more than {MOST} things")


class _Guards(list[str]):
    """Conditions; a long one is said by its beginning and a short name of the rest."""

    def append(self, condition: str) -> None:
        """One more condition."""
        if len(condition) > _LONGEST:
            condition = f"{condition[:_LONGEST]}… {digest([condition])}"
        super().append(condition)


class Notes:
    """Demands in the order in which they were seen."""

    def __init__(self) -> None:
        self.numbers = Numbers()
        #: Conditions that hold where the reading is, the outermost first.
        self.guards: list[str] = _Guards()
        #: Demands, and the names whose use anywhere tells the same.
        self._found: list[tuple[Demand, Sequence[Binding]]] = []

    @property
    def demands(self) -> tuple[Demand, ...]:
        """All demands so far; a value that others mention is none of its own."""
        return tuple(
            each
            for each, bindings in self._found
            if not any(it.used for it in bindings)
        )

    @property
    def guard(self) -> str:
        """The conditions that hold here, as one text."""
        return " and ".join(self.guards)

    def add(self, *demands: Demand) -> None:
        """Notes demands."""
        self._found += [(each, ()) for each in demands]

    def note(self, aspect: Aspect, piece: Piece, subject: str) -> None:
        """Notes something that is no assertion, under the conditions that hold here."""
        self.add(demand(aspect, piece, subject=subject, guard=self.guard))

    def arrange(
        self, piece: Piece, said: Sequence[str], unless: Sequence[Binding] = ()
    ) -> None:
        """Notes what is done, but where one of some names tells of it."""
        subject, inputs = blanked(said)
        done = demand(
            Aspect.ARRANGEMENT,
            piece,
            subject=subject,
            inputs=inputs,
            guard=self.guard,
        )
        self._found.append((done, unless))

    def unknown(self, names: Sequence[str], scope: Scope) -> None:
        """Binds names whose values are not known."""
        for name in names:
            scope.names[name] = Binding(origin=Origin.LOCAL, numbers=self.numbers)
