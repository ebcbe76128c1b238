from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from fairtrial.domain.names import HunkId, RepoPath
from fairtrial.trees.hunks import FileChange, lines_of, revert, split, whole

PATH = RepoPath("src/cart.py")

LINES = st.lists(
    st.sampled_from(
        [b"a\n", b"b\n", b"c\n", b"\n", b"  \n", b"x\r\n", b"\x0b\n", b"\r", b"d"]
    ),
    max_size=12,
).map(b"".join)
SIDES = st.one_of(st.none(), LINES, st.binary(max_size=20))


def ids(base: bytes | None, head: bytes | None) -> list[str]:
    return [hunk.id for hunk in split(PATH, base, head).hunks]


@given(base=SIDES, head=SIDES)
@example(base=b"a\nb\nc\n", head=b"")
def test_reverting_nothing_gives_head_and_everything_gives_base(
    base: bytes | None, head: bytes | None
) -> None:
    change = split(PATH, base, head)

    assert head == revert(change, frozenset())
    assert base == revert(change, {hunk.id for hunk in change.hunks})


def applied(change: FileChange, kept: set[HunkId]) -> bytes:
    """The oracle: base with the kept hunks applied, from the other direction."""
    assert change.base is not None
    assert change.head is not None
    lines: list[bytes] = lines_of(change.base)
    new = lines_of(change.head)
    for hunk in reversed(change.hunks):
        if hunk.id in kept:
            replaced = new[hunk.head_start : hunk.head_end]
            lines[hunk.base_start : hunk.base_end] = replaced
    return b"".join(lines)


@given(base=LINES, head=LINES, data=st.data())
def test_reverting_a_subset_is_applying_the_others(
    base: bytes, head: bytes, data: st.DataObject
) -> None:
    change = split(PATH, base, head)
    names = [hunk.id for hunk in change.hunks]
    taken = data.draw(st.sets(st.sampled_from(names)))

    assert applied(change, set(names) - taken) == revert(change, taken)


@given(base=SIDES, head=SIDES)
def test_hunks_of_a_file_have_names_of_their_own(
    base: bytes | None, head: bytes | None
) -> None:
    names = ids(base, head)

    assert names
    assert len(names) == len(set(names))


def test_hunks_are_named_by_heads_lines() -> None:
    base = b"1\n2\n3\n4\n5\n6\n"
    head = b"1\nzwei\ndrei\n4\n5\n6\n7\n"

    assert ["src/cart.py:2-3", "src/cart.py:7-7"] == ids(base, head)


def test_a_deletion_is_named_by_the_line_it_follows() -> None:
    assert ["src/cart.py:after-1"] == ids(b"1\n2\n3\n", b"1\n3\n")
    assert ["src/cart.py:after-0"] == ids(b"1\n2\n", b"2\n")


def test_a_blank_line_alone_does_not_part_two_hunks() -> None:
    base = b"def a():\n    1\n\ndef b():\n    2\n"
    head = b"def x():\n    3\n\ndef y():\n    4\n"

    assert ["src/cart.py:1-5"] == ids(base, head)


def test_added_deleted_binary_and_mode_changes_are_one_hunk_each() -> None:
    assert ["src/cart.py:1-2"] == ids(None, b"a\nb\n")
    assert ["src/cart.py:deleted"] == ids(b"a\nb\n", None)
    assert ["src/cart.py:whole"] == ids(b"\0a\n", b"\0b\n")
    assert ["src/cart.py:whole"] == ids(None, b"")
    assert ["src/cart.py:mode"] == ids(b"a\n", b"a\n")


def test_half_of_a_change_is_taken_back() -> None:
    change = split(PATH, b"1\n2\n3\n4\n5\n", b"eins\n2\n3\n4\nfuenf\n")

    half = revert(change, {HunkId("src/cart.py:5-5")})

    assert b"eins\n2\n3\n4\n5\n" == half


def test_a_missing_line_end_is_kept_apart_from_one_that_is_there() -> None:
    change = split(PATH, b"a\nb", b"a\nb\n")

    assert ["src/cart.py:2-2"] == [hunk.id for hunk in change.hunks]
    assert b"a\nb" == revert(change, {change.hunks[0].id})


def test_two_huge_unlike_files_are_one_hunk_at_once() -> None:
    base = b"".join(b"old %d\n" % number for number in range(20_000))
    head = b"".join(b"new %d\n" % number for number in range(20_000))

    assert ["src/cart.py:1-20000"] == ids(base, head)


def test_a_file_can_be_one_hunk_whatever_it_holds() -> None:
    change = whole(PATH, b"a\nb\nc\n", b"x\nb\ny\n")

    assert ["src/cart.py:whole"] == [hunk.id for hunk in change.hunks]
    assert b"a\nb\nc\n" == revert(change, {change.hunks[0].id})
