"""JUnit XML in its dialects, with their traps, and as an attack."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fairtrial.runners.junit import (
    DEPTH_LIMIT,
    Case,
    CaseOutcome,
    UnreadableReport,
    read_junit,
)


def suite(cases: str, attributes: str = 'name="s"') -> bytes:
    text = f"<testsuites><testsuite {attributes}>{cases}</testsuite></testsuites>"
    return text.encode()


def outcome(case: str) -> CaseOutcome:
    (found,) = read_junit(suite(case)).cases
    return found.outcome


def test_a_case_is_read_whole() -> None:
    report = read_junit(
        suite(
            '<testcase classname="tests.test_a" name="test_b[é]" time="1,234.5"'
            ' file="tests/test_a.py"><failure message="assert 1 == 2" type="Broken">'
            "long text</failure></testcase>"
        )
    )

    expected = Case(
        suite="s",
        classname="tests.test_a",
        name="test_b[é]",
        outcome=CaseOutcome.FAILED,
        message="assert 1 == 2",
        seconds=1234.5,
        file="tests/test_a.py",
        kind="Broken",
        text="long text",
    )
    assert (expected,) == report.cases
    assert () == report.worse_counters
    assert not report.sanitised


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("<testcase/>", CaseOutcome.PASSED),
        ("<testcase><system-out>failure</system-out></testcase>", CaseOutcome.PASSED),
        ("<testcase><skipped/></testcase>", CaseOutcome.SKIPPED),
        ("<testcase><failure/></testcase>", CaseOutcome.FAILED),
        ("<testcase><error/></testcase>", CaseOutcome.ERROR),
        ("<testcase><failure/><error/></testcase>", CaseOutcome.ERROR),
        ("<testcase><error/><skipped/></testcase>", CaseOutcome.ERROR),
        # Surefire: a flake passed in the end, a rerun did not.
        ("<testcase><flakyFailure/></testcase>", CaseOutcome.FLAKY),
        ("<testcase><flakyError/></testcase>", CaseOutcome.FLAKY),
        ("<testcase><failure/><rerunFailure/></testcase>", CaseOutcome.FAILED),
        ("<testcase><rerunError/></testcase>", CaseOutcome.FLAKY),
        # GoogleTest and CTest.
        ('<testcase status="notrun" result="suppressed"/>', CaseOutcome.NOT_RUN),
        ('<testcase status="disabled"/>', CaseOutcome.NOT_RUN),
        ('<testcase status="run" result="completed"/>', CaseOutcome.PASSED),
        ('<testcase status="fail"/>', CaseOutcome.FAILED),
        ('<testcase status="run"><failure/></testcase>', CaseOutcome.FAILED),
    ],
)
def test_every_dialect_has_its_outcome(case: str, expected: CaseOutcome) -> None:
    assert expected is outcome(case)


def test_nested_suites_and_namespaces_are_walked() -> None:
    report = read_junit(
        b'<j:testsuite xmlns:j="urn:x" name="outer"><j:testsuite name="inner">'
        b'<j:testcase name="a"><j:failure/></j:testcase></j:testsuite>'
        b'<j:testcase name="b"/></j:testsuite>'
    )

    assert [("inner", "a", CaseOutcome.FAILED), ("outer", "b", CaseOutcome.PASSED)] == [
        (case.suite, case.name, case.outcome) for case in report.cases
    ]


def test_counters_that_tell_of_worse_than_the_cases_are_told() -> None:
    # What gotestsum writes for a package that does not build.
    broken = read_junit(suite("", 'name="p" tests="0" failures="0" errors="1"'))
    fine = read_junit(
        suite("<testcase><error/></testcase>", 'name="p" tests="1" errors="1"')
    )
    lost = read_junit(suite("<testcase/>", 'name="p" tests="3"'))

    assert ("suite 'p' counts 1 failures and errors, its cases show 0",) == (
        broken.worse_counters
    )
    assert () == fine.worse_counters
    assert 2 == lost.lost_cases


@pytest.mark.parametrize(
    "forbidden", [b"\x00", b"\x1b[31m", b"&#0;", b"&#x1B;", b"\xff\xfe", b"&#xB;"]
)
def test_characters_that_xml_forbids_are_taken_out_once(forbidden: bytes) -> None:
    data = suite("<testcase><failure message='a'>x</failure></testcase>")

    report = read_junit(data.replace(b">x<", b">" + forbidden + b"<"))

    assert [CaseOutcome.FAILED] == [case.outcome for case in report.cases]
    assert report.sanitised


BOMB = b'<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><testsuite name="&c;"/>'
EXTERNAL = b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><testsuite/>'


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "truncated or no XML"),
        (b"not xml", "truncated or no XML"),
        (suite("<testcase/>")[:-5], "truncated or no XML"),
        (suite("<testcase/>") * 2, "truncated or no XML"),
        (b"<testng-results/>", "root is <testng-results>"),
        (BOMB, "declares a document type"),
        (EXTERNAL, "declares a document type"),
        (b"<!-- <a> --><!DOCTYPE a><testsuite/>", "declares a document type"),
        (BOMB.decode().encode("utf-16"), "declares a document type"),
        (suite("<a>" * DEPTH_LIMIT), "nests deeper"),
    ],
)
def test_what_is_no_report_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableReport, match=reason):
        read_junit(data)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "no-such", "hex"])
def test_no_encoding_that_a_report_declares_is_obeyed(encoding: str) -> None:
    declaration = f'<?xml version="1.0" encoding="{encoding}"?>'.encode()

    assert 1 == len(read_junit(declaration + suite("<testcase name='é'/>")).cases)


def test_a_document_type_inside_a_text_is_only_text() -> None:
    case = "<testcase><failure><![CDATA[<!DOCTYPE html>]]></failure></testcase>"

    assert CaseOutcome.FAILED is outcome(case)


def test_of_a_huge_text_only_the_beginning_is_kept() -> None:
    huge = "x" * 5_000_000
    (case,) = read_junit(suite(f"<testcase><failure>{huge}</failure></testcase>")).cases

    assert 20_000 == len(case.message)


MEASURE = """
import resource, sys, time
from pathlib import Path
from fairtrial.runners.junit import read_junit
data = Path(sys.argv[1]).read_bytes()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
begun = time.process_time()
report = read_junit(data)
seconds = time.process_time() - begun
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(len(report.cases), seconds, peak // 1024)
"""


@pytest.mark.slow
def test_a_hundred_thousand_cases_are_read_in_time_and_memory(tmp_path: Path) -> None:
    failed = '<failure message="assert 1 == 2">' + "E   text\n" * 20 + "</failure>"
    cases = "".join(
        f'<testcase classname="tests.package.test_module_{n % 500}"'
        f' name="test_case[{n}]" time="0.1">{"" if n % 10 else failed}</testcase>'
        for n in range(100_000)
    )
    path = tmp_path / "junit.xml"
    path.write_bytes(suite(cases))

    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    count, seconds, megabytes = done.stdout.split()

    assert "100000" == count
    assert float(seconds) <= 3
    assert int(megabytes) <= 300
