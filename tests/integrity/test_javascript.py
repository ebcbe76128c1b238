"""What a file of JavaScript tests demands."""

from __future__ import annotations

import pytest

from fairtrial.domain.demands import Aspect, AssertionKind, Demand, Source, WrittenTest
from fairtrial.integrity import CannotRead, javascript

K = AssertionKind


def written(text: str) -> tuple[WrittenTest, ...]:
    return javascript.read(text).tests


def body(*lines: str) -> tuple[Demand, ...]:
    inside = "\n".join(lines)
    (only,) = written(f"it('works', async () => {{\n{inside}\n}});")
    return only.demands


def one(*lines: str) -> Demand:
    (only,) = body(*lines)
    return only


def of(aspect: Aspect, demands: tuple[Demand, ...]) -> list[Demand]:
    return [each for each in demands if each.aspect is aspect]


@pytest.mark.parametrize(
    ("line", "kind", "subject", "inputs", "expected"),
    [
        ("expect(total(1, 2)).toBe(3);", K.EQUAL, "total(_)", "1, 2", "3"),
        ("expect(f(1)).toEqual({ 'a': 1, });", K.EQUAL, "f(_)", "1", "{a: 1}"),
        ("expect(f(1)).toBe(other);", K.IDENTICAL, "f(_)", "1", "other"),
        ("expect(f()).not.toBe(3)", K.NOT_EQUAL, "f()", "", "3"),
        ("expect(f()).toBeNull()", K.NONE, "f()", "", "null"),
        ("expect(f()).toBe(null)", K.NONE, "f()", "", "null"),
        ("expect(f()).toBeDefined()", K.NOT_NONE, "f()", "", "undefined"),
        ("expect(f()).not.toBeUndefined()", K.NOT_NONE, "f()", "", "undefined"),
        ("expect(f()).toBeTruthy()", K.NOT_NONE, "f()", "", "truthy"),
        ("expect(f()).not.toBeTruthy()", K.FALSE, "f()", "", ""),
        ("expect(f()).toBe(true)", K.EQUAL, "f()", "", "true"),
        ("expect(f().length).toBe(2)", K.LENGTH, "f()", "", "2"),
        ("expect(f()).toHaveLength(2)", K.LENGTH, "f()", "", "2"),
        ("expect(f()).toContain('a')", K.CONTAINS, "f()", "", '"a"'),
        ("expect(f().includes('a')).toBe(true)", K.CONTAINS, "f()", "", '"a"'),
        ("expect(f()).toMatchObject({a: 1})", K.CONTAINS, "f()", "", "{a: 1}"),
        ("expect(f()).toEqual({a: expect.any(Number)})", K.CONTAINS, "f()", "",
         "{a: expect.any(Number)}"),
        ("expect(f()).toEqual(expect.anything())", K.NOT_NONE, "f()", "",
         "expect.anything()"),
        ("expect(f()).toBeGreaterThan(2)", K.ORDERED, "f()", "", "> 2"),
        ("expect(f() > 2).toBe(true)", K.ORDERED, "f()", "", "> 2"),
        ("expect(f() === 3).toBeTruthy()", K.EQUAL, "f()", "", "3"),
        ("expect(f() === 3).toBe(false)", K.NOT_EQUAL, "f()", "", "3"),
        ("expect(!f()).toBe(true)", K.EQUAL, "f()", "", "false"),
        ("expect(() => f(1)).toThrow(TypeError)", K.RAISES, "() => f(_)", "1",
         "TypeError"),
        ("expect(() => f(1)).toThrow()", K.RAISES_ANY, "() => f(_)", "1", ""),
        ("expect(() => f(1)).not.toThrow()", K.NOT_RAISES, "() => f(_)", "1", ""),
        ("expect(spy).toHaveBeenCalledWith(1, 'a')", K.CALLED, "spy", "",
         'with 1, "a"'),
        ("expect(spy).not.toHaveBeenCalled()", K.CALLED, "spy", "", "not"),
        ("expect(f()).toMatchSnapshot()", K.SNAPSHOT, "f()", "", ""),
        ("expect(f()).toMatchInlineSnapshot(`3`)", K.SNAPSHOT, "f()", "", '"3"'),
        ("await expect(page).toHaveScreenshot('a.png')", K.SNAPSHOT, "page", "",
         '"a.png"'),
        ("expect(f()).toHaveProperty('a.b', 3)", K.EQUAL, "f()[_]", '"a.b"', "3"),
        ("expect(f()).toBeEven()", K.CUSTOM, "f() ~ toBeEven", "", ""),
        ("expect(true).toBe(true)", K.VACUOUS, "true", "", "true"),
        ("expect(x).toBe(x)", K.VACUOUS, "x", "", "x"),
        ("expect(f(x)).toEqual(f(x))", K.VACUOUS, "f(_)", "x", "f(x)"),
        ("expect(f(x));", K.VACUOUS, "f(_)", "x", ""),
        ("expect(1).toBeTruthy();", K.VACUOUS, "1", "", "truthy"),
        ("expect.assertions(2)", K.CUSTOM, "expect.assertions", "", "2"),
        ("expect(f()).to.equal(3)", K.EQUAL, "f()", "", "3"),
        ("expect(f()).to.deep.equal(o)", K.EQUAL, "f()", "", "o"),
        ("expect(f()).to.be.true", K.EQUAL, "f()", "", "true"),
        ("expect(f()).to.not.be.null", K.NOT_NONE, "f()", "", "null"),
        ("expect(f()).to.have.lengthOf(3)", K.LENGTH, "f()", "", "3"),
        ("expect(f()).to.be.an('array')", K.TYPE, "f()", "", '"array"'),
        ("expect(f()).to.be.closeTo(1, 0.1)", K.CLOSE, "f()", "", "1"),
        ("f().should.equal(3)", K.EQUAL, "f()", "", "3"),
        ("f().should.not.equal(3)", K.NOT_EQUAL, "f()", "", "3"),
        ("assert(f())", K.NOT_NONE, "f()", "", "truthy"),
        ("assert.ok(f() === 3, 'why')", K.EQUAL, "f()", "", "3"),
        ("assert.equal(f(1), 3)", K.EQUAL, "f(_)", "1", "3"),
        ("assert.strictEqual(f(1), 3, 'why')", K.EQUAL, "f(_)", "1", "3"),
        ("assert.deepStrictEqual(f(), [1])", K.IDENTICAL, "f()", "", "[1]"),
        ("assert.notEqual(f(), 1)", K.NOT_EQUAL, "f()", "", "1"),
        ("assert.throws(() => f(), TypeError)", K.RAISES, "() => f()", "",
         "TypeError"),
        ("assert.throws(() => f(), 'why')", K.RAISES_ANY, "() => f()", "", ""),
        ("sinon.assert.calledOnce(spy)", K.CALLED, "spy", "", "once"),
        ("cy.get('a').should('have.text', 'b')", K.CUSTOM,
         'cy.get(_) ~ "have.text"', '"a"', '"b"'),
        ("assertTotal(cart, 3)", K.CUSTOM, "assertTotal(_)", "cart, 3", ""),
    ],
)  # fmt: skip
def test_an_assertion_is_read_as_what_it_says(
    line: str, kind: AssertionKind, subject: str, inputs: str, expected: str
) -> None:
    found = one(line)

    assert (kind, subject, inputs, expected) == (
        found.kind,
        found.subject,
        found.inputs,
        found.expected,
    )


