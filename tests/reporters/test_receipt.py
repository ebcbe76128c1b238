"""The receipt's form, its envelope, and what is refused as one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reporters.receipts import BLOCKED, TREE, UNIT
from tests.reporters.sample import HEAD

from fairtrial.domain.decisions import Decision
from fairtrial.domain.names import TestId
from fairtrial.domain.receipts import Result, result_of
from fairtrial.reporters import receipt, receipt_envelope
from fairtrial.reporters.receipt_envelope import Envelope, Signature, signed_bytes
from fairtrial.reporters.receipt_reader import ReceiptRefused, read
from fairtrial.reporters.strict_json import schema


def test_it_is_an_in_toto_statement_with_a_test_result() -> None:
    made = receipt.statement(BLOCKED)

    assert made["_type"] == "https://in-toto.io/Statement/v1"
    assert made["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    assert made["subject"] == [
        {"name": "tree", "digest": {"gitTree": TREE}},
        {"name": "commit", "digest": {"gitCommit": HEAD}},
    ]
    assert made["predicate"]["result"] == "FAILED"
    assert made["predicate"]["failedTests"] == ["unit tests/test_cart.py::test_total"]
    assert made["predicate"]["warnedTests"] == ["unit tests/test_a.py::test_old"]
    assert len(made["predicate"]["passedTests"]) == len(UNIT.passed)
    assert made["predicate"]["configuration"] == [
        {"name": "base:.fairtrial.yml", "digest": {"gitBlob": "a" * 40}}
    ]
    jsonschema.Draft202012Validator.check_schema(schema("receipt"))


def test_what_is_written_can_be_read_back() -> None:
    text = receipt.dump(BLOCKED)

    found = read(text.encode())

    assert found.envelope is None
    assert json.loads(text) == found.statement
    assert frozenset({TREE}) == found.digests("gitTree")


def test_a_name_that_is_no_unicode_is_written_as_text() -> None:
    strange = replace(UNIT, passed=(TestId("t.py::test[\udcff]"),))
    text = receipt.dump(replace(BLOCKED, suites=(strange,)))

    assert json.loads(text)["predicate"]["passedTests"] == ["unit t.py::test[\\udcff]"]


def test_pae_is_as_the_protocol_has_it() -> None:
    made = signed_bytes(b"hello world", "http://example.com/HelloWorld")

    assert made == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


@pytest.mark.parametrize("alphabet", ["standard", "url"])
def test_an_envelope_carries_the_very_bytes(alphabet: str) -> None:
    payload = receipt.dump(BLOCKED).encode()
    text = receipt_envelope.dump(
        Envelope(payload=payload, signatures=(Signature(value=b"\xfb\xff\xfe"),))
    )
    if alphabet == "url":
        text = text.replace("+/", "-_").replace('=",', '",').replace('=",', '",')

    found = read(text.encode())

    assert found.envelope is not None
    assert (payload, b"\xfb\xff\xfe") == (
        found.payload,
        found.envelope.signatures[0].value,
    )


def envelope(**fields: Any) -> bytes:
    document = {
        "payload": "e30=",
        "payloadType": "application/vnd.in-toto+json",
        "signatures": [],
        **fields,
    }
    return json.dumps(document).encode()


def broken(path: str, value: Any) -> bytes:
    document = json.loads(receipt.dump(BLOCKED))
    *steps, last = path.split(".")
    place = document
    for step in steps:
        place = place[int(step)] if step.isdigit() else place[step]
    place[int(last) if last.isdigit() else last] = value
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"1" * 100_000,
        b"[" * 200_000,
        b'{"a":' * 100_000,
        b'{"_type": 1, "_type": 2}',
        envelope(payloadType="text/plain"),
        envelope(payload="!!"),
        envelope(payload=7),
        envelope(signatures=[{}]),
        envelope(signatures={"a": 1}),
        receipt.dump(BLOCKED).encode().replace(b"12", b"NaN"),
        broken("_type", "https://in-toto.io/Statement/v0.1"),
        broken("subject", []),
        broken("subject.0.digest", {"gitTree": "../etc"}),
        broken("predicate.result", "GREAT"),
        broken("predicate.passedTests", "all"),
        broken("predicate.passedTests.0", 7),
        broken("predicate.fairtrial.suites", []),
        broken("predicate.fairtrial.suites.0.passed", -1),
        broken("predicate.fairtrial.exit_code", "0"),
        broken("predicate.fairtrial.report", {"sha256": 1}),
        broken("predicate.fairtrial", None),
    ],
    ids=range(25),
)
def test_what_is_no_receipt_is_refused_with_one_reason(data: bytes) -> None:
    with pytest.raises(ReceiptRefused) as refused:
        read(data)

    assert 0 < len(str(refused.value)) < 300


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_being_refused(data: bytes) -> None:
    with pytest.raises(ReceiptRefused):
        read(data)


def test_only_a_run_in_which_all_passed_is_passed() -> None:
    clean = replace(UNIT, failed=(), acquitted=())

    assert Result.PASSED is result_of((clean,), 0, Decision.PASS)
    assert Result.PASSED is result_of((clean,), 0, None)
    assert Result.WARNED is result_of((replace(UNIT, failed=()),), 0, Decision.PASS)
    assert Result.FAILED is result_of((UNIT,), 0, None)
    assert Result.FAILED is result_of((clean,), 12, Decision.BLOCK)
    assert Result.FAILED is result_of((), 0, Decision.PASS)
    assert Result.FAILED is result_of((replace(clean, passed=()),), 0, None)
    assert Result.FAILED is result_of((clean, replace(clean, sound=False)), 0, None)
