"""Who took part is asked where it matters, and nobody's silence makes it laxer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.fake_github.people import Committed
from tests.fake_github.server import FakeGitHub
from tests.subject.pulls import NUMBER, PullRequest, opened

from fairtrial.domain.authorship import Actor
from fairtrial.domain.settings import Authority
from fairtrial.settings import PERSON, Standing, standing_of
from fairtrial.subject.event import LOCAL, PUSHED, EventKind


@pytest.fixture
def pull(github: FakeGitHub, tmp_path: Path) -> PullRequest:
    return opened(github, tmp_path)


def standing(pull: PullRequest) -> Standing:
    part = pull.taking_part()
    return standing_of(pull.settings, part.actors, None, part.written)


def test_without_agents_nobody_is_asked(pull: PullRequest) -> None:
    pull.github.people.commit(NUMBER, "c" * 40, author="fix[bot]")

    assert PERSON == standing(pull)
    assert [] == pull.github.requests


def test_people_are_a_persons_authority(pull: PullRequest) -> None:
    pull.agents(BOT=Authority.REPAIR)

    assert PERSON == standing(pull)
    assert ["/pulls/7/commits"] == pull.asked


@pytest.mark.parametrize(
    ("author", "committer", "because"),
    [
        ("fix[bot]", "ada", "fix[bot] wrote a commit"),
        ("ada", "fix[bot]", "fix[bot] committed a commit"),
        (None, "ada", "GitHub can't name the author of a commit"),
        ("ada", None, "GitHub can't name the committer of a commit"),
    ],
)
def test_each_commits_author_and_committer_count(
    pull: PullRequest, author: str | None, committer: str | None, because: str
) -> None:
    pull.agents(BOT=Authority.REPAIR, helper=Authority.FEATURE)
    pull.github.people.commit(NUMBER, "c" * 40, author=author, committer=committer)

    assert Standing(authority=Authority.REPAIR, because=because) == standing(pull)


def test_who_opened_and_who_pushed_count(pull: PullRequest) -> None:
    pull.agents(BOT=Authority.REPAIR)
    pusher = Actor(login="dependabot[bot]", did=PUSHED)
    pull.event = replace(pull.event, actors=(*pull.event.actors, pusher))

    assert "dependabot[bot] pushed" == standing(pull).because


def test_what_the_commits_say_counts_where_it_is_stricter(pull: PullRequest) -> None:
    pull.agents(BOT=Authority.REPAIR)
    message = "x\n\nCo-authored-by: fix[bot] <fix@bots>"
    pull.github.people.commit(NUMBER, "c" * 40, author="ada", message=message)

    assert "fix[bot] is named in a commit" == standing(pull).because


def test_on_a_laptop_only_the_commits_speak(pull: PullRequest) -> None:
    pull.agents(BOT=Authority.REPAIR)
    pull.event = LOCAL
    assert PERSON == standing(pull)

    pull.repo.git("-c", "user.name=x", "commit", "--amend", "--quiet", "-m", "x")
    author = "--author=fix[bot] <1+fix[bot]@users.noreply.github.com>"
    pull.repo.git("commit", "--allow-empty", "--quiet", author, "-m", "x")
    pull.merge = pull.repo.head()

    assert "fix[bot] is the author of a commit" == standing(pull).because
    assert [] == pull.github.requests


def test_a_trailer_declares_an_authority_without_any_configuration(
    pull: PullRequest,
) -> None:
    message = "x\n\nFairtrial-Authority: feature"
    pull.repo.git("commit", "--allow-empty", "--quiet", "-m", message)
    pull.merge = pull.repo.head()

    assert Authority.FEATURE is standing(pull).authority


@pytest.mark.parametrize("status", [403, 502])
def test_where_github_does_not_answer_the_strictest_agent_took_part(
    pull: PullRequest, status: int
) -> None:
    pull.agents(BOT=Authority.FEATURE)
    pull.github.fails(status, "No", times=-1)

    part = pull.taking_part()

    assert Authority.FEATURE is standing(pull).authority
    assert "counts as `feature`" in part.notices[0]
    assert f"{status} No" in part.notices[0]


def test_without_a_token_the_strictest_agent_took_part(pull: PullRequest) -> None:
    pull.agents(BOT=Authority.REPAIR)
    pull.token = False

    assert Authority.REPAIR is standing(pull).authority
    assert "`github-token`" in pull.taking_part().notices[0]


def test_more_commits_than_are_listed_are_compared(pull: PullRequest) -> None:
    pull.agents(BOT=Authority.REPAIR)
    pull.github.people.force(NUMBER, [*many(299), made(299, "fix[bot]")])

    assert "fix[bot] wrote a commit" == standing(pull).because
    assert [f"/compare/{pull.base}...{pull.head}"] == pull.asked[1:]


def test_more_people_than_can_be_read_are_the_strictest_agent(
    pull: PullRequest,
) -> None:
    pull.agents(BOT=Authority.REPAIR)
    pull.github.people.force(NUMBER, many(300))
    pull.github.fails(404, "Not Found", on="compare", times=-1)

    assert Authority.REPAIR is standing(pull).authority


def test_a_merge_group_asks_for_its_own_commits(
    pull: PullRequest, github: FakeGitHub
) -> None:
    pull.agents(BOT=Authority.REPAIR)
    github.push(NUMBER, pull.merge)
    github.people.commit(NUMBER, "c" * 40, author="fix[bot]")
    pull.event = replace(
        pull.event, kind=EventKind.MERGE_GROUP, head=pull.merge, actors=()
    )

    assert "fix[bot] wrote a commit" == standing(pull).because


def test_a_pushs_payload_names_everybody_itself(pull: PullRequest) -> None:
    pull.agents(BOT=Authority.REPAIR)
    pull.event = replace(pull.event, kind=EventKind.PUSH)

    assert PERSON == standing(pull)
    assert [] == pull.github.requests


def many(count: int) -> list[Committed]:
    return [made(number, "ada") for number in range(count)]


def made(number: int, author: str) -> Committed:
    return Committed(sha=f"{number:040x}", author=author, committer="ada")
