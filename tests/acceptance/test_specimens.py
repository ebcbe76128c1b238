"""Every specimen, whole: a real repository, real pytest, a real bench, the verdict."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from specimens import Built, build, names, read

from fairtrial.reporters.strict_json import schema

#: Judged in the default tier; the others in the complete one.
DEFAULT_TIER = {
    "regression",
    "old_contamination",
    "new_contamination",
    "production_leak",
    "leaked_rows",
    "clean",
    "disarmed_configuration",
    "hidden_regression",
    "expectations_changed",
}


def gate(
    built: Built,
    report_dir: Path,
    *more: str,
    bench: str = "here",
    timeout: float = 280,
) -> tuple[int, dict[str, Any], str]:
    """Exit code, report and what was printed of `fairtrial gate` on a specimen."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "fairtrial",
            "gate",
            f"--repo={built.path}",
            f"--base={built.base}",
            f"--head={built.head}",
            f"--bench={bench}",
            f"--report-dir={report_dir}",
            *more,
        ],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
        timeout=timeout,
    )
    printed = done.stdout + done.stderr
    path = report_dir / "report.json"
    assert path.exists(), printed
    return done.returncode, json.loads(path.read_text()), printed


def compare(name: str, report: dict[str, Any], exit_code: int, printed: str) -> None:
    """A report says what the specimen's head demands."""
    expected = read(name).expected
    story = f"{printed}\n{json.dumps(report, indent=1)}"
    jsonschema.validate(report, schema("report"))
    assert exit_code in exits(expected), story
    verdicts = {verdict["test"]: verdict for verdict in report["verdicts"]}
    by_chance(expected.get("chance", {}), verdicts, story)
    if not expected["verdicts"] and "chance" not in expected:
        assert not verdicts, story
    for test, fields in expected["verdicts"].items():
        assert test in verdicts, story
        for field, value in fields.items():
            seen = as_named(field, value, verdicts[test][field])
            assert value == seen, f"{test}: {field}\n{story}"
    findings = by_name(report["findings"])
    for rule, decision in expected.get("findings", {}).items():
        assert decision == findings.get(rule), story
    if expected.get("findings") == {}:
        assert not report["findings"], story
    if "configuration" in expected:
        assert expected["configuration"] == report["subject"]["configuration"], story
    for words in expected.get("notices", []):
        assert any(words in notice for notice in report["notices"]), story
    said = [one["because"] for one in (*report["findings"], *report["verdicts"])]
    for words in expected.get("says", []):
        assert any(words in because for because in said), story
    states = {one["name"]: one["state"] for one in report["suites"]}
    for suite, state in expected.get("suites", {}).items():
        assert state == states[suite], story


def by_chance(
    allowed: Mapping[str, Mapping[str, list[Any]]],
    verdicts: Mapping[str, Mapping[str, Any]],
    story: str,
) -> None:
    """Whether such a test fails is a coin flip; what may not come of it is none."""
    for test, fields in allowed.items():
        for field, values in fields.items():
            assert verdicts.get(test, {field: values[0]})[field] in values, story


def exits(expected: Mapping[str, Any]) -> list[int]:
    """The exit codes that a specimen's head allows; some where chance decides."""
    found = expected["exit"]
    return list(found) if isinstance(found, list) else [found]


def as_named(field: str, value: Any, seen: Any) -> Any:
    """What was seen, with no more told of it than a specimen's head names."""
    if field == "culprit":
        return [one["path"] for one in seen]
    if field == "leftovers":
        wanted = [*value, *({} for _ in seen[len(value) :])]
        return [
            {key: one[key] for key in each}
            for each, one in zip(wanted, seen, strict=False)
        ]
    return seen


def by_name(findings: list[dict[str, Any]]) -> dict[str, str]:
    """The heaviest decision by each rule and category that a report has."""
    weights = ("pass", "repair", "inconclusive", "block")
    found: dict[str, str] = {}
    for finding in sorted(findings, key=lambda one: weights.index(one["decision"])):
        for name in (finding["rule"], finding["category"]):
            if name is not None:
                found[name] = finding["decision"]
    return found


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in DEFAULT_TIER else pytest.mark.slow)
        for name in names()
    ],
)
def test_a_specimen_gets_the_verdict_that_it_is_named_for(
    name: str, tmp_path: Path
) -> None:
    built = build(name, tmp_path)

    authority = read(name).expected.get("authority", "person")
    exit_code, report, printed = gate(
        built, tmp_path / "report", f"--authority={authority}"
    )

    compare(name, report, exit_code, printed)
