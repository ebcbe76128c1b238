"""What the configuration says of services that a suite needs, and of its conditions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from fairtrial.domain.databases import DatabaseSettings, Engine
from fairtrial.domain.settings import ConditionSettings, Otlp, ServiceSettings
from fairtrial.settings.databases import NAME
from fairtrial.settings.nodes import Value, optional

SERVICE: Final = ("at", "port", "health", "within")
CONDITIONS: Final = ("cpus", "umask", "otlp")

_PLACE: Final = re.compile(
    r"(?:\[([0-9A-Fa-f:]+)\]|([A-Za-z0-9._-]+)):([1-9][0-9]{0,4})"
)
_UMASK: Final = re.compile(r"0?[0-7]{3}")
_LAST_PORT: Final = 65535
_MOST_CPUS: Final = 1024
_HOUR: Final = 3600


def read_services(
    value: Value, databases: Sequence[DatabaseSettings]
) -> tuple[ServiceSettings, ...]:
    """A suite's services in the order of the file; no two have one port."""
    found: list[ServiceSettings] = []
    ports = _ports(databases)
    for name, each in value.mapping().items():
        one = _service(name, each)
        if one.at in ports:
            each.wrong(
                f"the trial's port {one.at} leads to {ports[one.at]} already.",
                remedy="Give it another `port:`, and tell the tests.",
            )
        ports[one.at] = f'service "{name}"'
        found.append(one)
    return tuple(found)


def _ports(databases: Sequence[DatabaseSettings]) -> dict[int, str]:
    """The ports that databases have, one for each server."""
    ports = {}
    for engine, first in ((Engine.POSTGRESQL, 5432), (Engine.MARIADB, 3306)):
        servers = {one.admin for one in databases if one.engine is engine}
        for at in range(first, first + len(servers)):
            ports[at] = "a database"
    return ports


def _service(name: str, value: Value) -> ServiceSettings:
    if not NAME.fullmatch(name):
        value.wrong(
            "a service's name begins with a letter and is made of letters, digits,"
            " `_` and `-`, at most 40 of them."
        )
    found = value.fields(SERVICE)
    if "at" not in found:
        value.wrong('the key "at" is missing.', remedy='Write one like "kafka:9092".')
    host, port = _place(found["at"])
    return ServiceSettings(
        name=name,
        host=host,
        port=port,
        at=optional(found.get("port"), _port) or port,
        health=optional(found.get("health"), Value.text),
        within=optional(found.get("within"), _within) or 60.0,
    )


def _place(value: Value) -> tuple[str, int]:
    written = value.text()
    match = _PLACE.fullmatch(written)
    if match is None or int(match[3]) > _LAST_PORT:
        value.wrong(
            "a host and a port were meant.",
            means="It is where the service listens, as this machine reaches it.",
            remedy='Write it like "localhost:9092".',
        )
    return match[1] or match[2], int(match[3])


def _port(value: Value) -> int:
    port = value.count()
    if not 0 < port <= _LAST_PORT:
        value.wrong(f"1 to {_LAST_PORT} is possible.")
    return port


def _within(value: Value) -> float:
    seconds = value.number()
    if not 0 < seconds <= _HOUR:
        value.wrong(f"seconds are meant, more than 0 and at most {_HOUR}.")
    return seconds


def read_conditions(value: Value) -> ConditionSettings:
    """What is pinned for the suite beside its environment."""
    found = value.fields(CONDITIONS)
    umask = optional(found.get("umask"), _umask)
    return ConditionSettings(
        cpus=optional(found.get("cpus"), _cpus),
        umask=ConditionSettings().umask if umask is None else umask,
        otlp=optional(found.get("otlp"), _otlp) or Otlp.AUTO,
    )


def _otlp(value: Value) -> Otlp:
    return value.one_of({each.value: each for each in Otlp})


def _cpus(value: Value) -> int:
    count = value.count()
    if not 0 < count <= _MOST_CPUS:
        value.wrong(f"1 to {_MOST_CPUS} is possible.")
    return count


def _umask(value: Value) -> int:
    written = value.text()
    if not _UMASK.fullmatch(written):
        value.wrong(
            "three octal digits were meant.", remedy='Write them like "022", in quotes.'
        )
    return int(written, 8)
