"""What things are called: distinct types for the names that must not be mixed up."""

from __future__ import annotations

from typing import NewType

#: A runner's own full name of one test, as its report gives it.
TestId = NewType("TestId", str)

#: A path inside the repository, with forward slashes and no leading slash.
RepoPath = NewType("RepoPath", str)

#: Forty hexadecimal digits.
CommitId = NewType("CommitId", str)

#: The key of a suite in the configuration.
SuiteName = NewType("SuiteName", str)

#: Names one trial within a run, in the order the trials were begun: "t1", "t2".
TrialId = NewType("TrialId", str)

#: Names one changed production hunk within a run: "src/cart.py:41-47".
HunkId = NewType("HunkId", str)

#: Names files that stand over a tree within a run: a mutant, a test unit of base.
OverlayId = NewType("OverlayId", str)
