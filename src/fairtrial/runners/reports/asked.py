"""What is said of tests that were asked for and did not run."""

from __future__ import annotations

from fairtrial.domain.experiments import Shape
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Outcome, Phase, Result
from fairtrial.runners import Selection
from fairtrial.runners.reports.failures import failure_of
from fairtrial.runners.reports.run import Run


def with_unreported(
    selection: Selection, run: Run
) -> tuple[dict[TestId, Result], tuple[TestId, ...]]:
    """All results, and the tests that an early end left unreached, in order."""
    results = dict(run.results)
    match selection.shape:
        case Shape.WHOLE:
            lost = tuple(test for test in run.listed if test not in results)
            return results, lost if run.interrupted_at is not None else ()
        case Shape.FORKED:
            # What runs between forks is no evidence, and need not be complete.
            return {}, ()
        case Shape.LISTED:
            pass
    unreached: list[TestId] = []
    listed = set(run.listed)
    for test in selection.tests:
        if test in results:
            continue
        found = None if test in listed else _uncollected(test, run)
        if found is not None:
            results[test] = found
        elif test in listed or not run.listed_is_complete:
            unreached.append(test)
        else:
            results[test] = Result(
                test=test,
                outcome=Outcome.MISSING,
                reason="its file holds no such test in this tree",
            )
    return results, tuple(unreached)


def _uncollected(test: TestId, run: Run) -> Result | None:
    """A result for a test whose file, or a folder's conftest, kept it from running."""
    for name, reason in run.uncollectable.items():
        if keeps_out(name, test):
            failure = failure_of(
                test, Outcome.UNBUILDABLE, Phase.COLLECT, run.details[name]
            )
            return Result(
                test=test, outcome=Outcome.UNBUILDABLE, failure=failure, reason=reason
            )
    for name, reason in run.skipped_files.items():
        if name == test.partition("::")[0] or test.startswith(f"{name}::"):
            return Result(test=test, outcome=Outcome.SKIPPED, reason=reason)
    return None


def keeps_out(name: str, test: TestId) -> bool:
    """Whether a broken file is a test's own, or a conftest or package above it."""
    file = test.partition("::")[0]
    if name == file:
        return True
    folder, _, last = name.rpartition("/")
    if last in {"conftest.py", "__init__.py"}:
        return not folder or file.startswith(f"{folder}/")
    return not name or ("." not in last and file.startswith(f"{name}/"))
