"""What package.json says of how tests are run and how dependencies come."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent
from fairtrial.runners.javascript.packages import (
    invocation,
    packages,
    read_package,
    setup_of,
)

#: No code of the project runs while the network is open.
PNPM = "--frozen-lockfile --ignore-scripts --ignore-pnpmfile"
YARN = "YARN_IGNORE_PATH=1"


def files(texts: Mapping[str, str]) -> dict[RepoPath, FileContent]:
    return {
        RepoPath(path): FileContent(mode=0o100644, data=text.encode())
        for path, text in texts.items()
    }


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("jest", "npx jest"),
        ("jest --coverage", "npx jest --coverage"),
        ("npm run lint && jest -c 'my jest.js' ; echo x", "npx jest -c 'my jest.js'"),
        ("cross-env NODE_OPTIONS=--x TZ=UTC jest", "NODE_OPTIONS=--x TZ=UTC npx jest"),
        (
            "node --experimental-vm-modules node_modules/jest/bin/jest.js --ci",
            "node --experimental-vm-modules node_modules/jest/bin/jest.js --ci",
        ),
        ("nyc jest", "npx jest"),
        ("vitest run", None),
        ("jester", None),
        ("echo jest", None),
    ],
)
def test_a_script_tells_how_the_tool_is_called(
    script: str, expected: str | None
) -> None:
    package = read_package("", json.dumps({"scripts": {"test": script}}))

    assert package is not None
    assert expected == invocation(package, "jest")


def test_the_unit_tests_script_is_found_behind_one_that_starts_others() -> None:
    scripts = {"test": "npm-run-all test:*", "test:watch": "jest --watch"}
    package = read_package(
        "", json.dumps({"scripts": {**scripts, "test:unit": "jest"}})
    )

    assert package is not None
    assert invocation(package, "jest") == "npx jest"


def test_packages_come_outermost_first_and_broken_manifests_not_at_all() -> None:
    texts = {
        "web/package.json": '{"devDependencies": {"jest": "30"}}',
        "package.json": "{}",
        "bad/package.json": "[" * 100_000,
        "node_modules/x/package.json": "{}",
    }

    found = list(packages([*map(RepoPath, texts)], lambda path: texts[path]))

    assert ["", "web"] == [each.folder for each in found]
    assert {"jest"} == found[1].wants


@pytest.mark.parametrize(
    ("texts", "folder", "expected"),
    [
        ({"package-lock.json": "{}"}, "", "npm ci --ignore-scripts"),
        ({"package-lock.json": ""}, "a/b", "cd ../.. && npm ci --ignore-scripts"),
        ({"a/package-lock.json": ""}, "a", "npm ci --ignore-scripts"),
        ({}, "a", "npm install --ignore-scripts --no-package-lock"),
        (
            {"pnpm-lock.yaml": "lockfileVersion: '9.0'\n"},
            "",
            f"npx --yes pnpm@10 install {PNPM}",
        ),
        (
            {
                "pnpm-lock.yaml": "lockfileVersion: '6.0'\n",
                "package.json": '{"packageManager": "pnpm@8.15.4+sha512.0"}',
            },
            "",
            f"npx --yes pnpm@8.15.4 install {PNPM}",
        ),
        (
            {"yarn.lock": "# yarn lockfile v1\n"},
            "",
            f"{YARN} npx --yes yarn@1 install --frozen-lockfile --ignore-scripts",
        ),
        (
            {"yarn.lock": "__metadata:\n"},
            "",
            (
                f"{YARN} YARN_NODE_LINKER=node-modules npx --yes @yarnpkg/cli-dist@4"
                " install --immutable --mode=skip-build"
            ),
        ),
    ],
)
def test_the_lock_file_says_which_tool_installs(
    texts: Mapping[str, str], folder: str, expected: str
) -> None:
    assert (expected,) == setup_of(files(texts), folder).prepare


def test_only_what_decides_on_node_modules_makes_them_anew() -> None:
    texts = {
        "package.json": '{"scripts": {"pretest": "tsc -p ."}}',
        "package-lock.json": "{}",
        "packages/a/package.json": "{}",
        "patches/x.patch": "",
        "src/a.js": "",
    }

    setup = setup_of(files(texts), "")

    assert {*texts} - {"src/a.js"} == {*setup.prepare_files}
    assert setup.build == ("npm run pretest",)
