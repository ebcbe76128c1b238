"""The change to production in pieces that can be taken back one by one.

A hunk is a run of changed lines. It is named by head's lines ("src/cart.py:41-47"), a
pure deletion by the line it follows ("src/cart.py:after-40"). Added, deleted and
binary files are one hunk each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from fairtrial.domain.names import HunkId, RepoPath

#: A zero byte this early makes a file binary, as git has it.
_BINARY_WITHIN: Final = 8000

#: Above this many line pairs the middle of a file is one hunk: an alignment of two
#: huge unlike files costs minutes and shows nothing.
_ALIGNED: Final = 50_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """Lines `base_start` to `base_end` of base became `head_start` to `head_end`.

    Positions count from 0 and the end is not included.
    """

    id: HunkId
    base_start: int
    base_end: int
    head_start: int
    head_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One changed file on both sides; None where a side lacks it."""

    path: RepoPath
    base: bytes | None
    head: bytes | None
    hunks: tuple[Hunk, ...]


def lines_of(data: bytes) -> list[bytes]:
    """The lines with their ends; only a line feed ends a line, as in git."""
    lines = data.split(b"\n")
    ended = [line + b"\n" for line in lines[:-1]]
    return [*ended, lines[-1]] if lines[-1] else ended


def is_binary(data: bytes) -> bool:
    """Whether git would call this binary."""
    return b"\0" in data[:_BINARY_WITHIN]


def split(path: RepoPath, base: bytes | None, head: bytes | None) -> FileChange:
    """The hunks of one changed file; None is a side that has no such file."""
    return FileChange(
        path=path, base=base, head=head, hunks=tuple(_hunks(path, base, head))
    )


def whole(path: RepoPath, base: bytes | None, head: bytes | None) -> FileChange:
    """The change of a file that can only be taken back as a whole."""
    hunk = _whole(path, "whole", len(lines_of(base or b"")), len(lines_of(head or b"")))
    return FileChange(path=path, base=base, head=head, hunks=(hunk,))


def _hunks(path: RepoPath, base: bytes | None, head: bytes | None) -> Iterable[Hunk]:
    if base == head:
        # Only the mode changed; there is no text to take back in part.
        return [_whole(path, "mode", 0, 0)]
    if base is None or head is None or is_binary(base) or is_binary(head):
        lines = len(lines_of(head or b""))
        if head is None:
            name = "deleted"
        elif base is None and not is_binary(head) and lines:
            name = f"1-{lines}"
        else:
            name = "whole"
        return [_whole(path, name, len(lines_of(base or b"")), lines)]
    return _text_hunks(path, lines_of(base), lines_of(head))


def _whole(path: RepoPath, name: str, base: int, head: int) -> Hunk:
    return Hunk(
        id=HunkId(f"{path}:{name}"),
        base_start=0,
        base_end=base,
        head_start=0,
        head_end=head,
    )


def _text_hunks(
    path: RepoPath, base: Sequence[bytes], head: Sequence[bytes]
) -> list[Hunk]:
    # Blank lines alone do not part two hunks: they are in every function.
    runs: list[tuple[int, int, int, int]] = []
    for one in _changed_runs(base, head):
        if runs and not b"".join(head[runs[-1][3] : one[2]]).strip():
            first = runs.pop()
            runs.append((first[0], one[1], first[2], one[3]))
        else:
            runs.append(one)
    return [
        Hunk(
            id=HunkId(f"{path}:{_lines(start, end)}"),
            base_start=base_start,
            base_end=base_end,
            head_start=start,
            head_end=end,
        )
        for base_start, base_end, start, end in runs
    ]


def _lines(start: int, end: int) -> str:
    """What head's lines from `start` up to `end` are called."""
    return f"after-{start}" if start == end else f"{start + 1}-{end}"


def _changed_runs(
    base: Sequence[bytes], head: Sequence[bytes]
) -> Iterable[tuple[int, int, int, int]]:
    ahead = _common(zip(base, head, strict=False))
    behind = _common(zip(reversed(base[ahead:]), reversed(head[ahead:]), strict=False))
    old = base[ahead : len(base) - behind]
    new = head[ahead : len(head) - behind]
    if len(old) * len(new) > _ALIGNED:
        yield ahead, ahead + len(old), ahead, ahead + len(new)
        return
    matcher = SequenceMatcher(a=old, b=new, autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag != "equal":
            yield ahead + old_from, ahead + old_to, ahead + new_from, ahead + new_to


def _common(pairs: Iterable[tuple[bytes, bytes]]) -> int:
    count = 0
    for one, other in pairs:
        if one != other:
            break
        count += 1
    return count


def revert(change: FileChange, reverted: AbstractSet[HunkId]) -> bytes | None:
    """Head's file with some hunks taken back; None where that leaves no file.

    All of them give base, none of them head.
    """
    taken = [hunk for hunk in change.hunks if hunk.id in reverted]
    if not taken:
        return change.head
    if len(taken) == len(change.hunks):
        return change.base
    assert change.base is not None
    assert change.head is not None
    base, head = lines_of(change.base), lines_of(change.head)
    pieces: list[bytes] = []
    position = 0
    for hunk in taken:
        pieces += head[position : hunk.head_start]
        pieces += base[hunk.base_start : hunk.base_end]
        position = hunk.head_end
    return b"".join([*pieces, *head[position:]])
