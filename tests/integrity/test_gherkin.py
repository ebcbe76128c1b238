"""What a feature file demands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.demands import Aspect, AssertionKind, Demand, Source, WrittenTest
from fairtrial.integrity import CannotRead, gherkin

FEATURE = """
@cart
Feature: Cart

  Background:
    Given an empty cart

  Scenario: Adding
    Given 2 items at "10.50" each
    When I pay
    Then the total is 21
    And I see:
      | name | cents |
      | a    | 1050  |
    But not the text
      \"\"\"
      sorry
      \"\"\"

  @wip
  Scenario: Later
    Then the total is 3

  Rule: Discounts

    Background:
      Given a discount

    Scenario Outline: Discount of <rate>
      When I ask for <rate> off
      Then I pay "<price>"

      Examples:
        | rate | price |
        | 10   | 90    |
        | 20   | 80    |

      @skip
      Examples: not yet
        | rate | price |
        | 30   | 70    |
"""


def named(text: str) -> dict[str, WrittenTest]:
    return {each.names[-1]: each for each in gherkin.read(text).tests}


def told(demand: Demand) -> tuple[Aspect, str, str, str]:
    return demand.aspect, demand.subject, demand.inputs, demand.expected


def test_features_rules_and_scenarios_are_names() -> None:
    tests = named(FEATURE)

    assert ("Cart", "Adding") == tests["Adding"].names
    assert ("Cart", "Discounts", "Discount of <rate>") == (
        tests["Discount of <rate>"].names
    )


def test_steps_arrange_until_a_then_asserts() -> None:
    assert [
        (Aspect.ARRANGEMENT, "_ items at _ each", "2, 10.50", ""),
        (Aspect.ARRANGEMENT, "I pay", "", ""),
        (Aspect.ASSERTION, "the total is _", "", "21"),
        (Aspect.ASSERTION, "I see:", "", '["name", "cents"], ["a", 1050]'),
        (Aspect.ASSERTION, "not the text", "", '"sorry"'),
    ] == [told(each) for each in named(FEATURE)["Adding"].demands]


def test_an_assertion_of_a_step_is_a_custom_one_of_literals() -> None:
    found = named(FEATURE)["Adding"].demands[2]

    assert (AssertionKind.CUSTOM, Source.LITERAL, 11) == (
        found.kind,
        found.source,
        found.line,
    )


def test_examples_are_rows_but_for_skipped_ones() -> None:
    demands = named(FEATURE)["Discount of <rate>"].demands

    assert [
        (Aspect.ROW, "$rate, $price", "", "10, 90"),
        (Aspect.ROW, "$rate, $price", "", "20, 80"),
        (Aspect.ARRANGEMENT, "I ask for _ off", "$rate", ""),
        (Aspect.ASSERTION, "I pay _", "", "$price"),
    ] == [told(each) for each in demands]
    assert Source.ROW is demands[-1].source


def test_tags_that_skip_are_told() -> None:
    assert (Aspect.SKIP, "skip", "", "") == told(named(FEATURE)["Later"].demands[0])


def test_backgrounds_are_used_by_the_scenarios_beside_them() -> None:
    file = gherkin.read(FEATURE)

    assert file.support["Background"].automatic
    assert {"Background"} == named(FEATURE)["Adding"].uses
    assert {"Background", "Cart > Discounts > Background"} == (
        named(FEATURE)["Discount of <rate>"].uses
    )


def test_a_scenario_ends_where_its_last_step_ends() -> None:
    test = named(FEATURE)["Adding"]

    assert (8, 18) == (test.line, test.last_line)
    assert test.text.strip().endswith('"""')


def test_indentation_and_comments_make_no_difference() -> None:
    one = named("Feature: a\n  Scenario: b\n    Then c is 1")["b"]
    other = named("Feature: a\n# why\nScenario: b\n\n  Then  c is  1\n")["b"]

    assert one.digest == other.digest


def test_what_is_no_feature_can_not_be_read() -> None:
    with pytest.raises(CannotRead, match="line 1"):
        gherkin.read("hello\nworld")


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for form in (text, f"Feature: a\n Scenario: b\n  Then {text}"):
        try:
            gherkin.read(form)
        except CannotRead:
            continue
