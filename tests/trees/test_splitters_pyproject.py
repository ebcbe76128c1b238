from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters import pyproject
from fairtrial.trees.splitters.tables import CLASSES, CannotSplit

BASE = """\
# The build.
[build-system]
requires = ["hatchling"]

[project]
name = "shop"
version = "1.0"
dependencies = [
    "requests",  # ] not the end
]

[project.optional-dependencies]
test = ["pytest"]

# How tests are run.
[tool.pytest.ini_options]
addopts = "-q"
markers = [
    "slow: takes [long]",
]

[tool.ruff]
line-length = 88
"""

HEAD = """\
[build-system]
requires = ["hatchling"]

[project]
name = "shop"
version = "2.0"  # the change
description = '''
[tool.pytest.ini_options]
addopts = "not a table"
'''
dependencies = ["requests", "attrs"]

[tool.coverage.report]
fail_under = 0

[tool.pytest.ini_options]
addopts = "-q -p no:cacheprovider --deselect tests"

[tool.ruff]
line-length = 100
"""


def compose(production: str, dependencies: str, control: str) -> str:
    texts = {
        PathClass.PRODUCTION: production,
        PathClass.DEPENDENCIES: dependencies,
        PathClass.CONTROL: control,
    }
    return pyproject.compose(lambda path_class: texts[path_class])


def test_heads_file_keeps_its_text_but_for_bases_pytest_tables() -> None:
    found = compose(HEAD, HEAD, BASE)

    parsed = tomllib.loads(found)
    assert "-q" == parsed["tool"]["pytest"]["ini_options"]["addopts"]
    assert "coverage" not in parsed["tool"]
    assert "2.0" == parsed["project"]["version"]
    assert 'version = "2.0"  # the change\n' in found
    assert "# How tests are run.\n[tool.pytest.ini_options]\n" in found
    assert 'markers = [\n    "slow: takes [long]",\n]\n' in found


def test_dependencies_inside_the_project_table_are_exchanged_in_place() -> None:
    found = tomllib.loads(compose(HEAD, BASE, HEAD))

    assert ["requests"] == found["project"]["dependencies"]
    assert {"test": ["pytest"]} == found["project"]["optional-dependencies"]
    assert "2.0" == found["project"]["version"]
    assert 0 == found["tool"]["coverage"]["report"]["fail_under"]


def test_a_file_whose_other_parts_are_equal_stays_as_it_is_to_the_byte() -> None:
    other = BASE.replace('version = "1.0"', 'version = "3"').replace("# The", "#")

    assert other == compose(other, BASE, BASE)


def test_of_no_file_only_the_other_sides_tables_are_left() -> None:
    found = tomllib.loads(compose("", "", BASE))

    assert {"tool"} == set(found)
    assert {"pytest"} == set(found["tool"])


def test_tables_of_a_new_file_are_left_out() -> None:
    found = tomllib.loads(compose(HEAD, HEAD, ""))

    assert {"ruff"} == set(found["tool"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[tool.pytest.ini_options]\na=1\n", "[tool.pytest.ini_options]\na=true\n"),
        ("[tool.pytest.ini_options]\na=1\n", "[tool.pytest.ini_options]\na='1'\n"),
        ("[tool.pytest]\n", ""),
        ("tool.coverage.run.branch=true\n", "tool.coverage.run.branch=false\n"),
        ("[tool]\npytest={ini_options={a=1}}\n", ""),
        ('[project.entry-points.pytest11]\na="b"\n', ""),
        ('[tool.pytest-env]\nA="b"\n', ""),
    ],
)
def test_a_difference_in_control_is_seen(one: str, other: str) -> None:
    assert (
        pyproject.parts(one)[PathClass.CONTROL]
        != pyproject.parts(other)[PathClass.CONTROL]
    )


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (("project", "name"), PathClass.PRODUCTION),
        (("project", "dependencies"), PathClass.DEPENDENCIES),
        (("project", "requires-python"), PathClass.DEPENDENCIES),
        (("dependency-groups", "dev"), PathClass.DEPENDENCIES),
        (("tool", "poetry", "group", "dev", "dependencies"), PathClass.DEPENDENCIES),
        (("tool", "poetry", "name"), PathClass.PRODUCTION),
        (("tool", "uv", "sources"), PathClass.DEPENDENCIES),
        (("tool", "ruff"), PathClass.PRODUCTION),
        (("tool", "pytest", "ini_options"), PathClass.CONTROL),
        (("tool", "coverage", "run"), PathClass.CONTROL),
        (("tool", "tox"), PathClass.CONTROL),
    ],
)
def test_each_table_has_its_class(keys: tuple[str, ...], expected: PathClass) -> None:
    assert expected == pyproject.class_of(keys)


