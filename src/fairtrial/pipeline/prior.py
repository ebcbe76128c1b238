"""What an earlier audit knows, for searches to guess by."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.names import SuiteName, TestId
from fairtrial.pipeline.brief import Brief
from fairtrial.reporters.audit_reader import SIZE_LIMIT, AuditRefused, guesses

#: By test, the sets that were seen making it fail, or letting it pass.
Prior = Mapping[TestId, tuple[tuple[TestId, ...], ...]]


def prior_of(brief: Brief, suite: SuiteName) -> Prior:
    """What the request's file knows of a suite; nothing without one.

    It can only choose experiments, so whoever wrote it changes no verdict. Raises
    ConfigurationError where it is no audit.
    """
    path = brief.request.prior
    if path is None:
        return {}
    if "prior" not in brief.memo:
        brief.memo["prior"] = _read(path)
    found: Mapping[SuiteName, Prior] = brief.memo["prior"]
    return found.get(suite, {})


def _read(path: Path) -> Mapping[SuiteName, Prior]:
    try:
        with path.open("rb") as stream:
            data = stream.read(SIZE_LIMIT + 1)
    except FileNotFoundError:
        # The first night is yet to come, or its artifact has expired.
        return {}
    except OSError as wrong:
        raise ConfigurationError(
            f"--prior {path} can't be read: {wrong.strerror}.",
            remedy="Name the `audit.json` of a `fairtrial audit`, or leave it out.",
        ) from wrong
    try:
        return guesses(data)
    except AuditRefused as wrong:
        raise ConfigurationError(
            f"--prior {path} is no audit: {wrong}.",
            means="It was cut off, or is another file.",
            remedy="Name the `audit.json` of a `fairtrial audit`, or leave it out.",
        ) from wrong
