"""Whether a failure is nothing but the want of a name that production removed."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import Final

from fairtrial.domain.results import Failure

_IMPORT_ERRORS: Final = frozenset({"ImportError", "ModuleNotFoundError"})
#: Reasons of a collection begin with the exception.
_KIND: Final = r"(?:[\w.]*Error: )?"

#: How Python words each of these errors, with the missing name in the group.
_WORDINGS: Final = (
    (_IMPORT_ERRORS, re.compile(_KIND + r"cannot import name '(\w+)'")),
    (_IMPORT_ERRORS, re.compile(_KIND + r"No module named '(?:\w+\.)*(\w+)'")),
    (
        frozenset({"AttributeError"}),
        re.compile(
            _KIND + r"(?:module '[\w.]+'|type object '\w+'|'(?!NoneType')\w+' object)"
            r" has no attribute '(\w+)'"
        ),
    ),
    (frozenset({"NameError"}), re.compile(_KIND + r"name '(\w+)' is not defined")),
)


def misses_removed_name(
    failure: Failure,
    base_production_names: AbstractSet[str],
    head_production_names: AbstractSet[str],
) -> bool:
    """Whether it failed for a name that base defined and head defines nowhere.

    Production that misses the name itself is broken, so no frame may be its own. Only
    what Python says at the beginning of a message counts.
    """
    if failure.signature.production_frame is not None:
        return False
    name = missing_name(failure)
    return name in base_production_names and name not in head_production_names


def missing_name(failure: Failure) -> str:
    """The name that was not there; empty where the failure is another one."""
    exception = failure.type.rpartition(".")[2]
    for types, wording in _WORDINGS:
        found = wording.match(failure.message) if exception in types else None
        if found is not None:
            return found[1]
    return ""
