"""What each way for a test to end becomes, tried with a real pytest."""

from __future__ import annotations

from tests.runners.specimen import Specimen, failure, outcomes, the

from fairtrial.domain.results import Outcome, Phase

CART = """
def total(prices):
    return sum(prices) + 6
"""


def test_a_passing_suite_is_sound_and_lists_what_it_ran(specimen: Specimen) -> None:
    specimen.write({"test_a.py": "def test_one(): pass\ndef test_two(): pass\n"})

    result = specimen.whole()

    assert {"test_a.py::test_one": "passed", "test_a.py::test_two": "passed"} == (
        outcomes(result)
    )
    assert ("test_a.py::test_one", "test_a.py::test_two") == result.listed
    assert {"main": result.listed} == result.orders
    assert ["test_a.py"] == [file.path for file in result.loaded]


def test_a_failure_has_both_frames_and_both_sides(specimen: Specimen) -> None:
    specimen.write(
        {
            "src/cart.py": CART,
            "conftest.py": "import sys; sys.path.insert(0, 'src')\n",
            "tests/test_cart.py": """
                import cart
                def test_total():
                    assert cart.total([3, 4]) == 7
                def test_broken():
                    cart.total(None)
            """,
        }
    )

    result = specimen.whole()
    total = failure(result, "tests/test_cart.py::test_total")
    broken = failure(result, "tests/test_cart.py::test_broken")

    assert (Phase.CALL, "AssertionError") == (total.phase, total.type)
    assert ("7", "13") == (total.expected, total.actual)
    assert "tests/test_cart.py:4" == total.where
    assert (total.signature.test_frame or "").startswith(
        "tests/test_cart.py::test_total#"
    )
    assert total.signature.production_frame is None
    assert total.outside_frame is None
    assert "TypeError" == broken.type
    assert (broken.signature.production_frame or "").startswith("src/cart.py::total#")
    assert broken.signature.production_frame == broken.outside_frame


def test_a_signature_outlives_shifted_lines_comments_and_docstrings(
    specimen: Specimen,
) -> None:
    specimen.write(
        {"test_a.py": "import pytest\ndef test_a():\n    assert 1 == 2, 'x'\n"}
    )
    before = failure(specimen.whole(), "test_a.py::test_a").signature
    specimen.write(
        {
            "test_a.py": '''
            # Something new above.
            import pytest


            def test_a():
                """Says what it is about."""
                # And here.
                assert (1
                        == 2), 'x'
            '''
        }
    )
    reformatted = failure(specimen.whole(), "test_a.py::test_a").signature
    specimen.write(
        {"test_a.py": "import pytest\ndef test_a():\n    assert 1 == 3, 'x'\n"}
    )
    changed = failure(specimen.whole(), "test_a.py::test_a").signature

    assert before == reformatted
    assert before != changed


def test_phases_skips_and_expected_failures(specimen: Specimen) -> None:
    specimen.write(
        {
            "test_a.py": """
                import pytest
                @pytest.fixture
                def broken():
                    raise OSError("no server")
                @pytest.fixture
                def dirty():
                    yield
                    raise ValueError("left behind")
                def test_setup(broken): pass
                def test_teardown(dirty): pass
                def test_both(dirty): assert 0
                @pytest.mark.skip(reason="not today")
                def test_skip(): pass
                def test_skip_inside(): pytest.skip("nor tomorrow")
                @pytest.mark.xfail(reason="known")
                def test_xfail(): assert 0
                @pytest.mark.xfail(strict=True)
                def test_xpass_strict(): pass
                @pytest.mark.xfail
                def test_xpass(): pass
            """
        }
    )

    result = specimen.whole()

    assert {
        "test_a.py::test_setup": "failed",
        "test_a.py::test_teardown": "failed",
        "test_a.py::test_both": "failed",
        "test_a.py::test_skip": "skipped",
        "test_a.py::test_skip_inside": "skipped",
        "test_a.py::test_xfail": "skipped",
        "test_a.py::test_xpass_strict": "passed",
        "test_a.py::test_xpass": "passed",
    } == outcomes(result)
    assert Phase.SETUP is failure(result, "test_a.py::test_setup").phase
    assert Phase.TEARDOWN is failure(result, "test_a.py::test_teardown").phase
    assert Phase.CALL is failure(result, "test_a.py::test_both").phase
    skipped = the(result, "test_a.py::test_skip", Outcome.SKIPPED)
    assert "Skipped: not today" == skipped.reason
    assert "known" == the(result, "test_a.py::test_xfail", Outcome.SKIPPED).reason


