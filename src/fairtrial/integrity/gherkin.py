"""What scenarios of feature files demand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gherkin.errors import CompositeParserException, ParserException
from gherkin.parser import Parser

from fairtrial.domain.demands import (
    Aspect,
    AssertionKind,
    Demand,
    FileDemands,
    Source,
    Support,
    WrittenTest,
)
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.syntax import LONGEST, digest, one_line

SUFFIXES: tuple[str, ...] = (".feature",)

#: Tags that keep a scenario from running, by custom.
_SKIPPED: Final = {
    "@skip": "skip",
    "@skipped": "skip",
    "@ignore": "skip",
    "@ignored": "skip",
    "@disabled": "skip",
    "@wip": "skip",
    "@pending": "skip",
    "@todo": "todo",
    "@manual": "skip",
    "@fixme": "skip",
    "@xfail": "xfail",
    "@expected-failure": "xfail",
}
_FOCUSED: Final = frozenset({"@only", "@focus"})
#: Values in the text of a step: what is between quotes, numbers, an outline's names.
_VALUE: Final = re.compile(
    r'"[^"\n]*"|\'[^\'\n]*\'|<[^<>\n]{1,200}>|(?<![\w.])-?\d[\d.,]*(?!\w)'
)
_Node = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Around:
    """What holds for the scenarios of a feature or a rule."""

    names: tuple[str, ...] = ()
    tags: tuple[_Node, ...] = ()
    #: Backgrounds, by their support's name.
    backgrounds: tuple[str, ...] = ()


def read(text: str) -> FileDemands:
    """What one feature file demands; raises CannotRead."""
    if len(text) > LONGEST:
        raise CannotRead(f"it is longer than {LONGEST} characters")
    try:
        document = Parser().parse(text)
    except (CompositeParserException, ParserException) as error:
        raise CannotRead(_reason(str(error))) from None
    except RecursionError:
        raise CannotRead("it is nested too deeply to be read") from None
    reader = _Reader(text)
    feature = document.get("feature")
    if feature is not None:
        reader.read(feature, _Around())
    return FileDemands(tests=tuple(reader.tests), support=reader.support)


def _reason(error: str) -> str:
    found = re.search(r"\((\d+):\d+\): ([^\n]+)", error)
    return f"line {found[1]}: {one_line(found[2])}" if found else one_line(error)


class _Reader:
    """Reads one file, rule by rule."""

    def __init__(self, text: str) -> None:
        self.tests: list[WrittenTest] = []
        self.support: dict[str, Support] = {}
        self._lines = text.splitlines()
        self._seen: dict[tuple[str, ...], int] = {}

    def read(self, node: _Node, outer: _Around) -> None:
        """A feature or a rule; a background holds for what stands beside it."""
        names = (*outer.names, node["name"])
        around = _Around(
            names=names,
            tags=(*outer.tags, *node.get("tags", ())),
            backgrounds=(
                *outer.backgrounds,
                *(
                    self._background(child["background"], names)
                    for child in node["children"]
                    if "background" in child
                ),
            ),
        )
        for child in node["children"]:
            if "rule" in child:
                self.read(child["rule"], around)
            elif "scenario" in child:
                self._scenario(child["scenario"], around)

    def _background(self, node: _Node, names: tuple[str, ...]) -> str:
        name = "Background" if len(names) == 1 else " > ".join((*names, "Background"))
        count = 1
        known = name
        while known in self.support:
            count += 1
            known = f"{name}#{count}"
        demands = tuple(_steps(node["steps"], arranging=True))
        line, last = _span(node)
        self.support[known] = Support(
            name=known,
            demands=demands,
            digest=digest([word for it in demands for word in it.key]),
            automatic=len(names) == 1,
            line=line,
            last_line=last,
            text=self._text(line, last),
        )
        return known

    def _scenario(self, node: _Node, around: _Around) -> None:
        names = (*around.names, node["name"])
        self._seen[names] = count = self._seen.get(names, 0) + 1
        if count > 1:
            names = (*around.names, f"{node['name']}#{count}")
        demands = (
            *_marks((*around.tags, *node["tags"])),
            *_rows(node["examples"]),
            *_steps(node["steps"]),
        )
        line, last = _span(node)
        first = min([line, *(it["location"]["line"] for it in node["tags"])])
        self.tests.append(
            WrittenTest(
                names=names,
                demands=demands,
                uses=frozenset(around.backgrounds),
                digest=digest([word for it in demands for word in it.key]),
                line=first,
                last_line=last,
                text=self._text(first, last),
            )
        )

    def _text(self, line: int, last: int) -> str:
        return "\n".join(self._lines[line - 1 : last])


def _span(node: _Node) -> tuple[int, int]:
    """The first and the last line of a scenario or a background."""
    first = last = int(node["location"]["line"])
    stack: list[Any] = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, dict):
            last = max(last, each.get("location", {}).get("line", 0))
            if "delimiter" in each:
                # A text between delimiters ends one line below its last.
                last = max(last, each["location"]["line"] + len(_lines_of(each)) + 1)
            stack += each.values()
        elif isinstance(each, list):
            stack += each
    return first, last


def _lines_of(docstring: _Node) -> list[str]:
    return str(docstring["content"]).split("\n")


def _marks(tags: Sequence[_Node]) -> Iterator[Demand]:
    for tag in tags:
        name = str(tag["name"]).lower()
        line = tag["location"]["line"]
        if name in _SKIPPED:
            yield Demand(
                aspect=Aspect.SKIP, subject=_SKIPPED[name], text=tag["name"], line=line
            )
        elif name in _FOCUSED:
            yield Demand(
                aspect=Aspect.FOCUS, subject="only", text=tag["name"], line=line
            )
        elif re.match(r"@(?:retry|flaky)", name):
            yield Demand(
                aspect=Aspect.RETRY,
                subject="retries",
                expected=name,
                text=tag["name"],
                line=line,
            )


def _rows(examples: Sequence[_Node]) -> Iterator[Demand]:
    for table in examples:
        header = table.get("tableHeader")
        marks = tuple(_marks(table["tags"]))
        if header is None or any(each.aspect is Aspect.SKIP for each in marks):
            # Rows that do not run are no rows.
            continue
        names = ", ".join(_column(cell["value"]) for cell in header["cells"])
        for row in table["tableBody"]:
            cells = [_quoted(cell["value"]) for cell in row["cells"]]
            yield Demand(
                aspect=Aspect.ROW,
                subject=names,
                expected=", ".join(cells),
                text=" | ".join(cell["value"] for cell in row["cells"]),
                line=row["location"]["line"],
            )


def _column(name: str) -> str:
    """A column as it is called in the steps: one word."""
    return "$" + re.sub(r"\W", "_", name)


def _quoted(value: str) -> str:
    if re.fullmatch(r"-?\d[\d.,]*", value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _steps(steps: Sequence[_Node], *, arranging: bool = False) -> Iterator[Demand]:
    """The steps in their order: what is after a Then is an assertion.

    Steps of the same kind go on with And and But; those of a background arrange.
    """
    asserting = False
    for step in steps:
        kind = step.get("keywordType", "Unknown")
        if kind in {"Context", "Action"}:
            asserting = False
        elif kind == "Outcome":
            asserting = True
        yield _step(step, asserts=asserting and not arranging)


def _step(step: _Node, *, asserts: bool) -> Demand:
    text = " ".join(str(step["text"]).split())
    values = [_said(found) for found in _VALUE.findall(text)]
    subject = _VALUE.sub("_", text)
    table = step.get("dataTable")
    if table is not None:
        values += [
            "[" + ", ".join(_cell(it["value"]) for it in row["cells"]) + "]"
            for row in table["rows"]
        ]
    docstring = step.get("docString")
    if docstring is not None:
        values.append(_quoted(docstring["content"]))
    said = ", ".join(values)
    line = int(step["location"]["line"])
    shown = one_line(f"{step['keyword']}{text}")
    if not asserts:
        return Demand(
            aspect=Aspect.ARRANGEMENT,
            subject=subject,
            inputs=said,
            text=shown,
            line=line,
        )
    return Demand(
        aspect=Aspect.ASSERTION,
        kind=AssertionKind.CUSTOM,
        subject=subject,
        expected=said,
        source=Source.ROW if "$" in said else Source.LITERAL,
        text=shown,
        line=line,
    )


def _said(value: str) -> str:
    """A value of a step: a text, a number, or the name of an outline's column."""
    if value.startswith("<"):
        return _column(value[1:-1])
    inner = value[1:-1] if value[:1] in {'"', "'"} else value
    return _cell(inner) if value[:1] in {'"', "'"} else value


def _cell(value: str) -> str:
    if re.fullmatch(r"<[^<>]+>", value):
        return _column(value[1:-1])
    return _quoted(value)
