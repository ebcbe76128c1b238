"""Who accepted a change as it stands, and what that turns into a pass.

An acceptance is bound to one commit, the pull request's own head: an approving review
of exactly that commit, or a label that names it. So it is void at the next push. It
never covers what takes a production change, or what was not judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from fairtrial.domain.authorship import Account, NamedCommit, Review, TimelineEvent
from fairtrial.domain.decisions import Category, Decision
from fairtrial.domain.report import Finding, Verdict
from fairtrial.settings import named_in

#: What a person may accept. The rest takes a change, or could not be judged.
ACCEPTABLE: Final = frozenset(
    {
        Category.HIDDEN_REGRESSION,
        Category.INTERACTION,
        Category.UNPROVEN,
        Category.CONTRACT_REMOVED,
        Category.ORACLE_DISPUTE,
        Category.EXPECTATIONS_CHANGED,
        Category.CONTROL_EFFECT,
        Category.WEAKENED,
    }
)

LABEL: Final = "fairtrial-accept-"
#: Digits of the commit that the label names.
SHORT: Final = 7

#: `policy.accept`: the author's own acceptance counts, too.
AUTHOR: Final = "author"

_WRITERS: Final = frozenset({"write", "maintain", "admin"})
#: Reviews that neither give nor take back an approval.
_SILENT: Final = frozenset({"COMMENTED", "PENDING"})
_APPROVED: Final = "APPROVED"
_FORCED: Final = "head_ref_force_pushed"
_COMMIT: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """Who accepted the change; nobody by default."""

    #: "review by @alice at 1a2b3c4".
    sentences: tuple[str, ...] = ()
    #: What a reader has to know: acceptances that do not count, and why.
    notices: tuple[str, ...] = ()

    @property
    def given(self) -> bool:
        """Whether anybody did."""
        return bool(self.sentences)


NOBODY: Final = Acceptance()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What GitHub says about a pull request that bears on acceptance."""

    #: The pull request's own head that is judged.
    head: str
    #: Who opened it; "" where that is not known, and then nobody but a stranger is.
    author: str
    #: Who pushed the head, where the event tells.
    pusher: str = ""
    #: None: not all of them could be read.
    commits: tuple[NamedCommit, ...] | None
    reviews: tuple[Review, ...] = ()
    timeline: tuple[TimelineEvent, ...] = ()
    #: The labels that are set now, in lower case: one that was deleted from the
    #: repository leaves no event.
    labels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """An acceptance of this head, before it is known what its giver may do."""

    login: str
    #: "review" or "label".
    how: str
    #: Why it does not count, whatever its giver may do; "" where it may count.
    void: str = ""


def claims_of(
    record: Record, accept: str, is_agent: Callable[[str], bool]
) -> tuple[Claim, ...]:
    """Every acceptance that somebody gave to this head, one for each way and giver.

    `accept` is `policy.accept`; `is_agent` says whether a login is one of `agents:`.
    """
    if _COMMIT.fullmatch(record.head) is None:
        return ()
    found = [
        *(("review", by, "") for by in _reviewers(record)),
        *(("label", by, void) for by, void in _labellers(record)),
    ]
    return tuple(
        Claim(
            login=by.login, how=how, void=void or _barred(by, record, accept, is_agent)
        )
        for how, by, void in found
    )


def granted(
    head: str, claims: Iterable[Claim], permissions: Mapping[str, str]
) -> Acceptance:
    """What the claims come to; `permissions` by login, as GitHub words them."""
    sentences, notices = [], []
    for claim in claims:
        said = f"{claim.how} by @{claim.login} at {head[:SHORT]}"
        void = claim.void
        if not void and permissions.get(claim.login) not in _WRITERS:
            void = "it takes somebody with write access"
        if void:
            notices.append(f"The {said} is no acceptance: {void}.")
        else:
            sentences.append(said)
    return Acceptance(sentences=tuple(sentences), notices=tuple(notices))


def accept(
    verdicts: Sequence[Verdict], findings: Sequence[Finding], acceptance: Acceptance
) -> tuple[tuple[Verdict, ...], tuple[Finding, ...]]:
    """The same answers, with what was accepted turned into a pass that says by whom."""
    if not acceptance.given:
        return tuple(verdicts), tuple(findings)
    by = ", ".join(acceptance.sentences)
    return (
        tuple(
            replace(
                one,
                decision=Decision.PASS,
                because=_and_accepted(one.because, by),
                next=_NOTHING,
            )
            if is_acceptable(one)
            else one
            for one in verdicts
        ),
        tuple(
            replace(one, decision=Decision.PASS, because=_and_accepted(one.because, by))
            if is_acceptable(one)
            else one
            for one in findings
        ),
    )


