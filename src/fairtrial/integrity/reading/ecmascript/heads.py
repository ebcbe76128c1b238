"""Which calls of JavaScript define tests, blocks and hooks, and with which marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from fairtrial.domain.demands import Aspect, Demand
from fairtrial.integrity.reading.ecmascript.acts import options, said
from fairtrial.integrity.reading.ecmascript.chains import (
    Chain,
    Link,
    function_in,
    unchained,
)
from fairtrial.integrity.reading.ecmascript.scopes import (
    Speaker,
)
from fairtrial.integrity.reading.ecmascript.words import (
    FUNCTIONS,
    bare,
    is_plain_text,
    string_value,
)
from fairtrial.integrity.reading.script.notes import demand
from fairtrial.integrity.reading.script.sources import Piece, below
from fairtrial.integrity.reading.script.wording import joined


class Role(StrEnum):
    """What a call defines."""

    TEST = "test"
    BLOCK = "block"
    HOOK = "hook"


_TESTS: Final = "it|test|specify|example|scenario|Scenario|theoretically"
_BLOCKS: Final = "describe|context|suite|feature|Feature"
_NAMED: Final = re.compile(
    rf"(?P<mark>[xf]?)(?:(?P<test>{_TESTS})|(?P<block>{_BLOCKS}))(?P<rest>[A-Z_]\w*)?"
)
HOOKS: Final = frozenset(
    [
        "beforeEach",
        "afterEach",
        "beforeAll",
        "afterAll",
        "before",
        "after",
        "setup",
        "teardown",
        "suiteSetup",
        "suiteTeardown",
        "onTestFinished",
    ]
)
_SKIPS: Final = {"skip": "skip", "todo": "todo", "fixme": "skip", "ignore": "skip"}
_TABLES: Final = frozenset({"each", "for"})
_BLOCK_WORDS: Final = frozenset({"describe", "module", "context"})
_NEVER: Final = frozenset(
    {"step", "use", "configure", "setTimeout", "slow", "info", "expect", "extend"}
)
#: What may be called on `test` without defining one.
_NO_DEFINITION: Final = frozenset({*_TABLES, *_NEVER, "skipIf", "runIf"})
_HANDED: Final = frozenset({"identifier", "call_expression", "member_expression"})
_FAILS: Final = frozenset({"failing", "fails", "fail"})
_QUIET: Final = frozenset(
    [
        "concurrent",
        "sequential",
        "shuffle",
        "serial",
        "parallel",
        "sync",
        "skipIf",
        "runIf",
        "extend",
        "runner",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A call that defines a test, a block or a hook."""

    role: Role
    name: str
    marks: tuple[Demand, ...] = ()
    #: The table of rows; None without one.
    rows: Piece | None = None
    function: Piece | None = None
    #: What is handed over where no function is written: a name.
    handed: Piece | None = None
    piece: Piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A name that stands for `it`, `describe` and the like, perhaps with marks."""

    role: Role
    marks: tuple[Demand, ...] = ()


def alias_of(value: Piece, aliases: dict[str, Alias], speaker: Speaker) -> Alias | None:
    """What `const itOnLinux = isLinux ? it : it.skip` is; None for anything else."""
    inner = bare(value)
    if inner.kind in {"ternary_expression", "binary_expression"}:
        condition = joined(speaker.say(inner.nodes[0]))
        for each in inner.nodes:
            chain = unchained(each)
            base = _base(chain, aliases)
            if base is not None and all(not it.is_call for it in chain.links):
                if "skip" not in inner.text and "xit" not in inner.text:
                    return base
                skipping = _skipping(inner, condition)
                mark = demand(Aspect.SKIP, value, subject="skip", expected=skipping)
                return Alias(role=base.role, marks=(*base.marks, mark))
        return None
    chain = unchained(inner)
    base = _base(chain, aliases)
    if base is None:
        return None
    if not chain.links or chain.links[-1].name in {"extend", "each", "skipIf", "runIf"}:
        found = [*base.marks]
        for link in chain.links:
            found += _mark(link, inner, speaker)
        return Alias(role=base.role, marks=tuple(found))
    if all(not link.is_call for link in chain.links):
        found = [*base.marks]
        for link in chain.links:
            found += _mark(link, inner, speaker)
        return Alias(role=base.role, marks=tuple(found))
    return None


def _skipping(ternary: Piece, condition: str) -> str:
    """The condition under which the skipping branch is taken."""
    if ternary.kind == "ternary_expression" and len(ternary.nodes) > 2:  # noqa: PLR2004
        first = ternary.nodes[1].text
        return condition if re.search(r"skip|^x", first) else f"!({condition})"
    return condition


def _base(chain: Chain, aliases: dict[str, Alias]) -> Alias | None:
    name = chain.name
    if name in aliases:
        return aliases[name]
    if name in {"Deno", "QUnit"} and chain.links:
        inner = chain.links[0].name
        if inner == "module":
            return Alias(role=Role.BLOCK)
        return Alias(role=Role.TEST) if inner in {"test", *_SKIPS, "only"} else None
    found = _NAMED.fullmatch(name)
    if found is None:
        return None
    return Alias(role=Role.TEST if found["test"] else Role.BLOCK)


def head_of(piece: Piece, aliases: dict[str, Alias], speaker: Speaker) -> Head | None:
    """What a statement's expression defines; None where it defines nothing."""
    inner = bare(piece)
    if inner.kind == "await_expression" and inner.nodes:
        inner = bare(inner.nodes[0])
    if inner.kind != "call_expression":
        return None
    chain = unchained(inner)
    if chain.root.kind in {"ternary_expression", "binary_expression"}:
        alias = alias_of(chain.root, aliases, speaker)
        return None if alias is None else _head(chain, alias, inner, speaker)
    hook = _hook(chain, inner)
    if hook is not None:
        return hook
    base = _base(chain, aliases)
    return None if base is None else _head(chain, base, inner, speaker)


