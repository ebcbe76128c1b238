"""What a test was seen to demand so far, and under which conditions."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.domain.demands import Aspect, Demand, Source
from fairtrial.integrity._naming import Binding, Numbers, Origin, Scope
from fairtrial.integrity._sources import Piece
from fairtrial.integrity._syntax import one_line
from fairtrial.integrity._wording import blanked


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


class Notes:
    """Demands in the order in which they were seen."""

    def __init__(self) -> None:
        self.numbers = Numbers()
        #: Conditions that hold where the reading is, the outermost first.
        self.guards: list[str] = []
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
