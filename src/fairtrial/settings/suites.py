"""What the configuration says of each suite."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import yaml

from fairtrial.domain.names import SuiteName
from fairtrial.domain.settings import (
    ConditionSettings,
    Network,
    Order,
    SuiteSettings,
)
from fairtrial.settings.databases import VARIABLE, read_databases
from fairtrial.settings.nodes import Value, optional
from fairtrial.settings.services import read_conditions, read_services

SUITE: Final = (
    "runner",
    "image",
    "python",
    "docker",
    "prepare",
    "build",
    "command",
    "folder",
    "one",
    "reports",
    "order",
    "env",
    "network",
    "databases",
    "services",
    "conditions",
    "when",
)
ORDER: Final = ("file", "only")

#: The runners there are, each with its usual command.
RUNNERS: Final[Mapping[str, str]] = {
    "pytest": "pytest",
    "unittest": "python -m unittest",
    "django": "python manage.py test",
    "maven": "mvn -B test",
    "gradle": "gradle test",
    "go": "go test ./...",
    "cargo": "cargo test",
    "nextest": "cargo nextest run",
    "jest": "npx jest",
    "vitest": "npx vitest run",
    "mocha": "npx mocha",
    "playwright": "npx playwright test",
    "rspec": "rspec",
    "phpunit": "phpunit",
    "ctest": "ctest --test-dir build",
    # It knows nothing of the tool, so there is no usual command.
    "generic": "",
}
#: The runner that is told how one test runs, and where the reports lie.
GENERIC: Final = "generic"

_SUITE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_PYTHON: Final = re.compile(r"3\.[0-9]{1,2}(?:\.[0-9]{1,2})?")


def read_suites(root: Value, suites: Value | None) -> tuple[SuiteSettings, ...]:
    """All suites in the order of the file; there is at least one."""
    remedy = "Name one, such as `suites: {unit: {runner: pytest}}`."
    if suites is None:
        root.wrong("there is no suite.", remedy=remedy)
    if suites.is_null or not suites.mapping():
        suites.wrong("there is no suite in it.", remedy=remedy)
    return tuple(_suite(name, value) for name, value in suites.mapping().items())


def _suite(name: str, value: Value) -> SuiteSettings:
    if not _SUITE_NAME.fullmatch(name):
        value.wrong(
            "a suite's name is made of letters, digits, `.`, `_` and `-`,"
            " at most 64 of them."
        )
    found = {} if value.is_null else value.fields(SUITE)
    runner = optional(found.get("runner"), _runner) or "pytest"
    docker = optional(found.get("docker"), Value.flag) or False
    image = optional(found.get("image"), Value.text)
    if docker and image is not None:
        found["docker"].wrong(
            "a suite that starts containers itself can't run in an image.",
            means="Trials in an image have no Docker engine.",
            remedy="Leave out `image:` or `docker:`.",
        )
    command = optional(found.get("command"), Value.text) or RUNNERS[runner]
    one = optional(found.get("one"), _one) or ""
    reports = optional(found.get("reports"), globs) or ()
    if runner == GENERIC and not (command and one and reports):
        value.wrong(
            "the generic runner needs `command`, `one` and `reports`.",
            means="It can't know how the suite and one test run, nor where the tool "
            "writes its JUnit reports.",
            remedy='Such as `command: make test`, `one: "./run-test {test}"`, '
            "`reports: [build/reports/*.xml]`.",
        )
    if runner != GENERIC and (one or reports):
        found["one" if one else "reports"].wrong(
            f"only the runner {GENERIC} has this key.",
            means=f"The runner {runner} knows how its tool runs one test.",
        )
    own = found.get("env")
    taken = {} if own is None or own.is_null else own.mapping()
    databases = optional(
        found.get("databases"), lambda each: read_databases(each, taken)
    )
    services = optional(
        found.get("services"), lambda each: read_services(each, databases or ())
    )
    return SuiteSettings(
        name=SuiteName(name),
        runner=runner,
        command=command,
        folder=(optional(found.get("folder"), _file) or "").rstrip("/"),
        one=one,
        reports=reports,
        image=image,
        python=optional(found.get("python"), _python),
        docker=docker,
        prepare=optional(found.get("prepare"), Value.texts),
        build=optional(found.get("build"), Value.texts),
        order=optional(found.get("order"), _order),
        env=optional(found.get("env"), _env) or {},
        network=optional(found.get("network"), _network) or Network.NONE,
        databases=databases or (),
        services=services or (),
        conditions=optional(found.get("conditions"), read_conditions)
        or ConditionSettings(),
        when=optional(found.get("when"), globs) or (),
    )


def _runner(value: Value) -> str:
    return value.one_of({name: name for name in RUNNERS})


def _one(value: Value) -> str:
    command = value.text()
    if not any(each in command for each in ("{test}", "{name}")):
        value.wrong(
            "this command runs no particular test.",
            remedy="Put `{test}` where the test's name goes.",
        )
    return command


def _python(value: Value) -> str:
    version = value.text()
    if not _PYTHON.fullmatch(version):
        value.wrong(
            f'"{version}" is no Python version.', remedy='Write one like "3.13".'
        )
    return version


def _order(value: Value) -> Order:
    if isinstance(value.node, yaml.MappingNode):
        found = value.fields(ORDER)
        if "file" not in found:
            value.wrong('the key "file" is missing.')
        only = optional(found.get("only"), Value.flag) or False
        return Order(file=_file(found["file"]), only=only)
    return Order(file=_file(value))


def _file(value: Value) -> str:
    """A path inside the repository, of a file or a folder."""
    name = value.text()
    if name.startswith("/") or ".." in name.split("/"):
        value.wrong("a path inside the repository was meant.")
    return name


def _env(value: Value) -> Mapping[str, str]:
    found = value.mapping()
    for name, each in found.items():
        if not VARIABLE.fullmatch(name):
            each.wrong("this is no name of an environment variable.")
    return {name: _content(each) for name, each in found.items()}


def _content(value: Value) -> str:
    """A variable's content, which may be empty where it stands in quotes."""
    node = value.node
    empty = node.tag == "tag:yaml.org,2002:str" and node.value == ""
    return "" if empty else value.text()


def _network(value: Value) -> Network:
    return value.one_of({each.value: each for each in Network})


def globs(value: Value) -> tuple[str, ...]:
    """A list of path patterns."""
    for each in value.sequence():
        pattern = each.text()
        if pattern.startswith("!") or "\\" in pattern:
            each.wrong(
                "this is no pattern.",
                means="Patterns have `*`, `?` and `**`, and `/` between folders.",
            )
    return value.texts()
