"""Go's runner on a real module: names, subtests, order, crashes, what is absent."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.runners.played import Played, has, outcomes

from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.experiments import Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Outcome
from fairtrial.runners import go
from fairtrial.runners.golang.invocation import invocation_of
from fairtrial.runners.golang.selecting import expression

TESTS = """\
package x

import "testing"

// func TestNot(t *testing.T) {}
func TestA(t *testing.T) {
	t.Run("one (x)", func(t *testing.T) { t.Errorf("bad") })
	t.Run("one (x) more", func(t *testing.T) {})
}

func TestB(t *testing.T) {}

func TestC(t *testing.T) { panic("boom") }

func TestD(t *testing.T) {}
"""


def test_names_are_asked_for_literally() -> None:
    asked = [TestId("a_test.go::TestB"), TestId("a_test.go::TestA/x.(y)")]

    assert r"^(TestB)$|^TestA$/^x\.\(y\)$" == expression(asked)


def test_what_repeats_shuffles_or_stops_is_left_out_of_a_command() -> None:
    parts = invocation_of("go test -count=3 -shuffle on -failfast -race ./...")

    assert (("-race",), (), ("./...",)) == (parts.build, parts.test, parts.packages)


def test_a_command_that_is_no_go_test_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="plain `go test`"):
        invocation_of("make test")


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(not has("go"), reason="there is no go on this machine")
def test_a_module_is_listed_run_and_asked_for_single_tests(tmp_path: Path) -> None:
    project = Played(folder=tmp_path, runner=go, command="go test ./...")
    project.write({"go.mod": "module example.com/x\n\ngo 1.21\n", "a_test.go": TESTS})
    names = [f"a_test.go::Test{each}" for each in "ABCD"]

    assert names == list(project.inventory().listed)

    whole = project.whole()
    assert Trust.SOUND is whole.trust, whole.distrust
    assert names[2] == whole.interrupted_at
    assert (names[3],) == whole.unreached
    assert Outcome.CRASHED is outcomes(whole)[names[2]]

    sub = f"{names[0]}/one_(x)"
    assert {sub: Outcome.FAILED} == outcomes(project.listed(sub))
    absent = f"{names[0]}/nothing"
    assert Outcome.PASSED is not outcomes(project.listed(absent)).get(absent)
    assert Trust.ERRORED is project.listed(names[3], names[1]).trust
