"""Who may accept what, by which way, of which commit: every combination."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from fairtrial.domain.authorship import (
    Account,
    NamedCommit,
    Review,
    TimelineEvent,
    Written,
)
from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.names import SuiteName, TestId
from fairtrial.domain.report import Finding, Verdict
from fairtrial.policy.acceptance import (
    NOBODY,
    Acceptance,
    Claim,
    Record,
    accept,
    can_be_accepted,
    claims_of,
    granted,
    how_to_accept,
    label_of,
)
from fairtrial.policy.decision import requires_production_change

HEAD = "1a2b3c4" + "0" * 33
OLD = "f" * 40
LABEL = "fairtrial-accept-1a2b3c4"

ALICE = Account(login="alice", kind="User")
AUTHOR = Account(login="Ada", kind="User")
COAUTHOR = Account(login="grace", kind="User")
PUSHER = Account(login="pat", kind="User")
AGENT = Account(login="helper", kind="User")
BOT = Account(login="fix[bot]", kind="Bot")
DISGUISED = Account(login="fix[bot]", kind="User")
TEAM = Account(login="shop", kind="Organization")

ACCEPTED = Acceptance(sentences=("review by @alice at 1a2b3c4",))

#: Spelt out: what is not in here can't be accepted.
ACCEPTABLE = {
    "hidden-regression",
    "interaction",
    "unproven",
    "contract-removed",
    "oracle-dispute",
    "expectations-changed",
    "control-effect",
    "weakened",
}


def commit(sha: str = HEAD, author: str | None = "ada") -> NamedCommit:
    return NamedCommit(sha=sha, author=author, committer="web-flow")


def record(
    *reviews: Review,
    timeline: tuple[TimelineEvent, ...] = (),
    labels: frozenset[str] | None = None,
    commits: tuple[NamedCommit, ...] | None = (commit(), commit(OLD, "grace")),
) -> Record:
    return Record(
        head=HEAD,
        author="ada",
        pusher="pat",
        commits=commits,
        reviews=reviews,
        timeline=timeline,
        labels=frozenset({LABEL}) if labels is None else labels,
    )


def review(
    by: Account | None = ALICE, state: str = "APPROVED", at: str | None = HEAD
) -> Review:
    return Review(by=by, state=state, commit=at)


def labeled(
    by: Account | None = ALICE, name: str = LABEL, *, through_app: bool = False
) -> TimelineEvent:
    return TimelineEvent(event="labeled", label=name, by=by, through_app=through_app)


UNLABELED = TimelineEvent(event="unlabeled", label=LABEL, by=AUTHOR)
FORCED = TimelineEvent(event="head_ref_force_pushed", by=AUTHOR)
COMMITTED = TimelineEvent(event="committed")


def given(
    said: Record, policy: str = "another", permission: str | None = "write"
) -> Acceptance:
    """What a record comes to when everybody has the same permission."""
    claims = claims_of(said, policy, lambda login: login == "helper")
    may = {} if permission is None else {c.login: permission for c in claims}
    return granted(said.head, claims, may)


def verdict(category: Category, decision: Decision, side: Blame) -> Verdict:
    return Verdict(
        suite=SuiteName("unit"),
        test=TestId("t"),
        category=category,
        side=side,
        introduced=True,
        decision=decision,
        context="alone",
        unit="test",
        because="it is so",
        next="do something",
    )


def finding(category: Category | None, decision: Decision, side: Blame) -> Finding:
    return Finding(
        rule="x",
        category=category,
        decision=decision,
        side=side,
        introduced=True,
        because="it is so.",
    )


@pytest.mark.parametrize("category", Category)
@pytest.mark.parametrize("decision", Decision)
@pytest.mark.parametrize("side", Blame)
def test_only_what_blocks_and_takes_no_production_change_can_be_accepted(
    category: Category, decision: Decision, side: Blame
) -> None:
    old = verdict(category, decision, side), finding(category, decision, side)

    (one,), (other,) = accept(old[:1], old[1:], ACCEPTED)

    if decision is Decision.BLOCK and category.value in ACCEPTABLE:
        assert Decision.PASS is one.decision is other.decision
        assert "it is so. Accepted: review by @alice at 1a2b3c4." == one.because
        assert one.because == other.because
        assert "Nothing: a person has accepted it." == one.next
        assert not requires_production_change([one, other])
        assert (category, side) == (one.category, one.side) == (category, other.side)
    else:
        assert old == (one, other)


def test_a_finding_without_a_category_can_not_be_accepted() -> None:
    unnamed = finding(None, Decision.BLOCK, Blame.UNKNOWN)

    assert ((), (unnamed,)) == accept((), (unnamed,), ACCEPTED)


def test_without_an_acceptance_everything_stays() -> None:
    blocked = verdict(Category.UNPROVEN, Decision.BLOCK, Blame.UNKNOWN)

    assert ((blocked,), ()) == accept((blocked,), (), NOBODY)
    assert ((blocked,), ()) == accept((blocked,), (), Acceptance(notices=("no",)))


WHO = (ALICE, AUTHOR, COAUTHOR, PUSHER, AGENT, BOT, DISGUISED, TEAM)
STATES = ("APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING")
PERMISSIONS = ("admin", "maintain", "write", "triage", "read", "none", None)


@pytest.mark.parametrize("by", WHO)
@pytest.mark.parametrize("policy", ["another", "author"])
def test_a_review_counts_by_state_commit_giver_and_permission(
    by: Account, policy: str
) -> None:
    may = {"another": (ALICE,), "author": (ALICE, AUTHOR, COAUTHOR, PUSHER)}
    counting = []
    for state, at, permission in product(STATES, (HEAD, OLD, None), PERMISSIONS):
        found = given(record(review(by, state, at)), policy, permission)
        if found.given:
            assert (f"review by @{by.login} at 1a2b3c4",) == found.sentences
            counting.append((state, at, permission))

    expected = [("APPROVED", HEAD, may) for may in ("admin", "maintain", "write")]
    assert (expected if by in may[policy] else []) == counting


@pytest.mark.parametrize("by", WHO)
@pytest.mark.parametrize("policy", ["another", "author"])
def test_a_label_counts_by_giver_and_permission(by: Account, policy: str) -> None:
    may = {"another": (ALICE,), "author": (ALICE, AUTHOR, COAUTHOR, PUSHER)}

    found = [
        permission
        for permission in PERMISSIONS
        if given(record(timeline=(labeled(by),)), policy, permission).given
    ]

    writers = ["admin", "maintain", "write"]
    assert (writers if by in may[policy] else []) == found


@pytest.mark.parametrize(
    ("timeline", "counts"),
    [
        ((labeled(),), True),
        ((COMMITTED, labeled()), True),
        ((FORCED, labeled()), True),
        ((labeled(), UNLABELED), False),
        ((labeled(), UNLABELED, labeled()), True),
        ((labeled(AUTHOR), labeled()), True),
        ((labeled(), labeled(AUTHOR)), False),
        ((labeled(), UNLABELED, labeled(AUTHOR)), False),
        ((labeled(), FORCED), False),
        ((labeled(), FORCED, labeled()), True),
        ((labeled(name=LABEL.upper()),), True),
        ((labeled(name="fairtrial-accept-1a2b3c5"),), False),
        ((labeled(name="fairtrial-accept-1a2b3c"),), False),
        ((labeled(name="fairtrial-accept-1a2b3c40"),), False),
        ((labeled(name="fairtrial-accept-"),), False),
        ((labeled(None),), False),
        ((labeled(through_app=True),), False),
        ((), False),
    ],
)
def test_a_label_counts_while_it_stands_and_names_this_head(
    timeline: tuple[TimelineEvent, ...], counts: bool
) -> None:
    assert counts is given(record(timeline=timeline)).given


def test_a_label_that_is_not_set_any_more_does_not_count_whatever_its_events() -> None:
    gone = record(timeline=(labeled(),), labels=frozenset({"other"}))

    assert NOBODY == given(gone)


def test_seven_digits_that_fit_two_commits_accept_neither() -> None:
    forged = commit("1a2b3c4" + "9" * 33)

    found = given(record(timeline=(labeled(),), commits=(forged, commit())))

    assert not found.given
    assert "another commit begins with the same digits" in found.notices[0]


@pytest.mark.parametrize("policy", ["another", "author"])
def test_commits_that_could_not_all_be_read_leave_no_label_and_no_other_person(
    policy: str,
) -> None:
    unread = record(review(), timeline=(labeled(),), commits=None)

    found = given(unread, policy)

    by_review = ("review by @alice at 1a2b3c4",)
    assert (by_review if policy == "author" else ()) == found.sentences
    assert any("could not all be read" in notice for notice in found.notices)


def test_an_unknown_author_can_not_be_told_from_another() -> None:
    unknown = replace(record(review()), author="")

    assert not given(unknown).given
    assert given(unknown, "author").given


@pytest.mark.parametrize(
    ("reviews", "counts"),
    [
        ((review(), review(state="COMMENTED")), True),
        ((review(), review(state="PENDING")), True),
        ((review(), review(state="CHANGES_REQUESTED")), False),
        ((review(), review(state="DISMISSED")), False),
        ((review(state="CHANGES_REQUESTED"), review()), True),
        ((review(state="DISMISSED"), review()), True),
        ((review(), review(at=OLD)), False),
        ((review(at=OLD), review()), True),
        ((review(), review(AUTHOR, "CHANGES_REQUESTED")), True),
        ((review(), review(Account(login="ALICE", kind="User"), "DISMISSED")), False),
        ((review(None),), False),
        ((), False),
    ],
)
def test_the_last_word_of_each_reviewer_counts(
    reviews: tuple[Review, ...], counts: bool
) -> None:
    assert counts is given(record(*reviews)).given


@pytest.mark.parametrize(
    "written",
    [
        Written(author_email="1+alice@users.noreply.github.com"),
        Written(author_name="Alice"),
        Written(committer_email="alice@users.noreply.github.com"),
        Written(message="x\n\nCo-authored-by: A <1+alice@users.noreply.github.com>"),
    ],
)
def test_who_is_named_in_a_commit_is_no_other_person(written: Written) -> None:
    named = NamedCommit(sha=HEAD, author=None, committer=None, written=written)

    assert not given(record(review(), commits=(named,))).given
    assert given(record(review(), commits=(named,)), "author").given


def test_logins_are_one_whatever_their_case() -> None:
    assert not given(record(review(Account(login="GRACE", kind="User")))).given
    assert not given(record(review(Account(login="ADA", kind="User")))).given


def test_everybody_who_accepted_is_named() -> None:
    bob = Account(login="bob", kind="User")

    found = given(record(review(), review(bob), timeline=(labeled(),)))

    assert (
        "review by @alice at 1a2b3c4",
        "review by @bob at 1a2b3c4",
        "label by @alice at 1a2b3c4",
    ) == found.sentences


def test_what_does_not_count_is_told_with_the_reason() -> None:
    found = given(record(review(AUTHOR), review(BOT), review(AGENT), review()))
    told = granted(HEAD, [Claim(login="eve", how="label")], {"eve": "read"})

    assert ("review by @alice at 1a2b3c4",) == found.sentences
    assert 3 == len(found.notices)
    (notice,) = told.notices
    assert notice.startswith("The label by @eve at 1a2b3c4 is no acceptance: it takes")


@pytest.mark.parametrize("head", ["", "1a2b3c4", "HEAD", "0" * 39 + "g"])
def test_a_head_that_is_no_commit_is_accepted_by_nobody(head: str) -> None:
    said = replace(
        record(review(at=head)), head=head, labels=frozenset({label_of(head)})
    )

    assert () == claims_of(said, "author", lambda _: False)


BLOCKS = finding(Category.UNPROVEN, Decision.BLOCK, Blame.UNKNOWN)
REGRESSION = finding(Category.REGRESSION, Decision.BLOCK, Blame.PRODUCTION)
REPAIR = finding(Category.TEST_DEFECT, Decision.REPAIR, Blame.TESTS)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([BLOCKS], True),
        ([BLOCKS, REPAIR], True),
        ([BLOCKS, REGRESSION], False),
        ([REGRESSION], False),
        ([REPAIR], False),
        ([], False),
    ],
)
def test_how_to_accept_is_said_where_that_would_unblock(
    answers: list[Finding], expected: bool
) -> None:
    assert expected is can_be_accepted(answers)


def test_how_to_accept_names_commit_label_and_whose_word_counts() -> None:
    said = how_to_accept("1a2b3c4")

    assert "another person with write access" in said
    assert "approves this very commit, 1a2b3c4," in said
    assert "`fairtrial-accept-1a2b3c4`" in said
    assert "its author included" in how_to_accept("1a2b3c4", "author")
    assert "`fairtrial-accept-`" in how_to_accept("")
