"""What failed, where, and by which signature it is known again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.results import Failure, Outcome, Phase, Signature
from fairtrial.runners.reports.events import Detail
from fairtrial.runners.reports.fields import Frame

MESSAGE_LIMIT: Final = 2_000
#: Said by a sanitizer, or of a lock that can't be had: never acquitted.
_NEVER_ACQUITTED: Final = re.compile(
    r"(Thread|Address|Memory|Leak|UndefinedBehavior)Sanitizer: "
    r"|\bWARNING: DATA RACE\b"
    r"|\bdata race on\b"
    r"|_DeadlockError\b"
    r"|\bdeadlock detected\b"
    # Go's runtime says so and ends the process.
    r"|\ball goroutines are asleep - deadlock!"
    r"|\bfatal error: concurrent map (?:writes|read and map write)",
    re.IGNORECASE,
)
#: Folders that hold tests and what belongs to them, in any ecosystem.
_FOLDERS: Final = frozenset(
    {"test", "tests", "spec", "__tests__", "__mocks__", "testFixtures", "testdata"}
    | {"integrationTest", "e2e"}
)


def is_test_side(path: str, test: str) -> bool:
    """Whether a file belongs to the tests, told by its path alone.

    The path alone, so that a signature does not depend on what else was collected.
    """
    place = PurePosixPath(path)
    return (
        path == test.partition("::")[0]
        or place.name in {"conftest.py", "tests.py"}
        or place.name.startswith("test_")
        or place.stem.endswith(("_test", "_spec", ".test", ".spec"))
        or not _FOLDERS.isdisjoint(place.parts[:-1])
    )


def failure_of(
    test: str, outcome: Outcome, phase: Phase, detail: Detail, *, extra: str = ""
) -> Failure:
    """The failure of one test, with its signature.

    `extra` is text that is searched for what is never acquitted, and not shown.
    """
    ours = [frame for frame in detail.frames if frame.ours]
    test_frame = _last(frame for frame in ours if is_test_side(frame.path, test))
    production = _last(frame for frame in ours if not is_test_side(frame.path, test))
    where = test_frame or _last(ours)
    crashed_in_production = (
        outcome is Outcome.CRASHED
        and bool(ours)
        and not is_test_side(ours[-1].path, test)
    )
    said = f"{detail.message}\n{detail.text}\n{detail.stderr}\n{extra}"
    return Failure(
        phase=phase,
        type=detail.type,
        message=detail.message[:MESSAGE_LIMIT],
        where=f"{where.path}:{where.line}" if where else None,
        expected=detail.expected,
        actual=detail.actual,
        text=detail.text,
        signature=Signature(
            outcome=outcome,
            phase=phase,
            exception=detail.type,
            test_frame=test_frame.identity if test_frame else detail.untraced,
            production_frame=production.identity if production else None,
        ),
        outside_frame=_outside(detail.frames, test),
        never_acquitted=crashed_in_production
        or _NEVER_ACQUITTED.search(said) is not None,
    )


def _last(frames: Iterable[Frame]) -> Frame | None:
    found = None
    for frame in frames:
        found = frame
    return found


def _outside(frames: tuple[Frame, ...], test: str) -> str | None:
    """The innermost frame that is not the test's own function."""
    file, _, rest = test.partition("::")
    body = rest.partition("[")[0].replace("::", ".")
    # The fault handler knows no qualified names.
    names = {body, body.rpartition(".")[2]}
    for frame in reversed(frames):
        inside_body = frame.name in names or frame.name.startswith(f"{body}.")
        if frame.path != file or not inside_body:
            return frame.identity
    return None
