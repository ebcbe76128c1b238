"""The YAML of a configuration, node by node, each knowing where it stands.

Nothing is constructed from the text: nodes are looked at as they were written, so
that `3.10` and `on` can be told from "3.10" and "on" (YAML 1.1 reads the first two as
a number and as true).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn, TypeVar

import yaml

from fairtrial.domain.errors import ConfigurationError

T = TypeVar("T")

#: Characters; a configuration is a page, not a data file.
MAX_LENGTH: Final = 64 * 1024
#: Nodes visited, each alias counting with all that it stands for.
MAX_NODES: Final = 10_000
MAX_DEPTH: Final = 20

_TAG: Final = "tag:yaml.org,2002:"
#: The types of plain YAML.
_KNOWN: Final = frozenset(
    f"{_TAG}{kind}"
    for kind in (
        "map",
        "seq",
        "str",
        "int",
        "float",
        "bool",
        "null",
        "timestamp",
        "merge",
        "value",
    )
)
_NUMBER: Final = re.compile(r"(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,6})?")
_COUNT: Final = re.compile(r"0|[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One node: what it is, what it is called ("suites.unit.python"), its place."""

    node: yaml.Node
    name: str
    source: str

    def wrong(self, what: str, *, means: str = "", remedy: str = "") -> NoReturn:
        """Raises ConfigurationError with file, line and the key's whole name."""
        mark = self.node.start_mark
        name = f"{self.name}: " if self.name else ""
        raise ConfigurationError(
            f"{self.source}:{mark.line + 1}: {name}{what}", means=means, remedy=remedy
        )

    @property
    def is_null(self) -> bool:
        """Nothing, `~` or `null`."""
        return self.node.tag == f"{_TAG}null"

    def child(self, node: yaml.Node, key: str) -> Value:
        """A value inside this one."""
        name = f"{self.name}.{key}" if self.name else key
        return Value(node=node, name=name, source=self.source)

    def described(self) -> str:
        """What it is, as a person would say it."""
        match self.node:
            case yaml.MappingNode():
                return "a mapping"
            case yaml.SequenceNode():
                return "a list"
            case yaml.ScalarNode(tag=tag, value=written):
                kind = _KINDS.get(tag.removeprefix(_TAG), "text")
                return "nothing" if kind == "nothing" else f"{kind} `{written[:60]}`"
            case _:
                return "something else"

    def mapping(self) -> Mapping[str, Value]:
        """The values by key; a key that stands twice is an error."""
        if not isinstance(self.node, yaml.MappingNode):
            self.wrong(f"a mapping was meant, this is {self.described()}.")
        found: dict[str, Value] = {}
        for key, node in self.node.value:
            name = Value(node=key, name=self.name, source=self.source).key()
            if name in found:
                self.child(key, name).wrong("this key stands twice.")
            found[name] = self.child(node, name)
        return found

    def key(self) -> str:
        """A mapping's key."""
        if not isinstance(self.node, yaml.ScalarNode):
            self.wrong("a key is a word, not a list or mapping.")
        if self.node.tag == f"{_TAG}merge":
            self.wrong(
                "merge keys (`<<`) are not supported.", remedy="Write the keys out."
            )
        if self.node.tag != f"{_TAG}str":
            self.wrong(
                f"the key is {self.described()} to YAML.",
                remedy=f'Put it in quotes: "{self.node.value}".',
            )
        if not self.node.value.strip():
            self.wrong("a key is empty.")
        return str(self.node.value)

    def fields(self, known: Sequence[str]) -> Mapping[str, Value]:
        """A mapping of known keys; another one is an error that names the nearest."""
        found = self.mapping()
        for name in found:
            if name in known:
                continue
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
            meant = (
                f'Did you mean "{near[0]}"?'
                if near
                else f"Known here: {', '.join(known)}."
            )
            key = next(key for key, _ in self.node.value if key.value == name)
            place = Value(node=key, name=self.name, source=self.source)
            place.wrong(f'unknown key "{name}".', remedy=meant)
        return found

    def sequence(self) -> Sequence[Value]:
        """The values of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            self.wrong(
                f"a list was meant, this is {self.described()}.",
                remedy="Write it as `[…]` or with a `-` a line.",
            )
        return [self.child(node, str(at)) for at, node in enumerate(self.node.value)]

    def text(self) -> str:
        """A non-empty string."""
        node = self.node
        if not isinstance(node, yaml.ScalarNode):
            self.wrong(f"text was meant, this is {self.described()}.")
        if node.tag != f"{_TAG}str":
            if self.is_null:
                self.wrong("text was meant, and there is nothing.")
            self.wrong(
                f"text was meant, and YAML reads {self.described()}.",
                remedy=f'Put it in quotes: "{node.value}".',
            )
        if not node.value.strip():
            self.wrong("this text is empty.")
        if "\0" in node.value:
            self.wrong("there is a NUL character in this text.")
        return str(node.value)

    def texts(self) -> tuple[str, ...]:
        """A list of non-empty strings."""
        return tuple(each.text() for each in self.sequence())

    def flag(self) -> bool:
        """`true` or `false`; YAML's other spellings are refused."""
        if self.node.tag != f"{_TAG}bool" or self.node.value not in {"true", "false"}:
            self.wrong(
                f"true or false was meant, this is {self.described()}.",
                remedy="Write `true` or `false`, without quotes.",
            )
        return bool(self.node.value == "true")

    def number(self) -> float:
        """A plain decimal number."""
        return float(self._digits(_NUMBER, "a number"))

    def count(self) -> int:
        """A plain whole number from 0 on."""
        return int(self._digits(_COUNT, "a whole number"))

    def _digits(self, pattern: re.Pattern[str], kind: str) -> str:
        node = self.node
        plain = isinstance(node, yaml.ScalarNode) and node.tag in {
            f"{_TAG}int",
            f"{_TAG}float",
        }
        if not plain or not pattern.fullmatch(node.value):
            self.wrong(
                f"{kind} was meant, this is {self.described()}.",
                remedy="Write plain digits, without unit, sign or quotes.",
            )
        return str(node.value)

    def one_of(self, known: Mapping[str, T]) -> T:
        """What one of several words stands for."""
        word = self.text()
        if word not in known:
            near = difflib.get_close_matches(word, known, n=1)
            hint = f' Did you mean "{near[0]}"?' if near else ""
            listed = ", ".join(known)
            self.wrong(f'"{word}" is none of: {listed}.', remedy=hint.strip())
        return known[word]


