from __future__ import annotations

import pytest

from fairtrial.domain.contracts import RAISED_IN, Lack, Missing
from fairtrial.domain.results import Failure, Outcome, Phase, Signature
from fairtrial.inquiry.contracts import misses_removed, missing


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


def module(name: str) -> Missing:
    return Missing(lack=Lack.MODULE, name=name)


def name(owner: str) -> Missing:
    return Missing(lack=Lack.NAME, owner=owner, name="half")


MEMBER = Missing(lack=Lack.MEMBER, owner="Cart", name="half")
ANYWHERE = Missing(lack=Lack.ANYWHERE, name="half")


@pytest.mark.parametrize(
    ("kind", "message", "expected"),
    [
        (
            "ImportError",
            "cannot import name 'half' from 'shop.calc' (/x/calc.py)",
            name("shop.calc"),
        ),
        (
            "ImportError",
            "ImportError: cannot import name 'half' from 'calc' (unknown location)",
            name("calc"),
        ),
        ("ModuleNotFoundError", "No module named 'half'", module("half")),
        (
            "ModuleNotFoundError",
            "ModuleNotFoundError: No module named 'shop.calc.half'",
            module("shop.calc.half"),
        ),
        (
            "ModuleNotFoundError",
            "No module named 'shop.half'; 'shop' is not a package",
            module("shop.half"),
        ),
        (
            "AttributeError",
            "module 'shop.calc' has no attribute 'half'",
            name("shop.calc"),
        ),
        (
            "AttributeError",
            "<module 'calc' from '/x/calc.py'> does not have the attribute 'half'",
            name("calc"),
        ),
        (
            "AttributeError",
            "<module 'calc' from '/x/calc.py'> has no attribute 'half'",
            name("calc"),
        ),
        (
            "AttributeError",
            "'module' object at shop.calc has no attribute 'half'",
            name("shop.calc"),
        ),
        ("AttributeError", "'Cart' object has no attribute 'half'", MEMBER),
        ("AttributeError", "type object 'Cart' has no attribute 'half'", MEMBER),
        (
            "AttributeError",
            "<class 'shop.Cart'> does not have the attribute 'half'",
            MEMBER,
        ),
        ("AttributeError", "<class 'shop.Cart'> has no attribute 'half'", MEMBER),
        (
            "AttributeError",
            "'type' object at shop.Cart has no attribute 'half'",
            MEMBER,
        ),
        (
            "x.AttributeError",
            "x.AttributeError: module 'calc' has no attribute 'half'",
            name("calc"),
        ),
        ("NameError", "name 'half' is not defined. Did you mean: 'hash'?", ANYWHERE),
        ("NameError", "NameError: name 'half' is not defined", ANYWHERE),
        ("builtins.NameError", "name 'half' is not defined", ANYWHERE),
    ],
)
def test_pythons_own_words_for_what_is_missing_are_known(
    kind: str, message: str, expected: Missing
) -> None:
    assert expected == missing(failure(kind, message))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("AssertionError", "name 'half' is not defined"),
        ("NameError", "cannot import name 'half' from 'calc'"),
        ("ImportError", "cannot import name 'half'"),
        (
            "ImportError",
            "cannot import name 'half' from partially initialized module 'calc' (…)",
        ),
        (
            "AttributeError",
            "partially initialized module 'calc' has no attribute 'half'",
        ),
        ("AttributeError", "it said: module 'calc' has no attribute 'half'"),
        ("AttributeError", "said: module 'calc' has no attribute 'half'"),
        ("AttributeError", "<calc.Cart object at 0x1> has no attribute 'half'"),
        ("NameError", "XXname 'half' is not defined"),
        ("ImportError", "No module named 'half"),
        ("ValueError", "module 'calc' has no attribute 'half'"),
        ("AttributeError", ""),
    ],
)
def test_other_failures_miss_nothing(kind: str, message: str) -> None:
    assert missing(failure(kind, message)) is None


HALF = failure("AttributeError", "module 'calc' has no attribute 'half'")


def test_only_exactly_what_was_removed_is_missed() -> None:
    assert misses_removed(HALF, {name("calc")})
    assert not misses_removed(HALF, {name("other"), ANYWHERE, module("half")})
    assert not misses_removed(failure("AssertionError", "no"), {name("calc")})


def test_production_that_misses_something_itself_is_broken() -> None:
    inside = failure(
        "NameError", "name 'half' is not defined", production="calc.py::total#2"
    )

    assert not misses_removed(inside, {ANYWHERE})


def test_production_that_can_not_be_loaded_is_broken() -> None:
    reason = "ModuleNotFoundError: No module named 'half'"
    inside = RAISED_IN.format(path="src/a (b).py", line=3)

    assert misses_removed(failure("ModuleNotFoundError", reason), {module("half")})
    assert not misses_removed(
        failure("ModuleNotFoundError", reason + inside), {module("half")}
    )
