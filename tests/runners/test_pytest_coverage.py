"""Which lines each test runs is told where it is asked, and disturbs nobody."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import pytest
from tests.runners.specimen import Specimen, outcomes

from fairtrial.domain.experiments import Shape, Trust
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.runners import Selection, SuiteResult
from fairtrial.runners import pytest as runner

CART = """
    LIMIT = 10

    def total(items):
        found = 0
        for item in items:
            found += item
        return found

    def label(items):
        if not items:
            return "none"
        return "some"
    """
TESTS = """
    import threading
    import pytest
    import cart

    @pytest.fixture
    def filled():
        yield [cart.label([1])]
        cart.label([])

    def test_total():
        assert 3 == cart.total([1, 2])

    def test_fixture(filled):
        assert ["some"] == filled

    def test_none():
        assert cart.LIMIT == 10

    def test_thread():
        thread = threading.Thread(target=cart.label, args=([],))
        thread.start()
        thread.join()
    """
TEST = "test_cart.py::test_total"
TOTAL = {5, 6, 7, 8}


def measured(
    specimen: Specimen,
    *tests: str,
    command: str = "python -m pytest -q",
    lines: tuple[str, ...] = ("cart.py",),
) -> SuiteResult:
    selection = Selection(
        shape=Shape.LISTED,
        tests=tuple(map(TestId, tests)),
        test_timeout=60,
        lines=frozenset(map(RepoPath, lines)),
    )
    result = specimen.perform(selection, command, env={})
    assert Trust.SOUND is result.trust, result.distrust
    return result


def lines(result: SuiteResult, test: str) -> dict[str, set[int]]:
    found = result.covered[TestId(test)]
    return {path: set(lines) for path, lines in found.items()}


def test_each_test_tells_the_lines_of_its_set_up_and_call(specimen: Specimen) -> None:
    specimen.write({"cart.py": CART, "test_cart.py": TESTS})
    names = [
        f"test_cart.py::test_{name}" for name in ("total", "fixture", "none", "thread")
    ]

    result = measured(specimen, *names)

    assert [
        {"cart.py": TOTAL},
        {"cart.py": {11, 13}},
        {},
        {"cart.py": {11, 12}},
    ] == [lines(result, name) for name in names]


def test_only_files_that_were_asked_for_are_told(specimen: Specimen) -> None:
    specimen.write(
        {
            "cart.py": CART,
            "other.py": "def double(value):\n    return 2 * value\n",
            "test_two.py": """
                import cart, other

                def test_both():
                    assert other.double(cart.total([2])) == 4
                """,
        }
    )

    result = measured(specimen, "test_two.py::test_both", lines=("other.py", "no.py"))

    assert {"other.py": {2}} == lines(result, "test_two.py::test_both")


def test_nothing_is_told_where_nothing_is_asked(specimen: Specimen) -> None:
    specimen.write({"cart.py": CART, "test_cart.py": TESTS})

    result = specimen.alone("test_cart.py::test_total")

    assert {} == result.covered
    assert b'"lines"' not in b"".join(specimen.output.files.values())


def test_a_test_that_traces_for_itself_is_not_measured(specimen: Specimen) -> None:
    specimen.write(
        {
            "cart.py": CART,
            "test_trace.py": """
                import sys
                import cart

                def test_traces():
                    monitoring = getattr(sys, "monitoring", None)
                    if monitoring is None:
                        sys.settrace(lambda *_: None)
                    else:
                        for tool in (3, 4):
                            monitoring.free_tool_id(tool)
                    cart.total([1])

                def test_after():
                    cart.total([1])
                """,
        }
    )

    result = measured(specimen, "test_trace.py::test_traces")

    assert {} == result.covered


@pytest.mark.slow
def test_the_projects_own_coverage_goes_on(equipped: Specimen) -> None:
    equipped.write({"cart.py": CART, "test_cart.py": TESTS})

    result = measured(
        equipped,
        "test_cart.py::test_total",
        "test_cart.py::test_fixture",
        command="python -m pytest -q --cov=. --cov-report=term-missing",
    )

    assert {"cart.py": TOTAL} == lines(result, "test_cart.py::test_total")
    # What runs in no test's set-up or call: imports, and the tear-down.
    assert b"TOTAL" in equipped.output.stdout
    assert b"rror" not in equipped.output.stderr


def test_a_tracer_of_the_project_has_its_place_back_after_each_test(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "cart.py": CART,
            "conftest.py": """
                import sys, threading

                def mine(frame, event, argument):
                    return None

                def pytest_configure():
                    threading.settrace(mine)
                    sys.settrace(mine)

                def pytest_runtest_teardown():
                    assert sys.gettrace() is mine
                    assert threading._trace_hook is mine
                """,
            "test_cart.py": TESTS,
        }
    )

    result = measured(specimen, "test_cart.py::test_total")

    assert {"test_cart.py::test_total": "passed"} == outcomes(result)
    assert {"cart.py": TOTAL} == lines(result, "test_cart.py::test_total")


@dataclass(frozen=True)
class Forger:
    """The report of a real trial, for others to add to it."""

    specimen: Specimen

    def report(self, **event: object) -> SuiteResult:
        line = json.dumps({"e": "lines", "t": 1, **event}).encode() + b"\n"
        output = self.specimen.output
        files = {
            name: data + line if name.startswith("events") else data
            for name, data in output.files.items()
        }
        return runner.read_results(
            Selection(
                shape=Shape.LISTED,
                tests=(TestId(TEST),),
                test_timeout=60,
                lines=frozenset({RepoPath("cart.py")}),
            ),
            replace(output, files=files),
            self.specimen.tree(),
            self.specimen.places(),
        )


@pytest.fixture(scope="module")
def forger(tmp_path_factory: pytest.TempPathFactory) -> Forger:
    specimen = Specimen(folder=tmp_path_factory.mktemp("forged"))
    specimen.write({"cart.py": CART, "test_cart.py": TESTS})
    measured(specimen, TEST)
    return Forger(specimen=specimen)


@pytest.mark.parametrize(
    "runs",
    [None, "1", [1], [2, 1], [0, 4], [-1, 4], [True, 2], [1, 10**9], [1.0, 2], [[], 1]],
)
def test_lines_that_no_file_has_make_a_report_unreadable(
    runs: object, forger: Forger
) -> None:
    result = forger.report(id=TEST, path="cart.py", runs=runs)

    assert Trust.CONTRADICTORY is result.trust


def test_a_report_can_name_no_other_test(forger: Forger) -> None:
    result = forger.report(id="test_cart.py::test_else", path="cart.py", runs=[1, 2])

    assert {TEST} == set(result.covered)


def test_a_report_can_name_no_other_file(forger: Forger) -> None:
    result = forger.report(id=TEST, path="secret.py", runs=[1, 2])

    assert {"cart.py": TOTAL} == lines(result, TEST)


def test_a_test_with_endless_lines_counts_as_not_measured(forger: Forger) -> None:
    result = forger.report(id=TEST, path="cart.py", runs=[1, 1_000_000])

    assert {} == result.covered
