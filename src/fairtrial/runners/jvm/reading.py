"""What listeners in a suite's JVMs reported, with the stacks of one that hung."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from fairtrial.domain.names import TestId
from fairtrial.domain.traces import Wait
from fairtrial.domain.trials import TrialOutput
from fairtrial.runners import TriedTree
from fairtrial.runners.reports.events import Detail
from fairtrial.runners.reports.fields import Frame
from fairtrial.runners.reports.jvm_dump import JvmThread, jvm_dumps, jvm_waits
from fairtrial.runners.reports.lines import frame_of, read_lines
from fairtrial.runners.reports.plain import Account

#: Roots of sources as build tools have them; what follows is package and file.
_ROOT: Final = re.compile(r"(?:^|/)src/[^/]+/(?:java|kotlin|groovy|scala)/(.+)$")
_SOURCE: Final = re.compile(r"\.(?:java|kt|groovy|scala)$")
_FAULT: Final = re.compile(
    r"#\s+(SIG\w+|EXCEPTION_\w+|Internal Error) \(([^)]{0,200})\)"
)


def account(output: TrialOutput, tree: TriedTree, token: str) -> Account | None:
    """What all JVMs of a trial told; None where none of them did."""
    found = read_lines(output, tree, token)
    if found is None or found.running is None:
        return found
    return replace(found, last_words=_last_words(output, tree))


def waits(
    output: TrialOutput, tree: TriedTree, running: TestId | None
) -> tuple[Wait, ...]:
    """In which calls the threads of a test waited that took too long."""
    if running is None:
        return ()
    return jvm_waits(printed(output), running, _sources(tree))


def printed(output: TrialOutput) -> bytes:
    """What JVMs printed, also where a build tool kept it for itself."""
    more = [
        data
        for name, data in sorted(output.files.items())
        if name.endswith((".dumpstream", "-output.txt"))
    ]
    return b"\n".join((*more, output.stdout))


def _sources(tree: TriedTree) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for path in tree:
        if not _SOURCE.search(path):
            continue
        below = _ROOT.search(path)
        found.setdefault(below[1] if below else path.rpartition("/")[2], path)
    return found


def _last_words(output: TrialOutput, tree: TriedTree) -> Detail:
    """The innermost stack of the project's own, or the machine's word for its fault."""
    dumps = jvm_dumps(printed(output))
    sources = _sources(tree)
    for thread in sorted(dumps[-1] if dumps else (), key=lambda it: it.name != "main"):
        frames = tuple(_frames(thread, sources, tree))
        if any(frame.ours for frame in frames):
            return Detail(
                type="Timeout", message="it took longer than it may", frames=frames
            )
    fault = _FAULT.search(printed(output).decode("utf-8", "replace"))
    if fault is not None:
        return Detail(
            type=fault[1], message=f"the JVM ended: {fault[0]}", untraced="untraced"
        )
    return Detail()


def _frames(
    thread: JvmThread, sources: Mapping[str, str], tree: TriedTree
) -> Iterator[Frame]:
    for frame in reversed(thread.frames):
        path = sources.get(frame.source, frame.type)
        owner = frame.type.rpartition(".")[2].replace("$", ".")
        yield frame_of(path, f"{owner}.{frame.method}", frame.line or 0, tree)
