# ruff: noqa: E501 - a table with a row a line; Go is written with tabs
from __future__ import annotations

import pytest
from tests.integrity.sources import told

from fairtrial.domain.demands import Change

WEAKENED, RE_SPECIFIED = Change.WEAKENED, Change.RE_SPECIFIED

JAVA = {
    "src/test/java/shop/BaseTest.java": """\
package shop;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.BeforeEach;
public abstract class BaseTest {
  protected Cart cart;
  @BeforeEach void setUp() { cart = new Cart(1); }
  protected void check(int a, int b) { assertEquals(a, b); }
}
""",
    "src/test/java/shop/CartTest.java": """\
package shop;
import org.junit.jupiter.api.Test;
class CartTest extends BaseTest {
  @Test void sums() { check(1, cart.total()); }
}
""",
}
JAVASCRIPT = {
    "test/helpers.js": "export function check(a, b) { expect(a).toBe(b); }\n",
    "test/cart.test.js": """\
import { check } from './helpers';
test('a', () => { check(total([1]), 1); });
test('b', () => { expect(total([])).toBe(0); });
""",
}
RUBY = {
    "spec/spec_helper.rb": """\
RSpec.configure do |c|
  c.before(:each) { reset }
end
def check(a, b)
  expect(a).to eq(b)
end
""",
    "spec/cart_spec.rb": """\
require 'spec_helper'
describe Cart do
  it 'sums' do
    check(Cart.new.total, 3)
  end
  it 'is empty' do
    expect(Cart.new.size).to eq(0)
  end
end
""",
}
PHP = {
    "tests/CartTest.php": """\
<?php
namespace Tests;
use Tests\\Support\\Checks;
class CartTest extends BaseCase {
  use Checks;
  public function testA() { $this->same(1, total(1)); }
  public function testB() { $this->assertSame(1, total(1)); }
}
""",
    "tests/BaseCase.php": """\
<?php
namespace Tests;
abstract class BaseCase extends TestCase {
  protected function setUp(): void { $this->cart = new Cart(1); }
}
""",
    "tests/Support/Checks.php": """\
<?php
namespace Tests\\Support;
trait Checks { public function same($a, $b) { $this->assertSame($a, $b); } }
""",
}
GO = {
    "shop/help_test.go": """\
package shop
import "testing"
func check(t *testing.T, a, b int) {
	if a != b {
		t.Fatal(a)
	}
}
""",
    "shop/cart_test.go": """\
package shop
import "testing"
func TestA(t *testing.T) {
	check(t, total(1), 1)
}
func TestB(t *testing.T) {
	if total(2) != 2 {
		t.Fatal()
	}
}
""",
}
RUST = {
    "tests/common/mod.rs": "pub fn check(a: i32, b: i32) { assert_eq!(a, b); }\n",
    "tests/cart.rs": """\
mod common;
use common::check;
#[test]
fn a() { check(total(1), 1); }
#[test]
fn b() { common::check(total(1), 1); }
#[test]
fn c() { assert_eq!(total(1), 1); }
""",
}
CSHARP = {
    "tests/BaseTests.cs": """\
namespace Shop.Tests;
public abstract class BaseTests {
  protected void Check(int a, int b) { Assert.Equal(a, b); }
}
""",
    "tests/CartTests.cs": """\
namespace Shop.Tests;
public class CartTests : BaseTests {
  [Fact] public void A() { Check(1, Cart.Total(1)); }
}
""",
}


@pytest.mark.parametrize(
    ("files", "path", "old", "new", "expected"),
    [
        (JAVA, "src/test/java/shop/BaseTest.java", "assertEquals(a, b);", "", {"src/test/java/shop/CartTest.java::CartTest::sums": WEAKENED}),
        (JAVA, "src/test/java/shop/BaseTest.java", "new Cart(1)", "new Cart(2)", {"src/test/java/shop/CartTest.java::CartTest::sums": RE_SPECIFIED}),
        (JAVASCRIPT, "test/helpers.js", "expect(a).toBe(b);", "", {"test/cart.test.js::a": WEAKENED}),
        (RUBY, "spec/spec_helper.rb", "expect(a).to eq(b)", "a", {"spec/cart_spec.rb::Cart::sums": WEAKENED}),
        (RUBY, "spec/spec_helper.rb", "reset", "nothing", {"spec/cart_spec.rb::Cart::sums": RE_SPECIFIED, "spec/cart_spec.rb::Cart::is empty": RE_SPECIFIED}),
        (PHP, "tests/Support/Checks.php", "$this->assertSame($a, $b);", "", {"tests/CartTest.php::CartTest::testA": WEAKENED}),
        (PHP, "tests/BaseCase.php", "new Cart(1)", "new Cart(2)", {"tests/CartTest.php::CartTest::testA": RE_SPECIFIED, "tests/CartTest.php::CartTest::testB": RE_SPECIFIED}),
        (GO, "shop/help_test.go", "\tif a != b {\n\t\tt.Fatal(a)\n\t}\n", "", {"shop/cart_test.go::TestA": WEAKENED}),
        (RUST, "tests/common/mod.rs", "assert_eq!(a, b);", "", {"tests/cart.rs::a": WEAKENED, "tests/cart.rs::b": WEAKENED}),
        (CSHARP, "tests/BaseTests.cs", "Assert.Equal(a, b);", "", {"tests/CartTests.cs::CartTests::A": WEAKENED}),
    ],
)  # fmt: skip
def test_what_changed_in_one_file_reaches_the_tests_of_another(
    files: dict[str, str], path: str, old: str, new: str, expected: dict[str, Change]
) -> None:
    assert old in files[path]
    head = files | {path: files[path].replace(old, new)}

    found = told(files, head)

    assert expected == {name: each.change for name, each in found.items()}
