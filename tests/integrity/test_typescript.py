"""What a file of TypeScript tests demands: names, marks, rows, supports, bodies."""

from __future__ import annotations

import pytest

from fairtrial.domain.demands import Aspect, Demand, FileDemands, Source, WrittenTest
from fairtrial.integrity import typescript


def file_of(*lines: str) -> FileDemands:
    return typescript.read("\n".join(lines))


def body(*lines: str) -> tuple[Demand, ...]:
    (only,) = file_of("it('works', async () => {", *lines, "});").tests
    return only.demands


def keys(test: WrittenTest) -> list[tuple[str, ...]]:
    return [each.key for each in test.demands]


def marks(*lines: str) -> list[tuple[Aspect, str, str]]:
    (only,) = file_of(*lines).tests
    return [
        (each.aspect, each.subject, each.expected)
        for each in only.demands
        if each.aspect not in {Aspect.ASSERTION, Aspect.ARRANGEMENT}
    ]


SKIP, FOCUS = Aspect.SKIP, Aspect.FOCUS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it.skip('a', () => {});", [(SKIP, "skip", "")]),
        ("xit('a', () => {});", [(SKIP, "skip", "")]),
        ("it.todo('a');", [(SKIP, "todo", "")]),
        ("it('a');", [(SKIP, "todo", "")]),
        ("it.fails('a', () => {});", [(SKIP, "xfail", "")]),
        ("fit('a', () => {});", [(FOCUS, "only", "")]),
        ("test.only('a', () => {});", [(FOCUS, "only", "")]),
        ("describe.skip('b', () => { it('a', () => {}); });", [(SKIP, "skip", "")]),
        ("it.skipIf(win)('a', () => {});", [(SKIP, "skip", "win")]),
        ("it.runIf(win)('a', () => {});", [(SKIP, "skip", "!(win)")]),
        ("(win ? it.skip : it)('a', () => {});", [(SKIP, "skip", "win")]),
        ("(win ? it : it.skip)('a', () => {});", [(SKIP, "skip", "!(win)")]),
        ("const t = win ? it.skip : it;\nt('a', () => {});", [(SKIP, "skip", "win")]),
        ("if (win) { it('a', () => {}); }", [(SKIP, "skip", "!(win)")]),
        ("it('a', function () { if (win) this.skip(); });", [(SKIP, "skip", "win")]),
        ("test('a', { skip: true }, () => {});", [(SKIP, "skip", "")]),
        ("it('a', () => {}, 500);", [(Aspect.TIMEOUT, "timeout", "500")]),
        ("it('a', { retry: 2 }, () => {});", [(Aspect.RETRY, "retries", "2")]),
        ("it('a', () => { jest.setTimeout(9); });", [(Aspect.TIMEOUT, "timeout", "9")]),
        ("it('a', function () { this.retries(2); });",
         [(Aspect.RETRY, "retries", "2")]),
    ],
)  # fmt: skip
def test_marks_are_told_with_their_conditions(
    text: str, expected: list[tuple[Aspect, str, str]]
) -> None:
    assert expected == marks(text)


def test_blocks_are_names() -> None:
    file = file_of(
        "describe('Cart', () => {",
        "  describe.each([1, 2])('with %i', (n) => { test(`adds`, () => {}); });",
        "  it(`takes ${n} off`, () => {});",
        "});",
    )

    assert [("Cart", "with %i", "adds"), ("Cart", "takes ${n} off")] == [
        each.names for each in file.tests
    ]


