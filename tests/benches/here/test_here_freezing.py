from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from fairtrial.benches.here.backends import requirements
from fairtrial.benches.here.files import checked_path
from fairtrial.benches.here.interpreters import find
from fairtrial.domain.errors import BenchUnavailable, TreeBroken
from fairtrial.domain.names import RepoPath
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import FileContent, Setup

# The fixtures' type lives in conftest.py, which can't be imported.
Place = Any


def _file(text: str, mode: int = 0o100644) -> FileContent:
    return FileContent(mode=mode, data=text.encode())


@pytest.fixture
def empty(place: Place, ground: str) -> Any:
    bench = place.empty_bench(ground, {})
    place.own.append(bench)
    return bench


def test_build_works_in_the_trials_place_and_stays_in_its_tree(
    place: Place, empty: Any
) -> None:
    for revision in Revision:
        setup = Setup(
            prepare=("pwd > $VIRTUAL_ENV/prepared; ls -A >> $VIRTUAL_ENV/prepared",),
            build=(
                f"pwd > built; echo {revision} >> built; cp built $VIRTUAL_ENV/built",
                "test -e prepared || cat $VIRTUAL_ENV/prepared >> built",
            ),
            prepare_files={RepoPath("needed.txt"): _file("x")},
        )
        empty.freeze(revision, {RepoPath("tool"): _file("", 0o100755)}, setup)
    workspace = str(empty.places.workspace).encode()
    for revision in Revision:
        output = place.run(
            empty, "cat built $VIRTUAL_ENV/built; test -x tool", revision=revision
        )

        side = str(revision).encode()
        assert 0 == output.code
        assert [workspace, side, workspace, b"needed.txt", workspace, side] == (
            output.stdout.split()
        )


def test_a_step_that_fails_is_the_trees_and_says_what_it_said(place: Place) -> None:
    empty = place.empty_bench("whole", {})
    place.own.append(empty)
    for setup in (
        Setup(prepare=("true", "echo no such thing; exit 3")),
        Setup(build=("echo no such thing >&2; kill -9 $$",)),
    ):
        with pytest.raises(TreeBroken) as broken:
            empty.freeze(Revision.HEAD, {}, setup)

        assert Revision.HEAD is broken.value.revision
        assert "no such thing" in broken.value.step
        assert broken.value.output.startswith("no such thing")


def test_equal_keys_are_prepared_once_and_others_apart(place: Place) -> None:
    bench = place.empty_bench("whole", {})
    place.own.append(bench)
    count = place.folder / "scratch" / "count"

    def setup(text: str) -> Setup:
        return Setup(
            prepare=("date +%N > $VIRTUAL_ENV/when; cat a >> $VIRTUAL_ENV/when",),
            prepare_files={RepoPath("a"): _file(text)},
        )

    def made(revision: Revision) -> bytes:
        return bytes(
            place.run(bench, "cat $VIRTUAL_ENV/when", revision=revision).stdout
        )

    assert not count.exists()
    bench.freeze(Revision.BASE, {}, setup("one"))
    bench.freeze(Revision.HEAD, {}, setup("one"))

    assert made(Revision.BASE) == made(Revision.HEAD)

    bench.freeze(Revision.HEAD, {}, setup("two"))

    assert made(Revision.BASE).endswith(b"one")
    assert made(Revision.HEAD).endswith(b"two")


def test_build_and_trials_are_told_nothing_of_the_index(place: Place) -> None:
    bench = place.empty_bench("whole", {})
    place.own.append(bench)
    environ = {
        **place.options().environ,
        "PIP_INDEX_URL": "https://user:key@x.invalid/",
    }
    bench._options = place.options(environ=environ)
    setup = Setup(
        prepare=('test -n "$PIP_INDEX_URL"',),
        build=('test -z "$PIP_INDEX_URL" -a -n "$PIP_NO_INDEX"',),
    )
    bench.freeze(Revision.BASE, {}, setup)

    assert b"" == place.run(bench, "env | grep PIP_").stdout


@pytest.mark.slow
def test_a_project_is_installed_in_place_without_network(place: Place) -> None:
    bench = place.empty_bench("whole", {})
    place.own.append(bench)
    project = {
        RepoPath("src/thing/__init__.py"): _file("WORD = 1\n"),
        RepoPath("pyproject.toml"): _file(
            "[build-system]\nrequires = ['hatchling']\nbuild-backend = "
            "'hatchling.build'\n[project]\nname = 'thing'\nversion = '1'\n"
            "[tool.hatch.build.targets.wheel]\npackages = ['src/thing']\n"
        ),
    }
    name = RepoPath("pyproject.toml")
    setup = Setup(
        build=("pip install --no-deps -e .",), prepare_files={name: project[name]}
    )
    bench.freeze(Revision.BASE, project, setup)
    output = place.run(
        bench,
        "cd /; python -c 'import thing; print(thing.__file__)'; "
        "python -c 'import hatchling'",
    )

    assert f"{bench.places.workspace}/src/thing/__init__.py\n" == output.stdout.decode()
    assert b"ModuleNotFoundError" in output.stderr


@pytest.mark.parametrize(
    "path",
    ["../x", "/etc/x", "a/../../x", ".git/config", "a/.GIT/x", "", "a//b", "a\0b"],
)
def test_a_path_that_leaves_the_tree_is_refused(path: str) -> None:
    with pytest.raises(BenchUnavailable, match="no path inside a tree"):
        checked_path(path)


def test_nothing_is_written_through_a_link_of_the_tree(
    place: Place, tmp_path: Path
) -> None:
    bench = place.empty_bench("whole", {})
    place.own.append(bench)
    tree = {
        RepoPath("a"): FileContent(mode=0o120000, data=str(tmp_path).encode()),
        RepoPath("a/x"): _file("x"),
    }
    with pytest.raises(BenchUnavailable, match="a file or a link"):
        bench.freeze(Revision.BASE, tree, Setup())

    assert [] == list(tmp_path.iterdir())


def test_an_interpreter_is_found_by_version_and_is_no_environments(
    tmp_path: Path,
) -> None:
    own = find(None, {})

    assert own.path.exists()
    assert (
        own.path == find(".".join(own.version.split(".")[:2]), _path_to(own.path)).path
    )
    with pytest.raises(BenchUnavailable, match=r"no Python 2\.0"):
        find("2.0", {"PATH": str(own.path.parent), "HOME": str(tmp_path)})
    with pytest.raises(BenchUnavailable, match="is no version"):
        find("3; rm -rf /", {})


def _path_to(python: Path) -> dict[str, str]:
    assert shutil.which(python.name, path=str(python.parent))
    return {"PATH": str(python.parent)}


def test_build_requirements_are_the_projects_own() -> None:
    pip = ("pip install -e .",)

    def named(text: str | None, build: tuple[str, ...] = pip) -> tuple[str, ...]:
        files = {} if text is None else {RepoPath("pyproject.toml"): _file(text)}
        return requirements(Setup(build=build, prepare_files=files))

    assert ("setuptools>=40.8.0", "wheel") == named(None)
    assert ("setuptools>=40.8.0", "wheel") == named("[project]\nname = 'x'")
    assert ("flit_core<4",) == named("[build-system]\nrequires = ['flit_core<4']")
    assert ("setuptools", "wheel") == named("[build-system]\nrequires=['setuptools']")
    assert () == named("[build-system]\nrequires = []")
    assert () == named(None, ("make all",))
    assert () == named(None, ("pip install --no-build-isolation -e .",))
