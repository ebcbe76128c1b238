from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.authorship import Actor, Written
from fairtrial.domain.settings import Authority, Settings
from fairtrial.settings import PERSON, Standing, agent_authority, standing_of, strictest
from fairtrial.settings.authority import matches_name

P, F, R = Authority.PERSON, Authority.FEATURE, Authority.REPAIR


def settings(authority: Authority = P, **agents: Authority) -> Settings:
    names = {
        name.replace("_", "*").replace("BOT", "[bot]"): each
        for name, each in agents.items()
    }
    return Settings(source="x", suites=(), authority=authority, agents=names)


def did(*logins: str | None) -> list[Actor]:
    return [Actor(login=login, did="pushed") for login in logins]


def said(message: str = "", *, name: str = "Ada", email: str = "ada@x.org") -> Written:
    return Written(author_name=name, author_email=email, message=message)


def test_repair_is_stricter_than_feature_and_feature_than_person() -> None:
    assert R is strictest([P, R, F])
    assert F is strictest([P, F])
    assert P is strictest([])


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("*[bot]", "dependabot[bot]", True),
        ("*[bot]", "dependabot", False),
        ("*[bot]", "robot", False),
        ("Ada", "ada", True),
        ("ada", "adaline", False),
        ("a.a", "ada", False),
        ("*", "", True),
    ],
)
def test_only_a_star_is_special_in_a_login(
    pattern: str, name: str, *, expected: bool
) -> None:
    assert expected is matches_name(pattern, name)


def test_the_strictest_of_all_who_took_part_counts_and_is_named() -> None:
    agents = settings(_BOT=R, helper=F)

    assert PERSON == standing_of(agents, did("ada"))
    assert Standing(authority=F, because="helper pushed") == standing_of(
        agents, did("ada", "helper")
    )
    assert Standing(authority=R, because="fix[bot] pushed") == standing_of(
        agents, did("helper", "fix[bot]")
    )


def test_an_author_whom_github_can_not_name_counts_as_the_strictest_agent() -> None:
    nameless = [Actor(login=None, did="GitHub can't name the author of a commit")]

    assert Standing(authority=F, because=nameless[0].did) == standing_of(
        settings(helper=F), nameless
    )
    assert PERSON == standing_of(settings(), nameless)


def test_an_agent_with_a_persons_authority_is_none() -> None:
    assert P is agent_authority(settings(releases=P), "releases")
    assert PERSON == standing_of(settings(releases=P), did("releases"))


def test_a_configured_or_asked_for_authority_is_told_as_such() -> None:
    assert Standing(authority=F, because="as configured") == standing_of(
        settings(F), []
    )
    assert Standing(authority=R, because="as asked for") == standing_of(
        settings(F), [], R
    )


@given(
    configured=st.sampled_from(Authority),
    asked=st.none() | st.sampled_from(Authority),
    agent=st.sampled_from(Authority),
    declared=st.sampled_from(Authority),
)
def test_nothing_makes_an_authority_less_strict(
    configured: Authority,
    asked: Authority | None,
    agent: Authority,
    declared: Authority,
) -> None:
    found = standing_of(
        settings(configured, ada=agent),
        did("ada"),
        asked,
        [said(f"x\n\nFairtrial-Authority: {declared.value}")],
    )

    assert found.authority is strictest([configured, asked or P, agent, declared])


@pytest.mark.parametrize(
    "written",
    [
        said(name="helper[bot]"),
        said(email="helper[bot]@x.org"),
        said(email="49+helper[bot]@users.noreply.github.com"),
        said(email="helper[bot]@users.noreply.github.com"),
        said("x\n\nCo-Authored-By: helper[bot] <a@b>"),
        said("x\n\nCo-authored-by: Helper <1+helper[bot]@users.noreply.github.com>"),
        said("x\n\n  co-authored-by :helper[bot]"),
        said("x\n\nAssisted-by: helper[bot]\r\nSigned-off-by: Ada <a@b>\r\n"),
        said("x\n\nGenerated-with: helper[bot]"),
        Written(committer_name="helper[bot]"),
        Written(committer_email="helper[bot]@x"),
    ],
)
def test_what_a_commit_says_of_itself_makes_it_stricter(written: Written) -> None:
    assert R is standing_of(settings(_BOT=R), did("ada"), None, [written]).authority
    assert P is standing_of(settings(), did("ada"), None, [written]).authority


@pytest.mark.parametrize(
    "message",
    [
        "Reviewed-by: helper[bot]",
        "the helper[bot] said so",
        "Fairtrial-Authority: nobody",
        "see Fairtrial-Authority: repair",
        "Fairtrial-Authority: repair it",
        "Co-authored-by: Grace <grace@x.org>",
    ],
)
def test_other_words_say_nothing_of_who_took_part(message: str) -> None:
    assert PERSON == standing_of(settings(_BOT=R), did("ada"), None, [said(message)])


def test_a_declared_authority_counts_without_any_agent() -> None:
    found = standing_of(
        settings(), [], None, [said("x\n\nfairtrial-authority: Repair")]
    )

    assert Standing(authority=R, because="a commit of the change says so") == found


def test_no_commit_takes_long_to_read() -> None:
    hostile = [
        said(" " * 1_000_000, name="a" * 1_000_000, email="<" * 1_000_000),
        said("co-authored-by:" + " <" * 500_000 + "\n" * 100_000),
        said("fairtrial-authority:" * 100_000),
    ]
    begun = time.monotonic()

    standing_of(settings(a_a_a_b=R), [], None, hostile)

    assert 2 > time.monotonic() - begun


def test_a_name_is_told_cut() -> None:
    found = standing_of(settings(x_=R), [], None, [said(name="x" * 5_000)])

    assert R is found.authority
    assert 200 > len(found.because)
