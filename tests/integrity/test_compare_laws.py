from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.integrity.written import (
    comparison,
    file_of,
)
from tests.integrity.written import (
    test_of as written_test,
)

from fairtrial.domain.demands import (
    HEAVINESS,
    Aspect,
    AssertionKind,
    Change,
    Compared,
    Demand,
    Match,
    Source,
    WrittenTest,
)
from fairtrial.integrity.compare import RULES, Rule
from fairtrial.integrity.comparing.lattice import judge
from fairtrial.integrity.comparing.rules import change_of

#: Files are written and read for each example.
FEWER = settings(max_examples=40, deadline=None)
FEW = st.sampled_from
ASSERTIONS = st.builds(
    Demand,
    aspect=st.just(Aspect.ASSERTION),
    kind=FEW([each for each in AssertionKind if each is not AssertionKind.VACUOUS]),
    subject=FEW(["total(_)", "count(_)", "cart.items"]),
    inputs=FEW(["", "[1]", "[1, 2]"]),
    expected=FEW(["1", "2", "True", "[]", "> 3", '"a"']),
    source=FEW(list(Source)),
    tolerance=FEW(["", "abs=0.1", "rel=0.5"]),
    guard=FEW(["", "x > 0"]),
)
OTHERS = st.builds(
    Demand,
    aspect=FEW([each for each in Aspect if each is not Aspect.ASSERTION]),
    subject=FEW(["skip", "xfail", "cart.total", "(a, b)"]),
    expected=FEW(["", "1", "2", "(1, 2)"]),
)
TESTS = st.lists(
    st.tuples(FEW("abcdef"), st.lists(st.one_of(ASSERTIONS, OTHERS), max_size=5)),
    unique_by=lambda it: it[0],
    max_size=4,
).map(lambda found: tuple(written_test(name, *demands) for name, demands in found))
FILES = st.dictionaries(
    FEW(["test_a.py", "test_b.py", "more/test_a.py"]), TESTS, min_size=1
)


def written(files: dict[str, tuple[WrittenTest, ...]]) -> dict[str, bytes]:
    return {path: file_of(*tests) for path, tests in files.items()}


def told(found: tuple[Compared, ...]) -> set[Compared]:
    return {each for each in found if not each.identical}


@FEWER
@given(FILES)
def test_nothing_differs_from_itself(files: dict[str, tuple[WrittenTest, ...]]) -> None:
    assert () == comparison(written(files), written(files)).tests


@FEWER
@given(FILES)
def test_tests_that_all_moved_are_all_identical(
    files: dict[str, tuple[WrittenTest, ...]],
) -> None:
    moved = {f"elsewhere/{path}": data for path, data in written(files).items()}

    found = comparison(written(files), moved).tests

    assert all(
        each.identical and each.match is Match.MOVED and not each.differences
        for each in found
    )
    assert sum(map(len, files.values())) == len(found)


@FEWER
@given(FILES, FILES)
def test_the_order_of_files_says_nothing(
    base: dict[str, tuple[WrittenTest, ...]], head: dict[str, tuple[WrittenTest, ...]]
) -> None:
    turned = {path: base[path] for path in reversed(base)}

    assert (
        comparison(written(base), written(head)).tests
        == comparison(written(turned), written(head)).tests
    )


@FEWER
@given(TESTS, TESTS)
def test_the_order_of_tests_with_their_own_names_says_nothing(
    base: tuple[WrittenTest, ...], head: tuple[WrittenTest, ...]
) -> None:
    names = {each.names for each in base}
    head = tuple(each for each in head if each.names in names)
    base = tuple(each for each in base if each.names in {it.names for it in head})

    found = comparison({"test_a.py": file_of(*base)}, {"test_a.py": file_of(*head)})
    turned = comparison(
        {"test_a.py": file_of(*base)}, {"test_a.py": file_of(*reversed(head))}
    )

    assert told(found.tests) == told(turned.tests)


@FEWER
@given(
    st.lists(ASSERTIONS, max_size=4),
    ASSERTIONS,
)
def test_one_more_assertion_never_weakens(demands: list[Demand], more: Demand) -> None:
    base = {"test_a.py": file_of(written_test("a", *demands))}
    head = {"test_a.py": file_of(written_test("a", *demands, more))}

    (found,) = comparison(base, head).tests

    assert HEAVINESS[Change.STRONGER] >= HEAVINESS[found.change]
    assert not found.identical


@FEWER
@given(st.lists(ASSERTIONS, min_size=1, max_size=5), st.data())
def test_one_assertion_less_weakens(demands: list[Demand], data: st.DataObject) -> None:
    gone = data.draw(FEW(range(len(demands))))
    rest = [each for place, each in enumerate(demands) if place != gone]
    base = {"test_a.py": file_of(written_test("a", *demands))}
    head = {"test_a.py": file_of(written_test("a", *rest))}

    (found,) = comparison(base, head).tests

    assert Change.WEAKENED is found.change


@FEWER
@given(
    st.lists(ASSERTIONS, min_size=1, max_size=4, unique_by=lambda it: it.key),
    st.lists(OTHERS, max_size=4),
)
def test_nothing_that_is_added_excuses_a_lost_assertion(
    demands: list[Demand], more: list[Demand]
) -> None:
    lost, *rest = demands
    base = {"test_a.py": file_of(written_test("a", *demands))}
    head = {"test_a.py": file_of(written_test("a", *rest, *more))}

    (found,) = comparison(base, head).tests

    if more and not any(
        each.aspect in {Aspect.SWALLOWED, Aspect.UNREACHABLE, Aspect.ROW}
        for each in more
    ):
        assert Rule.ASSERTION_REMOVED in {each.rule for each in found.differences}
    assert Change.WEAKENED is found.change, lost


@FEWER
@given(FILES, FILES)
def test_every_test_of_both_sides_is_told_and_the_heaviest_difference_counts(
    base: dict[str, tuple[WrittenTest, ...]], head: dict[str, tuple[WrittenTest, ...]]
) -> None:
    found = comparison(written(base), written(head)).tests

    changed = {path for path in {*base, *head} if base.get(path) != head.get(path)}
    olds = {(path, each.names) for path in changed for each in base.get(path, ())}
    news = {(path, each.names) for path in changed for each in head.get(path, ())}
    assert olds == {(it.base.path, it.base.names) for it in found if it.base}
    assert news == {(it.head.path, it.head.names) for it in found if it.head}
    for each in found:
        changes = [HEAVINESS[one.change] for one in each.differences]
        assert max(changes, default=0) == HEAVINESS[each.change]


@given(ASSERTIONS, ASSERTIONS)
def test_what_differs_is_told_and_what_turns_back_never_weakens_twice(
    one: Demand, other: Demand
) -> None:
    there, back = judge(one, other), judge(other, one)

    assert there
    if one.key != other.key and one.source is other.source:
        kinds = {Rule.ASSERTION_WEAKENED}
        assert not (kinds <= set(there) and kinds <= set(back)) or (
            one.subject != other.subject or one.tolerance != other.tolerance
        )


@given(ASSERTIONS)
def test_an_assertion_that_cannot_fail_any_more_weakens(demand: Demand) -> None:
    hollow = replace(demand, kind=AssertionKind.VACUOUS)

    assert Change.WEAKENED in {change_of(rule) for rule in judge(demand, hollow)}


def test_every_rule_says_what_it_is() -> None:
    assert set(Rule) == set(RULES)
    assert all(sentence.endswith(".") for _, sentence in RULES.values())
