"""An audit's three forms, and what is refused as one."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.domain.audit import (
    Audit,
    AuditedSuite,
    AuditFinding,
    AuditState,
    Weakness,
)
from fairtrial.domain.names import SuiteName, TestId
from fairtrial.reporters.audit import dump, lines, markdown
from fairtrial.reporters.audit_reader import AuditRefused, guesses, load
from fairtrial.reporters.strict_json import schema

VICTIM, POLLUTER = TestId("tests/test_b.py::test_v"), TestId("tests/test_a.py::test_p")
UNIT = SuiteName("unit")
FOUND = AuditFinding(
    suite=UNIT,
    test=VICTIM,
    weakness=Weakness.VICTIM,
    polluters=((POLLUTER,), (POLLUTER, TestId("x[\udcff]"))),
    because="It passes alone and fails behind these tests, each time.",
    next="Let those tests take back what they leave behind.",
)
SUITE = AuditedSuite(
    name=UNIT,
    runner="pytest",
    state=AuditState.UNFINISHED,
    note="the time was over before all of it was tried",
    tests=120,
    seconds=6.5,
    repeats=10,
    rate_below=0.2588,
    orders=54,
    orders_needed=120,
    pairs=14280,
    pairs_covered=6426,
    twice=120,
    failing=(TestId("tests/test_c.py::test_red"),),
)
AUDIT = Audit(
    commit="a" * 40,
    tree="b" * 40,
    suites=(SUITE,),
    findings=(FOUND,),
    trials=99,
    seconds=1800.5,
    exit_code=10,
)


def test_every_field_is_written_and_demanded_by_the_schema() -> None:
    written = json.loads(dump(AUDIT))
    defined = schema("audit")
    jsonschema.Draft202012Validator.check_schema(defined)

    assert written == load(dump(AUDIT).encode())
    for made, given_, where in (
        (Audit, written, defined),
        (AuditedSuite, written["suites"][0], defined["$defs"]["AuditedSuite"]),
        (AuditFinding, written["findings"][0], defined["$defs"]["AuditFinding"]),
    ):
        names = {each.name for each in fields(made)}
        assert names == set(given_) - {"schema"}
        assert names | ({"schema"} & set(given_)) == set(where["required"])
        assert set(where["required"]) == set(where["properties"])


def test_the_sets_of_its_findings_are_what_a_gate_guesses_by() -> None:
    brittle = replace(
        FOUND, weakness=Weakness.BRITTLE, polluters=(), setters=((POLLUTER,),)
    )
    audit = replace(AUDIT, findings=(FOUND, brittle))

    assert guesses(dump(audit).encode()) == {
        UNIT: {VICTIM: (*FOUND.polluters, (POLLUTER,))}
    }


def test_a_page_and_a_terminal_say_what_was_found_and_how_far_it_came() -> None:
    for said in (markdown(AUDIT), "\n".join(lines(AUDIT))):
        assert "54 of 120 orders" in said
        assert "45 %" in said.replace("`", "")
        assert "1 test has a weakness." in said
        assert VICTIM in said
        assert POLLUTER in said


@pytest.mark.parametrize(
    ("code", "said"),
    [(0, "every pair was tried"), (11, "which is not all")],
)
def test_nothing_found_is_said_with_how_much_was_tried(code: int, said: str) -> None:
    clean = replace(AUDIT, findings=(), exit_code=code)

    assert said in markdown(clean)
    assert said in "\n".join(lines(clean))


def test_a_hostile_name_stays_a_name() -> None:
    hostile = TestId("t.py::x[\n::error::`<b>@all #1 \x1b[31m]")
    audit = replace(AUDIT, findings=(replace(FOUND, test=hostile),))

    assert not any(line.startswith("::") for line in lines(audit))
    assert "\x1b" not in markdown(audit) + "".join(lines(audit))
    assert guesses(dump(audit).encode())[UNIT][hostile] == FOUND.polluters


def broken(path: str, value: Any) -> bytes:
    document = json.loads(dump(AUDIT))
    *steps, last = path.split(".")
    place = document
    for step in steps:
        place = place[int(step)] if step.isdigit() else place[step]
    place[last] = value
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"[" * 100_000,
        b'{"schema": "a", "schema": "b"}',
        dump(AUDIT).encode().replace(b"6.5", b"Infinity"),
        broken("schema", "fairtrial/report/v1"),
        broken("findings.0.polluters", [["a", 7]]),
        broken("findings.0.polluters", ["a"]),
        broken("findings.0.polluters", [[]]),
        broken("findings.0.weakness", "evil"),
        broken("suites.0.pairs", -1),
        broken("suites", None),
    ],
    ids=range(12),
)
def test_what_is_no_audit_is_refused_with_one_reason(data: bytes) -> None:
    with pytest.raises(AuditRefused) as refused:
        guesses(data)

    assert 0 < len(str(refused.value)) < 300


@settings(max_examples=100)
@given(st.binary(max_size=100))
def test_no_bytes_do_more_than_being_refused(data: bytes) -> None:
    with pytest.raises(AuditRefused):
        guesses(data)
