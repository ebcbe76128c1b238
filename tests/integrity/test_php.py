"""What a file of PHP tests demands."""

from __future__ import annotations

import pytest

from fairtrial.domain.demands import Aspect, AssertionKind, Demand, Source, WrittenTest
from fairtrial.integrity import CannotRead, php

K = AssertionKind


def body(*lines: str) -> tuple[Demand, ...]:
    inside = "\n".join(lines)
    text = f"<?php\nclass ATest {{ public function testIt() {{\n{inside}\n}} }}"
    (only,) = php.read(text).tests
    return only.demands


def one(*lines: str) -> Demand:
    (only,) = body(*lines)
    return only


@pytest.mark.parametrize(
    ("line", "kind", "subject", "inputs", "expected"),
    [
        ("$this->assertSame(3, total(1, 2));", K.EQUAL, "total(_)", "1, 2", "3"),
        ("self::assertEquals([1], f());", K.EQUAL, "f()", "", "[1]"),
        ("$this->assertSame($other, f());", K.IDENTICAL, "f()", "", "$other"),
        ("$this->assertNotSame(3, f());", K.NOT_EQUAL, "f()", "", "3"),
        ("$this->assertTrue(f());", K.EQUAL, "f()", "", "true"),
        ("$this->assertTrue(f() === 3);", K.EQUAL, "f()", "", "3"),
        ("$this->assertNull(f());", K.NONE, "f()", "", "null"),
        ("$this->assertNotNull(f());", K.NOT_NONE, "f()", "", "null"),
        ("$this->assertCount(3, f());", K.LENGTH, "f()", "", "3"),
        ("$this->assertEmpty(f());", K.LENGTH, "f()", "", "0"),
        ("$this->assertInstanceOf(A::class, f());", K.TYPE, "f()", "", "A::class"),
        ("$this->assertIsArray(f());", K.TYPE, "f()", "", "array"),
        ("$this->assertContains(1, f());", K.CONTAINS, "f()", "", "1"),
        ("$this->assertGreaterThan(2, f());", K.ORDERED, "f()", "", "> 2"),
        ("$this->assertEqualsWithDelta(1, f(), 0.1);", K.CLOSE, "f()", "", "1"),
        ("$this->expectException(A::class);", K.RAISES, "expectException", "",
         "A::class"),
        ("$this->assertTrue(true);", K.VACUOUS, "true", "", "true"),
        ("$this->assertSame(f(1), f(1));", K.VACUOUS, "f(_)", "1", "f(1)"),
        ("$this->fail();", K.CUSTOM, "fail", "", ""),
        ("$this->assertCart($cart, 3);", K.CUSTOM, "$cart ~ assertCart", "", "3"),
        ("expect(total(1))->toBe(3);", K.EQUAL, "total(_)", "1", "3"),
        ("expect(f())->not->toBeNull();", K.NOT_NONE, "f()", "", "null"),
        ("expect(f())->toHaveCount(2);", K.LENGTH, "f()", "", "2"),
        ("expect(f());", K.VACUOUS, "f()", "", ""),
    ],
)  # fmt: skip
def test_an_assertion_of_php_is_read_as_what_it_says(
    line: str, kind: AssertionKind, subject: str, inputs: str, expected: str
) -> None:
    found = one(line)

    assert (kind, subject, inputs, expected) == (
        found.kind,
        found.subject,
        found.inputs,
        found.expected,
    )


CLASS = """<?php
use PHPUnit\\Framework\\TestCase;

final class CartTest extends TestCase
{
    private const TOTAL = 3;

    protected function setUp(): void
    {
        $this->cart = new Cart();
    }

    /**
     * @dataProvider rows
     */
    public function testAdds(int $a, int $b): void
    {
        $sum = $this->cart->add($a);
        self::assertSame($b, $sum);
    }

    #[Test]
    public function has_a_total(): void
    {
        $this->assertSame(self::TOTAL, $this->cart->total());
    }

    #[RequiresPhp('>= 8.2')]
    public function testNewer(): void
    {
        $this->assertSame(1, f());
    }

    public function testUnix(): void
    {
        if (PHP_OS_FAMILY === 'Windows') {
            $this->markTestSkipped('why');
        }
        $this->assertSame(1, f());
    }

    public static function rows(): iterable
    {
        yield 'one' => [1, 2];
        yield [3, 4];
    }

    private function helper(): void
    {
    }
}
"""


def named(text: str) -> dict[str, WrittenTest]:
    return {each.names[-1]: each for each in php.read(text).tests}


def test_tests_are_told_by_name_attribute_and_annotation() -> None:
    tests = named(CLASS)

    assert {"testAdds", "has_a_total", "testNewer", "testUnix"} == set(tests)
    assert ("CartTest", "testAdds") == tests["testAdds"].names


def test_rows_come_from_the_provider() -> None:
    demands = named(CLASS)["testAdds"].demands

    assert ["1, 2", "3, 4"] == [
        each.expected for each in demands if each.aspect is Aspect.ROW
    ]
    assert ("new Cart()->add(_)", "$row0", "$row1", Source.ROW) == (
        demands[-1].subject,
        demands[-1].inputs,
        demands[-1].expected,
        demands[-1].source,
    )


def test_what_set_up_and_constants_hold_is_said_in_the_test() -> None:
    test = named(CLASS)["has_a_total"]

    assert ("new Cart()->total()", "3") == (
        test.demands[0].subject,
        test.demands[0].expected,
    )
    assert {"CartTest > setUp", "CartTest > TOTAL"} == test.uses


def test_skips_of_phpunit_are_told_with_their_conditions() -> None:
    tests = named(CLASS)
    newer, unix = tests["testNewer"].demands[0], tests["testUnix"].demands[0]

    assert (Aspect.SKIP, 'not RequiresPhp(">= 8.2")') == (newer.aspect, newer.expected)
    assert (Aspect.SKIP, 'PHP_OS_FAMILY === "Windows"') == (unix.aspect, unix.expected)


PEST = """<?php
beforeEach(function () { $this->cart = new Cart(); });

it('adds', function (int $a) {
    expect($this->cart->add($a))->toBe(3)->and($a)->toBeGreaterThan(0);
})->with([1, 2]);

test('later')->todo();
it('is skipped', fn () => expect(f())->toBe(1))->skip();
it('throws', function () { f(); })->throws(A::class);
"""


def test_tests_of_pest_are_read() -> None:
    tests = named(PEST)
    kinds = [each.kind for each in tests["it adds"].demands]

    assert {"it adds", "later", "it is skipped", "it throws"} == set(tests)
    assert [None, None, K.EQUAL, K.ORDERED] == kinds
    assert Aspect.SKIP is tests["it is skipped"].demands[0].aspect
    assert K.RAISES is tests["it throws"].demands[0].kind


def test_swallowed_errors_and_dead_code_are_told() -> None:
    swallowed = body("try { $this->assertSame(1, f()); } catch (E $e) { }")
    dead = body("return; $this->assertSame(1, f());")

    assert Aspect.SWALLOWED is swallowed[0].aspect
    assert [Aspect.UNREACHABLE] == [each.aspect for each in dead]


def test_a_stand_in_is_told_with_its_answer() -> None:
    found = body("$m = $this->createMock(A::class); $m->method('b')->willReturn(3);")

    assert ("$this->createMock(A::class)->b", "willReturn(3)") == (
        found[-1].subject,
        found[-1].expected,
    )


def test_broken_php_can_not_be_read() -> None:
    with pytest.raises(CannotRead, match="line"):
        php.read("<?php class A { function testIt() { f(; }")
