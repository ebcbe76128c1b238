"""What the arguments of a Rust macro or attribute are, before they are parsed."""

from __future__ import annotations

from typing import Final

from ast_grep_py import SgNode

#: A name and its sign stand before a named value.
_NAMED: Final = 2


def split(tree: SgNode) -> list[list[SgNode]]:
    """The words of a token tree between its own commas."""
    groups: list[list[SgNode]] = [[]]
    for each in tree.children()[1:-1]:
        if "comment" in each.kind():
            continue
        if each.text() == "," and not each.is_named():
            groups.append([])
        else:
            groups[-1].append(each)
    return [each for each in groups if each]


def parts_with_labels(tree: SgNode | None) -> list[tuple[str, list[SgNode]]]:
    """The arguments of a macro or attribute, with the names of named ones."""
    found = []
    for group in [] if tree is None else split(tree):
        if len(group) > _NAMED and group[1].text() == "=":
            found.append((group[0].text(), group[2:]))
        else:
            found.append(("", group))
    return found
