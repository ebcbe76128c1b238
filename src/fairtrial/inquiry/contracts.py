"""Whether a failure is nothing but the want of something that production removed."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

from fairtrial.domain.contracts import RAISED_IN, Lack, Missing
from fairtrial.domain.results import Failure

_IMPORT_ERRORS: Final = frozenset({"ImportError", "ModuleNotFoundError"})
_ATTRIBUTE_ERROR: Final = frozenset({"AttributeError"})
#: Reasons of a collection begin with the exception.
_KIND: Final = r"(?:[\w.]*Error: )?"
_LACKS: Final = r"(?:has no attribute|does not have the attribute) '(?P<name>\w+)'"
#: Where a class is.
_INSIDE: Final = r"(?:\w+\.)*"

#: How Python, `unittest.mock` and pytest's `monkeypatch` word each of these errors.
_WORDINGS: Final = tuple(
    (types, re.compile(_KIND + wording), lack)
    for types, wording, lack in (
        (
            _IMPORT_ERRORS,
            r"cannot import name '(?P<name>\w+)' from '(?P<owner>[\w.]+)'",
            Lack.NAME,
        ),
        (_IMPORT_ERRORS, r"No module named '(?P<name>[\w.]+)'", Lack.MODULE),
        (
            _ATTRIBUTE_ERROR,
            rf"(?:<?module '(?P<owner>[\w.]+)'[^>]*>?) {_LACKS}",
            Lack.NAME,
        ),
        (
            _ATTRIBUTE_ERROR,
            rf"'module' object at (?P<owner>[\w.]+) {_LACKS}",
            Lack.NAME,
        ),
        (
            _ATTRIBUTE_ERROR,
            rf"(?:type object )?'(?P<owner>\w+)'(?: object)? {_LACKS}",
            Lack.MEMBER,
        ),
        (
            _ATTRIBUTE_ERROR,
            rf"<class '{_INSIDE}(?P<owner>\w+)'> {_LACKS}",
            Lack.MEMBER,
        ),
        (
            _ATTRIBUTE_ERROR,
            rf"'type' object at {_INSIDE}(?P<owner>\w+) {_LACKS}",
            Lack.MEMBER,
        ),
        (
            frozenset({"NameError"}),
            r"name '(?P<name>\w+)' is not defined",
            Lack.ANYWHERE,
        ),
    )
)
_RAISED_IN: Final = re.compile(
    re.escape(RAISED_IN).replace(r"\{path\}", ".+").replace(r"\{line\}", r"\d+") + r"\Z"
)


def misses_removed(failure: Failure, removed: Container[Missing]) -> bool:
    """Whether it failed for something that base's production offers and head's doesn't.

    Production that misses the thing itself is broken, so no frame may be its own. Only
    what Python says at the beginning of a message counts.
    """
    if failure.signature.production_frame is not None:
        return False
    found = missing(failure)
    return found is not None and found in removed


def missing(failure: Failure) -> Missing | None:
    """What was not there; None where the failure is another one."""
    if _RAISED_IN.search(failure.message):
        return None
    exception = failure.type.rpartition(".")[2]
    for types, wording, lack in _WORDINGS:
        found = wording.match(failure.message) if exception in types else None
        if found is not None:
            told = found.groupdict(default="")
            return Missing(lack=lack, name=told["name"], owner=told.get("owner", ""))
    return None