@pytest.mark.parametrize(
    "text",
    [
        "it.each([[1, 2], [3, 4]])('a', (x, y) => { expect(f(x)).toBe(y); });",
        (
            "for (const [x, y] of [[1, 2], [3, 4]]) {\n"
            "  it('a', () => { expect(f(x)).toBe(y); });\n}"
        ),
        (
            "[[1, 2], [3, 4]].forEach(([x, y]) => {\n"
            "  it('a', () => { expect(f(x)).toBe(y); });\n});"
        ),
        (
            "const table = [[1, 2], [3, 4]] as const;\n"
            "it.each(table)('a', (p, q) => { expect(f(p)).toBe(q); });"
        ),
    ],
    ids=["each", "for", "forEach", "constant"],
)
def test_rows_are_told_wherever_the_table_stands(text: str) -> None:
    (test,) = file_of(text).tests
    rows = [
        (each.subject, each.expected)
        for each in test.demands
        if each.aspect is Aspect.ROW
    ]
    last = test.demands[-1]

    assert [("$row0, $row1", "1, 2"), ("$row0, $row1", "3, 4")] == rows
    assert ("f(_)", "$row0", "$row1", Source.ROW) == (
        last.subject,
        last.inputs,
        last.expected,
        last.source,
    )


def test_tables_and_objects_are_the_same_rows() -> None:
    one = file_of(
        "it.each`\n  x | y\n  ${1} | ${2}\n`('a', ({ x, y }) => {",
        "  expect(f(x)).toBe(y);\n});",
    )
    other = file_of(
        "it.each([{ y: 2, x: 1 }])('a', ({ x, y }) => {",
        "  expect(f(x)).toBe(y);\n});",
    )

    assert keys(one.tests[0]) == keys(other.tests[0])


def test_a_loop_inside_a_test_has_rows() -> None:
    found = body("for (const x of [1, 2]) { expect(f(x)).toBe(3); }")

    assert [Aspect.ROW, Aspect.ROW, Aspect.ASSERTION] == [it.aspect for it in found]
    assert ("$each0", "for each row") == (found[-1].inputs, found[-1].guard)


