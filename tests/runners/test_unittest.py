"""unittest through its real runner: what is listed, selected, seen and believed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.runners.played import Played

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Shape, Trust, Unit
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import Failure, Outcome
from fairtrial.runners import Order, Selection, SuiteResult
from fairtrial.runners import unittest as runner

A = "tests/test_a.py::tests.test_a."
OUTCOMES = """\
import unittest


class A(unittest.TestCase):
    def test_pass(self):
        self.assertEqual(3, 3)

    def test_fail(self):
        self.assertEqual(3, 4)

    @unittest.skip("why")
    def test_skip(self):
        pass

    @unittest.expectedFailure
    def test_expected(self):
        self.fail("x")

    @unittest.expectedFailure
    def test_unexpected(self):
        pass

    def test_rows(self):
        for row in range(3):
            with self.subTest(row=row):
                self.assertNotEqual(row, 1)


class B(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise RuntimeError("no set-up")

    def test_one(self):
        pass

    def test_two(self):
        pass


class C(unittest.TestCase):
    @classmethod
    def tearDownClass(cls):
        raise RuntimeError("no tear-down")

    def test_one(self):
        pass

    def test_two(self):
        pass


class D(unittest.TestCase):
    def setUp(self):
        raise KeyError("set-up")

    def test_one(self):
        pass
"""
LOADED = """\
import unittest

from tests.test_a import A


class P(unittest.TestCase):
    def __init__(self, name, value=0):
        super().__init__(name)
        self.value = value

    def test_value(self):
        self.assertLess(self.value, 2)


def load_tests(loader, standard, pattern):
    return unittest.TestSuite([P("test_value", each) for each in range(3)])
"""
MODULE = """\
import unittest


def setUpModule():
    raise RuntimeError("module")


class M(unittest.TestCase):
    def test_one(self):
        pass
"""
PASSES = """\
import unittest


class {name}(unittest.TestCase):
    def test_one(self):
        pass

    def test_two(self):
        pass
"""


def interpreter(version: str) -> str:
    """The folder of a Python of this version, for PATH."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    found = [str(path) for path in kept] or [shutil.which(f"python{version}") or ""]
    for path in filter(None, found):
        done = subprocess.run([path, "--version"], capture_output=True, check=False)
        if done.returncode == 0:
            return str(Path(path).parent)
    pytest.skip(f"there is no Python {version} on this machine")


@pytest.fixture(
    params=[
        "own",
        *(
            pytest.param(version, marks=pytest.mark.slow)
            for version in ("3.7", "3.8", "3.12", "3.13")
        ),
    ]
)
def played(request: pytest.FixtureRequest, tmp_path: Path) -> Played:
    own = request.param == "own"
    path = str(Path(sys.executable).parent) if own else interpreter(request.param)
    return Played(
        folder=tmp_path,
        runner=runner,
        command="python -m unittest discover -s tests -t .",
        path=path,
    )


def outcomes(result: SuiteResult) -> dict[str, str]:
    assert Trust.SOUND is result.trust, result.distrust
    return {test: one.outcome.value for test, one in result.results.items()}


def failure(result: SuiteResult, test: str) -> Failure:
    found = result.results[TestId(test)].failure
    assert found is not None
    return found


def project(played: Played) -> None:
    played.write(
        {
            "tests/__init__.py": "",
            "tests/test_a.py": OUTCOMES,
            "tests/test_bad.py": "import nothing_here\n",
            "tests/test_load.py": LOADED,
            "tests/test_module.py": MODULE,
            "tests/test_skipped.py": (
                "import unittest\n\nraise unittest.SkipTest('not here')\n"
            ),
        }
    )


def test_each_outcome_of_a_whole_suite_is_told(played: Played) -> None:
    project(played)

    result = played.whole()

    rows = "tests/test_load.py::tests.test_load.P.test_value"
    assert {
        f"{A}A.test_expected": "skipped",
        f"{A}A.test_fail": "failed",
        f"{A}A.test_pass": "passed",
        f"{A}A.test_rows": "failed",
        f"{A}A.test_skip": "skipped",
        f"{A}A.test_unexpected": "passed",
        f"{A}B.test_one": "failed",
        f"{A}B.test_two": "failed",
        f"{A}C.test_one": "passed",
        f"{A}C.test_two": "failed",
        f"{A}D.test_one": "failed",
        rows: "passed",
        f"{rows}[2]": "passed",
        f"{rows}[3]": "failed",
        "tests/test_module.py::tests.test_module.M.test_one": "failed",
    } == outcomes(result)
    assert {
        "tests/test_bad.py": "ModuleNotFoundError: No module named 'nothing_here'"
    } == result.uncollectable
    failed = failure(result, f"{A}A.test_fail")
    assert "AssertionError" == failed.type
    assert ("4", "3") == (failed.expected, failed.actual)
    assert "row=1" in failure(result, f"{A}A.test_rows").text
    assert "setup" == failure(result, f"{A}B.test_two").phase.value
    assert "teardown" == failure(result, f"{A}C.test_two").phase.value
    assert "setup" == failure(result, f"{A}D.test_one").phase.value


def test_a_listing_runs_nothing_and_names_what_can_not_be_loaded(
    played: Played,
) -> None:
    project(played)

    result = played.inventory()

    assert Trust.SOUND is result.trust, result.distrust
    assert 15 == len(result.listed)
    assert {} == result.results
    assert ["tests/test_bad.py"] == list(result.uncollectable)


def test_listed_tests_run_exactly_and_in_the_order_that_was_asked_for(
    played: Played,
) -> None:
    project(played)
    asked = (
        f"{A}D.test_one",
        "tests/test_load.py::tests.test_load.P.test_value[3]",
        f"{A}C.test_two",
        f"{A}A.test_pass",
        f"{A}C.test_one",
    )

    result = played.listed(*asked)

    assert asked == tuple(outcomes(result))
    assert {"main": asked} == result.orders
    # Other files are not even loaded.
    loaded = {each.path for each in result.loaded}
    assert "tests/test_module.py" not in loaded


def test_what_is_not_there_is_absent_and_what_does_not_load_is_unbuildable(
    played: Played,
) -> None:
    project(played)

    result = played.listed(
        f"{A}A.test_nope",
        "tests/gone.py::tests.gone.X.test",
        "tests/test_bad.py::tests.test_bad.X.test",
        "tests/test_skipped.py::tests.test_skipped.X.test",
    )

    assert ["missing", "missing", "unbuildable", "skipped"] == list(
        outcomes(result).values()
    )


def test_one_test_that_matches_nothing_never_passes(played: Played) -> None:
    project(played)

    result = played.listed(f"{A}A.test_nope")

    assert {f"{A}A.test_nope": "missing"} == outcomes(result)


def test_a_file_that_the_command_does_not_lead_to_is_no_absence(
    played: Played,
) -> None:
    project(played)
    played.write({"more/test_z.py": PASSES.format(name="Z")})

    result = played.listed("more/test_z.py::test_z.Z.test_one")

    assert Trust.CONTRADICTORY is result.trust
    assert "does not reach" in result.distrust


def test_names_that_no_shell_likes_select_their_test_alone(tmp_path: Path) -> None:
    names = ["test ü", "test_a", "test_a[x]", "test_$(id)", "test_'\"", "test_::b"]
    body = "\n".join(
        f"setattr(H, {name!r}, lambda self: self.ran({name!r}))" for name in names
    )
    played = Played(
        folder=tmp_path,
        runner=runner,
        command="python -m unittest",
        path=str(Path(sys.executable).parent),
    )
    text = (
        "import unittest\n\n\nclass H(unittest.TestCase):\n"
        "    def ran(self, name):\n        print('ran', name)\n\n\n" + body + "\n"
    )
    played.write({"test_h.py": text})
    whole = tuple(outcomes(played.whole()))
    assert {f"test_h.py::test_h.H.{name}" for name in names} == set(whole)

    for test in whole:
        result = played.listed(test)

        assert {test: "passed"} == outcomes(result)
        name = test.partition(".H.")[2]
        assert [f"ran {name}"] == played.output.stdout.decode().splitlines()


def test_a_crash_is_the_running_tests_and_leaves_the_others_unreached(
    played: Played,
) -> None:
    crashing = PASSES.format(name="K").replace(
        "def test_one(self):\n        pass",
        "def test_one(self):\n        import os\n        os.abort()",
    )
    played.write({"tests/test_k.py": crashing, "tests/__init__.py": ""})
    one, two = (f"tests/test_k.py::tests.test_k.K.test_{n}" for n in ("one", "two"))

    result = played.listed(one, two)

    assert {one: "crashed"} == outcomes(result)
    assert (two,) == result.unreached
    assert "test_k.py" in str(failure(result, one).where)


def test_a_hanging_test_ends_by_its_own_time(tmp_path: Path) -> None:
    played = Played(
        folder=tmp_path,
        runner=runner,
        command="python -m unittest",
        path=str(Path(sys.executable).parent),
    )
    hanging = PASSES.format(name="K").replace(
        "def test_one(self):\n        pass",
        "def test_one(self):\n        import time\n        time.sleep(60)",
    )
    played.write({"test_k.py": hanging})
    one, two = (f"test_k.py::test_k.K.test_{n}" for n in ("one", "two"))

    result = played.listed(one, two, timeout=0.4)

    assert {one: "timed_out"} == outcomes(result)
    assert (two,) == result.unreached


def test_an_import_that_ends_the_process_is_its_files(played: Played) -> None:
    played.write(
        {
            "tests/__init__.py": "",
            "tests/test_exit.py": "import os\nos._exit(3)\n",
        }
    )

    result = played.listed("tests/test_exit.py::tests.test_exit.X.test")

    assert ["unbuildable"] == list(outcomes(result).values())


def test_an_order_from_a_file_and_a_second_run_in_one_process(tmp_path: Path) -> None:
    played = Played(
        folder=tmp_path,
        runner=runner,
        command="python -m unittest -f",
        path=str(Path(sys.executable).parent),
    )
    failing = PASSES.format(name="K").replace("pass", "self.fail()", 1)
    played.write({"test_k.py": failing, "test_l.py": PASSES.format(name="L")})
    k, other = "test_k.py::test_k.K.test_", "test_l.py::test_l.L.test_"
    again = f"{k}two::fairtrial-again"

    ordered = played.perform(
        Selection(
            shape=Shape.WHOLE,
            test_timeout=60.0,
            order=Order(first=(TestId(f"{other}two"), TestId(f"{k}one"))),
        )
    )
    twice = played.listed(f"{k}two", again)

    # `-f` would have stopped at the failure.
    expected = (f"{other}two", f"{k}one", f"{k}two", f"{other}one")
    assert expected == ordered.orders["main"]
    assert {f"{k}two": "passed", again: "passed"} == outcomes(twice)


def test_a_script_of_the_projects_own_and_two_commands_are_seen(
    tmp_path: Path,
) -> None:
    played = Played(
        folder=tmp_path,
        runner=runner,
        command="python run.py && python -m unittest discover two",
        path=str(Path(sys.executable).parent),
    )
    script = (
        "import sys, unittest\n"
        "suite = unittest.defaultTestLoader.discover('one')\n"
        "done = unittest.TextTestRunner().run(suite)\n"
        "sys.exit(not done.wasSuccessful())\n"
    )
    played.write(
        {
            "run.py": script,
            "one/test_k.py": PASSES.format(name="K"),
            "two/test_l.py": PASSES.format(name="L"),
        }
    )

    whole = played.whole()
    listed = played.listed("two/test_l.py::test_l.L.test_one")

    assert 4 == len(outcomes(whole))
    assert {"two/test_l.py::test_l.L.test_one": "passed"} == outcomes(listed)


def test_a_test_that_runs_unittest_itself_is_left_alone(tmp_path: Path) -> None:
    played = Played(
        folder=tmp_path,
        runner=runner,
        command="python -m unittest",
        path=str(Path(sys.executable).parent),
    )
    played.write(
        {
            "test_n.py": """\
                import io
                import os
                import subprocess
                import sys
                import unittest


                class Inner(unittest.TestCase):
                    def runTest(self):
                        self.fail()


                class N(unittest.TestCase):
                    def test_inner(self):
                        runner = unittest.TextTestRunner(stream=io.StringIO())
                        done = runner.run(unittest.TestSuite([Inner()]))
                        self.assertEqual(1, len(done.failures))

                    def test_other_process(self):
                        self.assertNotIn("FAIRTRIAL_PLAN", os.environ)
                        self.assertNotIn("PYTHONPATH", os.environ)
                        code = "import unittest, sys; print(sys.path)"
                        said = subprocess.check_output([sys.executable, "-c", code])
                        self.assertNotIn(b"inputs", said)


                del Inner.runTest
                Inner.runTest = lambda self: self.fail()
                """,
        }
    )

    result = played.listed("test_n.py::test_n.N.test_inner")
    other = played.listed("test_n.py::test_n.N.test_other_process")

    assert ["passed"] == list(outcomes(result).values())
    assert ["passed"] == list(outcomes(other).values())


def test_production_that_patches_unittest_is_seen_to_steer(tmp_path: Path) -> None:
    played = Played(
        folder=tmp_path,
        runner=runner,
        command="python -m unittest",
        path=str(Path(sys.executable).parent),
    )
    played.write(
        {
            "shop.py": (
                "import unittest\n\n\ndef quiet(self, *_, **__):\n    pass\n\n\n"
                "unittest.TestCase.assertEqual = quiet\n"
            ),
            "test_k.py": "import shop\n" + PASSES.format(name="K"),
        }
    )

    assert {"shop.py"} == played.whole().steering


def test_a_report_of_another_trial_or_a_forged_line_is_no_evidence(
    tmp_path: Path,
) -> None:
    played = Played(
        folder=tmp_path,
        runner=runner,
        command="python -m unittest",
        path=str(Path(sys.executable).parent),
    )
    forging = PASSES.format(name="K").replace(
        "pass",
        "import glob, os, sys\n"
        "        name, = glob.glob(os.path.join(FOLDER, 'events-*'))\n"
        "        open(name, 'a').write('{}\\n')",
        1,
    )
    outputs = os.fspath(tmp_path / "trial-1" / "outputs")
    played.write({"test_k.py": f"FOLDER = {outputs!r}\n" + forging})

    assert Trust.CONTRADICTORY is played.whole().trust


def test_a_command_that_hides_its_path_is_told_what_to_do(tmp_path: Path) -> None:
    played = Played(
        folder=tmp_path,
        runner=runner,
        command="python -I -m unittest discover",
        path=str(Path(sys.executable).parent),
    )
    played.write({"test_k.py": PASSES.format(name="K")})

    result = played.whole()

    assert Trust.ERRORED is result.trust
    assert "started no unittest that reports" in result.distrust
    assert "python -I" in result.distrust


def test_a_place_has_no_module_and_no_ordinal() -> None:
    place = runner.place_of(TestId(f"{A}Outer.Inner.test_one[2]"))

    assert (
        Place(path=RepoPath("tests/test_a.py"), names=("Outer", "Inner", "test_one"))
        == place
    )


def test_units_widen_from_a_test_to_its_class_and_its_file() -> None:
    listed = tuple(
        map(TestId, (f"{A}A.one", f"{A}A.two", f"{A}B.one", "tests/b.py::tests.b.C.d"))
    )

    assert listed[:1] == runner.widen(listed[0], Unit.TEST, listed)
    assert listed[:2] == runner.widen(listed[0], Unit.CLASS, listed)
    assert listed[:3] == runner.widen(listed[0], Unit.FILE, listed)
    assert listed == runner.widen(listed[0], Unit.DIRECTORY, listed)


def test_results_of_unittest_go_through_the_benchs_channel() -> None:
    assert runner.channelled()
    assert Outcome.MISSING.value == "missing"
