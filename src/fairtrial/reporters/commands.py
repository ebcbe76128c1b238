"""Which command shows a verdict again; every command that we print is made here."""

from __future__ import annotations

import re
from typing import Final

from fairtrial.domain.decisions import Category
from fairtrial.domain.report import SubjectInfo, Verdict
from fairtrial.reporters.hostile import shell_word

_COMMIT: Final = re.compile(r"[0-9a-f]{7,64}")

#: Digits that name a commit in any repository that has ever been.
_ENOUGH: Final = 12

#: Who is at fault shows only in company: the polluter command runs it both ways.
_ORDER_DEPENDENT: Final = frozenset({Category.VICTIM, Category.BRITTLE})


def replay_argv(verdict: Verdict, subject: SubjectInfo | None) -> tuple[str, ...]:
    """The words of the command that shows one verdict again.

    Head is left out when it is no commit (a working tree): it is the default then.
    """
    revisions = _revisions(subject)
    if verdict.context == "alone":
        return ("fairtrial", "alone", *revisions, *_operand(verdict.test))
    if verdict.polluters or verdict.setters or verdict.category in _ORDER_DEPENDENT:
        return ("fairtrial", "polluter", *revisions, *_operand(verdict.test))
    return ("fairtrial", "gate", *revisions, f"--suite={verdict.suite}")


def replay_command(verdict: Verdict, subject: SubjectInfo | None) -> str:
    """The same as one line that can be pasted into a shell."""
    return " ".join(shell_word(word) for word in replay_argv(verdict, subject))


def _operand(test: str) -> tuple[str, ...]:
    """The test itself; nothing that it is called makes it an option."""
    return ("--", test) if test.startswith("-") else (test,)


def _revisions(subject: SubjectInfo | None) -> tuple[str, ...]:
    if subject is None:
        return ()
    named = (("--base", subject.base), ("--head", subject.head))
    return tuple(
        word
        for option, commit in named
        if _COMMIT.fullmatch(commit)
        for word in (option, commit[:_ENOUGH])
    )
