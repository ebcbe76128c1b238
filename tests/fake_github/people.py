"""Who took part in a pull request of the fake GitHub: reviews, labels, commits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.fake_github.contract import specimen
from tests.fake_github.state import user

_APP: Final = "an-app"
_WHEN: Final = "2026-01-01T00:00:00Z"


@dataclass(slots=True, kw_only=True)
class Reviewed:
    """One review; GitHub keeps it when the head moves, and when it is dismissed."""

    by: str | None
    commit: str | None
    state: str

    def shown(self) -> dict[str, Any]:
        """As "pull-request-review"."""
        return specimen(
            "pull-request-review",
            user=None if self.by is None else user(self.by),
            state=self.state,
            commit_id=self.commit,
        )


@dataclass(slots=True, kw_only=True)
class Happened:
    """One event of a timeline."""

    event: str
    by: str = "octocat"
    label: str | None = None
    sha: str | None = None
    through_app: bool = False

    def shown(self) -> dict[str, Any]:
        """As one of "timeline-issue-events"."""
        if self.event == "committed":
            return specimen(
                "timeline-committed-event", event=self.event, sha=self.sha or "0" * 40
            )
        app = specimen("nullable-integration", slug=_APP) if self.through_app else None
        common = {
            "event": self.event,
            "actor": user(self.by),
            "performed_via_github_app": app,
        }
        if self.label is None:
            return specimen("state-change-issue-event", commit_id=self.sha, **common)
        label = {"name": self.label, "color": "ededed"}
        return specimen(f"{self.event}-issue-event", label=label, **common)


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """One commit; `author` and `committer` are logins, None where there is none."""

    sha: str
    author: str | None
    committer: str | None
    name: str = "Ada"
    email: str = "ada@example.org"
    message: str = "A change"

    def shown(self) -> dict[str, Any]:
        """As "commit"."""
        person = {
            "name": self.name,
            "email": self.email,
            "date": "2026-01-01T00:00:00Z",
        }
        made = specimen(
            "commit",
            sha=self.sha,
            commit={"author": person, "committer": person, "message": self.message},
        )
        # GitHub says null where it knows nobody, too, and its own description does
        # not allow for that.
        made["author"] = {} if self.author is None else user(self.author)
        made["committer"] = {} if self.committer is None else user(self.committer)
        return made


@dataclass(slots=True)
class People:
    """All that GitHub keeps of those who took part in the pull requests."""

    reviews: dict[int, list[Reviewed]] = field(default_factory=dict)
    timelines: dict[int, list[Happened]] = field(default_factory=dict)
    labels: dict[int, list[str]] = field(default_factory=dict)
    commits: dict[int, list[Committed]] = field(default_factory=dict)
    #: By login, as the API words them; whoever is missing has "read".
    permissions: dict[str, str] = field(default_factory=dict)

    def review(
        self, number: int, *, by: str | None, at: str | None, state: str = "APPROVED"
    ) -> Reviewed:
        """A new review of the commit `at`."""
        made = Reviewed(by=by, commit=at, state=state)
        self.reviews.setdefault(number, []).append(made)
        return made

    def label(
        self, number: int, name: str, *, by: str, through_app: bool = False
    ) -> None:
        """Sets a label."""
        self.labels.setdefault(number, []).append(name)
        self._happened(
            number,
            Happened(event="labeled", by=by, label=name, through_app=through_app),
        )

    def unlabel(self, number: int, name: str, *, by: str) -> None:
        """Takes a label off."""
        self.labels[number].remove(name)
        self._happened(number, Happened(event="unlabeled", by=by, label=name))

    def forget_label(self, name: str) -> None:
        """Deletes a label from the repository, which leaves no event."""
        for names in self.labels.values():
            names[:] = [each for each in names if each != name]

    def commit(
        self,
        number: int,
        sha: str,
        *,
        author: str | None = "octocat",
        committer: str | None = "octocat",
        **written: str,
    ) -> None:
        """One more commit of a pull request, pushed as it should be."""
        made = Committed(sha=sha, author=author, committer=committer, **written)
        self.commits.setdefault(number, []).append(made)
        self._happened(number, Happened(event="committed", sha=sha))

    def force(self, number: int, commits: Sequence[Committed]) -> None:
        """A forced push: these are the pull request's commits now."""
        self.commits[number] = list(commits)
        self._happened(number, Happened(event="head_ref_force_pushed"))

    def _happened(self, number: int, what: Happened) -> None:
        self.timelines.setdefault(number, []).append(what)