def test_an_exit_code_that_only_a_strict_xpass_explains_agrees(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "test_a.py": """
                import pytest
                @pytest.mark.xfail(strict=True)
                def test_a(): pass
            """
        }
    )

    result = specimen.alone("test_a.py::test_a")

    assert 1 == specimen.output.code
    assert {"test_a.py::test_a": "passed"} == outcomes(result)


def test_unittest_classes_inherited_tests_and_equal_names(specimen: Specimen) -> None:
    case = """
        import unittest
        class Base:
            def test_inherited(self):
                self.assertEqual(self.value, 1)
        class TestOne(Base, unittest.TestCase):
            value = 1
        class TestTwo(Base, unittest.TestCase):
            value = 2
            @unittest.expectedFailure
            def test_expected(self): self.fail()
            @unittest.skip("never")
            def test_skipped(self): pass
    """
    specimen.write({"a/test_same.py": case, "b/test_same.py": case})
    specimen.write({"a/__init__.py": "", "b/__init__.py": ""})

    result = specimen.whole()

    expected = {
        "TestOne::test_inherited": "passed",
        "TestTwo::test_inherited": "failed",
        "TestTwo::test_expected": "skipped",
        "TestTwo::test_skipped": "skipped",
    }
    assert {
        f"{folder}/test_same.py::{name}": outcome
        for folder in "ab"
        for name, outcome in expected.items()
    } == outcomes(result)
    failed = failure(result, "b/test_same.py::TestTwo::test_inherited")
    assert ("1", "2") == (failed.expected, failed.actual)


def test_a_failed_subtest_fails_its_test(specimen: Specimen) -> None:
    specimen.write(
        {
            "test_a.py": """
                import unittest
                class TestA(unittest.TestCase):
                    def test_rows(self):
                        for row in range(3):
                            with self.subTest(row=row):
                                self.assertNotEqual(row, 1)
                    def test_fine(self):
                        with self.subTest("x"):
                            pass
                    def test_one_skips(self):
                        with self.subTest("x"):
                            self.skipTest("this one")
                        with self.subTest("y"):
                            pass
                def test_native(subtests):
                    for row in range(3):
                        with subtests.test("row", row=row):
                            assert row != 2
            """
        }
    )

    result = specimen.whole()

    found = outcomes(result)
    # A part that skips itself: pytest 7 and 8 call the test skipped or passed.
    del found["test_a.py::TestA::test_one_skips"]
    assert {
        "test_a.py::TestA::test_rows": "failed",
        "test_a.py::TestA::test_fine": "passed",
        "test_a.py::test_native": "failed",
    } == found
    failed = failure(result, "test_a.py::test_native")
    assert "AssertionError" == failed.type
    assert "test_a.py:19" == failed.where


def test_a_collection_error_in_one_file_leaves_the_others(specimen: Specimen) -> None:
    specimen.write(
        {
            "test_bad.py": "import nowhere\ndef test_b(): pass\n",
            "test_good.py": "def test_g(): pass\n",
            "test_skipped.py": """
                import pytest
                pytest.skip("not here", allow_module_level=True)
                def test_s(): pass
            """,
        }
    )

    result = specimen.whole()
    listed = specimen.listed(
        ("test_bad.py::test_b", "test_good.py::test_g", "test_skipped.py::test_s")
    )

    reason = "ModuleNotFoundError: No module named 'nowhere'"
    assert {"test_good.py::test_g": "passed"} == outcomes(result)
    assert {"test_bad.py": reason} == result.uncollectable
    assert {
        "test_bad.py::test_b": "unbuildable",
        "test_good.py::test_g": "passed",
        "test_skipped.py::test_s": "skipped",
    } == outcomes(listed)


def test_a_broken_conftest_keeps_its_folder_from_collecting(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "conftest.py": "import nowhere\n",
            "tests/test_a.py": "def test_a(): pass\n",
        }
    )

    whole = specimen.whole()
    alone = specimen.alone("tests/test_a.py::test_a")

    assert {} == outcomes(whole)
    assert {"conftest.py": "ModuleNotFoundError: No module named 'nowhere'"} == (
        whole.uncollectable
    )
    assert {"tests/test_a.py::test_a": "unbuildable"} == outcomes(alone)


def test_text_of_a_sanitizer_is_never_acquitted(specimen: Specimen) -> None:
    specimen.write(
        {
            "test_a.py": """
                import sys
                def test_a():
                    sys.stderr.write("WARNING: ThreadSanitizer: data race (pid=1)")
                    assert 0
                def test_b():
                    assert 0
            """
        }
    )

    result = specimen.whole()

    assert failure(result, "test_a.py::test_a").never_acquitted
    assert not failure(result, "test_a.py::test_b").never_acquitted
