"""What GitHub makes of Markdown, by its own parser: elements, cells, text, code."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

from cmarkgfm import cmark

_EXTENSIONS: Final = ["table", "autolink", "tagfilter", "strikethrough", "tasklist"]

#: What GitHub turns into links or notifications in text outside code.
LINKED: Final = re.compile(
    r"(?<![\w/])@[\w-]+"  # a mention
    r"|(?<!\w)#\d+|\bGH-\d+"  # an issue
    r"|\b[0-9a-fA-F]{7,40}\b"  # a commit
    r"|\w+://|\bwww\.\w"  # an address
    r"|(?<!\w):\w+:"  # an emoji
)


@dataclass(slots=True)
class Page:
    """Elements by name, the text outside code, each code element's text, table rows."""

    elements: Counter[str] = field(default_factory=Counter)
    attributes: set[str] = field(default_factory=set)
    text: str = ""
    codes: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    comments: int = 0


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self._in_code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        page = self.page
        page.elements[tag] += 1
        page.attributes |= {f"{tag}.{name}" for name, _ in attrs}
        if tag == "tr":
            page.rows.append(0)
        if tag in {"td", "th"}:
            page.rows[-1] += 1
        if tag == "code":
            self._in_code += 1
            page.codes.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "code":
            self._in_code -= 1

    def handle_data(self, data: str) -> None:
        if self._in_code:
            self.page.codes[-1] += data
        else:
            self.page.text += data

    def handle_comment(self, data: str) -> None:
        self.page.comments += 1


def page(markdown: str) -> Page:
    """The page that a reader sees; raw HTML is let through, as GitHub's parser does."""
    html = cmark.markdown_to_html_with_extensions(
        markdown, options=cmark.Options.CMARK_OPT_UNSAFE, extensions=_EXTENSIONS
    )
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.page
