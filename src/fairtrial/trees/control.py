"""What the change does to control, path by path: the part at base and at head."""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import PathClass
from fairtrial.trees.compose import Sides
from fairtrial.trees.listing import SUBMODULE, Entry, Read, bytes_of
from fairtrial.trees.splitters import Splitter, splitter_of
from fairtrial.trees.splitters.tables import CannotSplit


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlDifference:
    """One path whose control part differs; None where a side has no such file.

    Text that is not UTF-8 is shown with replacement characters: it is for readers.
    """

    path: RepoPath
    was: str | None
    now: str | None


def control_differences(sides: Sides) -> tuple[ControlDifference, ...]:
    """Every changed path that is control or has a control part, sorted."""
    return tuple(
        ControlDifference(
            path=path,
            was=_part(path, sides.base.get(path), sides.read),
            now=_part(path, sides.head.get(path), sides.read),
        )
        for path, kinds in sorted(sides.classes.items())
        if PathClass.CONTROL in kinds
    )


def _part(path: RepoPath, entry: Entry | None, read: Read) -> str | None:
    if entry is None:
        return None
    if entry.mode == SUBMODULE:
        return f"submodule at {entry.blob}"
    text = bytes_of(entry, read).decode("utf-8", "replace")
    splitter = splitter_of(path)
    return text if splitter is None else _control_of(splitter, text)


def _control_of(splitter: Splitter, text: str) -> str:
    """The control part alone; the whole text where it can't be told apart."""
    try:
        return splitter.compose(
            lambda each: text if each is PathClass.CONTROL else ""
        ).strip()
    except CannotSplit:
        return text
