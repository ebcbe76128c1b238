"""A pull request as a job sees it: a real repository, and the fake GitHub beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tests.fake_github.server import FakeGitHub
from tests.subject.repositories import Repository, repository

from fairtrial.clients.git import Git
from fairtrial.clients.github import GitHubClient
from fairtrial.clients.github_people import GitHubPeople
from fairtrial.domain.authorship import Actor
from fairtrial.domain.names import CommitId
from fairtrial.domain.settings import Authority, Policy, Settings
from fairtrial.policy.acceptance import Acceptance
from fairtrial.subject.acceptances import read_acceptance
from fairtrial.subject.event import OPENED, Event, EventKind
from fairtrial.subject.revisions import Revisions
from fairtrial.subject.taking_part import TakingPart, taking_part

NUMBER = 7


@dataclass(slots=True, kw_only=True)
class PullRequest:
    """One pull request by ada; `merge` is what GitHub makes of it for the test."""

    github: FakeGitHub
    repo: Repository
    base: CommitId
    head: CommitId
    merge: CommitId
    event: Event
    settings: Settings
    token: bool = True
    #: Making one takes longer than all that it is asked here.
    client: GitHubPeople | None = None

    @property
    def label(self) -> str:
        """What accepts its head."""
        return f"fairtrial-accept-{self.head[:7]}"

    def agents(self, **agents: Authority) -> None:
        """Configures agents; "BOT" stands for "*[bot]"."""
        named = {name.replace("BOT", "*[bot]"): each for name, each in agents.items()}
        self.settings = replace(self.settings, agents=named)

    def accepts(self, accept: str) -> None:
        """Configures `policy.accept`."""
        self.settings = replace(self.settings, policy=Policy(accept=accept))

    def acceptance(self, *, judged: CommitId | None = None) -> Acceptance:
        """Who accepted it, as a run reads it now."""
        head = judged or self.merge
        with Git(self.repo.path) as git:
            return read_acceptance(git, self.event, head, self.settings, self._people)

    def taking_part(self) -> TakingPart:
        """Who took part in it, as a run reads it now."""
        found = Revisions(head=self.merge, base=self.base, how="")
        with Git(self.repo.path) as git:
            return taking_part(git, self.event, found, self.settings, self._people)

    @property
    def asked(self) -> list[str]:
        """The paths that GitHub was asked for, each once."""
        start = len(f"/repos/{self.github.repo}")
        return list(dict.fromkeys(call.path[start:] for call in self.github.requests))

    @property
    def _people(self) -> Callable[[], GitHubPeople] | None:
        return self._opened if self.token else None

    def _opened(self) -> GitHubPeople:
        if self.client is None:
            client = GitHubClient(
                api_url=self.github.url,
                repository=self.github.repo,
                token=self.github.token,
                sleep=lambda _: None,
                now=lambda: 1_800_000_000.0,
            )
            self.client = GitHubPeople(client)
        return self.client


def opened(github: FakeGitHub, folder: Path) -> PullRequest:
    """A pull request with one commit of its author, and the merge of it checked out."""
    repo = repository(folder / "repo")
    base = repo.commit({"a.py": "1\n"})
    repo.branch("topic")
    head = repo.commit({"a.py": "2\n"})
    repo.git("switch", "--quiet", "--detach", "main")
    merge = repo.merge("topic")
    github.pull(NUMBER, head=head, author="ada")
    github.people.commit(NUMBER, head, author="ada", committer="web-flow")
    github.people.permissions["alice"] = "write"
    github.people.permissions["ada"] = "admin"
    event = Event(
        kind=EventKind.PULL_REQUEST,
        sha=merge,
        repository=github.repo,
        base_branch="main",
        base=base,
        head=head,
        pull_request=NUMBER,
        actors=(Actor(login="ada", did=OPENED),),
        author="ada",
    )
    return PullRequest(
        github=github,
        repo=repo,
        base=base,
        head=head,
        merge=merge,
        event=event,
        settings=Settings(source="x", suites=()),
    )
