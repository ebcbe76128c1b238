"""What the compilers print, from runs of javac 17, kotlinc 1.9, go 1.26 and others."""

from __future__ import annotations

import pytest

from fairtrial.runners.building.compilers import first_error


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        (
            "[INFO] x\n[ERROR] /w/src/main/java/A.java:[3,16] cannot find symbol\n",
            "src/main/java/A.java:3",
            "cannot find symbol",
        ),
        ("src/A.java:7: error: ';' expected\n", "src/A.java:7", "';' expected"),
        (
            "e: file:///w/src/main/kotlin/A.kt:5:9 Unresolved reference 'x'.\n",
            "src/main/kotlin/A.kt:5",
            "Unresolved reference 'x'.",
        ),
        (
            "e: /w/src/A.kt: (5, 9): Unresolved reference: x\n",
            "src/A.kt:5",
            "Unresolved reference: x",
        ),
        (
            "# example.com/m\n./cart.go:9:2: undefined: x\n",
            "cart.go:9",
            "undefined: x",
        ),
        (
            "error[E0425]: cannot find value `x` in scope\n --> src/lib.rs:2:5\n  |\n",
            "src/lib.rs:2",
            "cannot find value `x` in scope",
        ),
        (
            "src/a.ts(1,7): error TS2322: Type 'string' is no number.\n",
            "src/a.ts:1",
            "TS2322: Type 'string' is no number.",
        ),
        (
            "/w/src/cart.cc:4:10: fatal error: no.h: No such file or directory\n",
            "src/cart.cc:4",
            "no.h: No such file or directory",
        ),
    ],
)
def test_the_first_error_of_each_compiler(text: str, where: str, message: str) -> None:
    found = first_error(f"noise\n{text}more.go:1:1: later\n", "/w")

    assert found is not None
    assert (where, message) == (found.where, found.message)


def test_a_compiler_that_ran_in_a_folder_names_files_below_it() -> None:
    found = first_error("./cart.go:9:2: undefined: x\n", "/w", "services/cart")

    assert found is not None
    assert "services/cart/cart.go" == found.path


def test_what_no_compiler_said_is_no_error_of_one() -> None:
    assert first_error("make: *** [all] Error 2\nkilled\n", "/w") is None
