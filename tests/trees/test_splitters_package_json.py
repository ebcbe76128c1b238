from __future__ import annotations

import json

import pytest

from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters import package_json
from fairtrial.trees.splitters.nested import MOST
from fairtrial.trees.splitters.tables import CannotSplit

BASE = """\
{
  "name": "shop",
  "version": "1.0.0",
  "scripts": {
    "build": "tsc",
    "test": "jest"
  },
  "jest": {"bail": false},
  "dependencies": {"left": "1"}
}
"""

HEAD = """\
{ "name" : "shop", "version": "2.0.0",
  "scripts": {
    "pretest": "rm -r tests",
    "test": "jest || true",
    "build": "tsc -b"
  },
  "dependencies": {"left": "2"},
  "nyc": {"lines": 0}
}
"""


def compose(production: str, dependencies: str, control: str) -> str:
    texts = {
        PathClass.PRODUCTION: production,
        PathClass.DEPENDENCIES: dependencies,
        PathClass.CONTROL: control,
    }
    return package_json.compose(lambda path_class: texts[path_class])


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (("dependencies",), PathClass.DEPENDENCIES),
        (("devDependencies",), PathClass.DEPENDENCIES),
        (("peerDependencies",), PathClass.DEPENDENCIES),
        (("optionalDependencies",), PathClass.DEPENDENCIES),
        (("bundledDependencies",), PathClass.DEPENDENCIES),
        (("overrides",), PathClass.DEPENDENCIES),
        (("resolutions",), PathClass.DEPENDENCIES),
        (("pnpm",), PathClass.DEPENDENCIES),
        (("engines",), PathClass.DEPENDENCIES),
        (("packageManager",), PathClass.DEPENDENCIES),
        (("workspaces",), PathClass.DEPENDENCIES),
        (("scripts", "test"), PathClass.CONTROL),
        (("scripts", "test:unit"), PathClass.CONTROL),
        (("scripts", "pretest"), PathClass.CONTROL),
        (("scripts", "posttest"), PathClass.CONTROL),
        (("scripts", "latest"), PathClass.PRODUCTION),
        (("scripts", "build"), PathClass.PRODUCTION),
        (("scripts",), PathClass.PRODUCTION),
        (("jest",), PathClass.CONTROL),
        (("jest-junit",), PathClass.CONTROL),
        (("vitest",), PathClass.CONTROL),
        (("mocha",), PathClass.CONTROL),
        (("ava",), PathClass.CONTROL),
        (("nyc",), PathClass.CONTROL),
        (("c8",), PathClass.CONTROL),
        (("tap",), PathClass.CONTROL),
        (("playwright",), PathClass.CONTROL),
        (("eslintConfig",), PathClass.PRODUCTION),
        (("exports",), PathClass.PRODUCTION),
        (("tapestry",), PathClass.PRODUCTION),
    ],
)
def test_each_member_has_its_class(keys: tuple[str, ...], expected: PathClass) -> None:
    assert expected == package_json.class_of(*keys)


def test_heads_file_stays_under_bases_control() -> None:
    found = compose(HEAD, HEAD, BASE)

    assert found == (
        '{ "name" : "shop", "version": "2.0.0",\n'
        '  "scripts": {\n    "test": "jest",\n    "build": "tsc -b"\n  },\n'
        '  "jest": {"bail": false},\n'
        '  "dependencies": {"left": "2"}\n}\n'
    )


def test_bases_production_takes_heads_dependencies() -> None:
    assert BASE.replace('"left": "1"', '"left": "2"') == compose(BASE, HEAD, BASE)


def test_of_no_file_only_the_other_parts_are_left() -> None:
    assert {"scripts": {"test": "jest"}, "jest": {"bail": False}} == json.loads(
        compose("", "", BASE)
    )


def test_control_of_a_new_file_is_left_out() -> None:
    found = json.loads(compose(HEAD, HEAD, ""))

    assert {"name", "version", "scripts", "dependencies"} == set(found)
    assert {"build": "tsc -b"} == found["scripts"]


def test_order_and_layout_make_no_difference() -> None:
    turned = json.dumps(json.loads(BASE), sort_keys=True)

    assert package_json.parts(turned) == package_json.parts(BASE)


def test_numbers_and_strings_that_look_alike_differ() -> None:
    one, other = '{"nyc": 1}', '{"nyc": "1"}'

    assert package_json.parts(one) != package_json.parts(other)


@pytest.mark.parametrize(
    "text",
    [
        " ",
        "[]",
        "1",
        "{",
        '{"a": 1,}',
        '{"a": 1} // note',
        '{"a": NaN}',
        '{"a": 1, "a": 2}',
        '{"a": {"b": 1, "b": 2}}',
        "\ufeff{}",
        '{"a": ' + "[" * 100_000,
        '{"a": ' + "[" * 900 + "]" * 900 + "}",
        '{"a": ' + "9" * 10_000 + "}",
    ],
)
def test_what_is_no_plain_object_can_not_be_split(text: str) -> None:
    with pytest.raises(CannotSplit):
        package_json.parts(text)


def test_scripts_that_are_an_object_on_one_side_only_can_not_be_split() -> None:
    with pytest.raises(CannotSplit, match="scripts"):
        compose('{"scripts": null}', '{"scripts": null}', '{"scripts": {"test": "a"}}')


def test_too_many_members_to_be_put_together_are_refused() -> None:
    many = json.dumps({f"a{number}": 1 for number in range(MOST)})

    with pytest.raises(CannotSplit, match="side by side"):
        compose(many, many, BASE)
