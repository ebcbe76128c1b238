"""What a file of Ruby tests demands."""

from __future__ import annotations

import pytest

from fairtrial.domain.demands import Aspect, AssertionKind, Demand, Source, WrittenTest
from fairtrial.integrity import CannotRead, ruby

K = AssertionKind


def body(*lines: str) -> tuple[Demand, ...]:
    inside = "\n".join(lines)
    (only,) = ruby.read(f'it "works" do\n{inside}\nend\n').tests
    return only.demands


def one(*lines: str) -> Demand:
    (only,) = body(*lines)
    return only


@pytest.mark.parametrize(
    ("line", "kind", "subject", "inputs", "expected"),
    [
        ("expect(total(1, 2)).to eq(3)", K.EQUAL, "total(_)", "1, 2", "3"),
        ("expect(total 1, 2).to eq 3", K.EQUAL, "total(_)", "1, 2", "3"),
        ("expect(f).to be(other)", K.IDENTICAL, "f", "", "other"),
        ("expect(f).not_to eq(3)", K.NOT_EQUAL, "f", "", "3"),
        ("expect(f).to be_nil", K.NONE, "f", "", "nil"),
        ("expect(f).not_to be_nil", K.NOT_NONE, "f", "", "nil"),
        ("expect(f).to be_truthy", K.NOT_NONE, "f", "", "truthy"),
        ("expect(f).to be > 2", K.ORDERED, "f", "", "> 2"),
        ("expect(f).to be_valid", K.EQUAL, "f.valid?", "", "true"),
        ("expect(f).to include('a' => 1)", K.CONTAINS, "f", "", '"a" => 1'),
        ("expect(f.size).to eq(2)", K.LENGTH, "f", "", "2"),
        ("expect { f(1) }.to raise_error(E)", K.RAISES, "{f(_)}", "1", "E"),
        ("expect { f(1) }.to raise_error", K.RAISES_ANY, "{f(_)}", "1", ""),
        ("expect(f).to be_within(0.1).of(3)", K.CLOSE, "f", "", "3"),
        ("expect(f).to be_a(Hash)", K.TYPE, "f", "", "Hash"),
        ("expect(spy).to have_received(:a).with(1)", K.CALLED, "spy", "",
         ":a.with(1)"),
        ("expect(true).to be_truthy", K.VACUOUS, "true", "", "truthy"),
        ("expect(f(x)).to eq(f(x))", K.VACUOUS, "f(_)", "x", "f(x)"),
        ("expect(f)", K.VACUOUS, "f", "", ""),
        ("assert_equal 3, total(1)", K.EQUAL, "total(_)", "1", "3"),
        ("refute_equal 3, total(1)", K.NOT_EQUAL, "total(_)", "1", "3"),
        ("assert_nil f", K.NONE, "f", "", "nil"),
        ("assert f", K.NOT_NONE, "f", "", "truthy"),
        ("assert f == 3", K.EQUAL, "f", "", "3"),
        ("refute f", K.FALSE, "f", "", ""),
        ("assert true", K.VACUOUS, "true", "", "truthy"),
        ("assert_empty f", K.LENGTH, "f", "", "0"),
        ("assert_in_delta 1, f, 0.1", K.CLOSE, "f", "", "1"),
        ("assert_raises(E) { f(1) }", K.RAISES, "{f(_)}", "1", "E"),
        ("assert_operator f, :>, 2", K.ORDERED, "f", "", "> 2"),
        ("assert_includes list, 1", K.CONTAINS, "list", "", "1"),
        ("_(f).must_equal 3", K.EQUAL, "f", "", "3"),
        ("f.wont_be_nil", K.NOT_NONE, "f", "", "nil"),
        ("f.must_be :<, 2", K.ORDERED, "f", "", "< 2"),
        ("assert_total(cart, 3)", K.CUSTOM, "cart ~ assert_total", "", "3"),
    ],
)  # fmt: skip
def test_an_assertion_of_ruby_is_read_as_what_it_says(
    line: str, kind: AssertionKind, subject: str, inputs: str, expected: str
) -> None:
    found = one(line)

    assert (kind, subject, inputs, expected) == (
        found.kind,
        found.subject,
        found.inputs,
        found.expected,
    )


