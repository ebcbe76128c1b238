from __future__ import annotations

import pytest
from tests.integrity.written import between, equal, file_of, made, one, rules
from tests.integrity.written import test_of as written_test

from fairtrial.domain.demands import Aspect, Change, Demand
from fairtrial.integrity.comparing.conditions import is_about_platforms, is_narrower
from fairtrial.integrity.comparing.numbers import allows_more

A = Aspect
WEAKENED, STRONGER = Change.WEAKENED, Change.STRONGER
RE_SPECIFIED, EQUAL = Change.RE_SPECIFIED, Change.EQUAL
KEPT = equal("total(_)", "5")
WINDOWS = 'sys.platform == "win32"'


def skip(condition: str) -> Demand:
    return made(A.SKIP, "skip", expected=condition)


ROWS: list[tuple[Demand | None, Demand | None, str, Change]] = [
    (None, skip("always"), "skip-added", WEAKENED),
    (None, skip(""), "skip-added", WEAKENED),
    (None, skip("True"), "skip-added", WEAKENED),
    (None, skip('os.environ["CI"]'), "skip-added", WEAKENED),
    (None, skip(WINDOWS), "skip-on-platform", EQUAL),
    (skip("always"), None, "skip-removed", STRONGER),
    (skip(WINDOWS), skip("always"), "skip-widened", WEAKENED),
    (skip("SLOW"), skip("SLOW or FAST"), "skip-widened", WEAKENED),
    (skip("always"), skip("SLOW"), "skip-narrowed", STRONGER),
    (skip("SLOW"), skip("SLOW and FAST"), "skip-narrowed", STRONGER),
    (None, made(A.SKIP, "xfail", expected="always"), "xfail-added", WEAKENED),
    (None, made(A.SKIP, "xfail", expected=WINDOWS), "xfail-added", WEAKENED),
    (made(A.SKIP, "xfail"), None, "xfail-removed", STRONGER),
    (None, made(A.FOCUS, "only"), "focus-added", WEAKENED),
    (made(A.FOCUS, "only"), None, "focus-removed", STRONGER),
    (None, made(A.UNREACHABLE, "x"), "code-unreachable", WEAKENED),
    (None, made(A.SWALLOWED, "x"), "exception-swallowed", WEAKENED),
    (None, made(A.RETRY, "flaky", expected="3"), "retry-added", WEAKENED),
    (
        made(A.RETRY, "flaky", expected="(reruns=1)"),
        made(A.RETRY, "flaky", expected="(reruns=3)"),
        "retry-raised",
        WEAKENED,
    ),
    (made(A.RETRY, "flaky", expected="3"), None, "retry-lowered", STRONGER),
    (made(A.TIMEOUT, expected="5"), None, "timeout-removed", WEAKENED),
    (
        made(A.TIMEOUT, expected="5"),
        made(A.TIMEOUT, expected="50"),
        "timeout-raised",
        WEAKENED,
    ),
    (
        made(A.TIMEOUT, expected="5"),
        made(A.TIMEOUT, expected="2.5"),
        "timeout-lowered",
        STRONGER,
    ),
    (
        made(A.TIMEOUT, expected="LIMIT"),
        made(A.TIMEOUT, expected="OTHER"),
        "timeout-raised",
        WEAKENED,
    ),
    (None, made(A.ARRANGEMENT, "cart.add(_)"), "arrangement-added", RE_SPECIFIED),
    (made(A.ARRANGEMENT, "cart.add(_)"), None, "arrangement-removed", RE_SPECIFIED),
    (
        made(A.ARRANGEMENT, "cart.add(_)", inputs="1"),
        made(A.ARRANGEMENT, "cart.add(_)", inputs="2"),
        "arrangement-changed",
        RE_SPECIFIED,
    ),
    (made(A.SNAPSHOT, "a"), None, "snapshot-removed", WEAKENED),
    (
        made(A.SNAPSHOT, "a", expected="1"),
        made(A.SNAPSHOT, "a", expected="2"),
        "snapshot-changed",
        RE_SPECIFIED,
    ),
]


