from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.errors import ConfigurationError, ExitCode
from fairtrial.domain.paths import PathClass
from fairtrial.domain.settings import (
    Authority,
    BudgetSettings,
    Network,
    Order,
    Policy,
    Settings,
    Timeouts,
)
from fairtrial.settings import load

SOURCE = "base:.fairtrial.yml"


def refused(text: str) -> str:
    with pytest.raises(ConfigurationError) as caught:
        load(text, SOURCE)
    assert ExitCode.CONFIGURATION == caught.value.exit_code
    return caught.value.diagnostics()


def suite(text: str) -> str:
    return f"suites:\n  unit:\n    {text}\n"


def test_one_suite_is_enough() -> None:
    settings = load("suites: {unit: }", SOURCE)

    (unit,) = settings.suites
    assert ("unit", "pytest", "pytest") == (unit.name, unit.runner, unit.command)
    assert (None, None, None) == (unit.prepare, unit.build, unit.image)
    assert Settings(source=SOURCE, suites=(unit,)) == settings


def test_every_key_arrives_in_the_settings() -> None:
    settings = load(
        """
version: 1
suites:
  unit:
    runner: pytest
    image: python:3.13-slim
    python: "3.13"
    docker: false
    prepare: [pip install -r a.txt, 'echo "x"']
    build: []
    command: pytest -q
    order: {file: order.txt, only: true}
    env: {TZ: UTC, EMPTY: ""}
    network: open
    when: [src/**]
  other: {order: o.txt, docker: true}
paths: {production: [a], migration: [b], dependencies: [], test: [d], control: [e]}
authority: feature
agents: {"*[bot]": repair, ada: person}
timeouts: {test: 1.5, suite: 60}
budget: {minutes: 7, alone: 4, replays: 3, kills: 0.5}
policy: {pre-existing: pass, pre-existing-max: 0, accept: author}
""",
        SOURCE,
    )

    unit, other = settings.suites
    assert ("python:3.13-slim", "3.13", False) == (unit.image, unit.python, unit.docker)
    assert ("pip install -r a.txt", 'echo "x"') == unit.prepare
    assert () == unit.build
    assert "pytest -q" == unit.command
    assert Order(file="order.txt", only=True) == unit.order
    assert {"TZ": "UTC", "EMPTY": ""} == unit.env
    assert Network.OPEN is unit.network
    assert ("src/**",) == unit.when
    assert (Order(file="o.txt"), True) == (other.order, other.docker)
    assert ("a",) == settings.paths[PathClass.PRODUCTION]
    assert ("e",) == settings.paths[PathClass.CONTROL]
    assert Authority.FEATURE is settings.authority
    assert {"*[bot]": Authority.REPAIR, "ada": Authority.PERSON} == settings.agents
    assert Timeouts(test=1.5, suite=60) == settings.timeouts
    assert BudgetSettings(minutes=7, alone=4, replays=3, kills=0.5) == settings.budget
    assert Policy(pre_existing_max=0, accept="author") == settings.policy


