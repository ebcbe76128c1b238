from __future__ import annotations

from collections import Counter

from fairtrial.domain.demands import FileDemands, Support, WrittenTest
from fairtrial.integrity.comparing.residue import residue

TEXT = """\
use shop::Cart;
// A comment.
const LINE: &str = "pen";

fn check(printed: &str) {
    assert_eq!(printed, LINE);
}

#[test]
fn prints() { check(cart()); }
"""


def test_what_no_test_and_no_helper_holds_is_left() -> None:
    file = FileDemands(
        tests=(WrittenTest(names=("prints",), line=9, last_line=10),),
        support={"check": Support(name="check", line=5, last_line=7)},
    )

    assert Counter(['const LINE: &str = "pen";']) == residue(TEXT, file)


def test_lines_beyond_the_file_are_no_lines() -> None:
    file = FileDemands(tests=(WrittenTest(names=("a",), line=0, last_line=10**9),))

    assert Counter() == residue(TEXT, file)
