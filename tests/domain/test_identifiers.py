from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.databases import Engine
from fairtrial.domain.identifiers import names_in, quoted, spelled

ENGINES = st.sampled_from(Engine)
NAMES = st.text(alphabet="aZ_0 .\"`'\n-é", min_size=1)


def test_only_what_needs_quotes_gets_them() -> None:
    assert 'public."Order items"' == spelled(("public", "Order items"), Engine.SQLITE)
    assert "`a``b`" == quoted("a`b", Engine.MARIADB)


def test_what_is_spelled_badly_is_one_name() -> None:
    assert ('a"b',) == names_in('a"b', Engine.POSTGRESQL)
    assert ("",) == names_in("", Engine.SQLITE)


@given(names=st.lists(NAMES, min_size=1, max_size=3), engine=ENGINES)
def test_names_come_back_as_they_were(names: list[str], engine: Engine) -> None:
    assert tuple(names) == names_in(spelled(names, engine), engine)


@given(name=st.text(), engine=ENGINES)
def test_nothing_gets_out_of_its_quotes(name: str, engine: Engine) -> None:
    written = quoted(name, engine)
    inside = written[1:-1].replace(written[0] * 2, "")
    assert written[0] not in inside
