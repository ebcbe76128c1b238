"""Which errors a Python test asks for, with which message."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.demands import AssertionKind, Source
from fairtrial.integrity.reading.python.claims import Claim
from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.text import (
    CLOSE,
    OPEN,
    arguments,
    callee,
    plain,
    render,
)
from fairtrial.integrity.reading.python.tree import Node

RAISING: Final = frozenset({"pytest.raises", "pytest.RaisesGroup", "pytest.RaisesExc"})
WARNING: Final = frozenset({"pytest.warns", "pytest.deprecated_call"})
#: unittest's, with what they ask for.
METHODS: Final = {
    "assertRaises": "",
    "assertRaisesRegex": "",
    "assertRaisesRegexp": "",
    "assertRaisesMessage": "",
    "failUnlessRaises": "",
    "assertWarns": "warns ",
    "assertWarnsRegex": "warns ",
    "assertWarnsMessage": "warns ",
    "assertLogs": "logs ",
    "assertNoLogs": "logs nothing ",
}
WITH_MESSAGE: Final = ("Regex", "Regexp", "Message")
ANY_ERROR: Final = frozenset({"Exception", "BaseException"})


def asked(node: Node, scope: Scope) -> str | None:
    """What a context or call asks to be raised: "ValueError matching 'x'"."""
    name = callee(node, scope)
    if not name:
        return None
    placed, named = arguments(node)
    method = name.rpartition(".")[2]
    if name in RAISING or name in WARNING:
        told = "warns " if name in WARNING else ""
        if name == "pytest.RaisesGroup":
            told = "group of "
    elif method in METHODS and "." in name:
        told = METHODS[method]
    else:
        return None
    types = placed[0] if placed else named.get("expected_exception")
    wanted = plain(render(types, scope)) if types else ""
    if not wanted and name == "pytest.deprecated_call":
        wanted = "DeprecationWarning"
    message = named.get("match") or named.get("expected_regex")
    if message is None and method.endswith(WITH_MESSAGE) and len(placed) > 1:
        message = placed[1]
    shown = told + wanted
    if message is not None and message.kind != "none":
        shown += f" matching {plain(render(message, scope))}"
    if "check" in named:
        shown += f" holding {plain(render(named['check'], scope))}"
    if "level" in named:
        shown += f" at {plain(render(named['level'], scope))}"
    return shown.strip()


def called(node: Node, scope: Scope) -> str | None:
    """The rendered call that `raises(Error, function, *arguments)` makes."""
    placed, named = arguments(node)
    method = callee(node, scope).rpartition(".")[2]
    taken = 2 if method.endswith(WITH_MESSAGE) else 1
    if len(placed) <= taken:
        return None
    rest = [render(each, scope) for each in placed[taken + 1 :]]
    rest += [f"{name}={render(named[name], scope)}" for name in sorted(named)]
    return f"{render(placed[taken], scope)}{OPEN}{', '.join(rest)}{CLOSE}"


def raised(expected: str, subject: str) -> Claim:
    """The claim that the subject raises what is asked."""
    any_error = expected in ANY_ERROR or not expected
    return Claim(
        kind=AssertionKind.RAISES_ANY if any_error else AssertionKind.RAISES,
        subject=subject,
        expected=expected,
        source=Source.LITERAL,
    )
