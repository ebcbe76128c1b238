from __future__ import annotations

import pytest

from fairtrial.domain.results import Failure, Outcome, Phase, Signature
from fairtrial.inquiry.contracts import misses_removed_name, missing_name


def failure(kind: str, message: str, *, production: str | None = None) -> Failure:
    return Failure(
        phase=Phase.CALL,
        type=kind,
        message=message,
        where=None,
        signature=Signature(
            outcome=Outcome.FAILED,
            phase=Phase.CALL,
            exception=kind,
            test_frame="test_calc.py::test_half#1",
            production_frame=production,
        ),
    )


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("ImportError", "cannot import name 'half' from 'calc' (/x/calc.py)"),
        ("ModuleNotFoundError", "No module named 'half'"),
        ("ModuleNotFoundError", "No module named 'shop.calc.half'"),
        ("AttributeError", "module 'shop.calc' has no attribute 'half'"),
        ("AttributeError", "'Cart' object has no attribute 'half'"),
        ("AttributeError", "type object 'Cart' has no attribute 'half'"),
        ("NameError", "name 'half' is not defined. Did you mean: 'hash'?"),
        ("NameError", "NameError: name 'half' is not defined"),
        ("ModuleNotFoundError", "ModuleNotFoundError: No module named 'half'"),
        ("x.AttributeError", "x.AttributeError: module 'calc' has no attribute 'half'"),
        ("builtins.NameError", "name 'half' is not defined"),
    ],
)
def test_pythons_own_words_for_a_missing_name_are_known(
    kind: str, message: str
) -> None:
    assert "half" == missing_name(failure(kind, message))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("AssertionError", "name 'half' is not defined"),
        ("NameError", "cannot import name 'half' from 'calc'"),
        ("AttributeError", "'NoneType' object has no attribute 'half'"),
        ("AttributeError", "it said: module 'calc' has no attribute 'half'"),
        ("AttributeError", "said: module 'calc' has no attribute 'half'"),
        ("NameError", "XXname 'half' is not defined"),
        ("ImportError", "No module named 'half"),
        ("ValueError", "module 'calc' has no attribute 'half'"),
        ("AttributeError", ""),
    ],
)
def test_other_failures_miss_no_name(kind: str, message: str) -> None:
    assert not missing_name(failure(kind, message))
    assert not misses_removed_name(failure(kind, message), {"half", ""}, {""})


MISSING = failure("AttributeError", "module 'calc' has no attribute 'half'")


def test_a_name_that_only_base_defines_is_removed() -> None:
    assert misses_removed_name(MISSING, {"half", "double"}, {"double"})


def test_a_name_that_head_still_defines_somewhere_is_not_removed() -> None:
    assert not misses_removed_name(MISSING, {"half"}, {"half"})


def test_a_name_that_base_never_defined_is_not_removed() -> None:
    assert not misses_removed_name(MISSING, {"double"}, set())


def test_production_that_misses_its_own_name_is_broken() -> None:
    inside = failure(
        "NameError", "name 'half' is not defined", production="calc.py::total#2"
    )

    assert not misses_removed_name(inside, {"half"}, set())
