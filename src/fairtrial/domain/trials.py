"""What a bench is asked to run, and what it hands back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePosixPath

from fairtrial.domain.names import RepoPath, TrialId
from fairtrial.domain.trees import Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContent:
    """One file of a tree; `mode` is git's: 0o100644, 0o100755 or 0o120000 (a link)."""

    mode: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """What turns a frozen tree into the tree of one trial."""

    writes: Mapping[RepoPath, FileContent] = field(default_factory=dict)
    deletes: frozenset[RepoPath] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where things are inside the bench; absolute, the same in every trial of a run."""

    #: The tree under trial.
    workspace: PurePosixPath
    #: What the gate hands in, read-only: plan and plug-ins.
    inputs: PurePosixPath
    #: What the gate takes out; empty when the trial starts.
    outputs: PurePosixPath
    #: A socket for results that the tests can't change any more; None: there is none.
    channel: PurePosixPath | None = None

    @property
    def kept(self) -> PurePosixPath:
        """What `prepare` and `build` leave for trials beside the tree.

        Caches of packages and of compilers; a trial may write there for itself.
        """
        return self.workspace.parent / "env" / "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """How a suite's bench is made; steps are trusted lines for `sh -c`."""

    #: With network; once per key. No project code runs here.
    prepare: tuple[str, ...] = ()
    #: Without network; once per tree.
    build: tuple[str, ...] = ()
    #: What `prepare` depends on: the files of class dependencies, by path.
    prepare_files: Mapping[RepoPath, FileContent] = field(default_factory=dict)
    #: The interpreter of the private environment: "3.13"; none: the bench's own.
    python: str | None = None
    #: Without network, after `build`; what fails here is told by trials, which try it
    #: again: tests that do not compile are no broken tree.
    build_tests: tuple[str, ...] = ()
    #: What `prepare` and `build` see on top of the bench's own environment.
    env: Mapping[str, str] = field(default_factory=dict)
    #: What `build` sees besides: how tools are told that there is no network.
    offline: Mapping[str, str] = field(default_factory=dict)
    #: Where `prepare` and `build` came from, for the report.
    origin: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """A port on a trial's own loopback, and the one place outside that it leads to."""

    port: int
    #: The server's Unix socket as the bench reaches it, or its host.
    to: str
    #: The host's port; 0: `to` is a socket.
    to_port: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftFile:
    """A file, folder or link that a trial made, changed or removed.

    `changed` is the kernel's own time of its last change, in seconds since the epoch;
    `path` is absolute inside the bench.
    """

    path: str
    changed: float
    size: int = 0
    #: "file", "folder", "link", "removed", "port" (path: "tcp:8080") or "process".
    kind: str = "file"
    #: The content of a small regular file.
    data: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialSpec:
    """One trial as a bench sees it: a frozen tree, a delta, a command."""

    trial: TrialId
    frozen: Revision
    delta: Delta
    argv: tuple[str, ...]
    #: On top of the bench's own allow-listed environment.
    env: Mapping[str, str] = field(default_factory=dict)
    #: Files placed under `Places.inputs`, by relative name.
    inputs: Mapping[str, bytes] = field(default_factory=dict)
    #: More of them, which may be executed.
    programs: Mapping[str, bytes] = field(default_factory=dict)
    #: Seconds until the whole trial is killed.
    timeout: float
    #: Nothing may run beside it on this bench.
    quiet: bool = False
    #: What of the outside the trial may reach, each through a port of its loopback.
    doors: tuple[Door, ...] = ()
    #: Whether to tell which files, ports and processes it leaves behind.
    look_after: bool = False


class Ending(StrEnum):
    """How a trial's process ended."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    TIMED_OUT = "timed-out"
    OUT_OF_MEMORY = "out-of-memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialOutput:
    """What came out of one trial; all of it is hostile input."""

    ending: Ending
    #: Exit code, or the signal's number for `signalled`.
    code: int
    #: Regular files found under `Places.outputs`, by relative name, capped.
    files: Mapping[str, bytes] = field(default_factory=dict)
    #: The last part of what was printed, capped.
    stdout: bytes = b""
    stderr: bytes = b""
    seconds: float = 0.0
    #: A sentence for each thing in the outputs that was not taken.
    refused: tuple[str, ...] = ()
    #: What was said into the bench's channel, by the streams' names; None: no channel.
    kept: Mapping[str, bytes] | None = None
    #: Why what came through the channel can't be trusted, a sentence for each reason.
    faults: tuple[str, ...] = ()
    #: What it left behind, where that was asked for.
    left: tuple[LeftFile, ...] = ()
    #: Why not all of that could be seen, a sentence each.
    blind: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """Which level of isolation was reached, and never more.

    files: container | overlay | copy | none; user: dropped | same;
    network: none | open; memory: limited | unlimited; database: none |
    template-clone | copy.
    """

    files: str
    user: str
    network: str
    memory: str
    database: str = "none"
    processes: str = "killed"
    #: Where results are written: by a separate user, a separate process, or by the
    #: same process that runs the tests.
    results: str = "same process"
    #: For each level that is not the best: why not more, by field name.
    why_not: Mapping[str, str] = field(default_factory=dict)
