from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import docker
import pytest

from fairtrial.domain.errors import BenchUnavailable
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


@pytest.fixture
def without_python(base_image: str) -> Iterator[str]:
    """The base image with its interpreter out of the way."""
    client = docker.from_env()
    hide = "for each in /usr/bin/python3*; do mv $each /opt/; done"
    container = client.containers.run(
        base_image, ["sh", "-c", hide], detach=True, user="0:0"
    )
    container.wait()
    image = container.commit("fairtrial-test-without-python", "1")
    container.remove()
    yield "fairtrial-test-without-python:1"
    client.images.remove(str(image.id), force=True)
    client.close()


def test_an_image_without_python_may_get_one_in_prepare(
    without_python: str, make_bench: Any, run_shell: Any, tree_of: Any
) -> None:
    bench = make_bench(image=without_python)
    bring = Setup(prepare=("mv /opt/python3* /usr/bin/",))
    bench.freeze(Revision.BASE, tree_of(**{"a.txt": "a"}), bring)

    assert b"a" == run_shell(bench, "cat a.txt").stdout

    other = make_bench(image=without_python)
    for steps in ((), ("true",)):
        with pytest.raises(BenchUnavailable) as caught:
            other.freeze(Revision.BASE, {}, Setup(prepare=steps))
        assert "install it in `prepare`" in caught.value.diagnostics()
