"""A test that runs twice in one process shows what its first run left behind."""

from __future__ import annotations

from tests.runners.specimen import Specimen

from fairtrial.domain.experiments import Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Outcome
from fairtrial.runners.pytest import again

FILES = {
    "test_twice.py": """
        import unittest
        import pytest

        MADE = []

        def test_leaves():
            assert not MADE
            MADE.append(1)

        @pytest.fixture
        def fresh():
            return []

        @pytest.mark.parametrize("n", [1, 2])
        def test_fresh(fresh, n):
            assert fresh == []
            fresh.append(n)

        class TestState:
            def test_own(self):
                assert not hasattr(self, "seen")
                self.seen = True

        class TestCase(unittest.TestCase):
            def setUp(self):
                self.count = 0

            def test_count(self):
                self.count += 1
                assert self.count == 1
        """,
    "shop.py": '''
        def double(number):
            """
            >>> double(2)
            4
            """
            return number * 2
        ''',
}
TESTS = (
    "test_twice.py::test_leaves",
    "test_twice.py::test_fresh[1]",
    "test_twice.py::test_fresh[2]",
    "test_twice.py::TestState::test_own",
    "test_twice.py::TestCase::test_count",
    "shop.py::shop.double",
)


def twice(tests: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each for test in tests for each in (test, again(TestId(test))))


def test_only_what_the_first_run_left_behind_makes_the_second_fail(
    specimen: Specimen,
) -> None:
    specimen.write(FILES)

    result = specimen.listed(
        twice(TESTS), command="python -m pytest -q --doctest-modules"
    )

    assert (Trust.SOUND, "") == (result.trust, result.distrust)
    assert twice(TESTS) == tuple(result.results)
    assert [again(TestId("test_twice.py::test_leaves"))] == [
        test for test, one in result.results.items() if one.outcome is Outcome.FAILED
    ]
    assert frozenset() == result.steering


def test_the_second_run_of_a_test_that_there_is_not_is_missing(
    specimen: Specimen,
) -> None:
    specimen.write(FILES)
    second = again(TestId("test_twice.py::test_nothing"))

    result = specimen.listed(("test_twice.py::test_leaves", second))

    assert Outcome.MISSING is result.results[second].outcome
