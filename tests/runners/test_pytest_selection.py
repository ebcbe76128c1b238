"""Which tests run, and in which order, whatever the project's own settings say."""

from __future__ import annotations

from tests.runners.specimen import Specimen, outcomes, the

from fairtrial.domain.experiments import Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Outcome
from fairtrial.runners import Order

ODD = [
    "a b",
    "x::y",
    "br[ack]et",
    "sl/ash",
    "quo'te\"",
    "é日",
    "",
    "-k",
    "a\nb",
    "$HOME;`x`",
]


def test_listed_tests_run_exactly_in_their_order_across_files(
    specimen: Specimen,
) -> None:
    for name in "ab":
        body = f"def test_1(): print('{name}')\ndef test_2(): pass\n"
        specimen.write({f"tests/test_{name}.py": body})
    asked = (
        "tests/test_b.py::test_2",
        "tests/test_a.py::test_2",
        "tests/test_b.py::test_1",
    )

    result = specimen.listed(asked)

    assert dict.fromkeys(asked, "passed") == outcomes(result)
    assert {"main": asked} == result.orders


def test_ids_of_every_kind_are_found_again(specimen: Specimen) -> None:
    specimen.write(
        {
            "test_odd.py": f"""
                import pytest
                ODD = {ODD!r}
                @pytest.mark.parametrize("value", ODD)
                def test_a(value): pass
                class TestOuter:
                    class TestInner:
                        @pytest.mark.parametrize("value", ODD)
                        def test_b(self, value): pass
            """,
            "deep er/test_[1].py": "def test_c(): pass\n",
        }
    )

    whole = specimen.whole()
    asked = tuple(reversed(whole.listed))
    listed = specimen.listed(asked)
    alone = specimen.listed(asked[3:4])

    assert 2 * len(ODD) + 1 == len(outcomes(whole))
    assert {"main": asked} == listed.orders
    assert outcomes(whole) == outcomes(listed)
    assert {asked[3]: "passed"} == outcomes(alone)


def test_only_the_files_of_listed_tests_are_imported(specimen: Specimen) -> None:
    specimen.write(
        {
            "tests/test_a.py": "def test_a(): pass\n",
            "tests/test_polluter.py": "raise SystemExit('imported')\n",
        }
    )

    result = specimen.alone("tests/test_a.py::test_a")

    assert {"tests/test_a.py::test_a": "passed"} == outcomes(result)
    assert ["tests/test_a.py"] == [file.path for file in result.loaded]


def test_a_test_that_the_tree_lacks_is_missing_and_no_error(
    specimen: Specimen,
) -> None:
    specimen.write({"test_a.py": "def test_a(): pass\n"})
    asked = ("test_a.py::test_gone", "test_a.py::test_a", "test_gone.py::test_b")

    some = specimen.listed(asked)
    none = specimen.listed(("test_gone.py::test_b",))

    assert {
        "test_a.py::test_gone": "missing",
        "test_a.py::test_a": "passed",
        "test_gone.py::test_b": "missing",
    } == outcomes(some)
    the(none, "test_gone.py::test_b", Outcome.MISSING)


def test_the_projects_own_settings_neither_stop_nor_pick_nor_spread(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "pytest.ini": """
                [pytest]
                addopts = -x -n 2 --maxfail=1 --lf --junitxml=own.xml --strict-markers
                filterwarnings = error
                markers = here
            """,
            "test_a.py": """
                import pytest
                @pytest.mark.here
                def test_1(): assert 0
                def test_2(): assert 0
                def test_3(worker_id): assert worker_id == "master"
            """,
        }
    )
    asked = tuple(f"test_a.py::test_{n}" for n in (3, 1, 2))

    listed = specimen.listed(asked)
    whole = specimen.whole()

    assert ["passed", "failed", "failed"] == list(outcomes(listed).values())
    assert {"main": asked} == listed.orders
    assert 3 == len(outcomes(whole))
    assert {"gw0", "gw1"} >= whole.orders.keys()
    assert any(name.startswith("junit-") for name in specimen.output.files)
    assert (specimen.workspace / "own.xml").exists()


def test_workers_report_what_each_of_them_ran(specimen: Specimen) -> None:
    body = "\n".join(f"def test_{n}(): pass" for n in range(20))
    specimen.write({"test_a.py": body, "test_b.py": body})

    result = specimen.whole("python -m pytest -n 2")

    assert 40 == len(outcomes(result))
    assert {"gw0", "gw1"} == result.orders.keys()
    assert set(result.listed) == {t for order in result.orders.values() for t in order}