_NOTHING: Final = "Nothing: a person has accepted it."


def _and_accepted(because: str, by: str) -> str:
    because = because.rstrip()
    stop = "" if not because or because.endswith((".", "!", "?")) else "."
    return f"{because}{stop} Accepted: {by}.".lstrip()


def is_acceptable(answer: Verdict | Finding) -> bool:
    """Whether it blocks, and a person may accept it."""
    return answer.decision is Decision.BLOCK and answer.category in ACCEPTABLE


def can_be_accepted(answers: Iterable[Verdict | Finding]) -> bool:
    """Whether an acceptance would unblock: a person may accept all that blocks."""
    blocking = [each for each in answers if each.decision is Decision.BLOCK]
    return bool(blocking) and all(map(is_acceptable, blocking))


def label_of(head: str) -> str:
    """The label that accepts a head."""
    return f"{LABEL}{head[:SHORT]}"


def how_to_accept(head7: str, accept: str = "another") -> str:
    """What a person does to accept a blocked change, in one sentence.

    `head7` are the first digits of the pull request's head; "" where there is none.
    """
    who = (
        "somebody with write access, its author included,"
        if accept == AUTHOR
        else "another person with write access"
    )
    which = f"this very commit, {head7}," if head7 else "its pull request's very head"
    label = f"`{LABEL}{head7}`" if head7 else f"`{LABEL}` and its first {SHORT} digits"
    return (
        f"To accept it as it stands, {who} approves {which} or sets the label {label};"
        " then the failed job is run again."
    )


def _reviewers(record: Record) -> Iterator[Account]:
    """Whose last word, of those that approve or object, approves this very head."""
    last: dict[str, Review] = {}
    for review in record.reviews:
        if review.by is not None and review.state not in _SILENT:
            last[review.by.login.lower()] = review
    for review in last.values():
        if review.state == _APPROVED and review.commit == record.head:
            assert review.by is not None
            yield review.by


def _labellers(record: Record) -> Iterator[tuple[Account, str]]:
    """Who set the label that stands now, and why it is void where it is.

    Seven digits can be made to fit another commit, so the label must be the last
    word about the head: no forced push after it, and no other commit in the pull
    request with these digits.
    """
    standing, moved = _standing_label(record)
    if standing is None or standing.by is None:
        return
    yield standing.by, _label_is_void(record, standing, moved=moved)


def _standing_label(record: Record) -> tuple[TimelineEvent | None, bool]:
    """The event that set the label, and whether the branch was forced since."""
    wanted = label_of(record.head)
    standing: TimelineEvent | None = None
    moved = False
    for event in record.timeline:
        if event.event == _FORCED:
            moved = True
        elif (event.event, event.label.lower()) == ("labeled", wanted):
            standing, moved = event, False
        elif (event.event, event.label.lower()) == ("unlabeled", wanted):
            standing = None
    return (standing if wanted in record.labels else None), moved


def _label_is_void(record: Record, standing: TimelineEvent, *, moved: bool) -> str:
    if standing.through_app:
        return "an app set it"
    if moved:
        return "the branch was pushed by force since"
    if record.commits is None:
        return "the pull request's commits could not all be read"
    if any(_alike(commit.sha, record.head) for commit in record.commits):
        return "another commit begins with the same digits"
    return ""


def _alike(sha: str, head: str) -> bool:
    return sha != head and sha[:SHORT] == head[:SHORT]


def _barred(
    by: Account, record: Record, accept: str, is_agent: Callable[[str], bool]
) -> str:
    """Why nothing that this account says counts; "" where it may."""
    if not by.is_person:
        return "it takes a person"
    if is_agent(by.login):
        return "the configuration names this account as an agent"
    if accept == AUTHOR:
        return ""
    if record.commits is None:
        return "the pull request's commits could not all be read"
    login = by.login.lower()
    wrote = {
        who.lower()
        for commit in record.commits
        for who in (commit.author, commit.committer)
        if who is not None
    }
    # What commits say of themselves counts here, too: it can only make it stricter.
    said = any(login in named_in(commit.written) for commit in record.commits)
    if said or login in {record.author.lower(), record.pusher.lower()} | wrote:
        return "it takes another person than those who made the change"
    if not record.author:
        return "the pull request's author is not known"
    return ""
