"""What this machine allows a trial to be surrounded with, found out by trying."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fairtrial.benches.here.groups import Parent, find_parents
from fairtrial.benches.here.launching import Mount, Plan, launch
from fairtrial.domain.errors import BenchFailed

_EVERYTHING: Final = frozenset({"mount", "ipc", "pid", "network"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What can be built here; `reasons` says why something can't, by level."""

    #: Namespaces, by the launcher's names; with "user", those of a user namespace.
    walls: frozenset[str] = frozenset()
    #: Where an overlay's upper layer can lie: "disk", "memory", or "" for no overlay.
    overlay: str = ""
    #: Everything but the trial's own folders can be made read-only.
    rest_read_only: bool = False
    #: The user that trials run as; None: the gate's own.
    uid: int | None = None
    groups: tuple[Parent, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def mapped(self) -> tuple[tuple[int, int], ...]:
        """The ids that a user namespace has to know."""
        own = (os.geteuid(), os.getegid())
        return (own,) if self.uid is None else (own, (self.uid, self.uid))


def survey(uid: int, scratch: Path, prefix: str) -> Ground:
    """What this machine allows; `uid` is what trials would run as.

    Makes and removes folders in `scratch`, and groups whose names begin with
    `prefix`. Takes a tenth of a second, or half where little is allowed.
    """
    reasons: dict[str, str] = {}
    groups = find_parents(prefix)
    if not any(parent.controller == "memory" for parent in groups):
        reasons["memory"] = (
            "no memory control group can be made here, so the limit is each process's "
            "own and running out of memory can't be told from other failures"
        )
    dropped = _user(uid, reasons)
    user = _attempt(frozenset({"mount", "ipc"}), dropped)
    extra: frozenset[str] = frozenset()
    if user:
        extra = frozenset({"user"})
        if _attempt(frozenset({"mount", "ipc"}) | extra, dropped):
            for level in ("files", "network", "processes"):
                reasons[level] = f"no namespaces may be made here ({user})"
            return Ground(uid=dropped, groups=groups, reasons=reasons)
    whole = Ground(walls=_EVERYTHING | extra, overlay="disk", rest_read_only=True)
    if not _try(whole, dropped, scratch):
        walls, overlay, read_only = whole.walls, "disk", True
    else:
        walls, overlay, read_only = _parts(extra, dropped, scratch, reasons)
    return Ground(
        walls=walls,
        overlay=overlay,
        rest_read_only=read_only,
        uid=dropped,
        groups=groups,
        reasons=reasons,
    )


def _user(uid: int, reasons: dict[str, str]) -> int | None:
    if os.geteuid() != 0:
        reasons["user"] = "only root can run a trial as another user"
        return None
    failed = _attempt(frozenset(), uid)
    if failed:
        reasons["user"] = f"another user's id can't be taken here ({failed})"
        return None
    return uid


def _parts(
    extra: frozenset[str], uid: int | None, scratch: Path, reasons: dict[str, str]
) -> tuple[frozenset[str], str, bool]:
    walls = frozenset({"mount", "ipc"}) | extra
    for wall, level in (("pid", "processes"), ("network", "network")):
        failed = _try(Ground(walls=walls | {wall}), uid, scratch)
        if failed:
            reasons[level] = f"no {wall} namespace may be made here ({failed})"
        else:
            walls |= {wall}
    overlay, failed = "", ""
    for kind in ("disk", "memory"):
        failed = _try(Ground(walls=walls, overlay=kind), uid, scratch)
        if not failed:
            overlay = kind
            break
    else:
        reasons["files"] = f"no overlay may be mounted here ({failed})"
    read_only = not _try(Ground(walls=walls, rest_read_only=True), uid, scratch)
    return walls, overlay, read_only


def _attempt(walls: frozenset[str], uid: int | None) -> str:
    return _try(Ground(walls=walls), uid, None)


def _try(ground: Ground, uid: int | None, scratch: Path | None) -> str:
    """Why a command can't be started behind these walls; empty when it can."""
    mounts: list[Mount] = []
    if "pid" in ground.walls:
        mounts.append(Mount(kind="proc", at="/proc"))
    if ground.overlay and scratch is not None:
        names = ("mounted", "lower", "upper", "work")
        folders = [scratch / f"probe-{name}" for name in names]
        for folder in folders:
            folder.mkdir(exist_ok=True)
        at, lower, upper, work = map(str, folders)
        on_disk = (upper, work, lower)
        sources = on_disk if ground.overlay == "disk" else (lower,)
        mounts.append(
            Mount(
                kind="overlay",
                at=at,
                sources=sources,
                options=ground.overlay,
                writable=True,
            )
        )
    own = (os.geteuid(), os.getegid())
    plan = Plan(
        argv=("/bin/sh", "-c", ":"),
        env={},
        directory="/",
        walls=ground.walls,
        mounts=tuple(mounts),
        rest_read_only=ground.rest_read_only,
        mapped=(own,) if uid is None else (own, (uid, uid)),
        uid=uid,
        own_user=uid is not None,
    )
    try:
        ended = launch(plan, timeout=20, kept=1000)
    except BenchFailed as failed:
        return failed.happened.partition("started: ")[2] or failed.happened
    return "" if ended.exit == 0 else f"a command in it ended with {ended.exit}"
