"""What is written is read back; what was not written by us is never believed."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reporters.hostile_text import hostile
from tests.reporters.sample import PASSED, REGRESSION, REPORT, VICTIM

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.names import TestId
from fairtrial.domain.report import Finding, Report
from fairtrial.reporters import report_json
from fairtrial.reporters.report_json import ReportRefused, dump, load
from fairtrial.reporters.report_reader import SIZE_LIMIT


def document(report: Report = REPORT) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(dump(report))
    return loaded


@pytest.mark.parametrize(
    "report",
    [
        REPORT,
        PASSED,
        replace(REPORT, run=replace(REPORT.run, variant="3.11")),
        replace(PASSED, subject=None, stopped="it broke", exit_code=1),
        replace(REPORT, findings=(Finding(rule="x", path="a.py", line=3, was="1"),)),
    ],
)
def test_a_report_is_read_back_as_it_was(report: Report) -> None:
    assert report == load(dump(report).encode())


@given(hostile, hostile)
@settings(deadline=None)
def test_any_text_is_carried(name: str, message: str) -> None:
    assert REGRESSION.failure is not None
    failure = replace(REGRESSION.failure, message=message, type=name)
    verdict = replace(REGRESSION, test=TestId(name), failure=failure, because=message)
    report = replace(REPORT, verdicts=(verdict,))

    assert report == load(dump(report).encode())


def test_the_contracts_fields_are_where_the_contract_has_them() -> None:
    made = document()

    assert ["schema", "tool", "run", "decision", "requires_production_change"] == [
        *made
    ][:5]
    assert "fairtrial/report/v1" == made["schema"]
    assert "block" == made["decision"]
    assert {"id": "500", "attempt": 1, "variant": None} == made["run"]
    verdict = made["verdicts"][1]
    assert ("regression", "production", "block") == (
        verdict["category"],
        verdict["side"],
        verdict["decision"],
    )
    assert [{"path": "src/cart.py", "lines": "41-47"}] == verdict["culprit"]
    assert 3 == verdict["evidence"][0]["passed"]


def test_an_endless_message_makes_no_endless_report() -> None:
    assert REGRESSION.failure is not None
    failure = replace(REGRESSION.failure, message="x" * 50_000_000)
    report = replace(REPORT, verdicts=(replace(REGRESSION, failure=failure),))

    written = dump(report).encode()

    assert len(written) < 20_000
    assert Decision.BLOCK is load(written).decision


def test_the_publication_is_report_json() -> None:
    [publication] = report_json.render(REPORT)

    assert ("report.json", dump(REPORT)) == (publication.name, publication.content)


def test_fields_of_a_later_version_are_dropped() -> None:
    made = document()
    made["later"] = {"any": ["thing"]}
    made["verdicts"][0]["later"] = 1

    assert REPORT == load(json.dumps(made).encode())


def test_fields_of_a_later_version_may_lack() -> None:
    made = document()
    for name in ("notices", "stopped", "exit_code", "tool"):
        del made[name]

    assert REPORT.verdicts == load(json.dumps(made).encode()).verdicts


def _set(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Changes one place of the document: "verdicts.0.test"."""

    def change(made: Any) -> None:
        *steps, last = [int(s) if s.isdigit() else s for s in path.split(".")]
        for step in steps:
            made = made[step]
        made[last] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        _set("schema", "fairtrial/report/v2"),
        _set("decision", "PASS"),
        _set("decision", ["pass"]),
        _set("requires_production_change", 1),
        _set("run", None),
        _set("run.attempt", -1),
        _set("run.attempt", True),
        _set("run.attempt", 1.5),
        _set("verdicts", {}),
        _set("verdicts.0.test", 7),
        _set("verdicts.0.category", "good"),
        _set("verdicts.0.side", "nobody"),
        _set("verdicts.0.polluters", "tests"),
        _set("verdicts.1.evidence.0.production", "elsewhere"),
        _set("verdicts.1.evidence.0.failed", "3"),
        _set("verdicts.1.culprit.0.path", None),
        _set("verdicts.1.failure.expected", {}),
        _set("conditions.files", ["x"]),
        _set("cost.seconds", 1e300),
        _set("next.actor", "everyone"),
        _set("subject.head", None),
    ],
)
def test_what_the_schema_forbids_is_refused(
    change: Callable[[dict[str, Any]], None],
) -> None:
    made = document()
    change(made)

    with pytest.raises(ReportRefused, match="schema"):
        load(json.dumps(made).encode())