def test_suites_keep_the_order_of_the_file() -> None:
    names = [each.name for each in load("suites: {b: , a: , c: }", SOURCE).suites]

    assert ["b", "a", "c"] == names


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("suites: {unit: {}}\nsuits: {}", 2, 'Did you mean "suites"?'),
        (suite("pyhton: x"), 3, 'unit: unknown key "pyhton".\nDid you mean "python"?'),
        (suite("zzz: x"), 3, "Known here: runner, image"),
        (
            suite("python: 3.10"),
            3,
            "reads the number `3.10`.\nPut it in quotes",
        ),
        (suite("command: on"), 3, "reads the truth value `on`"),
        (
            suite("env: {A: 1}"),
            3,
            "unit.env.A: text was meant, and YAML reads",
        ),
        (suite("env: {A: 2026-01-01}"), 3, "the date `2026-01-01`"),
        (suite("env: {A: null}"), 3, "there is nothing"),
        (suite("env: {'A-B': x}"), 3, "no name of an environment variable"),
        (suite("docker: yes"), 3, "Write `true` or `false`"),
        (suite('docker: "true"'), 3, "text `true`"),
        (suite("prepare: pip install x"), 3, "a list was meant"),
        (suite("prepare: [pip, {a: b}]"), 3, "unit.prepare.1: text was meant"),
        (suite("build: ['']"), 3, "this text is empty"),
        (suite("order: /etc/passwd"), 3, "inside the repository"),
        (suite("order: {file: ../a}"), 3, "inside the repository"),
        (suite("order: {only: true}"), 3, 'the key "file" is missing'),
        (suite("network: non"), 3, 'Did you mean "none"?'),
        (suite("runner: nose"), 3, "none of: pytest"),
        (suite("one: x"), 3, "runs no particular test"),
        (suite('one: "x {test}"'), 3, "only the runner generic"),
        (suite("runner: generic"), 3, "needs `command`, `one` and `reports`"),
        (suite('python: "2.7"'), 3, "no Python version"),
        (suite("{docker: true, image: a}"), 3, "can't run in an image"),
        (suite("when: ['!src/**']"), 3, "no pattern"),
        ("suites: {'a b': {}}", 1, "a suite's name"),
        ("suites: {on: {}}", 1, 'Put it in quotes: "on"'),
        ("suites: {3.10: {}}", 1, 'Put it in quotes: "3.10"'),
        ("suites: {}", 1, "there is no suite in it"),
        ("suites:\n", 1, "there is no suite in it"),
        ("suites: [unit]", 1, "a mapping was meant, this is a list"),
        ("paths: {}", 1, "there is no suite"),
        ("version: 2\nsuites: {u: }", 1, "this is version 2, and 1"),
        ("suites: {u: }\ntimeouts: {test: 5m}", 2, "timeouts.test: a number was meant"),
        ("suites: {u: }\ntimeouts: {test: 1:30}", 2, "the number `1:30`"),
        ("suites: {u: }\ntimeouts: {test: 0}", 2, "more than 0"),
        ("suites: {u: }\ntimeouts: {suite: .inf}", 2, "plain digits"),
        ("suites: {u: }\ntimeouts: {suite: 010}", 2, "plain digits"),
        ("suites: {u: }\nbudget: {alone: 2}", 2, "never lowered"),
        ("suites: {u: }\nbudget: {replays: 2.5}", 2, "a whole number"),
        ("suites: {u: }\nbudget: {minutes: -1}", 2, "plain digits"),
        ("suites: {u: }\npolicy: {accept: anyone}", 2, "none of: another, author"),
        ("suites: {u: }\nauthority: persn", 2, 'Did you mean "person"?'),
        ("suites: {u: }\nagents: {x: robot}", 2, "agents.x"),
        ("suites: {u: }\npaths: {tests: [a]}", 2, 'Did you mean "test"?'),
        ("suites: {u: }\npaths: {test: tests/**}", 2, "a list was meant"),
        ("suites: {u: {}, u: {}}", 1, "this key stands twice"),
        ("suites: {u: }\n\nsuites: {u: }", 3, "this key stands twice"),
        ("suites:\n  u: &a {}\n  <<: *a\n", 3, "merge keys"),
        ("suites: {u: }\n? [a]\n: b\n", 2, "a key is a word"),
        ("suites: {u: !!python/name:os.system {}}", 1, "not supported"),
        ("suites: {u: !x {}}", 1, "not supported"),
        ("suites: {\n", 2, "no valid YAML"),
        ("suites: {u: }\n---\nb: 1\n", 2, "no valid YAML"),
        ("- suites", 1, "a mapping was meant"),
        ("suites: {u: *a}", 1, "no valid YAML"),
        ("&a [*a]", 1, "too much is nested"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_what_was_meant(
    text: str, line: int, said: str
) -> None:
    message = refused(text)

    assert message.startswith(f"{SOURCE}:{line}: ")
    assert said in message


@pytest.mark.parametrize("text", ["", "# nothing\n", "\x00", "[" * 3000, "a: \ud800"])
def test_what_holds_no_document_is_refused(text: str) -> None:
    assert refused(text).startswith(f"{SOURCE}")


def test_a_bomb_of_aliases_is_refused_at_once() -> None:
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]

    assert "nested" in refused("\n".join(["a0: &a0 [x]", *levels]))


def test_a_file_that_is_too_large_is_refused() -> None:
    assert "characters" in refused("#" * 70_000)


def test_an_alias_may_say_something_twice() -> None:
    settings = load("suites:\n  a: &a {command: pytest -x}\n  b: *a\n", SOURCE)

    assert ["pytest -x"] * 2 == [each.command for each in settings.suites]


@given(st.text(alphabet=" \n:{}[]\"'&*!|>-#%@`,?ab1.\t\x00é", max_size=60))
def test_any_text_is_read_or_refused_and_nothing_else(text: str) -> None:
    try:
        load(text, SOURCE)
    except ConfigurationError as wrong:
        assert wrong.diagnostics().startswith(SOURCE)  # noqa: PT017 - either is right
