"""Freezing: steps once per key or tree, what they may reach, and what a delta does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from fairtrial.benches.image import ImageBench
from fairtrial.benches.image.conditions import Conditions
from fairtrial.clients.docker import DockerEngine, Kind
from fairtrial.clients.docker_owner import RUN
from fairtrial.domain.errors import BenchFailed, BenchUnavailable, TreeBroken
from fairtrial.domain.names import RepoPath
from fairtrial.domain.settings import Network
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Delta, FileContent, Setup, TrialOutput

pytestmark = pytest.mark.engine

Run = Callable[..., TrialOutput]
Make = Callable[..., ImageBench]
TreeOf = Callable[..., dict[RepoPath, FileContent]]


def test_prepare_sees_its_files_alone_and_build_sees_the_tree_offline(
    make_bench: Make, run_shell: Run, tree_of: TreeOf
) -> None:
    bench = make_bench(prepare_env={"INDEX": "with-password"})
    files = tree_of(**{"lock.txt": "1", "src/a.py": "a"})
    online = (
        "python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)"
    )
    online += '.connect(("192.0.2.1", 9))'
    online += "'"
    setup = Setup(
        prepare=(f"find . -type f > $HOME/seen; echo $INDEX >> $HOME/seen; {online}",),
        build=(
            "find . -type f ! -name built | sort > built",
            f"{online} 2> offline || true",
        ),
        prepare_files={RepoPath("lock.txt"): files[RepoPath("lock.txt")]},
    )

    bench.freeze(Revision.BASE, files, setup)
    output = run_shell(
        bench,
        "find . $HOME ! -user nobody; cat $HOME/seen built; env; tail -n 1 offline",
    )

    text = output.stdout.decode()
    assert text.startswith("./lock.txt\nwith-password\n./lock.txt\n./src/a.py\n")
    assert "Network is unreachable" in text
    assert "INDEX" not in text


@pytest.mark.slow
def test_trees_with_equal_keys_share_what_was_prepared(
    make_bench: Make, engine: DockerEngine, run_shell: Run, tree_of: TreeOf
) -> None:
    bench = make_bench()
    files = tree_of(lock="1", a="base")
    other = tree_of(lock="1", a="head")
    third = tree_of(lock="2", a="head")
    line = ("cat /proc/sys/kernel/random/uuid > $HOME/once",)

    def setup(of: dict[RepoPath, FileContent]) -> Setup:
        lock = RepoPath("lock")
        return Setup(prepare=line, prepare_files={lock: of[lock]})

    seen = []
    for revision, tree in (
        (Revision.BASE, files),
        (Revision.HEAD, other),
        (Revision.HEAD, third),
    ):
        bench.freeze(revision, tree, setup(tree))
        output = run_shell(bench, "cat $HOME/once a lock", frozen=revision)
        seen.append(output.stdout.split(b"\n"))

    assert seen[0][0] == seen[1][0] != seen[2][0]
    assert [b"base1", b"head1", b"head2"] == [one[1] for one in seen]
    images = [
        thing
        for thing in engine.labelled(f"{RUN}={bench.run_id}")
        if thing.kind is Kind.IMAGE
    ]
    assert 2 + 3 == len(images)


def test_what_prepare_was_given_and_the_tree_lacks_does_not_stay(
    make_bench: Make, run_shell: Run, tree_of: TreeOf
) -> None:
    bench = make_bench()
    setup = Setup(
        prepare=("mkdir made; touch made/here",),
        prepare_files=tree_of(**{"sub/lock": "1", "lock": "1"}),
    )

    bench.freeze(Revision.BASE, tree_of(lock="1"), setup)
    output = run_shell(bench, "find . -mindepth 1 | sort")

    assert b"./lock\n./made\n./made/here\n" == output.stdout


@pytest.mark.parametrize("stage", ["prepare", "build"])
def test_a_step_that_fails_breaks_the_tree_and_shows_its_last_output(
    make_bench: Make, tree_of: TreeOf, stage: str
) -> None:
    bench = make_bench()
    line = "head -c 200000 /dev/zero | tr '\\0' x; echo; echo broken here; exit 3"
    steps = ("true", line)
    setup = Setup(prepare=steps) if stage == "prepare" else Setup(build=steps)

    with pytest.raises(TreeBroken) as caught:
        bench.freeze(Revision.HEAD, tree_of(a=""), setup)

    assert (Revision.HEAD, line) == (caught.value.revision, caught.value.step)
    assert "broken here" in caught.value.output[-20:]
    assert 64 * 1024 >= len(caught.value.output)


@pytest.mark.slow
def test_a_step_that_hangs_is_ended_and_says_so(
    make_bench: Make, tree_of: TreeOf
) -> None:
    bench = make_bench(step_timeout=1.0)

    with pytest.raises(TreeBroken, match="sleep") as caught:
        bench.freeze(Revision.BASE, tree_of(a=""), Setup(build=("sleep 100",)))

    assert "ended after 1 seconds" in caught.value.output


def test_a_step_that_eats_the_memory_is_told_so(
    make_bench: Make, tree_of: TreeOf
) -> None:
    bench = make_bench(memory=128 * 1024**2)
    line = "exec python3 -c 'x = bytearray(1_000_000_000)'"

    with pytest.raises(TreeBroken) as caught:
        bench.freeze(Revision.BASE, tree_of(a=""), Setup(build=(line,)))

    assert "out of memory" in caught.value.output


@pytest.mark.slow
def test_what_a_build_left_in_the_outputs_is_gone_before_a_trial(
    make_bench: Make, run_shell: Run, tree_of: TreeOf
) -> None:
    bench = make_bench()
    forged = "echo forged > $O/r; rm -rf /fairtrial/in; ln -s /etc /fairtrial/in"
    forged += "; (while :; do echo forged > $O/later; sleep 0.01; done) &"

    bench.freeze(
        Revision.HEAD,
        tree_of(a=""),
        Setup(build=(forged.replace("$O", "/fairtrial/out/left"),)),
    )
    output = run_shell(
        bench, "ls -A /fairtrial/in", frozen=Revision.HEAD, inputs={"plan": b""}
    )

    assert (b"channel\nplan\n", {}) == (output.stdout, output.files)


@pytest.mark.slow
def test_a_private_environment_has_none_of_the_gates_packages(
    make_bench: Make, run_shell: Run, tree_of: TreeOf
) -> None:
    bench = make_bench(private=True)
    bench.freeze(Revision.BASE, tree_of(a=""), Setup())

    output = run_shell(
        bench,
        "for p in python python3 pip; do command -v $p; done; "
        "pip list --format=freeze | cut -d= -f1; "
        "touch $VIRTUAL_ENV/x 2>/dev/null; test -w $VIRTUAL_ENV",
    )

    assert [
        "/fairtrial/env/bin/python",
        "/fairtrial/env/bin/python3",
        "/fairtrial/env/bin/pip",
        "pip",
        "setuptools",
    ] == output.stdout.decode().split()
    assert 1 == output.code


def test_an_interpreter_that_the_gates_image_lacks_is_named(
    make_bench: Make, tree_of: TreeOf
) -> None:
    bench = make_bench(private=True)

    with pytest.raises(BenchUnavailable, match=r"python2\.1"):
        bench.freeze(Revision.BASE, tree_of(a=""), Setup(python="2.1"))


def test_a_delta_writes_and_deletes_whatever_stood_in_its_way(
    make_bench: Make, run_shell: Run
) -> None:
    def text(data: str) -> FileContent:
        return FileContent(mode=0o100644, data=data.encode())

    def link(target: str) -> FileContent:
        return FileContent(mode=0o120000, data=target.encode())

    names = {
        "pkg/gone.py": text("x"),
        "pkg/sub/only.py": text("x"),
        "file": text("old"),
        "folder/in.py": text("old"),
        "target/kept.py": text("kept"),
        "link": link("target"),
        "dir/kept.py": text("old"),
        "kept.py": text("kept"),
    }
    base = {RepoPath(name): content for name, content in names.items()}
    delta = Delta(
        writes={
            RepoPath("file/now/a/folder.py"): text("new"),
            RepoPath("folder"): text("now a file"),
            RepoPath("link/kept.py"): text("no link any more"),
            RepoPath("dir"): link("target"),
            RepoPath("run.sh"): FileContent(mode=0o100755, data=b"#!/bin/sh\n"),
        },
        deletes=frozenset(
            RepoPath(name)
            for name in (
                "pkg/gone.py",
                "pkg/sub/only.py",
                "file",
                "folder/in.py",
                "link",
                "dir/kept.py",
                "never/there",
            )
        ),
    )
    bench = make_bench()
    bench.freeze(Revision.BASE, base, Setup())

    output = run_shell(
        bench,
        "./run.sh && find . -mindepth 1 | sort; cat target/kept.py link/kept.py; "
        "readlink dir; find . ! -user nobody; touch file/now/x",
        delta=delta,
    )

    assert (0, b"") == (output.code, output.stderr)
    assert [
        "./dir",
        "./file",
        "./file/now",
        "./file/now/a",
        "./file/now/a/folder.py",
        "./folder",
        "./kept.py",
        "./link",
        "./link/kept.py",
        "./run.sh",
        "./target",
        "./target/kept.py",
        "keptno link any moretarget",
    ] == output.stdout.decode().split("\n")[:-1]


def test_bytecode_of_an_old_source_never_stands_in_for_the_new(
    make_bench: Make, run_shell: Run, tree_of: TreeOf
) -> None:
    bench = make_bench()
    compiled = "python3 -m compileall -q --invalidation-mode unchecked-hash ."
    bench.freeze(
        Revision.BASE, tree_of(**{"mod.py": "X = 1\n"}), Setup(build=(compiled,))
    )
    line = "python3 -c 'import mod; print(mod.X)'"

    plain = run_shell(bench, line)
    swapped = run_shell(
        bench, line, delta=Delta(writes=tree_of(**{"mod.py": "X = 2\n"}))
    )

    assert (b"1\n", b"2\n") == (plain.stdout, swapped.stdout)


def test_an_image_that_is_not_there_and_can_not_be_pulled_is_named(
    engine: DockerEngine,
) -> None:
    with pytest.raises(BenchUnavailable) as caught:
        ImageBench(image="127.0.0.1:9/none:1", client=engine)

    assert "127.0.0.1:9/none:1" in caught.value.happened
    assert "docker pull 127.0.0.1:9/none:1" in caught.value.remedy


@pytest.fixture
def without_python(engine: DockerEngine, base_image: str) -> Iterator[str]:
    """The base image, its Python moved to where a trial's user can't go."""
    found = engine.image(base_image)
    assert found is not None
    conditions = Conditions(
        image=found.id,
        image_env={},
        private=False,
        network=Network.NONE,
        env={},
        memory=256 * 1024**2,
        processes=100,
    )
    container = engine.create(conditions.freezing(found.id, "none", {}))
    try:
        engine.start(container)
        move = "chmod 700 /root; cp -L /usr/bin/python3 /root/python3; "
        move += (
            "rm /usr/bin/python /usr/bin/python3*; ln -s /root/python3 /usr/bin/python3"
        )
        code, said = engine.execute(
            container, ("sh", "-c", move), env={}, workdir="/", limit=1000
        )
        assert (0, b"") == (code, said)
        image = engine.commit(container, "fairtrial-test-without-python", {})
    finally:
        engine.remove(Kind.CONTAINER, container)
    yield image
    engine.remove(Kind.IMAGE, image)


@pytest.mark.slow
def test_an_image_whose_python_only_root_can_run_is_refused(
    make_bench: Make, tree_of: TreeOf, without_python: str
) -> None:
    bench = make_bench(image=without_python)

    with pytest.raises(BenchUnavailable, match="user 65534 can't run") as caught:
        bench.freeze(Revision.BASE, tree_of(a=""), Setup())

    assert "/root" in caught.value.means


def test_a_closed_bench_runs_nothing(make_bench: Make, tree_of: TreeOf) -> None:
    bench = make_bench()
    bench.close()
    bench.close()

    with pytest.raises(BenchFailed, match="closed"):
        bench.freeze(Revision.BASE, tree_of(a=""), Setup())