def test_a_chain_of_chai_makes_all_of_its_assertions() -> None:
    kinds = [
        each.kind for each in body("expect(f()).to.be.an('array').that.includes(2)")
    ]

    assert [K.TYPE, K.CONTAINS] == kinds


def test_digits_are_a_tolerance_as_a_number() -> None:
    assert "0.005" == one("expect(f()).toBeCloseTo(0.3)").tolerance
    assert "0.000005" == one("expect(f()).toBeCloseTo(0.3, 5)").tolerance


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ("expect(f(x)).toBe(3)", Source.LITERAL),
        ("const three = 3; expect(f(x)).toBe(three)", Source.LOCAL),
        ("expect(f(x)).toBe(f(1))", Source.SUBJECT),
        ("const sum = f(x); expect(f(x)).toBe(sum)", Source.SUBJECT),
        ("expect(f(x)).toBe(compute(3))", Source.COMPUTED),
        ("expect(f(x)).toBe(readFileSync('a.txt'))", Source.FILE),
        ("expect(f(x)).toBe(other)", Source.UNKNOWN),
    ],
)
def test_it_is_told_where_an_expected_value_comes_from(
    line: str, source: Source
) -> None:
    assert source is one(line).source


def test_a_promise_that_nobody_waits_for_is_told() -> None:
    awaited = one("await expect(f()).resolves.toBe(3)")
    returned = one("return expect(f()).resolves.toBe(3)")
    forgotten = one("expect(f()).resolves.toBe(3)")

    assert ("", "", "not-awaited") == (awaited.guard, returned.guard, forgotten.guard)
    assert "await f()" == forgotten.subject


def test_a_matcher_of_playwright_that_nobody_waits_for_is_told() -> None:
    text = """
import { test, expect } from '@playwright/test';
test('a', async ({ page }) => { expect(page.locator('h1')).toHaveText('x'); });
"""
    (only,) = written(text)

    assert ["not-awaited"] == [each.guard for each in only.demands]


def test_a_rejection_is_an_error_that_is_raised() -> None:
    found = one("await expect(f(1)).rejects.toThrow('no')")

    assert (K.RAISES, '"no"', "1") == (found.kind, found.expected, found.inputs)


def test_broken_syntax_can_not_be_read() -> None:
    with pytest.raises(CannotRead, match="line 1"):
        javascript.read("it('a', () => { expect(1.toBe( });;; ) }")


def test_types_of_flow_are_read() -> None:
    text = "// @flow\nit('a', () => { const x: number = f(); expect(x).toBe(1); });"

    assert "f()" == written(text)[0].demands[0].subject
