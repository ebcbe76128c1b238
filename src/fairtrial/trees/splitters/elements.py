"""Where each element of an XML text begins and ends; nothing is ever expanded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, NoReturn
from xml.parsers import expat

from fairtrial.trees.splitters.tables import CannotSplit

#: Longest text, in characters, and deepest nesting that is read.
LONGEST: Final = 1_000_000
DEEPEST: Final = 200

#: A byte of UTF-8 that goes on a character is 10xxxxxx.
_HIGH_BITS: Final = 0b11000000
_GOES_ON: Final = 0b10000000


@dataclass(slots=True, kw_only=True)
class Element:
    """One element, by character positions in the text."""

    name: str
    attributes: tuple[tuple[str, str], ...]
    start: int
    inner_start: int = 0
    inner_end: int = 0
    end: int = 0
    children: list[Element] = field(default_factory=list)
    #: All text directly in it, without the space around it.
    text: str = ""
    #: Name, attributes, text and children, in order; comments are left out.
    meaning: object = None


def read(text: str) -> Element:
    """The root element; raises CannotSplit.

    A document type is refused before anything in it counts: it can define entities
    that grow without end, and name files.
    """
    if len(text) > LONGEST:
        raise CannotSplit(f"it is longer than {LONGEST} characters")
    return _Reader(text).root()


class _Reader:
    """Expat's events as elements; names are without their prefixes' meaning."""

    def __init__(self, text: str) -> None:
        self._data = text.encode("utf-8", "surrogatepass")
        self._open: list[Element] = []
        self._root: Element | None = None
        self._parser: Any = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse

    def root(self) -> Element:
        try:
            self._parser.Parse(self._data, True)
        except expat.ExpatError as wrong:
            raise CannotSplit(f"it is no valid XML: {wrong}") from wrong
        if self._root is None:
            raise CannotSplit("it holds no element")
        self._in_characters(self._root)
        return self._root

    def _refuse(self, *_: object) -> NoReturn:
        raise CannotSplit("it has a document type, which is not read")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= DEEPEST:
            raise CannotSplit("it is nested too deeply")
        start = self._parser.CurrentByteIndex
        element = Element(
            name=name,
            attributes=tuple(sorted(attributes.items())),
            start=start,
            inner_start=self._tag_end(start),
        )
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _end(self, name: str) -> None:
        element = self._open.pop()
        at = self._parser.CurrentByteIndex
        # An element that closes itself ends where its one tag does.
        closes_itself = (
            self._data[element.inner_start - 2 : element.inner_start] == b"/>"
        )
        element.inner_end = element.inner_start if closes_itself else at
        element.end = element.inner_start if closes_itself else self._tag_end(at)
        element.text = element.text.strip()
        element.meaning = (
            name,
            element.attributes,
            element.text,
            tuple(each.meaning for each in element.children),
        )

    def _text(self, data: str) -> None:
        self._open[-1].text += data

    def _tag_end(self, start: int) -> int:
        """Where the tag that begins at a byte is over; quotes may hold a `>`."""
        at, quote = start, b""
        while True:
            byte = self._data[at : at + 1]
            at += 1
            if quote:
                quote = b"" if byte == quote else quote
            elif byte in (b'"', b"'"):
                quote = byte
            elif byte in (b">", b""):
                return at

    def _in_characters(self, root: Element) -> None:
        """Positions in bytes become positions in characters."""
        if len(self._data) == len(self._data.decode("utf-8", "surrogatepass")):
            return
        places = [0] * (len(self._data) + 1)
        count = 0
        for at, byte in enumerate(self._data):
            places[at] = count
            count += byte & _HIGH_BITS != _GOES_ON
            places[at + 1] = count
        waiting = [root]
        while waiting:
            element = waiting.pop()
            element.start = places[element.start]
            element.inner_start = places[element.inner_start]
            element.inner_end = places[element.inner_end]
            element.end = places[element.end]
            waiting += element.children