def test_order_and_layout_make_no_difference() -> None:
    one = "[project]\nname='a'\nversion='1'\n[tool.pytest.ini_options]\nx=[1,2]\n"
    other = "[tool.pytest.ini_options]\nx=[\n1,\n2]\n[project]\nversion='1'\nname='a'\n"

    assert pyproject.parts(one) == pyproject.parts(other)


def test_arrays_of_tables_move_together() -> None:
    other = '[[tool.uv.index]]\nname="a"\n[[tool.uv.index]]\nname="b"\n'
    ground = '[[tool.uv.index]]\nname="c"\n[tool.ruff]\n'

    found = tomllib.loads(compose(ground, other, ground))

    assert [{"name": "a"}, {"name": "b"}] == found["tool"]["uv"]["index"]


def test_a_last_line_without_an_end_is_ended_before_more_follows() -> None:
    found = compose("[project]\nname='a'", "", "[tool.pytest.ini_options]\nb=1")

    assert "[project]\nname='a'\n[tool.pytest.ini_options]\nb=1" == found


def test_quotes_and_brackets_in_strings_end_nothing() -> None:
    text = (
        '[project]\nname = "a\\"]#"\n'
        'readme = """x " "" \\""" ] [tool.pytest]\n""""\n'
        "urls = { 'a.b' = 'c#', \"d=e\" = \"f\" }\n"
        '[tool."pytest".ini_options]\na = 1\n'
    )

    document = pyproject.scan(text)

    assert text == document.text()
    assert [(), ("project",), ("tool", "pytest", "ini_options")] == [
        table.path for table in document.tables
    ]
    assert text.partition('[tool."')[0] == compose(text, text, "")


@pytest.mark.parametrize(
    "text", ["[", "a = ", "a = 1\na = 2\n", "a = " + "[" * 5000, "\x00"]
)
def test_what_is_no_toml_can_not_be_split(text: str) -> None:
    with pytest.raises(CannotSplit):
        pyproject.parts(text)


def test_an_inline_table_that_mixes_classes_can_not_be_split() -> None:
    mixed = "tool = {pytest = {a = 1}, ruff = {b = 2}}\n"

    with pytest.raises(CannotSplit, match="inline table"):
        compose(mixed, mixed, "")


PIECES = st.lists(
    st.sampled_from(
        [
            "[project]\nname = 'a'\ndependencies = ['x']\n",
            "[tool.pytest.ini_options]\naddopts = '-q'\n",
            "[tool.coverage.run]\nbranch = true\n",
            "# a comment\n[tool.ruff]\nx = '''\n[no.table]\n'''\n",
            "[build-system]\nrequires = [\n  'a', # b\n]\n",
            "[dependency-groups]\ntest = ['pytest']\n\n",
            "[tool.setuptools.dynamic]\ndependencies = {file = 'a'}\nversion = '1'\n",
        ]
    ),
    unique=True,
).map("".join)


@given(production=PIECES, dependencies=PIECES, control=PIECES)
def test_each_part_is_its_own_texts_and_nothing_else(
    production: str, dependencies: str, control: str
) -> None:
    found = pyproject.parts(compose(production, dependencies, control))

    sources = dict(zip(CLASSES, (production, dependencies, control), strict=True))
    for path_class, text in sources.items():
        assert pyproject.parts(text)[path_class] == found[path_class]
