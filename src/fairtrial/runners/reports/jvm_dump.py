"""In which calls the threads of a JVM wait, from the dumps that it prints when asked.

The dump is HotSpot's own text, in the middle of whatever the tests print; all of it is
hostile. Virtual threads stand in no such dump.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.names import TestId
from fairtrial.domain.traces import Wait

_BEGIN: Final = re.compile(r"^Full thread dump .{0,200}:$")
_THREAD: Final = re.compile(r'^"(?P<name>.{0,300})" (?:#\d+ )?(?P<rest>.{0,400})$')
_ELAPSED: Final = re.compile(r"\belapsed=(\d{1,9}\.\d+)s")
_STATE: Final = re.compile(r"^   java\.lang\.Thread\.State: ([A-Z_]+)")
_FRAME: Final = re.compile(
    r"^\tat (?:[\w.$-]+(?:@[\w.+-]*)?/)?(?P<type>[\w.$]+)\.(?P<method>[\w$<>]+)"
    r"\((?:(?:[\w.]+)@?[\w.+-]*/)?(?P<file>[^():]{1,200})(?::(?P<line>\d{1,9}))?\)$"
)
_WAITING: Final = frozenset({"WAITING", "TIMED_WAITING", "BLOCKED"})
#: Native methods that wait while the JVM calls their thread runnable.
_NATIVE: Final = re.compile(
    r"^(?:java\.net\.(?:Socket|PlainSocket|Inet\w*Address|DualStack)"
    r"|sun\.nio\.ch\.(?:Net|EPoll|KQueue|NioSocket|SocketDispatcher)"
    r"|sun\.nio\.fs\.\w*Watch|java\.lang\.Process)"
)
_PLATFORM: Final = ("java.", "javax.", "jdk.", "sun.", "com.sun.")
#: Bytes of what was printed that are looked at, from its end; threads and frames.
_READ: Final = 4 * 1024 * 1024
_MOST_THREADS: Final = 2000
_DEEPEST: Final = 1024
_TOLD: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class JvmFrame:
    """One line of a stack; no line number in native code and made classes."""

    type: str
    method: str
    file: str
    line: int | None

    @property
    def source(self) -> str:
        """The file below its source root: "shop/Shop.java"."""
        if " " in self.file:  # native code, or a class that was made
            return self.type
        package = self.type.rpartition(".")[0].replace(".", "/")
        return f"{package}/{self.file}" if package else self.file

    @property
    def call(self) -> str:
        """Class and method, as people know them; the package for the platform's."""
        name = (
            self.type if self.type.startswith(_PLATFORM) else self.type.split(".")[-1]
        )
        return f"{name.split('$')[0]}.{self.method}"


@dataclass(frozen=True, slots=True, kw_only=True)
class JvmThread:
    """One thread in one dump; frames innermost first, seconds since it began."""

    name: str
    daemon: bool
    state: str
    elapsed: float | None
    frames: tuple[JvmFrame, ...]

    @property
    def waits(self) -> bool:
        """Whether it waits, by its state or by the native call that it is in."""
        if self.state in _WAITING:
            return True
        return bool(self.frames and _NATIVE.match(self.frames[0].type))


def jvm_dumps(printed: bytes) -> tuple[tuple[JvmThread, ...], ...]:
    """The threads of each dump in what was printed, in the order of printing."""
    text = printed[-_READ:].decode("utf-8", "replace")
    dumps: list[list[JvmThread]] = []
    heads: list[re.Match[str]] = []
    state, frames = "", list[JvmFrame]()

    def close() -> None:
        if heads and len(dumps[-1]) < _MOST_THREADS:
            dumps[-1].append(_thread(heads.pop(), state, tuple(frames)))
        heads.clear()

    for line in text.split("\n"):
        if _BEGIN.match(line):
            close()
            dumps.append([])
        elif not dumps:
            continue
        elif (head := _THREAD.match(line)) is not None:
            close()
            heads.append(head)
            state, frames = "", []
        elif (said := _STATE.match(line)) is not None:
            state = said.group(1)
        elif len(frames) < _DEEPEST and (at := _FRAME.match(line)) is not None:
            frames.append(_frame(at))
    close()
    return tuple(map(tuple, dumps))


def _thread(head: re.Match[str], state: str, frames: tuple[JvmFrame, ...]) -> JvmThread:
    rest = head["rest"]
    elapsed = _ELAPSED.search(rest)
    return JvmThread(
        name=head["name"],
        daemon=rest.startswith("daemon "),
        state=state,
        elapsed=None if elapsed is None else float(elapsed.group(1)),
        frames=frames,
    )


def _frame(at: re.Match[str]) -> JvmFrame:
    line = at["line"]
    return JvmFrame(
        type=at["type"],
        method=at["method"],
        file=at["file"],
        line=None if line is None else int(line),
    )


def jvm_waits(
    printed: bytes, test: TestId, sources: Mapping[str, str]
) -> tuple[Wait, ...]:
    """Where threads with code of the project in them wait, the longest first.

    `sources` has the repository's path of each source by its path below the source
    root: "shop/Shop.java". A wait's seconds lie between the first and the last dump
    that show it, and are none where one dump alone does.
    """
    seen: dict[tuple[str, str, str], list[JvmThread]] = {}
    for threads in jvm_dumps(printed):
        for thread in threads:
            spot = _spot(thread, sources) if thread.waits else None
            if spot is not None:
                seen.setdefault((thread.name, *spot), []).append(thread)
    found = [
        Wait(
            test=test,
            call=call if name == "main" else f"{call} (thread {name})",
            seconds=_between(threads),
            where=where,
            stack=tuple(_lines(threads[-1])),
        )
        for (name, call, where), threads in seen.items()
    ]
    return tuple(sorted(found, key=lambda one: -one.seconds))


def _spot(thread: JvmThread, sources: Mapping[str, str]) -> tuple[str, str] | None:
    """The library's call below the project's innermost frame, and that one's line."""
    below: JvmFrame | None = None
    for frame in thread.frames:
        path = sources.get(frame.source)
        if path is not None:
            call = frame.call if below is None else below.call
            return call, path if frame.line is None else f"{path}:{frame.line}"
        if frame.line is not None or below is None:
            below = frame
    return None


def _between(threads: list[JvmThread]) -> float:
    first, last = threads[0].elapsed, threads[-1].elapsed
    return 0.0 if first is None or last is None else max(0.0, last - first)


def _lines(thread: JvmThread) -> Iterator[str]:
    for frame in reversed(thread.frames[:_TOLD]):
        line = "" if frame.line is None else f":{frame.line}"
        yield f"{frame.source}{line} {frame.method}"[:500]
