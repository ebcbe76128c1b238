"""How text that a test wrote is shown without it saying more than text.

Names, messages, values and paths come from the code under judgement. Each function
here takes any string and gives back one that is safe in exactly one place: inside a
Markdown code span, inside a fenced block, as Markdown prose, in a workflow command,
on a console, or as one word of a shell command.
"""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

#: Escape sequences of terminals: CSI, OSC (closed or cut off), and two-letter ones.
_ANSI: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[PX^_][^\x1b\x9c]*(?:\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
_LINE_ENDS: Final = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_BLANKS: Final = re.compile(r"[ \t]+")
_BACKTICKS: Final = re.compile(r"`+")

#: What a cut leaves at the end.
CUT: Final = "…"
#: What stands where there is nothing to show.
NOTHING: Final = "\u2013"

#: One word of prose that no renderer turns into anything else: letters, with an
#: apostrophe or hyphen between them and sentence marks around, or a short number.
_WORD: Final = re.compile(
    "[(\"']?[^\\W\\d_]+(?:['\u2019-][^\\W\\d_]+)*[)\"']?[.,;:!?]*"
)
_NUMBER: Final = re.compile(r"\(?\d{1,6}(?:[.,]\d{1,6})?%?\)?[.,;:]?")
_MARKS: Final = frozenset("\u2013—·→✓✗○?≠≤≥…%")
#: Evidence as counts: twenty times ✗.
_COUNTED: Final = re.compile("\\d{1,6}\u00d7[✓✗○?][,;.]?")
#: GitHub links a bare run of seven or more hexadecimal digits to a commit.
_LIKE_A_COMMIT: Final = re.compile(r"[0-9a-fA-F]{7,}")
_MARKS_AFTER: Final = ".,;:!?)"
_FOLLOWING: Final = re.compile(r"[.,;:!?)]+(?= |$)")
_SPANS: Final = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


def plain(text: str, limit: int) -> str:
    """The text with line ends, without escape sequences, control or bidi characters.

    At most `limit` characters; what was cut is marked at the end. Lone surrogates,
    which no encoding can carry, become U+FFFD.
    """
    # What will be cut anyway is not worth cleaning: a message may be megabytes long.
    window = limit * 4 + 1000
    whole = len(text) <= window
    text = _LINE_ENDS.sub("\n", _ANSI.sub("", text[:window]))
    if text.isprintable():
        return cut(text if whole else text + CUT, limit)
    kept = []
    for character in text:
        if character in "\n\t" or character.isprintable():
            kept.append(character)
        elif "\ud800" <= character <= "\udfff":
            kept.append("\ufffd")
        elif character.isspace():
            kept.append(" ")
    return cut("".join(kept) + ("" if whole else CUT), limit)


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, with a mark where something is missing."""
    if len(text) <= limit:
        return text
    return text[: max(0, limit - len(CUT))] + CUT


def line(text: str, limit: int) -> str:
    """The text as one line, runs of blanks as one; empty when nothing is left."""
    return _BLANKS.sub(" ", plain(text, limit).replace("\n", " ")).strip()


def code(text: str, limit: int = 200) -> str:
    """A code span outside tables: nothing in it is a mention, a link or markup."""
    return _span(line(text, limit) or NOTHING)


def _span(shown: str) -> str:
    """A code span around one clean line that is not empty."""
    longest = max(map(len, _BACKTICKS.findall(shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def cell(markdown: str) -> str:
    """A piece of finished one-line Markdown as a table cell.

    Tables are cut at pipes before code spans are looked for, so a pipe is escaped
    inside them, too; the backslash is taken out again when the cell is read.
    """
    return markdown.replace("\n", " ").replace("|", "\\|")


def fenced(text: str, limit: int = 4000, language: str = "text") -> str:
    """A fenced block; its fence is longer than any run of backticks inside."""
    shown = plain(text, limit).strip("\n") or NOTHING
    longest = max(map(len, _BACKTICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{shown}\n{fence}"


def prose(text: str, limit: int = 400) -> str:
    """A sentence outside code, in which everything but plain words is in code spans.

    Words are known by what they are, not by what they are not: whatever might be a
    mention, a reference, a link, a tag or markup is none of them. Code spans of the
    text are kept as such.
    """
    out = ""
    for piece in _pieces(line(text, limit)):
        glued = not out or piece.glued or out.endswith("(")
        # A sentence begins with a letter or with code: a number would begin a list.
        in_code = piece.in_code or (not out and not piece.text[0].isalpha())
        shown = _span(piece.text.strip()) if in_code else piece.text
        out += shown if glued else f" {shown}"
    return out


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a sentence; `glued` parts follow without a blank."""

    text: str
    in_code: bool
    glued: bool = False


def _pieces(text: str) -> Iterator[_Piece]:
    position = 0
    for span in _SPANS.finditer(text):
        yield from _outside(text[position : span.start()], start=position == 0)
        if span.group(2).strip():
            yield _Piece(span.group(2), in_code=True)
        position = span.end()
    yield from _outside(text[position:], start=position == 0)


def _outside(text: str, *, start: bool) -> Iterator[_Piece]:
    """The parts outside code spans; neighbours that are no words become one span.

    "[1, 2]" is one thing to a reader.
    """
    glued = not start and not text.startswith(" ")
    for plain_words, group in itertools.groupby(text.split(), key=_is_plain):
        if plain_words:
            yield from (_Piece(word, in_code=False) for word in group)
        else:
            yield from _trimmed(" ".join(group), glued=glued)
        glued = False


def _trimmed(text: str, *, glued: bool) -> Iterator[_Piece]:
    """A stretch of code without the sentence's own marks around it."""
    marks = _FOLLOWING.match(text) if glued else None
    if marks:
        yield _Piece(marks.group(), in_code=False, glued=True)
        text = text[marks.end() :].lstrip()
    if text.startswith("("):
        yield _Piece("(", in_code=False)
        text = text[1:].lstrip()
    core, closing = _without_marks(text)
    if text:
        yield _Piece(core or text, in_code=True)
    if closing and core:
        yield _Piece(closing, in_code=False, glued=True)


def _without_marks(text: str) -> tuple[str, str]:
    """The text, and the marks after it; "f(x)" keeps its own parenthesis."""
    end = len(text)
    while end and text[end - 1] in _MARKS_AFTER:
        if text[end - 1] == ")" and text[:end].count("(") >= text[:end].count(")"):
            break
        end -= 1
    return text[:end], text[end:]


def _is_plain(token: str) -> bool:
    signs = token.rstrip(";,.")
    if (signs and _MARKS.issuperset(signs)) or _COUNTED.fullmatch(token):
        return True
    bare = token.strip("()\"'.,;:!?")
    if _LIKE_A_COMMIT.fullmatch(bare):
        return False
    return bool(_WORD.fullmatch(token) or _NUMBER.fullmatch(token))


def command(text: str, limit: int = 2000) -> str:
    """The data of a workflow command: one line to the runner, line ends kept."""
    shown = _broken(plain(text, limit))
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str, limit: int = 200) -> str:
    """A property's value of a workflow command, such as a file or a title."""
    shown = _broken(line(text, limit)).replace("%", "%25")
    return shown.replace(":", "%3A").replace(",", "%2C")


def console(text: str, limit: int = 200) -> str:
    """One line for a terminal or a job's log that is no workflow command.

    The runner reads `::x::` at the start of a line, and `##[x]` anywhere in one.
    """
    shown = _broken(line(text, limit))
    return f"| {shown}" if shown.startswith("::") else shown


def _broken(text: str) -> str:
    return text.replace("##[", "# #[")


def shell_word(text: str) -> str:
    """One word for a POSIX shell; bash's `$'…'` where something does not show.

    Nothing is cut or dropped: a command that names another test would be a lie.
    """
    if text.isprintable():
        return shlex.quote(text)
    return "$'" + "".join(_ansi_c(character) for character in text) + "'"


def _ansi_c(character: str) -> str:
    if character in "\\'":
        return f"\\{character}"
    if character.isprintable():
        return character
    # U+DC80 to U+DCFF stand for bytes that were no UTF-8; they become them again.
    a_byte = "\udc80" <= character <= "\udcff"
    encoded = character.encode(
        "utf-8", "surrogateescape" if a_byte else "surrogatepass"
    )
    return "".join(f"\\x{byte:02x}" for byte in encoded)
