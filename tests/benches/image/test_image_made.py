from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import FileContent, Setup

pytestmark = [pytest.mark.engine, pytest.mark.slow]


@pytest.mark.parametrize("private", [False, True])
def test_what_prepare_makes_in_its_workspace_lies_under_the_tree(
    make_bench: Any,
    run_shell: Any,
    tree_of: Callable[..., dict[RepoPath, FileContent]],
    private: bool,
) -> None:
    bench = make_bench(private=private)
    kept = bench.places.kept
    setup = Setup(
        prepare=(
            "mkdir -p node_modules/lib && echo made > node_modules/lib/index.js",
            'mkdir -p "$CACHE" && echo fetched > "$CACHE/module"',
        ),
        build=('echo "$OFFLINE" > built; cat "$CACHE/module" >> built',),
        prepare_files=tree_of(**{"package.json": "whole\n"}),
        env={"CACHE": str(kept / "cache")},
        offline={"OFFLINE": "1"},
    )
    bench.freeze(Revision.BASE, tree_of(**{"package.json": "whole\n"}), setup)

    for _ in range(2):
        output = run_shell(
            bench,
            f"cat node_modules/lib/index.js package.json built; ls {kept}/cache;"
            f" echo more > {kept}/cache/more",
        )

        assert 0 == output.code, output.stderr
        assert "made\nwhole\n1\nfetched\nmodule\n" == output.stdout.decode()
