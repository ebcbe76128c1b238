"""Which steps of a job put a suite's toolchain on the machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.names import RepoPath
from fairtrial.domain.settings import SuiteSettings
from fairtrial.pipeline.starting.ground import Ground
from fairtrial.pipeline.starting.own_steps import own_inputs
from fairtrial.pipeline.starting.suites import is_python
from fairtrial.pipeline.starting.words import scalar, shown
from fairtrial.runners import RUNNERS

#: Released commits of the actions that set toolchains up.
PINS: Final[Mapping[str, str]] = {
    "actions/setup-go": "b7ad1dad31e06c5925ef5d2fc7ad053ef454303e # v7.0.0",
    "actions/setup-java": "b6effb05e454b25005698d916606bdc6ffcbf961 # v5.7.0",
    "actions/setup-node": "820762786026740c76f36085b0efc47a31fe5020 # v7.0.0",
    "actions/setup-python": "5fda3b95a4ea91299a34e894583c3862153e4b97 # v7.0.0",
    "ruby/setup-ruby": "0dafeac902942906541bc140009cdbf32665b601 # v1.315.0",
    "shivammathur/setup-php": "f3e473d116dcccaddc5834248c87452386958240 # 2.37.2",
}
#: Which toolchain a program belongs to.
_FAMILIES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("node", "npm", "npx", "yarn", "pnpm", "corepack"), "node"),
    **dict.fromkeys(("java", "javac", "mvn", "gradle"), "java"),
    **dict.fromkeys(("go",), "go"),
    **dict.fromkeys(("cargo", "rustc", "rustup", "cargo-nextest"), "rust"),
    **dict.fromkeys(("ruby", "bundle", "gem", "rspec"), "ruby"),
    **dict.fromkeys(("php", "composer", "phpunit"), "php"),
    **dict.fromkeys(("cmake", "ctest", "make", "ninja", "cc", "c++", "g++"), "cmake"),
}
#: The oldest JDK that current build tools run on.
_JDK: Final = 17
_JVM_VERSIONS: Final = (
    re.compile(
        r"<(?:maven\.compiler\.(?:release|source|target)|java\.version)>\s*(?:1\.)?([0-9]{1,2})\s*<"
    ),
    re.compile(r"(?:JavaLanguageVersion\.of|jvmToolchain)\s*\(\s*([0-9]{1,2})\s*\)"),
    re.compile(r"JavaVersion\.VERSION_(?:1_)?([0-9]{1,2})"),
    re.compile(r"sourceCompatibility\s*=\s*['\"]?(?:1\.)?([0-9]{1,2})"),
)
#: What needs no quotes there.
_WORD: Final = re.compile(
    r"[A-Za-z][A-Za-z_-]*|\.?[A-Za-z][\w-]*(?:[./][A-Za-z][\w-]*)+"
)
_SAFE_PATH: Final = re.compile(r"[\w./@+-][\w./@+ -]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """Steps of a job, each a YAML list item, and what they leave open."""

    steps: tuple[str, ...]
    said: tuple[str, ...] = ()


def toolchains(ground: Ground, suites: Sequence[SuiteSettings]) -> Toolchain:
    """The steps for all suites, each once, in the order of the suites."""
    steps: list[str] = []
    said: list[str] = []
    for suite in suites:
        # With a question mark: what a project may bring itself.
        tools = [tool.rstrip("?") for tool in RUNNERS[suite.runner].tools()]
        unknown = [tool for tool in tools if tool not in _FAMILIES]
        if suite.runner == "generic" or unknown:
            what = ", ".join(unknown) or "its command needs"
            said.append(
                f"The suite {suite.name}: a step that installs {what} is yours to add."
            )
        for family in dict.fromkeys(_FAMILIES[it] for it in tools if it in _FAMILIES):
            one = _STEPS[family](ground, suite)
            steps += [step for step in one.steps if step not in steps]
            said += [each for each in one.said if each not in said]
        if is_python(suite.runner) and suite.python:
            step = _uses("actions/setup-python", {"python-version": suite.python})
            steps += [step] if step not in steps else []
    return Toolchain(steps=tuple(steps), said=tuple(said))


def _uses(action: str, inputs: Mapping[str, str], note: str = "") -> str:
    lines = [f"- uses: {action}@{PINS[action]}"]
    given = ", ".join(f"{key}: {_input(it)}" for key, it in inputs.items())
    if given:
        lines.append(f"  with: {{{given}}}{f' # {note}' if note else ''}")
    return "\n".join(lines)


def _input(value: str) -> str:
    """A value inside a flow mapping, where a comma or a brace would end it."""
    if value in {"true", "false"} or _WORD.fullmatch(value):
        return value
    return f'"{value}"'


def _at(ground: Ground, folder: str, names: tuple[str, ...]) -> RepoPath | None:
    """A file that a step may name: nothing in its path that GitHub would evaluate."""
    path = ground.nearest(folder, names)
    return path if path is not None and _SAFE_PATH.fullmatch(path) else None


def _node(ground: Ground, suite: SuiteSettings) -> Toolchain:
    file = _at(ground, suite.folder, (".nvmrc", ".node-version"))
    package = _at(ground, suite.folder, ("package.json",))
    inputs, note = {"node-version": "lts/*"}, ""
    said: tuple[str, ...] = ()
    own, where = own_inputs(ground, "actions/setup-node")
    if file is not None:
        inputs = {"node-version-file": file}
    elif own.get("node-version"):
        inputs, note = (
            {"node-version": own["node-version"]},
            f"as in {shown(str(where))}",
        )
    elif package and re.search(r'"node"\s*:\s*"', ground.read(package)):
        inputs = {"node-version-file": package}
    else:
        said = (
            "Which Node the tests need is written nowhere: the latest LTS is set up.",
        )
    step = _uses(
        "actions/setup-node", {**inputs, "package-manager-cache": "false"}, note
    )
    steps = [step]
    if _at(ground, suite.folder, ("pnpm-lock.yaml", "yarn.lock")):
        steps.append("- run: corepack enable # pnpm or Yarn, as the lock file needs it")
    return Toolchain(steps=tuple(steps), said=said)


def _java(ground: Ground, suite: SuiteSettings) -> Toolchain:
    own, where = own_inputs(ground, "actions/setup-java")
    distribution = own.get("distribution") or "temurin"
    file = _at(ground, suite.folder, (".java-version",))
    if file is not None:
        inputs = {"java-version-file": file, "distribution": distribution}
        return Toolchain(steps=(_uses("actions/setup-java", inputs),))
    version, note = own.get("java-version", ""), f"as in {shown(str(where))}"
    said: tuple[str, ...] = ()
    if not version:
        named, note = _named_java(ground, suite.folder)
        version = str(max(_JDK, named))
        if not named:
            said = (f"Which Java the tests need is written nowhere: {_JDK} is set up.",)
    inputs = {"java-version": version, "distribution": distribution}
    return Toolchain(steps=(_uses("actions/setup-java", inputs, note),), said=said)


def _named_java(ground: Ground, folder: str) -> tuple[int, str]:
    """The newest Java that a build names, and where; 0 where none does."""
    path = ground.nearest(folder, ("pom.xml", "build.gradle.kts", "build.gradle"))
    text = ground.read(path) if path else ""
    named = [int(it) for pattern in _JVM_VERSIONS for it in pattern.findall(text)]
    return (max(named), f"{shown(str(path))} names {max(named)}") if named else (0, "")


def _go(ground: Ground, suite: SuiteSettings) -> Toolchain:
    file = _at(ground, suite.folder, ("go.work", "go.mod"))
    inputs = {"go-version-file": file} if file else {"go-version": "stable"}
    step = _uses("actions/setup-go", {**inputs, "cache": "false"})
    return Toolchain(steps=(step,))


def _rust(ground: Ground, suite: SuiteSettings) -> Toolchain:
    file = _at(ground, suite.folder, ("rust-toolchain.toml", "rust-toolchain"))
    # Where a file names the toolchain, rustup reads it in that folder.
    folder = file.rpartition("/")[0] if file else ""
    what = f" # {shown(file)}" if file else " stable --profile minimal"
    steps = [f"- run: rustup toolchain install --no-self-update{what}"]
    if folder:
        steps[0] += f"\n  working-directory: {scalar(folder)}"
    if "cargo-nextest" in RUNNERS[suite.runner].tools():
        steps.append("- run: cargo install --locked cargo-nextest")
    return Toolchain(steps=tuple(steps))


def _ruby(ground: Ground, suite: SuiteSettings) -> Toolchain:
    file = _at(ground, suite.folder, (".ruby-version", ".tool-versions"))
    if file is not None:
        folder = file.rpartition("/")[0]
        inputs = {"working-directory": folder} if folder else {}
        return Toolchain(steps=(_uses("ruby/setup-ruby", inputs),))
    own, where = own_inputs(ground, "ruby/setup-ruby")
    version = own.get("ruby-version", "")
    if version:
        note = f"as in {shown(str(where))}"
        return Toolchain(
            steps=(_uses("ruby/setup-ruby", {"ruby-version": version}, note),)
        )
    return Toolchain(
        steps=(_uses("ruby/setup-ruby", {"ruby-version": "ruby"}),),
        said=("Which Ruby the tests need is written nowhere: the latest is set up.",),
    )


def _php(ground: Ground, suite: SuiteSettings) -> Toolchain:
    own, where = own_inputs(ground, "shivammathur/setup-php")
    file = _at(ground, suite.folder, (".php-version",))
    inputs, note = {"php-version": "latest"}, ""
    said: tuple[str, ...] = ()
    if file is not None:
        inputs = {"php-version-file": file}
    elif own.get("php-version"):
        inputs, note = {"php-version": own["php-version"]}, f"as in {shown(str(where))}"
    else:
        said = ("Which PHP the tests need is written nowhere: the latest is set up.",)
    if own.get("extensions"):
        inputs["extensions"] = own["extensions"]
    step = _uses("shivammathur/setup-php", {**inputs, "coverage": "none"}, note)
    return Toolchain(steps=(step,), said=said)


def _cmake(ground: Ground, suite: SuiteSettings) -> Toolchain:
    lists = ground.nearest(suite.folder, ("CMakeLists.txt",))
    if lists and re.search(r"find_package\s*\(\s*GTest", ground.read(lists)):
        return Toolchain(steps=("- run: sudo apt-get install --yes libgtest-dev",))
    return Toolchain(steps=())


_STEPS: Final[Mapping[str, Callable[[Ground, SuiteSettings], Toolchain]]] = {
    "node": _node,
    "java": _java,
    "go": _go,
    "rust": _rust,
    "ruby": _ruby,
    "php": _php,
    "cmake": _cmake,
}
