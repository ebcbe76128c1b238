"""From the text of a configuration to frozen settings, or to what is wrong where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fairtrial.domain.paths import PathClass
from fairtrial.domain.settings import (
    Authority,
    BudgetSettings,
    Policy,
    Settings,
    Timeouts,
)
from fairtrial.settings.nodes import Value, document, optional
from fairtrial.settings.suites import globs, read_suites

TOP: Final = (
    "version",
    "suites",
    "paths",
    "authority",
    "agents",
    "timeouts",
    "budget",
    "policy",
)
PATHS: Final = tuple(
    each.value
    for each in (
        PathClass.PRODUCTION,
        PathClass.MIGRATION,
        PathClass.DEPENDENCIES,
        PathClass.TEST,
        PathClass.CONTROL,
        PathClass.NEUTRAL,
    )
)
TIMEOUTS: Final = ("test", "suite")
BUDGET: Final = ("minutes", "alone", "replays", "kills")
POLICY: Final = ("pre-existing", "pre-existing-max", "accept")

VERSION: Final = 1

PRE_EXISTING: Final = ("pass",)
ACCEPT: Final = ("another", "author")

_DAY: Final = 86_400


def load(text: str, source: str) -> Settings:
    """The settings that a configuration's text describes.

    `source` is where the text is from ("base:.fairtrial.yml"); it stands in every
    message and in the settings. Raises ConfigurationError.
    """
    root = document(text, source)
    found = root.fields(TOP)
    optional(found.get("version"), _version)
    return Settings(
        source=source,
        suites=read_suites(root, found.get("suites")),
        paths=optional(found.get("paths"), _paths) or {},
        authority=optional(found.get("authority"), _authority) or Authority.PERSON,
        agents=optional(found.get("agents"), _agents) or {},
        timeouts=optional(found.get("timeouts"), _timeouts) or Timeouts(),
        budget=optional(found.get("budget"), _budget) or BudgetSettings(),
        policy=optional(found.get("policy"), _policy) or Policy(),
    )


def _paths(value: Value) -> Mapping[PathClass, tuple[str, ...]]:
    found = value.fields(PATHS)
    return {
        PathClass(name): optional(each, globs) or () for name, each in found.items()
    }


def _version(value: Value) -> int:
    version = value.count()
    if version != VERSION:
        value.wrong(
            f"this is version {version}, and {VERSION} is the one there is.",
            means="The file was written for another Fairtrial.",
        )
    return version


def _authority(value: Value) -> Authority:
    return value.one_of({each.value: each for each in Authority})


def _agents(value: Value) -> Mapping[str, Authority]:
    return {name: _authority(each) for name, each in value.mapping().items()}


def _timeouts(value: Value) -> Timeouts:
    found = value.fields(TIMEOUTS)
    default = Timeouts()
    return Timeouts(
        test=optional(found.get("test"), _seconds) or default.test,
        suite=optional(found.get("suite"), _seconds) or default.suite,
    )


def _seconds(value: Value) -> float:
    seconds = value.number()
    if not 0 < seconds <= _DAY:
        value.wrong(f"seconds are meant, more than 0 and at most {_DAY}.")
    return seconds


def _budget(value: Value) -> BudgetSettings:
    found = value.fields(BUDGET)
    default = BudgetSettings()
    return BudgetSettings(
        minutes=optional(found.get("minutes"), _minutes),
        alone=_raised(found.get("alone"), default.alone),
        replays=_raised(found.get("replays"), default.replays),
        kills=optional(found.get("kills"), _minutes) or default.kills,
    )


def _minutes(value: Value) -> float:
    minutes = value.number()
    if not 0 < minutes <= _DAY / 60:
        value.wrong("minutes are meant, more than 0 and at most a day.")
    return minutes


def _raised(value: Value | None, least: int) -> int:
    if value is None or value.is_null:
        return least
    count = value.count()
    if not least <= count <= 100:  # noqa: PLR2004 - nobody waits for more
        value.wrong(
            f"{least} to 100 is possible.",
            means="The counts that make a proof can be raised, never lowered.",
        )
    return count


def _policy(value: Value) -> Policy:
    found = value.fields(POLICY)
    default = Policy()
    most = optional(found.get("pre-existing-max"), Value.count)
    pre_existing = optional(found.get("pre-existing"), _pre_existing)
    return Policy(
        pre_existing=pre_existing or default.pre_existing,
        pre_existing_max=default.pre_existing_max if most is None else most,
        accept=optional(found.get("accept"), _accept) or default.accept,
    )


def _pre_existing(value: Value) -> str:
    return value.one_of({each: each for each in PRE_EXISTING})


def _accept(value: Value) -> str:
    return value.one_of({each: each for each in ACCEPT})
