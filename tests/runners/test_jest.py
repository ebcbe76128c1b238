"""Which suites of Jest a tree seems to have."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.runners import jest, vitest


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({"package.json": '{"scripts": {"test": "jest -i"}}'}, [("", "npx jest -i")]),
        (
            {
                "package.json": '{"devDependencies": {"jest": "30"}}',
                "jest.config.ts": "",
            },
            [("", "npx jest")],
        ),
        (
            {"package.json": '{"devDependencies": {"jest": "30"}, "jest": {}}'},
            [("", "npx jest")],
        ),
        ({"package.json": '{"devDependencies": {"jest": "30"}}'}, []),
        ({"package.json": '{"scripts": {"test": "vitest run"}}'}, []),
        (
            {
                "package.json": "{}",
                "a/package.json": '{"scripts": {"test": "jest"}}',
                "a/b/package.json": '{"scripts": {"test": "jest"}}',
            },
            [("a", "npx jest")],
        ),
        ({"package.json": "[]"}, []),
        ({}, []),
    ],
)
def test_manifests_tell_of_jest(
    texts: Mapping[str, str], expected: list[tuple[str, str]]
) -> None:
    found = jest.detect([*map(RepoPath, texts)], lambda path: texts[path])

    assert expected == [(one.folder, one.command) for one in found]


def test_a_suite_of_jest_is_none_of_vitest() -> None:
    texts = {"package.json": '{"scripts": {"test": "jest"}}', "vitest.config.ts": ""}

    assert () == vitest.detect([*map(RepoPath, texts)], lambda path: texts[path])
