"""Where a Go test failed, and of which kind its failure is, by what it printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from fairtrial.domain.names import RepoPath
from fairtrial.runners import TriedTree
from fairtrial.runners.building.compilers import first_error
from fairtrial.runners.golang.sources import function_at
from fairtrial.runners.reports.events import Detail
from fairtrial.runners.reports.fields import FRAME_LIMIT, Frame
from fairtrial.runners.reports.lines import frame_of

_TEXT: Final = 20_000
#: `    a_test.go:12: what t.Errorf or t.Log said`.
_SAID: Final = re.compile(r"^ +(?P<file>[^\s:]+\.go):(?P<line>\d{1,7}): ", re.MULTILINE)
_NOISE: Final = re.compile(
    r"^(?:=== (?:RUN|PAUSE|CONT|NAME)  .*|\s*--- (?:FAIL|PASS|SKIP): .*)\n?",
    re.MULTILINE,
)
_TRACED: Final = re.compile(r"Error Trace:\s+(?P<places>(?:\S+:\d+\s+)+)")
_PLACE: Final = re.compile(r"(\S+):(\d{1,7})")
_EXPECTED: Final = re.compile(r"expected\s*: (?P<value>.*)")
_ACTUAL: Final = re.compile(r"actual\s*: (?P<value>.*)")
_EXAMPLE: Final = re.compile(
    r"^got:\n(?P<got>.*?)\nwant:\n(?P<want>.*)", re.DOTALL | re.MULTILINE
)
#: How a process of Go says that it ends before its time.
DEATH: Final = re.compile(
    r"^(?P<kind>panic|fatal error|SIG[A-Z]+|runtime|unexpected fault address)"
    r"(?:: (?P<said>[^\n]*))?$",
    re.MULTILINE,
)
_RACE: Final = re.compile(r"WARNING: DATA RACE|race detected during execution of test")
_GOROUTINE: Final = re.compile(
    r"^goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[[^\]\n]*\]:\n"
    r"(?P<block>(?:[^\n]+\n)*)",
    re.MULTILINE,
)
_CALL: Final = re.compile(
    r"^ *(?P<name>[^\s()]\S*?)\((?P<args>[^\n]*)\)(?: in goroutine \d+)?\n"
    r"\s+(?P<path>[^\n:]+):(?P<line>\d{1,7})(?: \+0x[0-9a-f]+)?$",
    re.MULTILINE,
)
_MACHINERY: Final = re.compile(r"(?:runtime|testing|panic|reflect|sync|internal/\S+)\b")
_CLOSURE: Final = re.compile(r"(?:\.func\d+|\.gowrap\d+|\.\d+|-range\d+|\[\.\.\.\])+$")


def failure_detail(output: str, folder: str, tree: TriedTree, workspace: str) -> Detail:
    """What a test that failed said of it; `folder` is its package's."""
    said = _NOISE.sub("", output)
    if _RACE.search(output) is not None:
        frames = _of_calls(output, tree, workspace) or _of_lines(said, folder, tree)
        return Detail(
            type="DATA RACE",
            message="WARNING: DATA RACE: race detected during execution of test",
            frames=frames,
            text=said[:_TEXT],
        )
    example = _EXAMPLE.search(said)
    if example is not None and not said[: example.start()].strip():
        return Detail(
            type="example",
            message="it prints something else than its comment says",
            expected=example["want"].strip(),
            actual=example["got"].strip(),
            text=said[:_TEXT],
        )
    traced = _TRACED.search(said)
    expected, actual = _EXPECTED.search(said), _ACTUAL.search(said)
    frames = _of_lines(said, folder, tree)
    if traced is not None:
        frames = _of_trace(traced["places"], tree, workspace) or frames
    return Detail(
        type="testify" if traced is not None else "Error",
        message=_dedented(said) or "it failed without a word",
        frames=frames,
        expected=expected["value"].strip() if expected and actual else None,
        actual=actual["value"].strip() if expected and actual else None,
        text=said[:_TEXT],
    )


def says_where(output: str) -> bool:
    """Whether a test told of something itself, as `t.Errorf` and `t.Log` do."""
    return _SAID.search(_NOISE.sub("", output)) is not None


def skip_reason(output: str) -> str:
    """Why a test chose not to run, in its own words."""
    said = _NOISE.sub("", output)
    found = _SAID.search(said)
    return (said if found is None else said[found.end() :]).strip()[:500]