@pytest.mark.parametrize("name", ["schema", "run", "decision", "next", "subject"])
def test_what_the_schema_requires_is_required(name: str) -> None:
    made = document()
    del made[name]

    with pytest.raises(ReportRefused, match="`required` of the schema"):
        load(json.dumps(made).encode())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"\xff",
        b"\xef\xbb\xbf{}",
        dump(REPORT).encode()[:-3],
        dump(REPORT).encode("utf-16"),
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'{"schema": NaN}',
        b'{"schema": "x", "schema": "fairtrial/report/v1"}',
        b'{"run": ' + b"9" * 10_000 + b"}",
        dump(REPORT).encode().replace(b'"attempt": 1', b'"attempt": 1e999'),
    ],
)
def test_what_is_no_json_of_ours_is_refused(data: bytes) -> None:
    with pytest.raises(ReportRefused):
        load(data)


def test_more_than_the_limit_is_not_even_parsed() -> None:
    began = time.perf_counter()

    with pytest.raises(ReportRefused, match="more than"):
        load(b"[" * (SIZE_LIMIT + 1))

    assert time.perf_counter() - began < 1


def test_a_full_report_is_read_in_seconds() -> None:
    many = tuple(
        replace(VICTIM, test=TestId(f"tests/test_{n}.py::test_it")) for n in range(500)
    )
    data = dump(replace(REPORT, verdicts=many)).encode()
    assert len(data) < SIZE_LIMIT

    assert 500 == len(load(data).verdicts)


@pytest.mark.parametrize("lighter", [Decision.PASS, Decision.REPAIR])
def test_a_decision_lighter_than_its_verdicts_is_refused(lighter: Decision) -> None:
    with pytest.raises(ReportRefused, match="lighter"):
        load(dump(replace(REPORT, decision=lighter)).encode())


def test_what_a_person_accepted_asks_for_no_production_change() -> None:
    accepted = replace(REPORT.verdicts[1], decision=Decision.PASS)
    report = replace(
        REPORT,
        verdicts=(accepted,),
        decision=Decision.PASS,
        requires_production_change=False,
    )

    assert report == load(dump(report).encode())


def test_a_decision_lighter_than_its_findings_is_refused() -> None:
    finding = Finding(rule="inventory", decision=Decision.INCONCLUSIVE)

    with pytest.raises(ReportRefused, match="lighter"):
        load(dump(replace(PASSED, findings=(finding,))).encode())


@pytest.mark.parametrize("side", [Blame.PRODUCTION, Blame.BOTH])
def test_a_production_change_that_is_kept_quiet_is_refused(side: Blame) -> None:
    verdict = replace(REGRESSION, side=side)
    quiet = replace(REPORT, verdicts=(verdict,), requires_production_change=False)

    with pytest.raises(ReportRefused, match="production change"):
        load(dump(quiet).encode())


def test_a_refusal_quotes_nothing_of_the_report() -> None:
    made = document()
    made["verdicts"][0]["category"] = "::set-env name=A::@octocat"

    with pytest.raises(ReportRefused) as caught:
        load(json.dumps(made).encode())

    assert "octocat" not in caught.value.diagnostics()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | hostile,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(hostile, inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(sorted(document())), _JSON)
@settings(deadline=None)
def test_any_value_anywhere_is_a_report_or_refused(name: str, value: Any) -> None:
    made = document()
    made[name] = value

    with contextlib.suppress(ReportRefused):
        load(json.dumps(made).encode())


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_any_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ReportRefused):
        load(data)


def test_every_category_can_be_reported() -> None:
    for category in Category:
        verdict = replace(REGRESSION, category=category)

        assert (
            category
            is load(dump(replace(REPORT, verdicts=(verdict,))).encode())
            .verdicts[0]
            .category
        )
