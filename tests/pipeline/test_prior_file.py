"""Where a gate's prior comes from, and what is no reason to stop."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from tests.reporters.test_audit import AUDIT, FOUND, UNIT, VICTIM

from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.names import SuiteName
from fairtrial.domain.request import Request
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.prior import prior_of
from fairtrial.reporters.audit import dump


@dataclass
class Asked:
    """The part of a brief that is looked at."""

    request: Request
    memo: dict[str, Any] = field(default_factory=dict)


def brief(prior: Path | None) -> Brief:
    return cast(Brief, Asked(request=Request(repo=Path(), prior=prior)))


def test_an_audits_sets_are_known_for_its_suite_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "audit.json"
    path.write_text(dump(AUDIT))

    assert {VICTIM: FOUND.polluters} == prior_of(brief(path), UNIT)
    assert {} == prior_of(brief(path), SuiteName("e2e"))


def test_no_audit_yet_is_no_error(tmp_path: Path) -> None:
    assert {} == prior_of(brief(None), UNIT)
    assert {} == prior_of(brief(tmp_path / "audit.json"), UNIT)


def test_a_file_that_is_no_audit_is_told(tmp_path: Path) -> None:
    path = tmp_path / "audit.json"
    path.write_text("{}")

    with pytest.raises(ConfigurationError, match="is no audit"):
        prior_of(brief(path), UNIT)
    with pytest.raises(ConfigurationError, match="can't be read"):
        prior_of(brief(tmp_path), UNIT)