def _hook(chain: Chain, piece: Piece) -> Head | None:
    links = chain.links
    name = ""
    if chain.name in HOOKS and len(links) == 1 and not links[0].name:
        name = chain.name
    elif (
        chain.name in {"test", "it", "t"} and len(links) == 1 and links[0].name in HOOKS
    ):
        name = links[0].name
    elif chain.name == "QUnit" and links and links[-1].name in HOOKS:
        name = links[-1].name
    if not name or links[-1].arguments is None:
        return None
    function = function_in(links[-1].arguments)
    handed = links[-1].arguments[-1] if links[-1].arguments and not function else None
    return Head(
        role=Role.HOOK, name=name, function=function, handed=handed, piece=piece
    )


def _head(chain: Chain, base: Alias, piece: Piece, speaker: Speaker) -> Head | None:
    links = chain.links
    at = next(
        (n for n, link in enumerate(links) if _defines(link, links[n + 1 :])), None
    )
    if at is None:
        return None
    role, found = base.role, list(base.marks)
    prefix = _NAMED.fullmatch(chain.name)
    if prefix is not None and prefix["mark"]:
        found.append(_prefixed(prefix["mark"], piece))
    rows: Piece | None = None
    for link in links[: at + 1]:
        if link.name in _TABLES:
            rows = _table_of(link)
        elif link.name in _BLOCK_WORDS:
            role = Role.BLOCK
        else:
            found += _mark(link, piece, speaker, given=link is not links[at])
    for link in links[at + 1 :]:
        found += _after(link, piece, speaker)
    definition = links[at].arguments or ()
    found += _given(definition, speaker)
    return _finished(role, found, rows, definition, piece)


def _table_of(link: Link) -> Piece | None:
    if link.template is not None:
        return link.template
    return link.arguments[0] if link.arguments else None


def _defines(link: Link, later: Sequence[Link]) -> bool:
    """Whether this call is the one that names the test."""
    given = link.arguments or ()
    if not given or link.name in _NO_DEFINITION:
        return False
    titled = bare(given[0]).kind in {"string", "template_string"}
    function = function_in(given) is not None
    if link.name in _SKIPS or link.name in _FAILS:
        last = all(each.arguments is None for each in later)
        return titled and (function or link.name == "todo" or last)
    return function or titled or len(given) > 1 or bare(given[0]).kind == "object"


