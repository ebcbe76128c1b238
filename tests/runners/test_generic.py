"""The generic runner with real tools that write JUnit, and with reports that lie."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.runners.played import OnDisk, Played

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Shape, Trust
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.trials import Places
from fairtrial.runners import Selection, SuiteResult
from fairtrial.runners import generic as runner
from fairtrial.runners.junit_suites.templates import filled, names_of

PYTEST = f"{sys.executable} -m pytest -q -p no:cacheprovider --junitxml=out/all.xml"
ONE = f"{PYTEST} {{file}}::{{name}}"
CART = """\
import os
import time

import pytest


def test_pass():
    pass


def test_fail():
    assert 1 == 2


def test_skip():
    pytest.skip("why")


@pytest.mark.parametrize("row", ["a b", "$(touch pwned)", "'; touch pwned; '", "é"])
def test_rows(row):
    pass


def test_dies():
    if os.environ.get("FAIRTRIAL_NAME") == "test_dies":
        os.abort()


def test_sleeps():
    if os.environ.get("FAIRTRIAL_NAME") == "test_sleeps":
        time.sleep(60)
"""


@dataclass(slots=True, kw_only=True)
class Generic(Played):
    """A project with a command for one test and globs for its reports."""

    one: str = ONE
    reports: tuple[str, ...] = field(default=("out/*.xml",))

    def perform(self, selection: Selection) -> SuiteResult:
        self.trials += 1
        places = self.places()
        self.output = self.play(
            runner.run_command(self.command, self.full(selection), places), places
        )
        return self.read(self.full(selection), places)

    def full(self, selection: Selection) -> Selection:
        return Selection(
            shape=selection.shape,
            tests=selection.tests,
            test_timeout=selection.test_timeout,
            one=self.one,
            reports=self.reports,
        )

    def read(self, selection: Selection, places: Places) -> SuiteResult:
        tree = OnDisk(self.workspace)
        return runner.read_results(self.full(selection), self.output, tree, places)


def generic(folder: Path, command: str = PYTEST, one: str = ONE) -> Generic:
    return Generic(folder=folder, runner=runner, command=command, one=one)


def outcomes(result: SuiteResult) -> dict[str, str]:
    assert Trust.SOUND is result.trust, result.distrust
    return {test: one.outcome.value for test, one in result.results.items()}


def writing(folder: Path, text: str, code: int = 0) -> Generic:
    """A suite whose command writes this report."""
    played = generic(
        folder, f"mkdir -p out; cp r.xml out/; exit {code}", "false {test}"
    )
    played.write({"r.xml": text, "tests/a.sh": ""})
    return played


@pytest.mark.slow
def test_a_real_tools_suite_is_read_and_each_test_runs_alone(tmp_path: Path) -> None:
    played = generic(tmp_path)
    played.write({"tests/test_cart.py": CART})

    whole = outcomes(played.whole())

    prefix = "tests/test_cart.py::tests.test_cart::"
    assert "failed" == whole.pop(f"{prefix}test_fail")
    assert "skipped" == whole.pop(f"{prefix}test_skip")
    assert {"passed"} == set(whole.values())
    assert 7 == len(whole)
    asked = (f"{prefix}test_rows[$(touch pwned)]", f"{prefix}test_fail")
    listed = played.listed(*asked)
    assert dict(zip(asked, ("passed", "failed"), strict=True)) == outcomes(listed)
    assert {"main": asked} == listed.orders
    assert any("a process for each test" in each for each in listed.remarks)
    assert not list(tmp_path.rglob("pwned"))


@pytest.mark.slow
def test_hostile_names_select_their_test_and_run_nothing(tmp_path: Path) -> None:
    played = generic(tmp_path)
    played.write({"tests/test_cart.py": CART})
    tests = [test for test in played.whole().listed if "test_rows[" in test]
    assert 4 == len(tests)

    for test in tests:
        if "\\" not in test:
            assert {test: "passed"} == outcomes(played.listed(test))
    assert not list(tmp_path.rglob("pwned"))


@pytest.mark.slow
def test_a_crash_and_a_hang_are_outcomes_of_their_test(tmp_path: Path) -> None:
    played = generic(tmp_path)
    played.write({"tests/test_cart.py": CART})
    prefix = "tests/test_cart.py::tests.test_cart::"
    played.one = f"export PYTHONDONTWRITEBYTECODE=1; {ONE}"

    crashed = played.listed(f"{prefix}test_dies", f"{prefix}test_pass")

    assert ["crashed", "passed"] == list(outcomes(crashed).values())


@pytest.mark.slow
def test_a_hang_ends_by_its_tests_own_time(tmp_path: Path) -> None:
    played = generic(tmp_path)
    played.write({"tests/test_cart.py": CART})
    test = "tests/test_cart.py::tests.test_cart::test_sleeps"

    assert {test: "timed_out"} == outcomes(played.listed(test, timeout=0.5))


def test_a_selector_that_matches_nothing_is_no_pass_and_no_absence(
    tmp_path: Path,
) -> None:
    played = generic(tmp_path, "true", "exit 0 # {test}")
    played.write({"tests/test_cart.py": CART})

    there = played.listed("tests/test_cart.py::tests.test_cart::test_none")
    nowhere = played.listed("(no file)::a::b")
    gone = played.listed("tests/test_gone.py::tests.test_gone::test_none")

    assert Trust.CONTRADICTORY is there.trust
    assert Trust.CONTRADICTORY is nowhere.trust
    assert ["missing"] == list(outcomes(gone).values())


def test_a_whole_run_behind_a_silent_one_shows_that_there_is_no_such_test(
    tmp_path: Path,
) -> None:
    good = '<testsuite><testcase name="a" file="t/a.sh"/></testsuite>'
    played = generic(tmp_path, "mkdir -p out; cp r.xml out/", "exit 4 # {test}")
    played.write({"r.xml": good, "t/a.sh": ""})

    gone = played.listed("t/a.sh::::b")
    there = played.listed("t/a.sh::::a")

    assert {"t/a.sh::::b": "missing"} == outcomes(gone)
    assert Trust.CONTRADICTORY is there.trust


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", 0, "can't be read"),
        ('<testsuite tests="1"><testcase name="a"', 0, "can't be read"),
        ('<testsuite name="s" errors="1" tests="0"/>', 1, "counts 1 failures"),
        ('<testsuite tests="2"><testcase name="a"/></testsuite>', 0, "1 more tests"),
        ('<testsuite><testcase name="a"><failure/></testcase></testsuite>', 0, "0 alt"),
        ('<testsuite><testcase name="a"/></testsuite>', 1, "without a failed test"),
        ("<testsuite/>", 0, "no test ran"),
    ],
)
def test_a_report_that_can_not_be_true_is_no_evidence(
    tmp_path: Path, text: str, code: int, words: str
) -> None:
    result = writing(tmp_path, text, code).whole()

    assert Trust.CONTRADICTORY is result.trust
    assert words.replace("0 alt", "exited with 0 although") in result.distrust


def test_flakes_failed_unrun_cases_did_not_pass_and_the_worst_of_a_name_counts(
    tmp_path: Path,
) -> None:
    text = (
        '<testsuite xmlns="urn:any"><testcase name="flaky"><flakyFailure message="m"/>'
        '</testcase><testcase name="unrun" status="notrun" result="suppressed"/>'
        '<testcase name="twice"><error type="E"/></testcase><testcase name="twice"/>'
        '<testcase name="fine" file="tests/a.sh"/></testsuite>'
    )

    result = writing(tmp_path, text, 1).whole()

    assert {
        "(no file)::::flaky": "failed",
        "(no file)::::unrun": "skipped",
        "(no file)::::twice": "failed",
        "tests/a.sh::::fine": "passed",
    } == outcomes(result)
    assert any("the worst one counts" in each for each in result.remarks)


def test_a_report_from_before_is_removed_or_left_out(tmp_path: Path) -> None:
    played = generic(tmp_path, "true", "true {test}")
    good = '<testsuite><testcase name="a"/></testsuite>'
    played.write({"out/old.xml": good})
    gone = played.whole()
    played.command = "mkdir -p out; printf x > out/old.xml; touch -d 2001-01-01 out/*"
    old = played.whole()

    assert Trust.ERRORED is gone.trust
    assert "wrote no report that fits" in gone.distrust
    assert Trust.CONTRADICTORY is old.trust
    assert "older than its run" in old.distrust


def test_a_report_outside_of_the_tree_or_behind_a_link_is_not_read(
    tmp_path: Path,
) -> None:
    played = generic(
        tmp_path, "mkdir -p out; ln -s /etc/hostname out/a.xml", "x {test}"
    )
    played.write({"a": ""})

    result = played.whole()

    assert Trust.CONTRADICTORY is result.trust
    assert "no regular file" in result.distrust


@pytest.mark.slow
def test_a_test_that_runs_beside_the_asked_one_makes_it_no_evidence(
    tmp_path: Path,
) -> None:
    played = generic(tmp_path, one=f"{PYTEST} {{file}} # {{name}}")
    played.write({"tests/test_k.py": "def test_a():\n    pass\n\n\ntest_b = test_a\n"})

    result = played.listed("tests/test_k.py::tests.test_k::test_a")

    assert Trust.CONTRADICTORY is result.trust
    assert "without being asked for" in result.distrust


def test_an_index_of_another_trial_is_no_evidence(tmp_path: Path) -> None:
    played = writing(tmp_path, '<testsuite><testcase name="a"/></testsuite>')
    forge = "sed -i s/.token.:./x/ ../trial-1/outputs/gathered.jsonl"
    played.command = f"{forge}; {played.command}"

    assert Trust.CONTRADICTORY is played.whole().trust


def test_a_listing_is_made_of_a_run(tmp_path: Path) -> None:
    played = writing(tmp_path, '<testsuite><testcase name="a"/></testsuite>')
    places = played.places()
    whole = played.full(Selection(shape=Shape.WHOLE, test_timeout=60.0))
    played.output = played.play(
        runner.list_command(played.command, whole, places), places
    )

    result = played.read(whole, places)

    assert Trust.SOUND is result.trust, result.distrust
    assert ("(no file)::::a",) == result.listed
    assert {} == result.results


@pytest.mark.parametrize(
    "template", ["printf %s {name}", 'printf %s "{name}"', "printf %s '{name}'"]
)
@pytest.mark.parametrize("name", ["a b", "$(id)", "it's", '"', "`x`", "\\", "*"])
def test_a_name_is_one_word_in_whatever_quotes(template: str, name: str) -> None:
    said = subprocess.run(
        ["sh", "-c", filled(template)],
        env=dict(names_of(TestId(f"f::c::{name}"))),
        capture_output=True,
        text=True,
        check=True,
    )

    assert name == said.stdout


def test_a_place_has_no_package_and_no_row() -> None:
    java = TestId("src/test/java/p/ATest.java::p.ATest$In::par(String)[2]")
    python = TestId("tests/test_a.py::tests.test_a.T::test_b[1]")

    assert ("ATest", "In", "par") == runner.place_of(java).names
    assert Place(
        path=RepoPath("tests/test_a.py"), names=("T", "test_b")
    ) == runner.place_of(python)
