"""What `fairtrial init` finds in a repository, and what it makes of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.pipeline.starting import CONFIGURATION, PROJECTS, WORKFLOW, repository, under

from fairtrial.clients.git import Git
from fairtrial.domain.errors import ConfigurationError, NothingToJudge
from fairtrial.domain.settings import Settings
from fairtrial.pipeline.starting import Start, start
from fairtrial.pipeline.starting.suites import allowed_minors
from fairtrial.pipeline.starting.toolchains import PINS
from fairtrial.pipeline.starting.words import scalar, shown
from fairtrial.runners import RUNNERS
from fairtrial.settings import load

ROOT = Path(__file__).parents[2]
#: Those that there are; a runner's detection is tried with that runner.
KNOWN = [name for name in PROJECTS if name in RUNNERS]


def started(folder: Path, files: Mapping[str, str]) -> Start:
    with Git(repository(folder, files)) as git:
        return start(git)


def settings_of(found: Start) -> Settings:
    return load(found.drafts[0].text, CONFIGURATION)


def steps_of(found: Start) -> list[dict[str, Any]]:
    read = yaml.safe_load(found.drafts[1].text)
    steps: list[dict[str, Any]] = read["jobs"]["fairtrial"]["steps"]
    return steps


def step(found: Start, action: str) -> dict[str, Any]:
    return next(
        each for each in steps_of(found) if each.get("uses", "").startswith(action)
    )


@pytest.mark.parametrize("runner", KNOWN)
def test_a_project_of_one_runner_gets_a_suite_of_it(
    runner: str, tmp_path: Path
) -> None:
    found = started(tmp_path, PROJECTS[runner])

    (suite,) = settings_of(found).suites
    assert (runner, "") == (suite.runner, suite.folder)
    assert not any("yours to add" in each for each in found.said)
    for key in ("runner:", "command:"):
        line = next(each for each in found.drafts[0].text.splitlines() if key in each)
        assert " # " in line


def test_a_mix_has_all_its_suites_each_in_its_folder(tmp_path: Path) -> None:
    names = [name for name in KNOWN if name not in {"pytest", "unittest", "django"}]
    files = {
        path: text
        for name in names
        for path, text in under(f"parts/{name}", PROJECTS[name]).items()
    } | under("api", {**PROJECTS["pytest"], "pyproject.toml": ""})

    suites = settings_of(started(tmp_path, files)).suites

    expected = {(name, f"parts/{name}") for name in names} | {("pytest", "api")}
    assert expected == {(suite.runner, suite.folder) for suite in suites}
    assert len({suite.name for suite in suites}) == len(suites)


def test_suites_of_pure_python_get_the_readmes_workflow(tmp_path: Path) -> None:
    found = started(tmp_path, PROJECTS["pytest"])

    assert (ROOT / "examples" / "workflow.yml").read_text() == found.drafts[1].text


@pytest.mark.parametrize(
    "runner", [*(pytest.param(name, marks=pytest.mark.slow) for name in KNOWN), "all"]
)
def test_the_workflow_is_one_to_github_and_to_zizmor(
    runner: str, tmp_path: Path
) -> None:
    chosen = KNOWN if runner == "all" else [runner]
    files = {
        path: text
        for name in chosen
        for path, text in under(name, PROJECTS[name]).items()
    }
    file = tmp_path / "out" / ".github" / "workflows" / "fairtrial.yml"
    file.parent.mkdir(parents=True)
    file.write_text(started(tmp_path / "it", files).drafts[1].text)
    binaries = Path(sys.executable).parent

    for argv in (
        ["check-jsonschema", "--builtin-schema", "vendor.github-workflows"],
        ["zizmor", "--offline", "--persona", "pedantic", "--strict-collection"],
    ):
        more = [f"--config={ROOT / '.github' / 'zizmor.yml'}"] * (argv[0] == "zizmor")
        done = subprocess.run(
            [binaries / argv[0], *argv[1:], *more, file],
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert 0 == done.returncode, done.stdout + done.stderr + file.read_text()


def test_the_job_that_runs_the_change_may_write_nothing(tmp_path: Path) -> None:
    read = yaml.safe_load(started(tmp_path, PROJECTS["go"]).drafts[1].text)

    gate, comment = read["jobs"]["fairtrial"], read["jobs"]["fairtrial-comment"]
    assert {"read"} == set(gate["permissions"].values())
    assert {"fetch-depth": 0, "persist-credentials": False} == gate["steps"][0]["with"]
    assert {"pull-requests": "write"} == comment["permissions"]
    assert not any("run" in each for each in comment["steps"])
    assert "secrets." not in str(read)


WORKFLOWS = {
    ".github/workflows/ci.yml": """\