@pytest.mark.parametrize(("was", "now", "rule", "change"), ROWS)
def test_a_marker_that_came_went_or_changed(
    was: Demand | None, now: Demand | None, rule: str, change: Change
) -> None:
    found = between(
        written_test("a", KEPT, *([was] if was else [])),
        written_test("a", KEPT, *([now] if now else [])),
    )

    assert {rule: change} == rules(found)
    assert not found.identical


def test_rows_are_lost_changed_and_added() -> None:
    def rows(*values: str) -> list[Demand]:
        return [made(A.ROW, "x, want", expected=value) for value in values]

    base = written_test("a", KEPT, *rows("(1, 2)", "(3, 4)"))

    assert {"row-removed": WEAKENED} == rules(
        between(base, written_test("a", KEPT, *rows("(3, 4)")))
    )
    assert {"row-changed": RE_SPECIFIED} == rules(
        between(base, written_test("a", KEPT, *rows("(1, 2)", "(3, 5)")))
    )
    assert {"row-added": STRONGER} == rules(
        between(base, written_test("a", KEPT, *rows("(1, 2)", "(3, 4)", "(5, 6)")))
    )
    assert {"row-changed": RE_SPECIFIED, "row-removed": WEAKENED} == rules(
        between(base, written_test("a", KEPT, *rows("(7, 8)")))
    )


@pytest.mark.parametrize(
    ("target", "imports", "rule"),
    [
        ("cart.total", {}, "subject-mocked"),
        ("total", {"total": "cart:total"}, "subject-mocked"),
        ("Cart.total", {"Cart": "shop.cart:Cart"}, "subject-mocked"),
        ("self.anything.total", {}, "subject-mocked"),
        ("requests.get", {"requests": "requests"}, "mock-added"),
        ("time.sleep", {}, "mock-added"),
        ('os.environ["HOME"]', {}, "mock-added"),
    ],
)
def test_a_stand_in_weakens_where_it_stands_for_production(
    target: str, imports: dict[str, str], rule: str
) -> None:
    production = {
        "src/cart.py": b"def total(prices):\n    return sum(prices)\n",
        "src/shop/cart.py": b"class Cart:\n    pass\n",
    }
    mock = made(A.MOCK, target, expected="lambda: 5")
    found = one(
        {"test_a.py": file_of(written_test("a", KEPT), imports=imports)},
        {"test_a.py": file_of(written_test("a", KEPT, mock), imports=imports)},
        base_production=production,
    )

    assert [rule] == list(rules(found))


@pytest.mark.parametrize(
    "condition",
    [
        WINDOWS,
        "sys.version_info < (3, 12)",
        'os.name == "nt"',
        'platform.system() == "Windows"',
        'platform.python_implementation() == "PyPy"',
        'runtime.GOOS == "windows"',
        'process.platform == "win32"',
        'not sys.platform.startswith("linux")',
    ],
)
def test_conditions_about_platforms(condition: str) -> None:
    assert is_about_platforms(condition)


@pytest.mark.parametrize(
    "condition",
    [
        "",
        "always",
        "True",
        f'{WINDOWS} or os.environ["CI"]',
        f"{WINDOWS} or True",
        f"{WINDOWS} or not {WINDOWS}",
        "sys.platform == sys.platform",
        "BROKEN",
        'os.environ.get("platform")',
        "cart.total([1]) != 5",
    ],
)
def test_conditions_about_more_than_platforms(condition: str) -> None:
    assert not is_about_platforms(condition)


def test_a_condition_with_an_or_is_never_narrower() -> None:
    assert not is_narrower("A", "A and B or C")


@pytest.mark.parametrize(
    ("was", "now", "more"),
    [
        ("abs=0.1", "abs=0.2", True),
        ("abs=0.2", "abs=0.1", False),
        ("abs=1e-6", "abs=1e-3", True),
        ("abs=0.1", "rel=0.1", None),
        ("places=7", "places=3", True),
        ("X", "Y", None),
        ("500 ms", "1 s", True),
        ("500 ms", "0.1 s", False),
        ("2 s", "3 s", True),
    ],
)
def test_which_amount_allows_more(was: str, now: str, more: bool | None) -> None:
    assert more is allows_more(was, now)
