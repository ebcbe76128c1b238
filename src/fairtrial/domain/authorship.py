"""Who took part in a change, as GitHub names them and as the change itself says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What one commit says of itself; anybody can write anything there."""

    author_name: str = ""
    author_email: str = ""
    committer_name: str = ""
    committer_email: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedCommit:
    """One commit with the logins that GitHub gives to its e-mail addresses."""

    sha: str
    #: None: GitHub can't name them.
    author: str | None
    committer: str | None
    written: Written = Written()


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Somebody who took part, and how: "opened the pull request", "pushed"."""

    #: None: GitHub can't name them.
    login: str | None
    did: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account; `kind` is GitHub's word: "User", "Bot", "Organization"."""

    login: str
    kind: str

    @property
    def is_person(self) -> bool:
        """Whether it is nobody's program, as far as GitHub knows."""
        return self.kind == "User" and not self.login.endswith("[bot]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One review of a pull request."""

    #: None: the account was deleted.
    by: Account | None
    #: GitHub's word: APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED, PENDING.
    state: str
    #: The commit that was reviewed; None: git has forgotten it.
    commit: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEvent:
    """One event of a pull request's timeline, of those that bear on a label."""

    #: "labeled", "unlabeled", "committed", "head_ref_force_pushed", or another.
    event: str
    label: str = ""
    by: Account | None = None
    #: An app did it in somebody's name.
    through_app: bool = False
