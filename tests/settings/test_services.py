from __future__ import annotations

import pytest

from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.settings import (
    ConditionSettings,
    ServiceSettings,
    SuiteSettings,
)
from fairtrial.settings import load


def unit(text: str) -> SuiteSettings:
    (found,) = load(f"suites:\n  unit:\n    {text}\n", "x.yml").suites
    return found


def test_a_service_is_reached_at_the_port_that_it_has() -> None:
    assert (
        ServiceSettings(name="kafka", host="localhost", port=9092, at=9092),
    ) == unit('services: {kafka: {at: "localhost:9092"}}').services


def test_every_key_of_a_service_arrives() -> None:
    assert (
        ServiceSettings(
            name="kafka",
            host="::1",
            port=19092,
            at=9092,
            health="nc -z ::1 19092",
            within=2.5,
        ),
    ) == unit(
        'services: {kafka: {at: "[::1]:19092", port: 9092,'
        ' health: "nc -z ::1 19092", within: 2.5}}'
    ).services


def test_conditions_are_counts_and_octal_digits() -> None:
    assert ConditionSettings() == unit("conditions: {}").conditions
    assert ConditionSettings() == unit("conditions: {umask: }").conditions
    assert ConditionSettings(cpus=2, umask=0o077) == (
        unit('conditions: {cpus: 2, umask: "077"}').conditions
    )
    assert 0 == unit('conditions: {umask: "000"}').conditions.umask


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("services: {kafka: }", "a mapping was meant"),
        ("services: {kafka: {}}", 'x.yml:3: suites.unit.services.kafka: the key "at"'),
        ("services: {'a b': {at: 'x:1'}}", "begins with a letter"),
        ("services: {kafka: {at: localhost}}", "a host and a port were meant"),
        ("services: {kafka: {at: 'kafka:70000'}}", "a host and a port were meant"),
        ("services: {kafka: {at: 'http://k:1'}}", "a host and a port were meant"),
        ("services: {kafka: {at: 'k:1', port: 70000}}", "1 to 65535"),
        ("services: {kafka: {at: 'k:1', port: '1'}}", "a whole number was meant"),
        ("services: {kafka: {at: 'k:1', within: 7200}}", "at most 3600"),
        (
            "services: {a: {at: 'k:1'}, b: {at: 'l:1'}}",
            'services.b: the trial\'s port 1 leads to service "a" already',
        ),
        (
            "databases: {o: }\n    services: {a: {at: 'k:5432'}}",
            "4: suites.unit.services.a: the trial's port 5432 leads to a database",
        ),
        ("conditions: {cpu: 1}", 'Did you mean "cpus"?'),
        ("conditions: {cpus: 0}", "1 to 1024"),
        ("conditions: {umask: 022}", "Put it in quotes"),
        ('conditions: {umask: "9"}', "three octal digits"),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        unit(text)
    assert said in caught.value.diagnostics()


def test_two_servers_of_one_engine_have_two_ports() -> None:
    databases = "databases: {a: , b: {server: {admin: $A}, env: B}}\n    "
    with pytest.raises(ConfigurationError, match="5433 leads to a database"):
        unit(databases + "services: {s: {at: 'k:5433'}}")
    (service,) = unit(databases + "services: {s: {at: 'k:5434'}}").services
    assert 5434 == service.at
