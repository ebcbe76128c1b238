"""What the configuration says, checked and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fairtrial.domain.databases import DatabaseSettings
from fairtrial.domain.names import SuiteName
from fairtrial.domain.paths import PathClass


class BenchKind(StrEnum):
    """Where trials run."""

    HERE = "here"
    IMAGE = "image"


class Authority(StrEnum):
    """Who made the change, from least to most bound."""

    PERSON = "person"
    FEATURE = "feature"
    REPAIR = "repair"


class Network(StrEnum):
    """Whether trials may reach the network."""

    NONE = "none"
    OPEN = "open"


class Otlp(StrEnum):
    """When a trial has a sink for telemetry on the ports of OpenTelemetry."""

    #: Where the project's manifests mention OpenTelemetry.
    AUTO = "auto"
    #: And the tests' environment names it to exporters.
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A file of test ids that names the order; `only`: no others run."""

    file: str
    only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """Something outside that a suite needs: it has to answer before the first test."""

    name: str
    host: str
    port: int
    #: The port on the trial's own loopback that leads there.
    at: int
    #: A trusted line for `sh -c` that exits 0 when it is well; None: it accepts.
    health: str | None = None
    #: Seconds to wait for it.
    within: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionSettings:
    """What is pinned for every trial beside the environment; None: the bench's own."""

    cpus: int | None = None
    umask: int = 0o022
    otlp: Otlp = Otlp.AUTO


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSettings:
    """One named group of tests with its own command and bench."""

    name: SuiteName
    runner: str
    command: str
    #: Where `command`, `prepare` and `build` run, below the root; "" is the root.
    folder: str = ""
    image: str | None = None
    python: str | None = None
    docker: bool = False
    #: None: found by detection.
    prepare: tuple[str, ...] | None = None
    build: tuple[str, ...] | None = None
    order: Order | None = None
    #: For the generic runner: the command for one test, with `{test}` in it.
    one: str = ""
    #: For the generic runner: globs of the JUnit reports that the command writes.
    reports: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    network: Network = Network.NONE
    databases: tuple[DatabaseSettings, ...] = ()
    services: tuple[ServiceSettings, ...] = ()
    conditions: ConditionSettings = ConditionSettings()
    #: Globs; when none of them changed, the suite is not affected.
    when: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Seconds."""

    test: float = 300.0
    suite: float = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetSettings:
    """Counts may be raised by the configuration, never lowered."""

    #: Minutes after the suite; None: max(20, 3 x the suite's own time).
    minutes: float | None = None
    alone: int = 3
    replays: int = 2
    #: Minutes for the mutants of edited tests; what is not measured is not excused.
    kills: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What a team may choose about decisions."""

    pre_existing: str = "pass"
    pre_existing_max: int = 5
    accept: str = "another"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The whole configuration of a run."""

    #: Where it was read: "base:.fairtrial.yml", "--config PATH", "inputs", "detected".
    source: str
    suites: tuple[SuiteSettings, ...]
    paths: Mapping[PathClass, tuple[str, ...]] = field(default_factory=dict)
    authority: Authority = Authority.PERSON
    agents: Mapping[str, Authority] = field(default_factory=dict)
    timeouts: Timeouts = Timeouts()
    budget: BudgetSettings = BudgetSettings()
    policy: Policy = Policy()