_KINDS: Final[Mapping[str, str]] = {
    "bool": "the truth value",
    "int": "the number",
    "float": "the number",
    "null": "nothing",
    "timestamp": "the date",
}


def optional(value: Value | None, read: Callable[[Value], T]) -> T | None:
    """What a value says; none where it is absent or null."""
    return None if value is None or value.is_null else read(value)


def document(text: str, source: str) -> Value:
    """The only document of a YAML text, checked for size and depth."""
    if len(text) > MAX_LENGTH:
        raise ConfigurationError(
            f"{source}: it has {len(text)} characters.",
            means=f"A configuration has at most {MAX_LENGTH}.",
        )
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as wrong:
        mark = wrong.problem_mark or wrong.context_mark
        line = f":{mark.line + 1}" if mark else ""
        raise ConfigurationError(
            f"{source}{line}: this is no valid YAML: {wrong.problem or wrong.context}."
        ) from wrong
    except (yaml.YAMLError, RecursionError) as wrong:
        first = str(wrong).partition("\n")[0][:200] or "it is nested too deeply"
        raise ConfigurationError(
            f"{source}: this is no valid YAML: {first}."
        ) from wrong
    if node is None:
        raise ConfigurationError(
            f"{source}: the file is empty.", remedy="Remove it, or give it `suites:`."
        )
    root = Value(node=node, name="", source=source)
    _measured(root)
    return root


def _measured(root: Value) -> None:
    """Refuses what is too deep, too large with its aliases, or of a foreign type."""
    waiting = [(root.node, 0)]
    visited = 0
    while waiting:
        node, depth = waiting.pop()
        visited += 1
        place = Value(node=node, name="", source=root.source)
        if visited > MAX_NODES or depth > MAX_DEPTH:
            place.wrong("too much is nested here.", means="Aliases count each time.")
        if node.tag not in _KNOWN:
            place.wrong(f"the tag {node.tag} is not supported.")
        match node:
            case yaml.MappingNode():
                pairs = (each for pair in node.value for each in pair)
                waiting += [(each, depth + 1) for each in pairs]
            case yaml.SequenceNode():
                waiting += [(each, depth + 1) for each in node.value]
            case yaml.ScalarNode():
                pass
            case _:
                place.wrong("this can't be read.")