def death_detail(
    output: str, function: str, tree: TriedTree, workspace: str, *, late: bool
) -> Detail:
    """How a process ended inside a test; `function` is the test's own name."""
    found = DEATH.search(output)
    if found is None:
        last = output.strip().splitlines()[-1:] or ["it printed nothing"]
        return Detail(
            type="Timeout" if late else "Exit",
            message=f"its process ended; it printed last: {last[0][:300]}",
            text=output[-_TEXT:],
            untraced="untraced",
        )
    said = output[found.start() :]
    frames = _goroutine(said, function, tree, workspace)
    return Detail(
        type="Timeout" if late else found["kind"],
        message="it took longer than it may"
        if late
        else f"{found['kind']}: {found['said'] or ''}".rstrip(": "),
        frames=frames,
        text=said[:_TEXT],
        untraced=None if frames else "untraced",
    )


def _goroutine(
    said: str, function: str, tree: TriedTree, workspace: str
) -> tuple[Frame, ...]:
    """The calls of the goroutine that ran a test, else of the first that is told."""
    blocks = [found["block"] for found in _GOROUTINE.finditer(said[:2_000_000])]
    own = re.compile(rf"[./]{re.escape(function)}(?:\.func|\()") if function else None
    mine = (block for block in blocks if own is not None and own.search(block))
    chosen = blocks[0] if blocks and DEATH.match(said) and _panics(said) else ""
    block = chosen or next(mine, "") or (blocks[0] if blocks else "")
    return _of_calls(block, tree, workspace)


def _panics(said: str) -> bool:
    """Whether the first goroutine told is the one at fault."""
    return said.startswith(("panic", "fatal error: concurrent"))


def _of_calls(said: str, tree: TriedTree, workspace: str) -> tuple[Frame, ...]:
    frames: list[Frame] = []
    for found in _CALL.finditer(said):
        if found["name"] == "panic":
            # What lies inside it is the machinery of panicking.
            frames.clear()
            continue
        qualified = qualified_name(found["name"])
        if _MACHINERY.match(found["name"]) is not None:
            continue
        if found["name"].startswith("by "):
            continue
        path = found["path"].strip().removeprefix(f"{workspace}/")
        frames.append(frame_of(path, qualified, int(found["line"]), tree))
        if len(frames) == FRAME_LIMIT:
            break
    return tuple(reversed(frames))


def qualified_name(name: str) -> str:
    """A function's name inside its package; closures count as their function."""
    inside = name.rpartition("/")[2].partition(".")[2] or name
    return _CLOSURE.sub("", inside)


def _of_trace(places: str, tree: TriedTree, workspace: str) -> tuple[Frame, ...]:
    found = [
        _placed(path.removeprefix(f"{workspace}/"), int(line), tree)
        for path, line in _PLACE.findall(places)[:FRAME_LIMIT]
    ]
    return tuple(reversed(found))


def _of_lines(said: str, folder: str, tree: TriedTree) -> tuple[Frame, ...]:
    """Where the last thing was said: the line that ends a test says why it does."""
    last = None
    for found in _SAID.finditer(said):
        last = found
    if last is None:
        return ()
    path = f"{folder}/{last['file']}" if folder else last["file"]
    return (_placed(path, int(last["line"]), tree),)


def _placed(path: str, line: int, tree: TriedTree) -> Frame:
    name = function_at(tree.text(RepoPath(path)), line)
    return frame_of(path, name, line, tree)


def _dedented(said: str) -> str:
    return "\n".join(line.strip() for line in said.strip().splitlines())[:4_000]


def compile_detail(said: str, folder: str, tree: TriedTree, workspace: str) -> Detail:
    """What a compiler, or `go` itself, said of a package that does not build."""
    found = first_error(said, workspace)
    if found is None:
        lines = [line for line in said.splitlines() if line.strip()]
        told = [line for line in lines if not line.startswith("#")] or lines
        message = told[0].strip() if told else "it can't be built"
        return Detail(type="CompileError", message=message, text=said[-_TEXT:])
    path = next(
        (each for each in _above(folder, found.path) if RepoPath(each) in tree),
        found.path,
    )
    return Detail(
        type="CompileError",
        message=f"{path}:{found.line}: {found.message}",
        text=said[-_TEXT:],
    )


def _above(folder: str, path: str) -> Iterator[str]:
    """A path, read from each folder in which `go` may have been started."""
    parts = folder.split("/") if folder else []
    read = ["/".join((*parts[:depth], path)) for depth in range(len(parts) + 1)]
    yield from (each for each in read if each.rpartition("/")[0] == folder)
    yield from read
