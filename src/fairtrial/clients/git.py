"""What a repository's git objects say; nothing is decided here, nothing is written.

The only commands that write are `Git.fetch`, which brings missing history into the
repository, and `Git.snapshot`, which writes into a folder of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Final, Self

from fairtrial.clients import git_fetch, git_process, git_snapshot
from fairtrial.clients.git_batch import Batch
from fairtrial.clients.git_snapshot import Snapshot
from fairtrial.clients.scratch import Scratch
from fairtrial.domain.authorship import Written
from fairtrial.domain.names import CommitId, RepoPath
from fairtrial.trees.listing import SUBMODULE, Entry, Listing

#: Commits whose authorship is read, and the fields of each.
_COMMITS: Final = 10_000
_FIELDS: Final = 5


def top_of(folder: Path) -> Path | None:
    """The folder that holds `.git`, here or above."""
    here = folder.resolve()
    return next(
        (each for each in (here, *here.parents) if (each / ".git").exists()), None
    )


class Git:
    """One repository; to be closed, best by `with`."""

    def __init__(self, top: Path) -> None:
        self.top = top.resolve()
        self._env: Mapping[str, str] = git_process.environment(self.top)
        self._batch: Batch | None = None
        self._starting = Lock()
        self._scratch: Scratch | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End what runs and remove what was written; safe to call twice."""
        if self._batch is not None:
            self._batch.close()
            self._batch = None
        if self._scratch is not None:
            self._scratch.close()
            self._scratch = None

    def commit(self, revision: str) -> CommitId | None:
        """The commit that a revision names; none where the repository lacks it."""
        answer = self._ask(
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            f"{revision}^{{commit}}",
        )
        if answer is None:
            return None
        found = CommitId(answer.decode().strip())
        # A full id is echoed where its object is missing; only asking for it tells.
        return found if self._ask("cat-file", "-e", found) is not None else None

    def tree_id(self, commit: str) -> str:
        """The id of a commit's tree."""
        return self._checked("rev-parse", f"{commit}^{{tree}}").decode().strip()

    def parents(self, commit: CommitId) -> tuple[CommitId, ...]:
        """The parents that a commit names, also where the clone stops before them."""
        header = self._checked("cat-file", "commit", commit).partition(b"\n\n")[0]
        return tuple(
            CommitId(line.split()[1].decode())
            for line in header.splitlines()
            if line.startswith(b"parent ")
        )

    def written(self, base: CommitId, head: CommitId) -> tuple[Written, ...]:
        """What the commits that head has and base has not say of themselves.

        As far as the clone shows them, the newest first, some ten thousand at most.
        """
        printed = self._checked(
            "log",
            "-z",
            "--no-show-signature",
            "--no-notes",
            "--no-color",
            "--no-decorate",
            "--no-patch",
            "--no-mailmap",
            "--encoding=UTF-8",
            f"--max-count={_COMMITS}",
            "--format=tformat:%an%x00%ae%x00%cn%x00%ce%x00%B",
            f"{base}..{head}",
            "--",
        )
        fields = printed.decode("utf-8", "replace").split("\0")
        return tuple(
            Written(
                author_name=fields[at],
                author_email=fields[at + 1],
                committer_name=fields[at + 2],
                committer_email=fields[at + 3],
                message=fields[at + 4],
            )
            for at in range(0, len(fields) - _FIELDS + 1, _FIELDS)
        )

    def any_of(self, commits: AbstractSet[CommitId], tips: Sequence[str]) -> bool:
        """Whether one of the commits is in what `rev-list` gives for the tips."""
        printed = self._checked("rev-list", *tips, "--")
        return not commits.isdisjoint(printed.decode("ascii").split())

    def merge_bases(self, one: CommitId, other: CommitId) -> tuple[CommitId, ...]:
        """The best common ancestors; none where the clone shows none."""
        answer = self._ask("merge-base", "--all", one, other) or b""
        return tuple(CommitId(line) for line in answer.decode().split())

    def is_ancestor(self, ancestor: CommitId, commit: CommitId) -> bool:
        """Whether a commit is reachable from another, as far as the clone shows."""
        return self._ask("merge-base", "--is-ancestor", ancestor, commit) is not None

    def shallow_commits(self) -> frozenset[CommitId]:
        """The commits at which a shallow clone stops; empty for a whole clone."""
        answer = self._checked(
            "rev-parse", "--path-format=absolute", "--git-path", "shallow"
        )
        path = Path(os.fsdecode(answer.rstrip(b"\n")))
        if not path.is_file():
            return frozenset()
        return frozenset(CommitId(line) for line in path.read_text("ascii").split())

    def has_remote(self, name: str = "origin") -> bool:
        """Whether the repository knows where to fetch from."""
        return bool(self._ask("config", "--get", f"remote.{name}.url"))

    def symbolic(self, ref: str) -> str | None:
        """What a symbolic ref points at."""
        answer = self._ask("symbolic-ref", "--quiet", ref)
        return None if answer is None else answer.decode().strip()

    def listing(self, tree: str) -> Listing:
        """Every path of a commit or tree; submodules are entries of their own mode."""
        printed = self._checked("ls-tree", "-r", "-z", "--full-tree", tree)
        found: dict[RepoPath, Entry] = {}
        for record in printed.split(b"\0"):
            if not record:
                continue
            facts, _, name = record.partition(b"\t")
            mode, _, blob = facts.decode("ascii").split(" ")
            path = RepoPath(os.fsdecode(name))
            found[path] = Entry(mode=int(mode, 8), blob=blob)
        return found

    def read(self, blob: str) -> bytes:
        """What a blob holds."""
        return self._running().blob(blob)

    def read_all(self, blobs: Iterable[str]) -> Mapping[str, bytes]:
        """What each blob holds."""
        return self._running().blobs(blobs)

    def sizes(self, listing: Listing) -> Mapping[RepoPath, int]:
        """How many bytes each file of a listing has; submodules are left out."""
        files = {
            path: entry.blob
            for path, entry in listing.items()
            if entry.mode != SUBMODULE
        }
        asked = "".join(f"{blob}\n" for blob in files.values()).encode()
        printed = git_process.checked(
            ["cat-file", "--batch-check=%(objectsize)"],
            cwd=self.top,
            env=self._env,
            stdin=asked,
        )
        numbers = printed.decode().splitlines()
        return {
            path: int(number)
            for path, number in zip(files, numbers, strict=True)
            if number.isdigit()
        }

    def snapshot(self) -> Snapshot:
        """The working tree as a tree whose objects this Git can read until closed."""
        if self._scratch is not None:
            raise RuntimeError("there is a snapshot already")
        self._scratch = Scratch("fairtrial-git-")
        taken = git_snapshot.snapshot(self.top, self._env, self._scratch.path)
        if self._batch is not None:
            self._batch.close()
            self._batch = None
        self._env = {
            **self._env,
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(taken.objects),
        }
        return taken

    def fetch(
        self, arguments: Sequence[str], *, server: str = "", token: str = ""
    ) -> str | None:
        """None when the fetch worked, else the complaint; see `git_fetch`."""
        if self._batch is not None:
            self._batch.close()
            self._batch = None
        return git_fetch.fetch(self.top, arguments, server=server, token=token)

    def _running(self) -> Batch:
        with self._starting:
            if self._batch is None:
                self._batch = Batch(self.top, self._env)
            return self._batch

    def _ask(self, *arguments: str) -> bytes | None:
        done = git_process.run(arguments, cwd=self.top, env=self._env)
        return done.stdout if done.returncode == 0 else None

    def _checked(self, *arguments: str) -> bytes:
        return git_process.checked(arguments, cwd=self.top, env=self._env)
