from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.errors import ConfigurationError, ExitCode
from fairtrial.domain.settings import Authority, Settings
from fairtrial.settings import authority_of, check_authority
from fairtrial.settings.authority import matches_name, strictest

P, F, R = Authority.PERSON, Authority.FEATURE, Authority.REPAIR


def settings(authority: Authority = P, **agents: Authority) -> Settings:
    names = {name.replace("_", "*"): each for name, each in agents.items()}
    return Settings(source="x", suites=(), authority=authority, agents=names)


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


def test_the_strictest_of_all_who_took_part_counts() -> None:
    agents = settings(_bot=R, helper=F)

    assert P is authority_of(agents, ["ada"])
    assert F is authority_of(agents, ["ada", "helper"])
    assert R is authority_of(agents, ["helper", "fix-bot"])


def test_an_author_whom_github_can_not_name_counts_as_the_strictest_agent() -> None:
    assert F is authority_of(settings(helper=F), [None])
    assert P is authority_of(settings(), [None])


@given(
    configured=st.sampled_from(Authority),
    asked=st.none() | st.sampled_from(Authority),
    agent=st.sampled_from(Authority),
)
def test_nothing_makes_an_authority_less_strict(
    configured: Authority, asked: Authority | None, agent: Authority
) -> None:
    found = authority_of(settings(configured, ada=agent), ["ada"], asked)

    assert found is strictest([configured, asked or P, agent])


@pytest.mark.parametrize("authority", [F, R])
def test_an_agents_authority_ends_the_run_with_two(authority: Authority) -> None:
    with pytest.raises(ConfigurationError, match="not supported yet") as caught:
        check_authority(authority)

    assert ExitCode.CONFIGURATION == caught.value.exit_code
    check_authority(P)
