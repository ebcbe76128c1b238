"""Names of tests stand for what pytest and people mean by them."""

from __future__ import annotations

import pytest

from fairtrial.domain.names import TestId
from fairtrial.pipeline.naming import meant

LISTED = tuple(
    map(
        TestId,
        (
            "tests/test_a.py::test_one",
            "tests/test_a.py::test_one_more",
            "tests/test_a.py::test_rows[1]",
            "tests/test_a.py::test_rows[2]",
            "tests/test_a.py::TestIt::test_it",
            "tests/sub/test_b.py::test_b",
            "tests_more/test_c.py::test_c",
        ),
    )
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tests/test_a.py::test_one", LISTED[:1]),
        ("tests/test_a.py::test_rows", LISTED[2:4]),
        ("tests/test_a.py::TestIt", LISTED[4:5]),
        ("tests/test_a.py", LISTED[:5]),
        ("./tests/test_a.py", LISTED[:5]),
        ("tests", LISTED[:6]),
        ("tests/", LISTED[:6]),
        (".", LISTED),
        ("tests/test_z.py", ("tests/test_z.py",)),
        ("tests/test_a.py::test_on", ("tests/test_a.py::test_on",)),
    ],
)
def test_a_name_means(name: str, expected: tuple[str, ...]) -> None:
    assert expected == meant([name], LISTED)


def test_names_keep_their_order_and_no_test_runs_twice() -> None:
    found = meant(["tests/sub", "tests/test_a.py::test_rows", "tests"], LISTED)

    assert (LISTED[5], *LISTED[2:4], *LISTED[:2], LISTED[4]) == found
