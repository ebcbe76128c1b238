"""What becomes of it when a server refuses, or does not answer."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Final

from fairtrial.domain.errors import BenchFailed, BenchUnavailable, ServiceError

#: Seconds for a server to answer after it was started.
_STARTING: Final = 60.0


@contextlib.contextmanager
def asked_for(what: str) -> Iterator[None]:
    """What the server refuses becomes a failure of the bench."""
    try:
        yield
    except ServiceError as error:
        raise BenchFailed(
            f"{what}: {error.happened}", means=error.means, remedy=error.remedy
        ) from error


def wait_for(
    engine: str,
    ask: Callable[[], None],
    over: Callable[[], bool],
    words: Callable[[], str],
) -> None:
    """Return when a server that was just started answers what it is asked.

    `over` waits a moment and says whether it has ended, `words` says how. Raises
    BenchUnavailable.
    """
    deadline = time.monotonic() + _STARTING
    while True:
        try:
            ask()
        except ServiceError as error:
            if over():
                raise BenchUnavailable(
                    f"{engine} ended at its start: {words()}"
                ) from error
            if time.monotonic() > deadline:
                raise BenchUnavailable(
                    f"{engine} did not answer within {_STARTING:.0f} s: "
                    f"{error.happened}"
                ) from error
        else:
            return