on: push
jobs:
  test:
    strategy: {matrix: {node: [18, 20, 22]}}
    runs-on: ubuntu-latest
    steps:
      - uses: actions/setup-node@v4
        with: {node-version: "${{ matrix.node }}", cache: npm}
      - uses: actions/setup-java@v4
        with: {java-version: 21, distribution: zulu}
"""
}
NODE = "actions/setup-node"
JAVA = "actions/setup-java"


@pytest.mark.skipif("mocha" not in RUNNERS, reason="the runner is not there yet")
@pytest.mark.parametrize(
    ("more", "inputs", "said"),
    [
        ({}, {"node-version": "lts/*"}, True),
        ({".nvmrc": "20\n"}, {"node-version-file": ".nvmrc"}, False),
        (WORKFLOWS, {"node-version": "22"}, False),
        (
            {**WORKFLOWS, ".node-version": "20\n"},
            {"node-version-file": ".node-version"},
            False,
        ),
        (
            {
                "package.json": '{"scripts": {"test": "mocha"},'
                ' "engines": {"node": "20"}}'
            },
            {"node-version-file": "package.json"},
            False,
        ),
    ],
)
def test_node_is_the_one_that_the_repository_names(
    more: dict[str, str], inputs: dict[str, str], said: bool, tmp_path: Path
) -> None:
    found = started(tmp_path, {**PROJECTS["mocha"], **more})

    seen = step(found, NODE)
    assert f"{NODE}@{PINS[NODE].partition(' ')[0]}" == seen["uses"]
    assert {**inputs, "package-manager-cache": False} == seen["with"]
    assert said == any("Which Node" in each for each in found.said)


def test_go_is_the_one_of_its_module(tmp_path: Path) -> None:
    found = started(tmp_path, under("svc", PROJECTS["go"]))

    assert {"go-version-file": "svc/go.mod", "cache": False} == step(
        found, "actions/setup-go"
    )["with"]


@pytest.mark.skipif("maven" not in RUNNERS, reason="the runner is not there yet")
def test_java_is_the_one_that_the_build_names_or_the_own_workflow(
    tmp_path: Path,
) -> None:
    own = started(tmp_path / "a", {**PROJECTS["maven"], **WORKFLOWS})
    plain = started(tmp_path / "b", PROJECTS["maven"])

    assert {"java-version": "21", "distribution": "zulu"} == step(own, JAVA)["with"]
    assert {"java-version": "21", "distribution": "temurin"} == step(plain, JAVA)[
        "with"
    ]


def test_what_a_workflow_evaluates_is_never_taken_over(tmp_path: Path) -> None:
    text = WORKFLOWS[".github/workflows/ci.yml"].replace(
        "[18, 20, 22]", '[18, "${{ github.event.issue.title }}"]'
    )
    files = {**PROJECTS["mocha"], ".github/workflows/ci.yml": text}

    found = started(tmp_path, files)

    assert "issue.title" not in found.drafts[1].text
    assert "lts/*" == step(found, NODE)["with"]["node-version"]


HOSTILE = (
    "a b",
    "it's",
    'say "hi"',
    "new\nline",
    "${{ github.token }}",
    "# no comment",
    "- item: {x}",
    "ünï",
    "\x1b[31mred\u202e",
    "$(touch it)",
    "-rf",
    "&amp *ref !tag",
    "on",
    "1.0",
)


@pytest.mark.parametrize("runner", ["pytest", "go"])
def test_folders_of_any_name_are_written_as_they_are(
    runner: str, tmp_path: Path
) -> None:
    more = {"pyproject.toml": ""} if runner == "pytest" else {}
    project = {**PROJECTS[runner], **more}
    files = {
        path: text for name in HOSTILE for path, text in under(name, project).items()
    }

    found = started(tmp_path / "it", files)

    suites = settings_of(found).suites
    assert sorted(HOSTILE) == sorted(suite.folder for suite in suites)
    assert len(HOSTILE) == len({suite.name for suite in suites})
    assert "${{ github.token }}" not in str(step_inputs(found))
    assert "\x1b" not in found.drafts[0].text + found.drafts[1].text
    assert set(yaml.safe_load(found.drafts[1].text)["jobs"]) == {
        "fairtrial",
        "fairtrial-comment",
    }


def step_inputs(found: Start) -> list[Any]:
    return [each.get("with") for each in steps_of(found)]


def test_a_folder_whose_name_is_no_text_is_told_and_left_out(tmp_path: Path) -> None:
    folder = repository(tmp_path, under("good", PROJECTS["go"]))
    bad = Path(f"{folder}/b\udcffd")
    bad.mkdir()
    for path, text in PROJECTS["go"].items():
        (bad / path).write_text(text)

    with Git(folder) as git:
        found = start(git)

    assert ["good"] == [suite.folder for suite in settings_of(found).suites]
    assert any("no UTF-8" in each for each in found.said)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_any_text_is_read_back_as_it_was_written(text: str) -> None:
    assert text == yaml.safe_load(f"key: {scalar(text)} # why\n")["key"]


@given(st.text(max_size=200))
def test_what_is_shown_stays_in_its_comment(text: str) -> None:
    said = shown(text)

    assert said.isprintable()
    assert {"a": 1} == yaml.safe_load(f"a: 1 # {said}\n")


def test_a_repository_with_nothing_is_one_clear_stop(tmp_path: Path) -> None:
    with pytest.raises(NothingToJudge) as stop:
        started(tmp_path, {"README.md": "Nothing yet.\n"})

    assert "no suite" in stop.value.happened
    assert "pytest" in stop.value.means
    assert CONFIGURATION in stop.value.remedy


def test_tests_that_are_not_committed_yet_are_seen(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"README.md": ""})
    (folder / "test_new.py").write_text("def test_it():\n    pass\n")

    with Git(folder) as git:
        assert ["pytest"] == [suite.name for suite in settings_of(start(git)).suites]


def test_a_link_out_of_the_repository_is_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text('{"scripts": {"test": "mocha"}}')
    folder = repository(tmp_path / "it", PROJECTS["pytest"])
    (folder / "package.json").symlink_to(outside)

    with Git(folder) as git:
        assert ["pytest"] == [suite.runner for suite in settings_of(start(git)).suites]


def test_other_peoples_code_has_no_suites_here(tmp_path: Path) -> None:
    files = {**PROJECTS["pytest"], **under("vendor/x", PROJECTS["go"])}

    assert ["pytest"] == [
        suite.runner for suite in settings_of(started(tmp_path, files)).suites
    ]


def test_a_configuration_that_is_there_decides_the_workflow(tmp_path: Path) -> None:
    text = "suites:\n  svc: {runner: go, folder: svc}\n"
    files = {**PROJECTS["pytest"], **under("svc", PROJECTS["go"]), CONFIGURATION: text}

    found = started(tmp_path, files)

    assert ["svc"] == [each.suite.name for each in found.suites]
    assert step(found, "actions/setup-go")["with"]["go-version-file"] == "svc/go.mod"


def test_a_configuration_that_is_wrong_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"\.fairtrial\.yml:2"):
        started(tmp_path, {**PROJECTS["pytest"], CONFIGURATION: "suites:\n  a: [b]\n"})


def test_a_workflow_that_runs_it_already_is_enough(tmp_path: Path) -> None:
    other = ".github/workflows/check.yml"
    text = (ROOT / "examples" / "workflow.yml").read_text()

    found = started(tmp_path, {**PROJECTS["pytest"], other: text})

    assert other == str(found.drafts[1].instead)


COMPOSE = """\
services:
  db: {image: "registry.test:5000/library/postgres:16"}
  queue: {image: "docker.io/bitnami/kafka"}
  odd: [not, a, service]
