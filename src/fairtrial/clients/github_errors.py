"""What GitHub refused or left unanswered, told apart from the slow API library."""

from __future__ import annotations

from fairtrial.domain.errors import ServiceError


class GitHubError(ServiceError):
    """GitHub did not do what it was asked; `status` is None when nothing came back."""

    def __init__(
        self,
        happened: str,
        *,
        status: int | None = None,
        means: str = "",
        remedy: str = "",
    ) -> None:
        super().__init__(happened, means=means, remedy=remedy)
        self.status = status


class Forbidden(GitHubError):  # noqa: N818 - said as people say it
    """The token may not do this."""


class Unanswered(GitHubError):  # noqa: N818 - said as people say it
    """A change was asked for and no answer came: it may have been made, or not."""
