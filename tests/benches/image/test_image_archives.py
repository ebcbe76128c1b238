"""Archives: owners in headers, folders first, no way out of the tree."""

from __future__ import annotations

import io
import tarfile
from pathlib import PurePosixPath

import pytest

from fairtrial.benches.image import archives
from fairtrial.domain.errors import BenchFailed
from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent

ROOT = PurePosixPath("/fairtrial/work")


def read(files: dict[str, FileContent]) -> dict[str, tarfile.TarInfo]:
    parts = archives.tree(
        ROOT,
        {RepoPath(name): content for name, content in files.items()},
        owner=7,
        time=1000,
    )
    data = b"".join(archives.joined(parts))
    with tarfile.open(fileobj=io.BytesIO(data), errors="surrogateescape") as archive:
        return {member.name: member for member in archive}


def test_every_folder_comes_before_what_it_holds_and_has_the_owner() -> None:
    members = read({"a/b/c.py": FileContent(mode=0o100755, data=b"x")})

    assert [
        "fairtrial/work",
        "fairtrial/work/a",
        "fairtrial/work/a/b",
        "fairtrial/work/a/b/c.py",
    ] == list(members)
    assert {(7, 7, 1000)} == {(m.uid, m.gid, m.mtime) for m in members.values()}
    assert 0o755 == members["fairtrial/work/a/b/c.py"].mode


@pytest.mark.parametrize(
    "name",
    ["naïve-ü.py", "q" * 240 + "/" + "r" * 240, "new\nline", "raw-\udcff", "-rf", " "],
)
def test_any_name_that_git_can_hold_arrives_as_it_is(name: str) -> None:
    members = read({name: FileContent(mode=0o100644, data=b"1")})

    assert f"fairtrial/work/{name}" in members


def test_a_link_is_a_link() -> None:
    members = read({"link": FileContent(mode=0o120000, data=b"../../etc/passwd")})

    assert members["fairtrial/work/link"].issym()
    assert "../../etc/passwd" == members["fairtrial/work/link"].linkname


@pytest.mark.parametrize(
    "name", ["../up", "a/../../up", "/etc/passwd", "a//b", "./a", "", "a/", "a\0b"]
)
def test_a_path_that_leads_out_of_the_tree_is_refused(name: str) -> None:
    with pytest.raises(BenchFailed, match="leads out of it"):
        read({name: FileContent(mode=0o100644, data=b"")})


def test_pieces_are_joined_to_the_same_bytes() -> None:
    parts = [b"a" * 700_000, b"b" * 700_000, b"c"]

    pieces = list(archives.joined(parts))

    assert 2 == len(pieces)
    assert b"".join(parts) + archives.END == b"".join(pieces)
