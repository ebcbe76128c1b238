"""What a tried tree holds: listings, mixed files and hunks, composed without I/O."""

from __future__ import annotations

from fairtrial.trees.changes import Rules, culprit_hunks, dependency_files, read_changes
from fairtrial.trees.compose import Sides, classes_of, compose, delta
from fairtrial.trees.listing import Entry, Listing, Read, contents

__all__ = [
    "Entry",
    "Listing",
    "Read",
    "Rules",
    "Sides",
    "classes_of",
    "compose",
    "contents",
    "culprit_hunks",
    "delta",
    "dependency_files",
    "read_changes",
]
