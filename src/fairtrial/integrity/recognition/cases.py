"""Where one input of the tests is answered with an answer of the tests.

Literals are compared in one spelling: quotes, spaces, underscores in numbers and the
zero of "7.0" make no difference, nor whether a sequence is a list or a tuple.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ast_grep_py import SgNode

from fairtrial.integrity.recognition.text import Source, Spot, spot_at
from fairtrial.integrity.syntax import one_line, walk

#: Longer ones are data, not answers.
_LONGEST: Final = 400
_TOKEN: Final = re.compile(
    r"[a-zA-Z]{0,2}(\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|"
    r"(\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?)[fFdDlLuU]?(?!\w)|\s+|(.)",
    re.DOTALL,
)
_STRING: Final = r"\"(?:[^\"\\\n]|\\.){0,200}\"|'(?:[^'\\\n]|\\.){0,200}'"
_NUMBER: Final = r"-?\d[\d_]*(?:\.\d+)?[fFdDlL]?"
_ARRAY: Final = r"\[[^\[\]{}()\n]{1,200}\]"
_LITERAL: Final = rf"(?:{_STRING}|{_NUMBER}|{_ARRAY})"
#: A branch on one value that returns another, in languages with braces.
_BRANCH: Final = re.compile(
    rf"\bif\s*+\(?\s*+(?:[\w.$]++\s*+===?\s*+(?P<a>{_LITERAL})"
    rf"|[\w.$]++(?<=\.equals)\(\s*+(?P<b>{_LITERAL})\s*+\)"
    rf"|(?P<c>{_STRING})\.equals\(\s*+[\w.$]++\s*+\))\s*+\)?\s*+\{{?\s*+"
    rf"return\s++(?P<answer>{_LITERAL})\s*+[;}}]"
    rf"|\bif\s++[\w.$]++\s*+==\s*+(?P<d>{_LITERAL})\s*+\{{?\s*+"
    rf"return\s++(?P<other>{_LITERAL})\s"
)
_ANY: Final = re.compile(rf"{_STRING}|(?<![\w.]){_NUMBER}(?![\w.])|{_ARRAY}")

_SIMPLE: Final = frozenset({"string", "integer", "float", "unary_operator"})
_COMPOUND: Final = frozenset({"list", "tuple", "dictionary", "set"})
_EMPTY: Final = frozenset({"list()", "tuple()", "[]", "{}", "()"})
#: Words and numbers that every program has mean nothing by being in tests, too.
_SHORTEST: Final = 4
_COMMON: Final = frozenset(
    {*map(str, range(17)), "-1", "24", "32", "60", "64", "100", "128", "200", "255"}
    | {"256", "404", "500", "512", "1000", "1024", "0.5", "3600", "86400"}
)
#: An answer, its condition, and another answer.
_TERNARY: Final = 3
#: A table of so many pairs of the tests is no accident.
_PAIRS: Final = 2


def canonical(text: str) -> str:
    """A literal in the one spelling that all of it are compared in."""
    words = []
    for found in _TOKEN.finditer(text[: _LONGEST * 2]):
        quoted, number, other = found.groups()
        if quoted is not None:
            words.append('"' + quoted[1:-1].replace('\\"', '"') + '"')
        elif number is not None:
            plain = number.replace("_", "")
            if re.fullmatch(r"\d+\.0*", plain):
                plain = plain.partition(".")[0]
            words.append(plain)
        elif other is not None:
            words.append(other)
    joined = "".join(words).replace(",]", "]").replace(",)", ")").replace(",}", "}")
    if joined[:1] == "(" and joined[-1:] == ")":
        joined = f"[{joined[1:-1]}]"
    return joined


def literals(source: Source) -> frozenset[str]:
    """All literals of a file of tests, in their one spelling."""
    if source.root is None:
        return frozenset(
            canonical(found.group()) for found in _ANY.finditer(source.code)
        )
    return frozenset(
        canonical(node.text())
        for node in walk(source.root)
        if node.kind() in _SIMPLE | _COMPOUND and len(node.text()) <= _LONGEST
    )


@dataclass(frozen=True, slots=True)
class Cases:
    """Finds special cases of some tests' literals; None: of any."""

    known: frozenset[str] | None

    def __call__(self, source: Source) -> Iterator[Spot]:
        """Each place where an input is answered, in the order of the text."""
        if source.language == "python":
            yield from self._in_python(source)
            return
        for found in _BRANCH.finditer(source.code):
            asked = found["a"] or found["b"] or found["c"] or found["d"]
            if self._suspicious(asked, found["answer"] or found["other"]):
                line = source.code.count("\n", 0, found.start()) + 1
                yield Spot("input-special-cased", line, one_line(found.group()))

    def _in_python(self, source: Source) -> Iterator[Spot]:
        for node in () if source.root is None else walk(source.root):
            if node.kind() == "dictionary":
                if self._table(node):
                    yield spot_at("answers-tabled", node)
            elif self._branches(node):
                yield spot_at("input-special-cased", node)

    def _branches(self, node: SgNode) -> bool:
        """Whether a node is a branch that answers one input."""
        kind = node.kind()
        if kind in {"if_statement", "elif_clause"}:
            answer = _answer(node.field("consequence"))
            return self._case(node.field("condition"), answer)
        named = [each for each in node.children() if each.is_named()]
        if kind == "conditional_expression" and len(named) == _TERNARY:
            return self._case(named[1], named[0])
        if kind == "case_clause":
            patterns = [each for each in named if each.kind() == "case_pattern"]
            answer = _answer(node.field("consequence"))
            if len(patterns) != 1 or answer is None:
                return False
            return self._suspicious(patterns[0].text(), answer.text())
        return False

    def _case(self, condition: SgNode | None, answer: SgNode | None) -> bool:
        if condition is None or answer is None:
            return False
        if answer.kind() not in _SIMPLE | _COMPOUND:
            return False
        return any(
            self._suspicious(asked, answer.text()) for asked in _asked(condition)
        )

    def _suspicious(self, asked: str, answer: str) -> bool:
        """Whether both are the tests' own, and one of them can't be by accident."""
        if len(asked) > _LONGEST or len(answer) > _LONGEST:
            return False
        pair = canonical(asked), canonical(answer)
        if not _telling(pair[0]) or pair[1] in _EMPTY or pair[0] == pair[1]:
            return False
        whole = pair[0][:1] in "[{"
        if not whole and not _telling(pair[1]):
            return False
        return self.known is None or set(pair) <= self.known

    def _table(self, node: SgNode) -> bool:
        pairs = [each for each in node.children() if each.kind() == "pair"]
        if not _PAIRS <= len(pairs) <= _LONGEST:
            return False
        telling = 0
        for pair in pairs:
            key, value = pair.field("key"), pair.field("value")
            if key is None or value is None:
                return False
            if key.kind() == "string" or not _is_literal(key) or not _is_literal(value):
                return False
            asked, answer = canonical(key.text()), canonical(value.text())
            if self.known is not None and not {asked, answer} <= self.known:
                return False
            telling += _telling(asked) and (asked[:1] in "[{" or _telling(answer))
        return telling >= _PAIRS