"""
AROUND = {
    "docker-compose.yml": COMPOSE,
    "alembic.ini": "",
    ".github/workflows/ci.yml": "on: push\njobs:\n  t:\n    runs-on: x\n    services:\n"
    "      cache: {image: 'redis:7'}\n    steps: []\n",
    "requirements.txt": "testcontainers\n",
}


def test_databases_and_services_are_suggested_and_not_decided(tmp_path: Path) -> None:
    found = started(tmp_path, {**PROJECTS["pytest"], **AROUND})

    (suite,) = settings_of(found).suites
    text = found.drafts[0].text
    assert ((), (), False) == (suite.databases, suite.services, suite.docker)
    for told in ("engine: postgresql", "alembic upgrade head", "kafka:", "redis:"):
        assert told in text
    assert any("Testcontainers" in each for each in found.said)


def test_each_suggestion_is_taken_when_it_is_put_under_a_suite(tmp_path: Path) -> None:
    found = started(tmp_path, {**PROJECTS["pytest"], **AROUND})
    text = found.drafts[0].text
    head, _, more = text.partition("# What else was seen")
    lines = [each.removeprefix("#   ") for each in more.splitlines()[2:]]

    blocks: list[list[str]] = []
    for line in lines:
        if not line.startswith(" "):
            blocks.append([])
        blocks[-1].append(f"    {line}\n")
    assert 4 == len(blocks)
    for block in blocks:
        (suite,) = load(head + "".join(block), CONFIGURATION).suites
        assert suite.databases or suite.services or suite.docker


def test_what_can_not_be_read_as_yaml_suggests_nothing(tmp_path: Path) -> None:
    bomb = "a: &a [x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n"
        for n in range(20)
    )
    files = {
        **PROJECTS["pytest"],
        "docker-compose.yml": "services: [",
        "compose.yaml": bomb,
        "compose.override.yml": "[" * 60_000,
        ".github/workflows/odd.yml": "jobs: {a: {services: 3, steps: {}}, b: 7}\n",
    }

    assert () == started(tmp_path, files).said


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        (">=3.8", range(8, 15)),
        (">=3.8,<3.12", range(8, 12)),
        (">=3.8, <3.11.4", range(8, 12)),
        ("~=3.9", range(9, 15)),
        ("~=3.9.1", range(9, 10)),
        ("==3.10.*", range(10, 11)),
        ("<=3.9", range(6, 10)),
        (">3.9,!=3.11.*", [10, 12, 13, 14]),
        ("nonsense", range(6, 15)),
    ],
)
def test_which_pythons_a_specifier_allows(specifier: str, expected: Any) -> None:
    assert tuple(expected) == allowed_minors(specifier)


def test_a_python_is_named_where_the_project_refuses_the_usual_one(
    tmp_path: Path,
) -> None:
    old = {"pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.7,<3.9"\n'}
    found = started(tmp_path / "a", {**PROJECTS["pytest"], **old})
    free = started(tmp_path / "b", {**PROJECTS["pytest"], ".python-version": "3.12\n"})

    assert "3.8" == settings_of(found).suites[0].python
    versions = [
        each["with"]["python-version"]
        for each in steps_of(found)
        if each.get("uses", "").startswith("actions/setup-python")
    ]
    assert ["3.11", "3.8"] == versions
    assert settings_of(free).suites[0].python is None
    assert '# python: "3.12" # .python-version' in free.drafts[0].text


def test_the_pins_of_the_workflow_are_those_of_the_examples() -> None:
    texts = "".join(
        path.read_text()
        for folder in (".github/workflows", "examples")
        for path in (ROOT / folder).glob("*.yml")
    )

    for action in ("actions/setup-python",):
        assert f"{action}@{PINS[action]}" in texts
    assert WORKFLOW.endswith("fairtrial.yml")
