"""What tests leave behind, wait for and reach out to, beside their results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from fairtrial.domain.names import TestId
from fairtrial.domain.results import Outcome, Signature


class Resource(StrEnum):
    """What can be left dirty."""

    PROCESS = "process"
    DATABASE = "database"
    FILES = "files"
    BROKER = "broker"
    ENVIRONMENT = "environment variable"
    DIRECTORY = "working directory"
    MODULE = "module"
    LOCALE = "locale"
    TIME_ZONE = "time zone"
    RANDOM = "random state"
    WARNINGS = "warnings filters"
    PATH = "module path"
    PORT = "port"
    CHILD = "process left behind"
    THREAD = "thread left behind"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One thing that a test left behind, as far as it was seen."""

    resource: Resource
    #: What exactly: "public.orders", "tests/out.txt", "DEBUG", "shop.cache.ITEMS".
    name: str
    #: None: it came before the first test, or it can't be told whose it is.
    by: TestId | None = None
    was: str = ""
    now: str = ""


#: As what is to be undone: each part that changed, one by one, in forks.
EACH: Final = Trace(resource=Resource.PROCESS, name="*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What came of a test in a fork where only some parts of the process differed.

    Not `fresh`: after the tests before it, with these parts put back. `fresh`: before
    any test ran, with these parts, and no others, as those tests leave them.
    """

    test: TestId
    #: None of them: the control.
    parts: tuple[Trace, ...]
    outcome: Outcome
    fresh: bool = False
    #: How it failed, where it did.
    signature: Signature | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A call that a test spent its time in, caught by samples of its stack."""

    test: TestId
    #: The library's call: "KafkaProducer.send".
    call: str
    seconds: float
    #: The line of the project that called it: "shop/bus.py:31".
    where: str = ""
    #: Innermost last, "file:line function".
    stack: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a test tried to reach outside its own loopback."""

    host: str
    port: int | None = None
    #: None: while files were loaded, or outside any test.
    test: TestId | None = None
    where: str = ""
    stack: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What a forked search inside one process found for one victim."""

    victim: TestId
    #: Sets of earlier tests each of which made it fail there, smallest known.
    sets: tuple[tuple[TestId, ...], ...] = ()
    #: It failed before any test ran: loading files is enough.
    load_time: bool = False
    #: Tests after which it passed again behind the first set.
    cleaners: tuple[TestId, ...] = ()
    #: Why forks can't be trusted here (threads, sockets, a library); empty: they can.
    hostile: str = ""
    #: How often the victim was asked, and seconds of the whole search.
    asked: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One span of a trace; `started` in seconds since the epoch."""

    name: str
    seconds: float
    started: float
    #: Its status says that it failed.
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Telemetry:
    """What exporters sent into a trial's own sink."""

    spans: tuple[Span, ...] = ()
    #: Requests by signal: "traces", "metrics", "logs".
    requests: Mapping[str, int] = field(default_factory=dict)
    #: Requests that could not be read, and that were not kept for want of room.
    unread: int = 0
    dropped: int = 0
