from __future__ import annotations

from pathlib import Path

import pytest
from tests.trees.listings import Store

from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.request import SuiteInputs
from fairtrial.domain.settings import Settings
from fairtrial.subject.configuration import choose_settings, chosen
from fairtrial.trees import Entry
from fairtrial.trees.listing import LINK

ONE = "suites: {one: }\n"
TWO = "suites: {two: , three: }\n"
TEST = {"tests/test_a.py": ""}


def choose(
    base: dict[str, str | bytes | Entry],
    head: dict[str, str | bytes | Entry] | None = None,
    given: Path | None = None,
) -> tuple[Settings, tuple[str, ...]]:
    store = Store()
    other = base if head is None else head
    return choose_settings(store.listing(base), store.listing(other), store.read, given)


def names(settings: Settings) -> list[str]:
    return [suite.name for suite in settings.suites]


def test_the_bases_file_counts_whatever_the_change_does_to_it() -> None:
    settings, notices = choose({".fairtrial.yml": ONE}, {".fairtrial.yml": TWO})

    assert ("base:.fairtrial.yml", ["one"]) == (settings.source, names(settings))
    assert (".fairtrial.yml of this change takes effect once it is merged.",) == notices


def test_a_file_of_the_change_alone_counts_for_nothing() -> None:
    settings, notices = choose({**TEST}, {**TEST, ".fairtrial.yml": TWO})

    assert ("detected", ["pytest"]) == (settings.source, names(settings))
    assert "takes effect once it is merged" in notices[0]
    assert "detected" in notices[1]


def test_a_removed_file_still_counts() -> None:
    settings, (notice,) = choose({".fairtrial.yml": ONE}, {})

    assert ["one"] == names(settings)
    assert "removes .fairtrial.yml" in notice


def test_a_broken_file_of_the_change_is_told_and_stops_nothing() -> None:
    settings, (notice,) = choose(
        {".fairtrial.yml": ONE}, {".fairtrial.yml": "suites: {a: {pyhton: x}}"}
    )

    assert ["one"] == names(settings)
    assert 'head:.fairtrial.yml:1: suites.a: unknown key "pyhton"' in notice


def test_an_equal_file_is_not_worth_a_word() -> None:
    assert () == choose({".fairtrial.yaml": ONE})[1]


def test_a_given_file_counts_where_the_base_has_none(tmp_path: Path) -> None:
    file = tmp_path / "own.yml"
    file.write_text(TWO)

    settings, notices = choose({**TEST}, given=file)

    assert f"--config {file}" == settings.source
    assert ["two", "three"] == names(settings)
    assert () == notices


def test_a_given_file_is_not_used_against_the_bases_own(tmp_path: Path) -> None:
    settings, (notice,) = choose({".fairtrial.yml": ONE}, given=tmp_path / "gone.yml")

    assert ["one"] == names(settings)
    assert "is not used" in notice


def test_a_given_file_that_can_not_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="can't be read: No such file"):
        choose({**TEST}, given=tmp_path / "gone.yml")


def test_two_files_in_the_base_are_one_too_many() -> None:
    with pytest.raises(ConfigurationError, match=r"both \.fairtrial\.yml and"):
        choose({".fairtrial.yml": ONE, ".fairtrial.yaml": ONE})


def test_a_link_is_no_configuration() -> None:
    store = Store()
    link = {".fairtrial.yml": store.entry("/etc/passwd", LINK)}
    listing = store.listing(dict(link))

    with pytest.raises(ConfigurationError, match="no regular file"):
        choose_settings(listing, listing, store.read, None)


def test_bytes_that_are_no_text_are_named_by_line() -> None:
    with pytest.raises(ConfigurationError, match=r"base:\.fairtrial\.yml:2: .*UTF-8"):
        choose({".fairtrial.yml": b"suites:\n  a\xff: {}\n"})


def test_a_byte_order_mark_is_no_mistake() -> None:
    settings, _ = choose({".fairtrial.yml": b"\xef\xbb\xbf" + ONE.encode()})

    assert ["one"] == names(settings)


def test_nothing_to_detect_is_an_error_with_a_remedy() -> None:
    with pytest.raises(ConfigurationError, match="no test was found") as caught:
        choose({"src/app.py": ""})
    assert ".fairtrial.yml" in caught.value.remedy


def test_suites_are_chosen_by_name_and_a_wrong_one_is_an_error() -> None:
    settings, _ = choose({".fairtrial.yml": TWO})

    assert settings == chosen(settings, ())
    assert ["three"] == names(chosen(settings, ("three",)))
    with pytest.raises(ConfigurationError, match="no suite `tow`") as caught:
        chosen(settings, ("tow",))
    assert 'Did you mean "two"?' == caught.value.remedy


def test_inputs_describe_a_suite_where_nothing_else_does() -> None:
    inputs = SuiteInputs(command="pytest -q", python="3.13", prepare=("pip list",))
    store = Store()

    settings, _ = choose_settings(
        store.listing({}), store.listing({}), store.read, None, inputs
    )

    assert settings.source == "inputs"
    (suite,) = settings.suites
    assert (suite.command, suite.python, suite.prepare) == (
        "pytest -q",
        "3.13",
        ("pip list",),
    )
    assert suite.build is None


def test_inputs_are_not_used_where_the_base_has_a_configuration() -> None:
    store = Store()
    listing = store.listing({".fairtrial.yml": "suites: {unit: {runner: pytest}}\n"})

    settings, said = choose_settings(
        listing, listing, store.read, None, SuiteInputs(command="true")
    )

    assert settings.source == "base:.fairtrial.yml"
    assert any("inputs are not used" in each for each in said)
