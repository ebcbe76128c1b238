"""What a test may miss of production: a module, a module's name, a class's member."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

#: Follows the reason for which a file could not be collected, where production's own
#: code raised it: path and line.
RAISED_IN: Final = " (raised in {path}:{line})"


class Lack(StrEnum):
    """What was not there."""

    #: A module, by its dotted path; nobody owns it.
    MODULE = "module"
    #: What a module would have to offer; the module is the owner.
    NAME = "name"
    #: An attribute of a class or of its objects; the class's own name is the owner.
    MEMBER = "member"
    #: A name that was looked up where nothing tells whose it should have been.
    ANYWHERE = "anywhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """One thing that was not there, and whose it should have been."""

    lack: Lack
    name: str
    owner: str = ""