SPEC = """
RSpec.describe Cart do
  TOTAL = 30
  let(:cart) { Cart.new }
  before { cart.clear }

  it "adds" do
    expect(cart.total).to eq(TOTAL)
  end

  xit("is skipped") { expect(cart).to be_empty }
  it "is pending"

  it "is not for Windows" do
    skip "why" if RUBY_PLATFORM.include?("mingw")
    expect(cart.total).to eq(0)
  end

  [[1, 2], [3, 4]].each do |a, b|
    it "doubles #{a}" do
      expect(double(a)).to eq(b)
    end
  end
end
"""


def named(text: str) -> dict[str, WrittenTest]:
    return {each.names[-1]: each for each in ruby.read(text).tests}


def test_blocks_are_names_and_unnamed_hooks_are_used() -> None:
    test = named(SPEC)["adds"]

    assert ("Cart", "adds") == test.names
    assert {"Cart > before", "Cart > cart", "Cart > TOTAL"} == test.uses


def test_lets_and_constants_stand_for_their_values() -> None:
    (found,) = named(SPEC)["adds"].demands

    assert ("Cart.new.total", "30", Source.LOCAL) == (
        found.subject,
        found.expected,
        found.source,
    )


def test_skips_are_told_with_their_conditions() -> None:
    told = {
        name: [
            (each.subject, each.expected)
            for each in test.demands
            if each.aspect is Aspect.SKIP
        ]
        for name, test in named(SPEC).items()
    }

    assert [("skip", "")] == told["is skipped"]
    assert [("todo", "")] == told["is pending"]
    assert [("skip", 'RUBY_PLATFORM.include?("mingw")')] == told["is not for Windows"]


def test_a_loop_around_tests_is_a_table_of_rows() -> None:
    test = named(SPEC)["doubles #{a}"]
    rows = [each.expected for each in test.demands if each.aspect is Aspect.ROW]

    assert ["1, 2", "3, 4"] == rows
    assert ("$row0", "$row1", Source.ROW) == (
        test.demands[-1].inputs,
        test.demands[-1].expected,
        test.demands[-1].source,
    )


MINITEST = """
class CartTest < Minitest::Test
  def setup
    @cart = Cart.new
  end

  def test_total
    assert_equal 3, @cart.total
  end

  def helper
    1
  end
end
"""


def test_methods_of_minitest_are_tests_and_hooks() -> None:
    (test,) = ruby.read(MINITEST).tests

    assert ("CartTest", "test_total") == test.names
    assert "Cart.new.total" == test.demands[0].subject
    assert {"CartTest > setup"} == test.uses


@pytest.mark.parametrize(
    "lines",
    [
        "begin; expect(f).to eq 1; rescue; end",
        "x = f rescue nil",
    ],
)
def test_swallowed_errors_are_told(lines: str) -> None:
    assert Aspect.SWALLOWED in {each.aspect for each in body(lines)}


@pytest.mark.parametrize(
    "lines",
    ["return\nexpect(f).to eq 1", "if false\nexpect(f).to eq 1\nend"],
)
def test_what_is_never_reached_demands_nothing(lines: str) -> None:
    assert [Aspect.UNREACHABLE] == [each.aspect for each in body(lines)]


def test_stand_ins_are_told_with_their_answers() -> None:
    found = one("allow(Api).to receive(:get).and_return(3)")

    assert (Aspect.MOCK, "Api.get", "and_return(3)") == (
        found.aspect,
        found.subject,
        found.expected,
    )


def test_names_quotes_and_parentheses_make_no_difference() -> None:
    one_way = ruby.read('it("a") { x = f(1); expect(x).to eq("b") }').tests[0]
    another = ruby.read("it 'a' do\n  y = f 1\n  expect(y).to eq 'b'\nend").tests[0]

    assert [each.key for each in one_way.demands] == [
        each.key for each in another.demands
    ]


def test_broken_ruby_can_not_be_read() -> None:
    with pytest.raises(CannotRead, match="line"):
        ruby.read("it 'a' do\n  expect(f.to eq(\nend end end )")
