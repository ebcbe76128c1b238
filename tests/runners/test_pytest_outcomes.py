"""What each way for a test to end becomes, tried with a real pytest."""

from __future__ import annotations

from tests.runners.specimen import Specimen, outcomes, the

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
    total = the(result, "tests/test_cart.py::test_total", Outcome.FAILED).failure
    broken = the(result, "tests/test_cart.py::test_broken", Outcome.FAILED).failure

    assert total is not None
    assert broken is not None
    assert (Phase.CALL, "AssertionError") == (total.phase, total.type)
    assert ("7", "13") == (total.expected, total.actual)
    assert "tests/test_cart.py:4" == total.where
    assert total.signature.test_frame is not None
    assert total.signature.test_frame.startswith("tests/test_cart.py::test_total#")
    assert total.signature.production_frame is None
    assert total.outside_frame is None
    assert "TypeError" == broken.type
    assert broken.signature.production_frame is not None
    assert broken.signature.production_frame.startswith("src/cart.py::total#")
    assert broken.signature.production_frame == broken.outside_frame