HONEST = {
    "local renamed": ("const a = f(1); expect(a).toBe(2);",
                      "const b = f(1); expect(b).toBe(2);"),
    "local inlined": ("const a = f(1); expect(a).toBe(2);", "expect(f(1)).toBe(2);"),
    "constant extracted": ("expect(f(1)).toBe(2);",
                           "const two = 2; expect(f(1)).toBe(two);"),
    "quotes and commas": ("expect(f('a', [1])).toBe(2);",
                          'expect(f("a", [\n1,\n],)).toBe(2)'),
    "types": ("const a = f(1); expect(a).toBe(2);",
              "const a: number = f<number>(1)!; expect(a as any).toBe(2);"),
    "taken apart": ("const { b } = f(1); expect(b).toBe(2);",
                    "const a = f(1); expect(a.b).toBe(2);"),
    "parameter renamed": ("expect(l.map((a) => a.b)).toEqual([]);",
                          "expect(l.map((c) => { return c.b; })).toEqual([]);"),
    "awaited before": ("await expect(f(1)).resolves.toBe(2);",
                       "const a = await f(1); expect(a).toBe(2);"),
    "numbers": ("expect(f(1000)).toBe(2.0);", "expect(f(1_000)).toBe(2);"),
    "set later": ("let a; a = f(1); expect(a).toBe(2);", "expect(f(1)).toBe(2);"),
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_rewriting_demands_the_same(name: str) -> None:
    before, after = HONEST[name]

    assert [each.key for each in body(before)] == [each.key for each in body(after)]


def test_two_things_of_one_making_are_told_apart() -> None:
    start = "const a = new Cart(); const b = new Cart(); a.add(1);"

    assert [each.key for each in body(start, "expect(a.n).toBe(1);")] != [
        each.key for each in body(start, "expect(b.n).toBe(1);")
    ]


def test_a_value_that_was_taken_earlier_is_not_the_thing_itself() -> None:
    found = body("const was = f(); act(); expect(f()).toEqual(was);")

    assert "earlier f()" == found[-1].expected


@pytest.mark.parametrize(
    ("lines", "aspects"),
    [
        ("try { expect(f()).toBe(1); } catch (e) { console.log(e); }",
         [Aspect.SWALLOWED, Aspect.ASSERTION, Aspect.ARRANGEMENT]),
        ("try { expect(f()).toBe(1); } catch (e) { throw e; }",
         [Aspect.ASSERTION, Aspect.ASSERTION]),
        ("return; expect(f()).toBe(1);", [Aspect.UNREACHABLE]),
        ("if (false) { expect(f()).toBe(1); }", [Aspect.UNREACHABLE]),
        ("if (true) return; expect(f()).toBe(1);", [Aspect.UNREACHABLE]),
        ("await act(); api.get = vi.fn();", [Aspect.ARRANGEMENT, Aspect.MOCK]),
        ("await f().catch(() => {});", [Aspect.SWALLOWED, Aspect.ARRANGEMENT]),
    ],
)  # fmt: skip
def test_what_a_body_does_is_told_in_its_order(
    lines: str, aspects: list[Aspect]
) -> None:
    assert aspects == [each.aspect for each in body(lines)]


def test_conditions_guard_what_follows_an_early_return() -> None:
    found = body("if (x) return;", "expect(f()).toBe(1);")

    assert ["unless x"] == [each.guard for each in found]


@pytest.mark.parametrize(
    ("line", "subject", "expected"),
    [
        ("vi.spyOn(api, 'get').mockReturnValue(3);", "api.get", "mockReturnValue(3)"),
        ("api.get.mockResolvedValue(3);", "api.get", "mockResolvedValue(3)"),
        ("vi.mocked(api.get).mockReturnValue(3);", "api.get", "mockReturnValue(3)"),
        ("sinon.stub(api, 'get').returns(3);", "api.get", "returns(3)"),
        ("t.mock.method(api, 'get', () => 3);", "api.get", "() => 3"),
    ],
)
def test_a_stand_in_is_told_by_what_it_replaces(
    line: str, subject: str, expected: str
) -> None:
    (found,) = body(line)

    assert (Aspect.MOCK, subject, expected) == (
        found.aspect,
        found.subject,
        found.expected,
    )


FILE = """
import { total, Cart as C } from '../src/cart';
import * as all from './all';
import './setup';
const { api } = require('./api');
vi.mock('./api', () => ({ get: vi.fn() }));
const TOTAL = 30;
function check(c: C, n: number) { expect(c.total()).toBe(n); }
describe('Cart', () => {
  let cart: C;
  beforeEach(() => { cart = new C(); });
  it('adds', () => { check(cart, 3); expect(cart.total()).toBe(TOTAL); });
});
it('is alone', () => { expect(total([])).toBe(0); });
"""


def test_imports_are_told_with_their_modules() -> None:
    assert {
        "total": "../src/cart:total",
        "C": "../src/cart:Cart",
        "all": "./all",
        "./setup": "./setup",
        "api": "./api:api",
    } == file_of(FILE).imports


def test_supports_are_used_by_name_and_hooks_by_their_block() -> None:
    file = file_of(FILE)
    adds, alone = file.tests

    assert {"check", "TOTAL", "Cart > cart", "Cart > beforeEach"} == adds.uses
    assert {"total"} == alone.uses
    assert file.support["(statements)"].automatic
    assert not file.support["Cart > beforeEach"].automatic
    assert Aspect.MOCK is file.support["(statements)"].demands[0].aspect


def test_what_a_hook_sets_stands_for_its_value() -> None:
    check, total = file_of(FILE).tests[0].demands

    assert ("check(_)", "new C(), 3") == (check.subject, check.inputs)
    assert ("new C().total()", "30") == (total.subject, total.expected)


def test_a_digest_knows_no_names_of_locals_or_tests() -> None:
    one = file_of("it('a', () => { const x = f(); expect(x).toBe(1); });")
    other = file_of('it("b", () => {\n const y = f()\n expect(y).toBe(1)\n})')
    third = file_of("it('a', () => { const x = f(); expect(x).toBe(2); });")

    assert one.tests[0].digest == other.tests[0].digest != third.tests[0].digest
