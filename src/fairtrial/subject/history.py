"""The history that a judgement needs, fetched where the clone lacks it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from fairtrial.clients.git import Git
from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.names import CommitId

#: By how many commits a shallow clone is deepened, one step after the other.
_STEPS: Final = ("--deepen=64", "--deepen=512", "--deepen=4096", "--unshallow")


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Commits and merge bases of one repository; fetches what is missing."""

    git: Git
    #: "https://github.com", and a token for it that may read the repository.
    server: str = ""
    token: str = field(default="", repr=False)

    def commit(self, wanted: CommitId, what: str) -> CommitId:
        """The commit, which is there afterwards; ConfigurationError when it can't be.

        `what` says which one it is ("the base of this pull request").
        """
        if self.git.commit(wanted) is not None:
            return wanted
        complaint = self._fetch(wanted)
        if self.git.commit(wanted) is None:
            raise self._missing(f"{what}, commit {wanted[:12]},", complaint)
        return wanted

    def branch(self, name: str) -> CommitId:
        """The tip of the remote's branch, else of the local one of that name."""
        if not name:
            raise ConfigurationError(
                "The event does not name the branch that the change goes to.",
                remedy="Give `base`.",
            )
        remote = f"refs/remotes/origin/{name}"
        found = self.git.commit(remote)
        complaint: str | None = None
        if found is None:
            complaint = self._fetch(f"+refs/heads/{name}:{remote}")
            found = self.git.commit(remote) or self.git.commit(f"refs/heads/{name}")
        if found is None:
            raise self._missing(f"the branch `{name}`", complaint)
        return found

    def merge_base(self, one: CommitId, other: CommitId) -> CommitId:
        """The best common ancestor, also where a shallow clone has to be deepened.

        A shallow clone can show an ancestor that is not the best one, so it is
        deepened until nothing between the two is cut off.
        """
        complaint: str | None = None
        for step in (None, *_STEPS):
            if step is not None:
                complaint = self.git.fetch(
                    [step, "origin", one, other], server=self.server, token=self.token
                )
                if complaint is not None:
                    break
            bases = self.git.merge_bases(one, other)
            cut = self.git.shallow_commits()
            if bases and not self._cut_off(cut, one, other, bases):
                return bases[0]
            if not cut:
                raise ConfigurationError(
                    f"{one[:12]} and {other[:12]} have no common ancestor.",
                    means="Their histories are unrelated.",
                    remedy="Name the base with `--base`.",
                )
        raise self._missing(
            f"what {one[:12]} and {other[:12]} have in common", complaint
        )

    def _cut_off(
        self,
        cut: frozenset[CommitId],
        one: CommitId,
        other: CommitId,
        bases: tuple[CommitId, ...],
    ) -> bool:
        above = [one, other, *(f"^{base}" for base in bases)]
        return bool(cut) and self.git.any_of(cut, above)

    def _fetch(self, wanted: str) -> str | None:
        if not self.git.has_remote():
            return "there is no remote `origin`"
        # In a whole clone a depth would cut the history off.
        depth = ["--depth=1"] if self.git.shallow_commits() else []
        return self.git.fetch(
            [*depth, "origin", wanted], server=self.server, token=self.token
        )

    def _missing(self, what: str, complaint: str | None) -> ConfigurationError:
        said = f" Fetching it failed: {complaint}." if complaint else ""
        return ConfigurationError(
            f"The clone lacks {what}.".replace(",.", "."),
            means=f"It is a shallow clone, or the commit is gone.{said}",
            remedy="Give `actions/checkout` the input `fetch-depth: 0`.",
        )
