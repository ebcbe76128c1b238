from __future__ import annotations

import configparser

import pytest

from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters import setup_cfg
from fairtrial.trees.splitters.tables import CannotSplit

BASE = """\
[metadata]
name = shop

[options]
packages = find:
install_requires =
    requests

    attrs
python_requires = >=3.8

[options.extras_require]
test = pytest

# quiet
[tool:pytest]
addopts = -q
    --strict-markers
"""

HEAD = """\
[metadata]
name = shop
version = 2

[options]
packages = find:
install_requires =
    requests
# not needed any more
    click

[tool:pytest]
addopts = --deselect tests

[coverage:report]
fail_under = 0
"""


def compose(production: str, dependencies: str, control: str) -> str:
    texts = {
        PathClass.PRODUCTION: production,
        PathClass.DEPENDENCIES: dependencies,
        PathClass.CONTROL: control,
    }
    return setup_cfg.compose(lambda path_class: texts[path_class])


def parsed(text: str) -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    return parser


def test_heads_file_gets_bases_pytest_section() -> None:
    text = compose(HEAD, HEAD, BASE)

    found = parsed(text)
    assert "-q\n--strict-markers" == found["tool:pytest"]["addopts"]
    assert not found.has_section("coverage:report")
    assert "2" == found["metadata"]["version"]
    assert "\nrequests\nclick" == found["options"]["install_requires"]
    assert "# quiet\n[tool:pytest]" in text


def test_dependencies_are_exchanged_inside_the_options_section() -> None:
    found = parsed(compose(HEAD, BASE, HEAD))

    assert "\nrequests\n\nattrs" == found["options"]["install_requires"]
    assert ">=3.8" == found["options"]["python_requires"]
    assert "find:" == found["options"]["packages"]
    assert "pytest" == found["options.extras_require"]["test"]
    assert "--deselect tests" == found["tool:pytest"]["addopts"]


def test_equal_parts_leave_the_text_as_it_is() -> None:
    other = BASE.replace("name = shop", "name=store")

    assert other == compose(other, BASE, BASE)


def test_each_part_is_compared_for_itself() -> None:
    base, head = setup_cfg.parts(BASE), setup_cfg.parts(HEAD)

    assert all(base[each] != head[each] for each in base)
    assert (
        setup_cfg.parts(BASE.replace("addopts = -q", "addopts=-q"))[PathClass.CONTROL]
        == (base[PathClass.CONTROL])
    )


@pytest.mark.parametrize(
    "text", ["no section\n", "[a]\nx=1\nx=2\n", "[a]\n[a]\n", "[a\n"]
)
def test_what_is_no_ini_file_can_not_be_split(text: str) -> None:
    with pytest.raises(CannotSplit):
        setup_cfg.parts(text)
