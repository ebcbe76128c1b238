"""Parser, JSON Schema and docs/configuration.md say the same; held by enumeration."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.settings import BudgetSettings, Policy, Timeouts
from fairtrial.settings import databases, load, parser, services, suites

SCHEMA: dict[str, Any] = json.loads(
    files("fairtrial.settings").joinpath("configuration.schema.json").read_text("utf-8")
)
DOCS = Path(__file__).parents[2] / "docs" / "configuration.md"

#: Every key that the parser knows, with the schema's place for it.
SUITE = SCHEMA["$defs"]["suite"]
PLACES: Mapping[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "": (parser.TOP, SCHEMA),
    "suites.*.": (suites.SUITE, SUITE),
    "suites.*.order.": (suites.ORDER, SUITE["properties"]["order"]["oneOf"][2]),
    "suites.*.databases.*.": (databases.DATABASE, SCHEMA["$defs"]["database"]),
    "suites.*.databases.*.server.": (
        databases.SERVER,
        SCHEMA["$defs"]["database"]["properties"]["server"]["oneOf"][1],
    ),
    "suites.*.services.*.": (services.SERVICE, SCHEMA["$defs"]["service"]),
    "suites.*.conditions.": (services.CONDITIONS, SUITE["properties"]["conditions"]),
    "paths.": (parser.PATHS, SCHEMA["properties"]["paths"]),
    "timeouts.": (parser.TIMEOUTS, SCHEMA["properties"]["timeouts"]),
    "budget.": (parser.BUDGET, SCHEMA["properties"]["budget"]),
    "policy.": (parser.POLICY, SCHEMA["properties"]["policy"]),
}
#: Keys whose meaning is that of the keys below them.
GROUPS = {"paths", "timeouts", "budget", "policy"}


def rows() -> dict[str, str]:
    """The documented keys with their defaults."""
    table = re.findall(
        r"^\| `([^`]+)` \| ([^|]+) \|", DOCS.read_text("utf-8"), re.MULTILINE
    )
    return {key: default.strip().strip("`") for key, default in table}


def samples() -> list[str]:
    return re.findall(r"```yaml\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)


def test_the_schema_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("place", PLACES)
def test_parser_and_schema_know_the_same_keys(place: str) -> None:
    keys, schema = PLACES[place]

    assert set(keys) == set(schema["properties"])
    assert schema["additionalProperties"] is False


def test_every_key_is_documented_and_no_other() -> None:
    known = {
        prefix + key for prefix, (keys, _) in PLACES.items() for key in keys
    } - GROUPS

    assert known == set(rows())


def defaults() -> Iterator[tuple[str, object]]:
    for prefix, (_, schema) in PLACES.items():
        for key, each in schema["properties"].items():
            if "default" in each:
                yield prefix + key, each["default"]


@pytest.mark.parametrize(("key", "default"), list(defaults()))
def test_documented_defaults_are_the_schemas(key: str, default: object) -> None:
    nothing = ("none", "detected")
    said = rows()[key]

    if default in (None, []):
        assert said in nothing
    else:
        assert json.dumps(default).strip('"') == said


def test_the_schemas_defaults_are_the_parsers() -> None:
    said = dict(defaults())
    settings = load("suites: {unit: }", "x")
    (unit,) = settings.suites

    assert (said["timeouts.test"], said["timeouts.suite"]) == (
        Timeouts().test,
        Timeouts().suite,
    )
    assert [said[f"budget.{key}"] for key in parser.BUDGET] == [
        BudgetSettings().minutes,
        BudgetSettings().alone,
        BudgetSettings().replays,
        BudgetSettings().kills,
    ]
    assert [said[f"policy.{key}"] for key in parser.POLICY] == [
        Policy().pre_existing,
        Policy().pre_existing_max,
        Policy().accept,
    ]
    assert said["authority"] == settings.authority.value
    suite = {key: said[f"suites.*.{key}"] for key in ("runner", "command", "docker")}
    assert {
        "runner": unit.runner,
        "command": unit.command,
        "docker": unit.docker,
    } == suite


def test_every_sample_of_the_documentation_is_read() -> None:
    found = samples()

    assert len(found) >= 2
    for sample in found:
        load(sample, "docs/configuration.md")
        jsonschema.validate(yaml.safe_load(sample), SCHEMA)


def test_the_large_sample_has_every_key() -> None:
    sample = yaml.safe_load(samples()[1])

    unit = sample["suites"]["unit"]
    for prefix, (keys, _) in PLACES.items():
        at = {
            "": sample,
            "suites.*.": unit | sample["suites"]["pages"] | sample["suites"]["legacy"],
            "suites.*.order.": unit["order"],
            "suites.*.databases.*.": unit["databases"]["orders"],
            "suites.*.databases.*.server.": unit["databases"]["billing"]["server"],
            "suites.*.services.*.": unit["services"]["kafka"],
            "suites.*.conditions.": unit["conditions"],
        }.get(prefix) or sample[prefix.rstrip(".")]
        assert set(keys) == set(at)


def test_the_error_in_the_documentation_is_the_one_that_is_given() -> None:
    shown = re.findall(r"```text\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)[0]
    text = "version: 1\nsuites:\n  unit:\n    pyhton: x\n"

    with pytest.raises(ConfigurationError) as caught:
        load(text, "base:.fairtrial.yml")

    assert shown.strip() == caught.value.diagnostics()


BOTH = [
    "suites: {unit: }",
    "suites: {unit: {image: null, docker: true}}",
    "suites: {unit: {image: a, docker: true}}",
    "suites: {unit: {order: a.txt}}",
    "suites: {unit: {order: {file: a.txt}}}",
    "suites: {unit: {order: {only: true}}}",
    "suites: {unit: {order: ../a}}",
    "suites: {unit: {order: /a}}",
    "suites: {unit: {order: a/../b}}",
    "suites: {unit: {order: a..b}}",
    "suites: {unit: {python: '3.13'}}",
    "suites: {unit: {python: '3'}}",
    "suites: {unit: {python: 3.13}}",
    "suites: {unit: {env: {A: ''}}}",
    "suites: {unit: {env: {A: 1}}}",
    "suites: {unit: {env: {A-B: ''}}}",
    "suites: {unit: {prepare: []}}",
    "suites: {unit: {prepare: ['']}}",
    "suites: {unit: {build: a}}",
    "suites: {unit: {runner: other}}",
    "suites: {unit: {folder: a/b}}",
    "suites: {unit: {folder: ../b}}",
    "suites: {unit: {one: 'x {test}'}}",
    "suites: {unit: {reports: [a.xml]}}",
    "suites: {unit: {reports: []}}",
    "suites: {unit: {runner: generic}}",
    "suites: {unit: {runner: generic, command: a, one: 'b {test}', reports: [c]}}",
    "suites: {unit: {runner: generic, command: a, one: b, reports: [c]}}",
    "suites: {unit: {runner: generic, command: a, one: 'b {test}', reports: []}}",
    "suites: {unit: {network: open}}",
    "suites: {unit: {network: closed}}",
    "suites: {unit: {databases: {}}}",
    "suites: {unit: {databases: null}}",
    "suites: {unit: {databases: []}}",
    "suites: {unit: {databases: {a: }}}",
    "suites: {unit: {databases: {a: {}}}}",
    "suites: {unit: {databases: {1a: }}}",
    "suites: {unit: {databases: {a: {engine: mysql}}}}",
    "suites: {unit: {databases: {a: {engine: oracle}}}}",
    "suites: {unit: {databases: {a: {engine: sqlite}}}}",
    "suites: {unit: {databases: {a: {engine: sqlite, env: A}}}}",
    "suites: {unit: {databases: {a: {engine: sqlite, env: {}}}}}",
    "suites: {unit: {databases: {a: {engine: sqlite, env: {A: path}}}}}",
    "suites: {unit: {databases: {a: {engine: sqlite, env: {A: port}}}}}",
    "suites: {unit: {databases: {a: {engine: sqlite, env: A, server: {admin: B}}}}}",
    "suites: {unit: {databases: {a: {env: {A: path}}}}}",
    "suites: {unit: {databases: {a: {env: {A: adress}}}}}",
    "suites: {unit: {databases: {a: {env: 'A B'}}}}",
    "suites: {unit: {databases: {a: {env: {'A-B': url}}}}}",
    "suites: {unit: {databases: {a: {server: embedded, schema: []}}}}",
    "suites: {unit: {databases: {a: {server: other}}}}",
    "suites: {unit: {databases: {a: {server: {}}}}}",
    "suites: {unit: {databases: {a: {server: {admin: $A}}}}}",
    "suites: {unit: {databases: {a: {server: {admin: '${A}'}}}}}",
    "suites: {unit: {databases: {a: {server: {admin: '${A'}}}}}",
    "suites: {unit: {databases: {a: {server: {admin: 'a://b:c@d'}}}}}",
    "suites: {unit: {databases: {a: {schema: ''}}}}",
    "suites: {unit: {databases: {a: {schema: [a, '']}}}}",
    "suites: {unit: {databases: {a: {driver: psycopg}}}}",
    "suites: {unit: {databases: {a: {driver: 'p+q'}}}}",
    "suites: {unit: {services: null}}",
    "suites: {unit: {services: {a: }}}",
    "suites: {unit: {services: {a: {}}}}",
    "suites: {unit: {services: {a: {at: 'b:1'}}}}",
    "suites: {unit: {services: {a: {at: '[::1]:65535'}}}}",
    "suites: {unit: {services: {a: {at: 'b:65536'}}}}",
    "suites: {unit: {services: {a: {at: 'b:0'}}}}",
    "suites: {unit: {services: {a: {at: 'http://b:1'}}}}",
    "suites: {unit: {services: {a: {at: 'b:1', port: 0}}}}",
    "suites: {unit: {services: {a: {at: 'b:1', port: 65536}}}}",
    "suites: {unit: {services: {a: {at: 'b:1', within: 0}}}}",
    "suites: {unit: {services: {a: {at: 'b:1', within: 0.5, health: x}}}}",
    "suites: {unit: {services: {a: {at: 'b:1', health: ''}}}}",
    "suites: {unit: {conditions: {}}}",
    "suites: {unit: {conditions: {cpus: 0}}}",
    "suites: {unit: {conditions: {cpus: 1, umask: '0077'}}}",
    "suites: {unit: {conditions: {umask: 22}}}",
    "suites: {unit: {conditions: {umask: '888'}}}",
    "suites: {unit: {when: [a]}}",
    "suites: {unit: {when: ['!a']}}",
    "suites: {unit: {when: ['a\\b']}}",
    "suites: {unit: {strange: 1}}",
    "suites: {'a b': }",
    "suites: {}",
    "suites: null",
    "{}",
    "version: 2\nsuites: {u: }",
    "version: null\nsuites: {u: }",
    "suites: {u: }\npaths: null",
    "suites: {u: }\npaths: {test: null}",
    "suites: {u: }\npaths: {other: []}",
    "suites: {u: }\nauthority: repair",
    "suites: {u: }\nauthority: nobody",
    "suites: {u: }\nagents: {a: repair}",
    "suites: {u: }\nagents: {a: null}",
    "suites: {u: }\ntimeouts: {test: 0.5}",
    "suites: {u: }\ntimeouts: {test: 0}",
    "suites: {u: }\ntimeouts: {suite: 86401}",
    "suites: {u: }\nbudget: {alone: 3}",
    "suites: {u: }\nbudget: {alone: 2}",
    "suites: {u: }\nbudget: {replays: 101}",
    "suites: {u: }\nbudget: {minutes: 1441}",
    "suites: {u: }\npolicy: {pre-existing: block}",
    "suites: {u: }\npolicy: {pre-existing-max: 0}",
    "suites: {u: }\npolicy: {pre-existing-max: 1.5}",
    "suites: {u: }\npolicy: {accept: author}",
]


@pytest.mark.parametrize("text", BOTH)
def test_parser_and_schema_accept_and_refuse_the_same(text: str) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    valid = validator.is_valid(yaml.safe_load(text))

    try:
        load(text, "x")
        read = True
    except ConfigurationError:
        read = False

    assert valid == read


def test_the_pairs_hold_both_kinds() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)

    assert {True, False} == {validator.is_valid(yaml.safe_load(text)) for text in BOTH}
