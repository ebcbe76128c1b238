"""Which suites of Vitest a tree seems to have."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.runners import jest, vitest


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            {"package.json": '{"scripts": {"test": "pnpm lint && vitest run --dom"}}'},
            [("", "npx vitest run --dom")],
        ),
        ({"package.json": '{"scripts": {"test": "vitest"}}'}, [("", "npx vitest")]),
        (
            {
                "package.json": '{"devDependencies": {"vitest": "4"}}',
                "vitest.config.mts": "",
            },
            [("", "npx vitest run")],
        ),
        ({"package.json": '{"devDependencies": {"vitest": "4"}}'}, []),
        ({"package.json": '{"scripts": {"bench": "vitest bench"}}'}, []),
        (
            {"web/package.json": '{"scripts": {"test": "vitest"}}'},
            [("web", "npx vitest")],
        ),
    ],
)
def test_manifests_tell_of_vitest(
    texts: Mapping[str, str], expected: list[tuple[str, str]]
) -> None:
    found = vitest.detect([*map(RepoPath, texts)], lambda path: texts[path])

    assert expected == [(one.folder, one.command) for one in found]
    assert () == jest.detect([*map(RepoPath, texts)], lambda path: texts[path])
