"""What C#'s tests demand."""

from __future__ import annotations

import pytest
from tests.integrity.reading_c_family import keys, lines, only, read, short

LINES = [
    ("Assert.Equal(2, F(1));", "equal: F(_) [1] = 2"),
    ("Assert.Equal(2.0, F(1), 3);", "close: F(_) [1] = 2.0 +- 3"),
    ("Assert.NotEqual(2, F());", "not-equal: F() = 2"),
    ("Assert.True(F());", "true: F()"),
    ("Assert.True(F() == 2);", "equal: F() = 2"),
    ("Assert.Null(F());", "none: F()"),
    ("Assert.Contains(2, F());", "contains: F() = 2"),
    ("Assert.Empty(F());", "length: F() = empty"),
    ("Assert.IsType<A>(F());", "type: F() = A"),
    ("Assert.Throws<E>(() => F(1));", "raises: F(_) [1] = E"),
    ("await Assert.ThrowsAsync<E>(() => F(1));", "raises: F(_) [1] = E"),
    ("Assert.InRange(F(), 1, 2);", "ordered: F() = between: 1, 2"),
    ("Assert.AreEqual(2, F());", "equal: F() = 2"),
    ("Assert.IsInstanceOfType(F(), typeof(A));", "type: F() = A"),
    ('StringAssert.Contains(F(), "a");', 'contains: F() = "a"'),
    ("Assert.That(F(), Is.EqualTo(2));", "equal: F() = 2"),
    ("Assert.That(F(), Is.EqualTo(2).Within(1));", "close: F() = 2 +- 1"),
    ("Assert.That(F(), Is.Not.Null);", "not-none: F()"),
    ("Assert.That(F(), Has.Count.EqualTo(2));", "equal: Count of F() = 2"),
    ("Assert.That(() => F(), Throws.TypeOf<E>());", "raises: F() = E"),
    ("F().Should().Be(2);", "equal: F() = 2"),
    ("F().Should().NotBe(2);", "not-equal: F() = 2"),
    ("F().Should().BeNull();", "none: F()"),
    ("F().Should().HaveCount(2);", "length: F() = 2"),
    ('F().Should().BeTrue("why");', "true: F()"),
    ("F().Should().BeApproximately(2.0, 0.1);", "close: F() = 2.0 +- 0.1"),
    ("F().Should();", "vacuous: F()"),
    ("F().ShouldBe(2);", "equal: F() = 2"),
    ("F().ShouldBeNull();", "none: F()"),
    ("m.Setup(x => x.F(1)).Returns(2);", "mock: m: λ $d1.F(_) [1] = Returns: 2"),
    ("m.Verify(x => x.F(1), Times.Once);", "called: m: λ $d1.F(_) [1] = Times.Once"),
    ("sub.F(1).Returns(2);", "mock: sub.F(_) [1] = Returns: 2"),
    ("sub.Received(1).F(2);", "called: sub.F(_) [2] = Received(1)"),
    ("Assert.True(true);", "vacuous: true"),
    ("var x = F(1); Assert.Equal(2, x);", "equal: F(_) [1] = 2"),
    ("CheckIt(F());", "custom: CheckIt(_) [F()]"),
    ("if (F() != 2) Assert.Fail();", "equal: F() = 2"),
    ("Assert.Inconclusive();", "skip: skip"),
    ("x?.F(1);", "arrangement: x.F(_) [1]"),
]


@pytest.mark.parametrize(("source", "expected"), LINES)
def test_a_line_demands(source: str, expected: str) -> None:
    assert [expected] == lines("csharp", source)


def test_each_link_is_a_demand() -> None:
    found = lines("csharp", "F().Should().Be(2).And.NotBe(3);")

    assert ["equal: F() = 2", "not-equal: F() = 3"] == found


def test_an_action_that_throws_has_type_and_message() -> None:
    source = 'Action act = () => F(1); act.Should().Throw<E>().WithMessage("x");'

    assert ["raises: F(_) [1] = E", 'raises: F(_) [1] = message: "x"'] == lines(
        "csharp", source
    )


MARKS = [
    ('[Fact(Skip = "why")]', ["skip: skip"]),
    ('[Test, Ignore("why")]', ["skip: skip"]),
    ("[Test, Explicit]", ["skip: skip"]),
    ('[Test, Platform("Win")]', ['skip: skip = Platform("Win")']),
    ("[Fact(Timeout = 5)]", ["timeout: timeout = 5"]),
    ("[Test, Retry(3)]", ["retry: retry = 3"]),
    ("[Test, ExpectedException(typeof(E))]", ["raises: the test = E"]),
    ('[Fact, Trait("a", "b")]', []),
    ("[Theory, InlineData(1, 2), InlineData(3, 4)]",
     ["row: $1, $2 = 1, 2", "row: $1, $2 = 3, 4"]),
    ("[TestCase(1, 2)]", ["row: $1, $2 = 1, 2"]),
    ("[Theory, MemberData(nameof(Rows))]",
     ['row: $1, $2 = 1, "a"', 'row: $1, $2 = 2, "b"']),
]  # fmt: skip


@pytest.mark.parametrize(("marks", "expected"), MARKS)
def test_attributes_demand(marks: str, expected: list[str]) -> None:
    text = (
        f"class T {{ {marks} public void A(int a, int b) {{ }}\n"
        "public static IEnumerable<object[]> Rows() {"
        ' yield return new object[] { 1, "a" };'
        ' yield return new object[] { 2, "b" }; } }'
    )

    assert expected == [short(each) for each in only("csharp", text).demands]


def test_a_row_may_say_what_is_returned() -> None:
    text = "class T { [TestCase(1, ExpectedResult = 2)] public int A(int a) => F(a); }"
    body = (
        "class T { [TestCase(1, ExpectedResult = 2)]"
        " public int A(int a) { return F(a); } }"
    )

    assert "row: $1, $result = 1, 2" in [
        short(each) for each in only("csharp", text).demands
    ]
    assert ["row: $1, $result = 1, 2", "equal: F(_) [$1] = $result"] == [
        short(each) for each in only("csharp", body).demands
    ]


def test_constructors_and_disposal_apply_to_all_tests() -> None:
    text = (
        "class T : IDisposable { private readonly Mock<ICart> _m = new Mock<ICart>();\n"
        "public T() { F(); } public void Dispose() { G(); } [Fact] void A() { } }"
    )
    support = read("csharp", text).support

    assert {"_m": False, "T": True, "Dispose": True} == {
        name: each.automatic for name, each in support.items()
    }
    assert ["mock: ICart"] == [short(each) for each in support["_m"].demands]


def test_names_are_the_classes_around() -> None:
    text = "namespace N { class A { class B { [Fact] void T() { } } } }"

    assert ("A", "B", "T") == only("csharp", text).names


def test_a_handler_that_does_nothing_swallows() -> None:
    found = lines("csharp", "try { Assert.Equal(1, F()); } catch (Exception) { }")

    assert "swallowed: Exception" in found


def test_an_honest_edit_demands_the_same() -> None:
    edit = "int y = F(1);\n// why\nAssert.Equal(\n 2,\n y);"

    assert keys("csharp", "var x = F(1); Assert.Equal(2, x);") == keys("csharp", edit)