def _given(given: Sequence[Piece], speaker: Speaker) -> list[Demand]:
    """What the options and the time limit in a definition's arguments say."""
    found = [
        demand(aspect, given[0], subject=subject, expected=expected)
        for aspect, subject, expected in options(given, speaker)
    ]
    last = bare(given[-1])
    function = function_in(given)
    if given[2:] and (
        last.kind == "number" or (last.kind == "identifier" and function)
    ):
        limit = joined(speaker.say(last))
        found.append(demand(Aspect.TIMEOUT, last, subject="timeout", expected=limit))
    return found


def _finished(
    role: Role,
    marks: Sequence[Demand],
    rows: Piece | None,
    given: Sequence[Piece],
    piece: Piece,
) -> Head:
    found = list(marks)
    function = function_in(given)
    last = bare(given[-1])
    handed = last if function is None and last.kind in _HANDED and given[1:] else None
    skipped = any(each.aspect is Aspect.SKIP for each in found)
    if role is Role.TEST and function is None and handed is None and not skipped:
        found.append(demand(Aspect.SKIP, piece, subject="todo"))
    return Head(
        role=role,
        name=_title(bare(given[0])),
        marks=tuple(found),
        rows=rows,
        function=function,
        handed=handed,
        piece=piece,
    )


def _title(title: Piece) -> str:
    """The name that a test is given, with the holes of a template as written."""
    if title.kind in FUNCTIONS:
        name = title.first("identifier")
        return name.text if name is not None else ""
    if title.kind == "object":
        return _named_option(title)
    if is_plain_text(title):
        return string_value(title)
    return title.text[1:-1] if title.kind == "template_string" else title.text


def _named_option(table: Piece) -> str:
    for pair in table.nodes:
        if pair.kind == "pair" and pair.nodes[0].text == "name":
            value = bare(pair.nodes[-1])
            return string_value(value) if is_plain_text(value) else value.text
    return ""


def _prefixed(letter: str, piece: Piece) -> Demand:
    if letter == "x":
        return demand(Aspect.SKIP, piece, subject="skip")
    return demand(Aspect.FOCUS, piece, subject="only")


def _mark(
    link: Link, piece: Piece, speaker: Speaker, *, given: bool = True
) -> list[Demand]:
    """What `.skip`, `.only`, `.skipIf(x)` say."""
    arguments = (link.arguments or ()) if given else ()
    if link.name in _SKIPS:
        condition = said(arguments[:1], speaker)
        return [
            demand(Aspect.SKIP, piece, subject=_SKIPS[link.name], expected=condition)
        ]
    if link.name in _FAILS:
        return [demand(Aspect.SKIP, piece, subject="xfail")]
    if link.name == "only":
        return [demand(Aspect.FOCUS, piece, subject="only")]
    if link.name in {"skipIf", "runIf", "if", "todoIf", "failingIf"}:
        condition = said(arguments[:1], speaker)
        if link.name in {"runIf", "if"}:
            condition = f"!({condition})"
        return [demand(Aspect.SKIP, piece, subject="skip", expected=condition)]
    return []


def _after(link: Link, piece: Piece, speaker: Speaker) -> list[Demand]:
    value = said(link.arguments, speaker)
    if link.name == "timeout":
        return [demand(Aspect.TIMEOUT, piece, subject="timeout", expected=value)]
    if link.name == "retries":
        return [demand(Aspect.RETRY, piece, subject="retries", expected=value)]
    return []


def defines_tests(piece: Piece, aliases: dict[str, Alias]) -> bool:
    """Whether a piece holds calls that may define tests."""
    for each in below(piece):
        if each.kind == "call_expression":
            callee = each.parts[0]
            if callee.kind == "member_expression" and callee.parts[-1].text in _NEVER:
                continue
            while callee.kind in {"member_expression", "call_expression"}:
                callee = callee.parts[0]
            name = callee.text if callee.kind == "identifier" else ""
            if name in aliases or _NAMED.fullmatch(name):
                return True
    return False