def _asked(condition: SgNode) -> Iterator[str]:
    """The literals that a condition demands of something, one of which suffices."""
    for node in walk(condition):
        if node.kind() == "not_operator":
            return
        if node.kind() != "comparison_operator":
            continue
        parts = [each for each in node.children() if each.is_named()]
        words = [each.text() for each in node.children() if not each.is_named()]
        if len(parts) != 2 or words != ["=="]:  # noqa: PLR2004 - two sides
            continue
        sides = [each for each in parts if _is_literal(each)]
        if len(sides) == 1:
            yield sides[0].text()


def _is_literal(node: SgNode) -> bool:
    """Whether it is a literal, and so is all of it."""
    allowed = _SIMPLE | _COMPOUND | {"pair", "true", "false", "none"}
    if node.kind() not in allowed:
        return False
    return all(
        _is_literal(each)
        for each in node.children()
        if each.is_named() and node.kind() in _COMPOUND | {"pair", "unary_operator"}
    )


def _answer(block: SgNode | None) -> SgNode | None:
    """What a branch returns when it does nothing else."""
    if block is None:
        return None
    statements = [each for each in block.children() if each.is_named()]
    if len(statements) != 1 or statements[0].kind() != "return_statement":
        return None
    values = [each for each in statements[0].children() if each.is_named()]
    return values[0] if len(values) == 1 else None


def _telling(literal: str) -> bool:
    """Whether a literal says something by being in the tests, too."""
    if literal[:1] == '"':
        return len(literal) >= _SHORTEST + 2
    if literal[:1] in "[{":
        return literal not in _EMPTY and any(c.isalnum() for c in literal)
    return literal not in _COMMON