def test_an_order_comes_first_and_unlisted_tests_after_it(specimen: Specimen) -> None:
    specimen.write({"test_a.py": "\n".join(f"def test_{n}(): pass" for n in range(4))})
    first = tuple(TestId(f"test_a.py::test_{n}") for n in (3, 9, 1))

    loose = specimen.whole(order=Order(first=first))
    only = specimen.whole(order=Order(first=first, only=True))

    assert [3, 1, 0, 2] == [int(test[-1]) for test in loose.orders["main"]]
    assert [3, 1] == [int(test[-1]) for test in only.orders["main"]]
    assert only.listed == only.orders["main"]
    absent = "the suite's order names tests that this tree lacks: test_a.py::test_9"
    assert absent == loose.remarks[0]
    assert 1 == sum("order names" in remark for remark in loose.remarks)
    assert {"passed"} == set(outcomes(loose).values()) == set(outcomes(only).values())


def test_an_order_is_the_listing_s_order_too(specimen: Specimen) -> None:
    specimen.write({"test_a.py": "\n".join(f"def test_{n}(): pass" for n in range(4))})
    first = tuple(TestId(f"test_a.py::test_{n}") for n in (3, 9, 1))

    loose = specimen.inventory(order=Order(first=first))
    only = specimen.inventory(order=Order(first=first, only=True))

    assert [3, 1, 0, 2] == [int(test[-1]) for test in loose.listed]
    assert [3, 1] == [int(test[-1]) for test in only.listed]


def test_listing_runs_nothing(specimen: Specimen) -> None:
    specimen.write(
        {
            "test_a.py": "def test_a(): raise SystemExit('ran')\n",
            "test_bad.py": "import nowhere\n",
        }
    )

    result = specimen.inventory("python -m pytest -q")

    assert {} == outcomes(result)
    assert ("test_a.py::test_a",) == result.listed
    assert ["test_bad.py"] == list(result.uncollectable)


def test_ids_are_named_from_the_workspace_whatever_rootdir_is(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "part/pytest.ini": "[pytest]\ntestpaths = tests\n",
            "part/src/cart.py": "value = 1\n",
            "part/conftest.py": "import sys; sys.path.append('src')\n",
            "part/tests/conftest.py": "import pytest\n@pytest.fixture\ndef x(): pass\n",
            "part/tests/test_a.py": "import cart\ndef test_a(x): assert cart.value\n",
        }
    )
    name = "part/tests/test_a.py::test_a"

    whole = specimen.whole("cd part && python -m pytest -q")
    alone = specimen.listed((name,), "cd part && python -m pytest -q")

    assert {name: "passed"} == outcomes(whole) == outcomes(alone)
    assert {
        "part/conftest.py",
        "part/src/cart.py",
        "part/tests/conftest.py",
        "part/tests/test_a.py",
    } == {file.path for file in whole.loaded}


def test_a_command_may_start_pytest_more_than_once(specimen: Specimen) -> None:
    specimen.write(
        {
            "a/test_a.py": "def test_a(): pass\n",
            "b/test_b.py": "def test_b(): pass\n",
        }
    )
    command = "python -m pytest -q a && python -m pytest -q b"

    whole = specimen.whole(command)
    alone = specimen.listed(("b/test_b.py::test_b",), command)
    beyond = specimen.listed(("b/test_b.py::test_b",), "python -m pytest a")

    assert 2 == len(outcomes(whole))
    assert {"b/test_b.py::test_b": "passed"} == outcomes(alone)
    assert Trust.CONTRADICTORY is beyond.trust
    assert "the suite's command does not reach b/test_b.py::test_b" == beyond.distrust


def test_a_pytest_that_a_test_starts_is_a_plain_one(specimen: Specimen) -> None:
    specimen.write(
        {
            "test_a.py": """
                import os, subprocess, sys, pytest
                INNER = "def test_inner(): pass"
                def test_as_a_process(tmp_path):
                    (tmp_path / "test_inner.py").write_text(INNER)
                    command = [sys.executable, "-m", "pytest", str(tmp_path)]
                    done = subprocess.run(command, stdout=subprocess.PIPE)
                    assert b"1 passed" in done.stdout
                def test_in_this_process(tmp_path):
                    (tmp_path / "test_other.py").write_text(INNER)
                    assert pytest.main([str(tmp_path)]) == 0
                def test_the_environment_is_as_it_was():
                    assert os.environ["PYTEST_ADDOPTS"] == "-q"
                    assert os.environ["PYTHONPATH"] == "/nowhere"
                    assert "FAIRTRIAL_PLAN" not in os.environ
            """
        }
    )

    result = specimen.whole(env={"PYTEST_ADDOPTS": "-q", "PYTHONPATH": "/nowhere"})

    assert {"passed"} == set(outcomes(result).values())
    assert 3 == len(result.results)


def test_a_suite_run_by_a_script_of_the_project_reports_too(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "run.py": "import pytest, sys; sys.exit(pytest.main(['-q', 'tests']))\n",
            "tests/test_a.py": "def test_a(): assert 0\n",
        }
    )

    assert {"tests/test_a.py::test_a": "failed"} == outcomes(
        specimen.whole("python run.py")
    )
