"""What a bench's own process says of leftovers is read, and nothing else is."""

from __future__ import annotations

import json

import pytest

from fairtrial.benches.aftermath import aftermath
from fairtrial.domain.trials import LeftFile


def told(*left: object, blind: object = ()) -> bytes:
    return json.dumps({"left": left, "blind": blind}).encode()


def test_files_come_with_their_content() -> None:
    found = aftermath(told(["/w/a", 5.5, 2, "file", "aGk="], blind=["why"]), asked=True)

    assert (LeftFile(path="/w/a", changed=5.5, size=2, data=b"hi"),) == found.left
    assert ("why",) == found.blind


def test_nothing_is_said_where_nothing_was_asked() -> None:
    assert ((), ()) == (
        aftermath(None, asked=False).left,
        aftermath(None, asked=False).blind,
    )


def test_findings_that_never_came_are_missed() -> None:
    assert 1 == len(aftermath(None, asked=True).blind)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        told(["/w/a", 5.5, 2, "file"]),
        told(["/w/a", 5.5, 2, "nonsense", None]),
        told(["/w/a", "x", 2, "file", None]),
        told(["/w/a", float("nan"), 2, "file", None]),
        told([5, 5.5, 2, "file", None]),
        told(["/w/a", 5.5, 2, "file", "no base64!"]),
        told(["/w/a", 5.5, "x", "file", None]),
        b'{"left": 5, "blind": []}',
    ],
)
def test_what_is_malformed_is_not_taken(data: bytes) -> None:
    found = aftermath(data, asked=True)

    assert ((), ("what the trial left can't be read",)) == (found.left, found.blind)


def test_odd_names_can_be_written_down_and_much_is_cut() -> None:
    odd = ["/w/\udcff", 5.5, 2, "file", None]
    found = aftermath(told(*[odd] * 5000, blind=["x" * 999] * 99), asked=True)

    assert "/w/\\udcff" == found.left[0].path
    assert (2000, 20, 300) == (len(found.left), len(found.blind), len(found.blind[0]))
