"""A running container in which steps are done as root, one after the other."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from fairtrial.benches.image.conditions import PLACES
from fairtrial.clients.docker import DockerEngine
from fairtrial.domain.errors import ServiceError

#: How many bytes of a step's output are kept.
_OUTPUT: Final = 64 * 1024

#: Seconds for a killed container to be gone.
_LAST_BREATH: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """How a step ended; `text` is the last of its output, and why it was ended."""

    code: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """Does steps; the container ends with the first that fails or takes too long."""

    engine: DockerEngine
    container: str
    #: Seconds for one step.
    timeout: float
    env: Mapping[str, str] = field(default_factory=dict)

    def do(self, *argv: str, user: str = "0:0") -> Done:
        """One step, from its start to its end."""
        late = threading.Event()
        watch = threading.Timer(self.timeout, self._end, (late,))
        watch.daemon = True
        watch.start()
        try:
            code, output = self.engine.execute(
                self.container,
                argv,
                env=self.env,
                workdir=str(PLACES.workspace),
                limit=_OUTPUT,
                user=user,
            )
        finally:
            watch.cancel()
        text = output.decode("utf-8", "replace")
        if code == 0:
            return Done(code=code, text=text)
        return Done(code=code, text=text + self._reason(late=late.is_set()))

    def _end(self, late: threading.Event) -> None:
        late.set()
        # When the engine fails here, the step's own request fails, too, and says so.
        with suppress(ServiceError):
            self.engine.kill(self.container)

    def _reason(self, *, late: bool) -> str:
        if late:
            return f"\n(it was ended after {self.timeout:g} seconds)"
        # Whether memory ran out, the engine tells of ended containers only.
        self.engine.kill(self.container)
        self.engine.wait(self.container, _LAST_BREATH)
        if self.engine.state(self.container).out_of_memory:
            return "\n(it ran out of memory, says the engine)"
        return ""
