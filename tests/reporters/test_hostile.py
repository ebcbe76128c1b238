"""For any text: it stays where it is put, and says no more than text."""

from __future__ import annotations

import re
import subprocess

import pytest
from hypothesis import example, given, settings
from tests.reporters.hostile_text import hostile
from tests.reporters.rendered import LINKED, page

from fairtrial.reporters import hostile as h


@given(hostile)
@settings(deadline=None)
def test_plain_text_has_nothing_that_moves_a_cursor_or_turns_writing(text: str) -> None:
    shown = h.plain(text, 500)

    assert all(c in "\n\t" or c.isprintable() for c in shown)
    assert len(shown) <= 500
    shown.encode("utf-8")


@example("``a`")
@given(hostile)
@settings(deadline=None)
def test_a_code_span_is_one_code_element(text: str) -> None:
    made = page(f"a {h.code(text)} b")

    assert {"p": 1, "code": 1} == dict(made.elements)
    assert "a  b" == made.text.strip()
    assert [h.line(text, 200) or h.NOTHING] == made.codes


@example("a|b\\|c", "d|`e|f`\\")
@given(hostile, hostile)
@settings(deadline=None)
def test_a_row_keeps_its_cells(first: str, second: str) -> None:
    row = f"| {h.cell(h.code(first))} | {h.cell(h.prose(second))} |"

    made = page(f"| a | b |\n|---|---|\n{row}\n| c | d |\n")

    assert [2, 2, 2] == made.rows
    assert {"table", "thead", "tbody", "tr", "th", "td", "code"} >= set(made.elements)
    assert h.line(first, 200) in {"", made.codes[0]}


@example("x\n```\n<b>")
@example("````\n```")
@given(hostile)
@settings(deadline=None)
def test_a_fenced_block_ends_where_it_should(text: str) -> None:
    made = page(f"<details>\n\n{h.fenced(text)}\n\n</details>\n\nafter")

    assert {"details": 1, "pre": 1, "code": 1, "p": 1} == dict(made.elements)
    assert "after" in made.text
    assert (h.plain(text, 4000).strip("\n") or h.NOTHING) + "\n" == made.codes[0]


@example("so deadbeef is @a and #1 (www.a.b) GH-1 :x: <b>")
@example("( )")
@example("` ` 1. x")
@given(hostile)
@settings(max_examples=300, deadline=None)
def test_prose_makes_code_and_nothing_else(text: str) -> None:
    shown = h.prose(text)
    made = page(shown)

    assert {"p", "code"} >= set(made.elements)
    assert "\n" not in shown
    assert LINKED.search(made.text) is None
    assert 0 == made.comments


@given(hostile)
@settings(deadline=None)
def test_prose_loses_nothing(text: str) -> None:
    """Blanks and backticks may change place; everything else is still there."""
    made = page(h.prose(text, 10_000))
    said = "".join(
        _letters(made.text) + [c for code in made.codes for c in _letters(code)]
    )

    assert sorted(_letters(h.line(text, 10_000))) == sorted(said)


def _letters(text: str) -> list[str]:
    return [c for c in text if not c.isspace() and c != "`"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ask @octocat (see #12).", "ask `@octocat` (see `#12`)."),
        ("expected [1, 2], got {}", "expected `[1, 2]`, got `{}`"),
        ("the test `a|b`, then (`c`) it", "the test `a|b`, then (`c`) it"),
        ("suite: head ✗✗ · base ✓✓; alone ✓✓✓", "suite: head ✗✗ · base ✓✓; alone ✓✓✓"),
        ("Read it, 3 of 20 failed.", "Read it, 3 of 20 failed."),
        ("1. a list", "`1.` a list"),
        ("f(x) fails", "`f(x)` fails"),
        ("", ""),
    ],
)
def test_prose_reads_well(text: str, expected: str) -> None:
    assert expected == h.prose(text)


#: How the runner looks for commands in a line, after its source.
_COMMAND = re.compile(r"^\s*::[^:]*::|##\[")


@given(hostile)
@settings(deadline=None)
def test_a_console_line_is_no_workflow_command(text: str) -> None:
    shown = h.console(text)

    assert _COMMAND.search(shown) is None
    assert "\n" not in shown


@example("100%0A\n%25")
@given(hostile)
@settings(deadline=None)
def test_a_commands_message_is_the_text_and_stays_in_it(text: str) -> None:
    told = h.command(text)
    back = told.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")

    assert "\n" not in told
    assert "##[" not in told
    assert h.plain(text, 2000).replace("##[", "# #[") == back


@given(hostile)
@settings(deadline=None)
def test_a_commands_property_ends_only_where_it_should(text: str) -> None:
    told = h.command_property(text)

    assert not set(told) & set("\n\r:,")
    assert "##[" not in told


@given(hostile.filter(lambda text: "\0" not in text))
@settings(max_examples=60, deadline=None)
def test_a_shell_gives_back_the_very_word(text: str) -> None:
    word = h.shell_word(text)
    ran = subprocess.run(
        ["bash", "--norc", "-c", f"printf %s {word}"], capture_output=True, check=True
    )

    assert word.isprintable()
    assert b"".join(map(_encoded, text)) == ran.stdout


def _encoded(character: str) -> bytes:
    """Bytes that were no UTF-8 come to us as U+DC80 to U+DCFF and go back as bytes."""
    a_byte = "\udc80" <= character <= "\udcff"
    return character.encode("utf-8", "surrogateescape" if a_byte else "surrogatepass")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b]8;;http://evil\x1b\\link", "link"),
        ("a\r\nb\u2028c", "a\nb\nc"),
        ("\u202ereversed", "reversed"),
        ("zero\u200bwidth", "zerowidth"),
    ],
)
def test_plain_keeps_what_can_be_read(text: str, shown: str) -> None:
    assert shown == h.plain(text, 100)


def test_huge_text_is_cut_quickly() -> None:
    assert f"{'x' * 49}{h.CUT}" == h.line("x" * 20_000_000, 50)
    assert f"x{h.CUT}" == h.line("x" + "\x1b[" * 20_000_000, 50)
