from __future__ import annotations

from typing import Any

import pytest

from fairtrial.benches.here.toolchains import find_tools
from fairtrial.domain.errors import BenchUnavailable
from fairtrial.domain.names import RepoPath
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import FileContent, Setup

# The fixtures' type lives in conftest.py, which can't be imported.
Place = Any

MADE = """
mkdir -p node_modules/lib && echo made > node_modules/lib/index.js
echo half > package.json
echo '# theirs' > generated.txt
mkdir -p "$CACHE" && echo fetched > "$CACHE/module"
""".strip()


def _file(text: str) -> FileContent:
    return FileContent(mode=0o100644, data=text.encode())


def test_what_prepare_makes_in_its_workspace_lies_under_the_tree(
    place: Place, ground: str
) -> None:
    bench = place.empty_bench(ground, {})
    place.own.append(bench)
    kept = bench.places.kept
    tree = {
        RepoPath("package.json"): _file("whole"),
        RepoPath("generated.txt"): _file("ours"),
        RepoPath("node_modules/own/a.js"): _file("own"),
    }
    setup = Setup(
        prepare=(MADE,),
        build=('echo "$OFFLINE" > built; cat "$CACHE/module" >> built',),
        prepare_files={RepoPath("package.json"): _file("whole")},
        env={"CACHE": str(kept / "cache")},
        offline={"OFFLINE": "1"},
    )
    for revision in Revision:
        bench.freeze(revision, tree, setup)

    show = (
        "cat node_modules/lib/index.js node_modules/own/a.js package.json"
        f" generated.txt built {kept}/cache/module;"
        f" ls {kept}/cache; echo more > {kept}/cache/more"
    )
    seen = [place.run(bench, show, revision=revision) for revision in Revision]

    for output in seen:
        assert 0 == output.code, output.stderr
        said = "made\nownwholeours1\nfetched\nfetched\nmodule\n"
        assert said == output.stdout.decode()


def test_a_tool_that_is_not_there_is_told_by_its_name() -> None:
    with pytest.raises(BenchUnavailable) as caught:
        find_tools(("no-such-tool-anywhere",), {"PATH": "/usr/bin"})

    assert "There is no no-such-tool-anywhere" in caught.value.diagnostics()


def test_tools_of_the_system_add_no_folder_and_name_their_version() -> None:
    found = find_tools(("git",), {"PATH": "/usr/local/bin:/usr/bin:/bin"})

    assert () == found.folders
    assert "git git version" in found.env["FAIRTRIAL_TOOLS"]


def test_a_tool_that_a_project_may_bring_itself_may_be_absent() -> None:
    path = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    found = find_tools(("no-such-tool-anywhere?", "git?"), path)

    assert found.env["FAIRTRIAL_TOOLS"].startswith("git git version")


def test_a_suite_without_tools_leaves_the_path_alone() -> None:
    assert {} == find_tools((), {}).env


def test_a_tool_outside_of_the_system_brings_its_folder(tmp_path: Any) -> None:
    tool = tmp_path / "kit" / "bin" / "turn"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\necho turn 3.1\n")
    tool.chmod(0o755)
    shims = tmp_path / "shims"
    shims.mkdir()
    (shims / "turn").symlink_to(tool)

    found = find_tools(("turn",), {"PATH": f"{shims}:/usr/bin:/bin"})

    assert (tmp_path / "kit",) == found.folders
    assert found.env["PATH"].startswith(f"{tool.parent}:")
    assert "turn turn 3.1" == found.env["FAIRTRIAL_TOOLS"]
