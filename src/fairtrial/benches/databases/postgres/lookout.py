"""Which databases the tests made for themselves while they ran."""

from __future__ import annotations

import threading
from typing import Final

from fairtrial.benches.databases.postgres.house import House
from fairtrial.domain.errors import ServiceError

#: Seconds between two looks; a framework's database lives as long as its run.
_PAUSE: Final = 0.25


class Lookout:
    """Looks for databases that a role owns, in a thread of its own.

    Frameworks remove the database that they made at their end, and the record of
    commits of another database tells nothing of it, so it has to be seen meanwhile.
    """

    def __init__(self, house: House, role: str) -> None:
        self._house, self._role = house, role
        self._seen: dict[str, None] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(
            target=self._look, name="postgres-lookout", daemon=True
        )
        self._thread.start()

    def _look(self) -> None:
        while not self._over.wait(_PAUSE):
            try:
                self._seen |= dict.fromkeys(self._house.databases_of(self._role))
            except ServiceError:
                # Whoever needs the server says what became of it.
                return

    def ended(self) -> tuple[str, ...]:
        """All that were seen, in the order they came; it looks no more."""
        self._over.set()
        self._thread.join()
        return tuple(self._seen)
