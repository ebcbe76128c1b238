"""What a change adds that recognises tests is found; honest code is not."""

from __future__ import annotations

import time

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.integrity.recognition.sources import (
    WHY,
    SourceChange,
    literals_of,
    may_special_case,
    recognised,
)

#: Added lines by rule; each is found, by that rule alone.
GUILTY = [
    ("test-environment-asked", "a.py", 'x = "PYTEST_CURRENT_TEST" in os.environ'),
    ("test-environment-asked", "a.py", "if os.getenv('PYTEST_XDIST_WORKER'): y()"),
    ("test-environment-asked", "a.ts", "if (process.env.JEST_WORKER_ID) { y() }"),
    ("test-environment-asked", "a.mjs", "const t = !!process.env.VITEST;"),
    ("test-environment-asked", "a.go", 'os.Getenv("FAIRTRIAL_PLAN")'),
    ("ci-environment-asked", "a.py", 'if os.environ.get("CI"): y()'),
    ("ci-environment-asked", "a.py", 'fast = "GITHUB_ACTIONS" in os.environ'),
    ("ci-environment-asked", "a.js", "if (process.env.CI) y();"),
    ("ci-environment-asked", "A.java", 'class A { String a = System.getenv("CI"); }'),
    ("ci-environment-asked", "a.rb", "x = ENV['GITHUB_ACTIONS']"),
    ("ci-environment-asked", "a.rs", 'fn f() { std::env::var("CI"); }'),
    ("ci-environment-asked", "a.php", "<?php if (getenv('CI')) { y(); }"),
    ("test-mode-asked", "a.ts", 'if (process.env.NODE_ENV === "test") { y() }'),
    ("test-mode-asked", "a.rb", "return 1 if Rails.env.test?"),
    ("test-runner-asked", "a.py", 'if "pytest" in sys.modules: y()'),
    ("test-runner-asked", "a.py", "if sys.modules.get('unittest'): y()"),
    ("test-runner-asked", "a.py", "if 'py.test' in sys.argv[0]: y()"),
    ("test-runner-asked", "a.py", 'if sys.argv[0].endswith("pytest"): y()'),
    ("test-runner-asked", "a.js", "if (typeof jest !== 'undefined') y();"),
    (
        "test-runner-asked",
        "A.java",
        'class A { { Class.forName("org.junit.jupiter.api.Test"); } }',
    ),
    (
        "test-runner-asked",
        "A.kt",
        'val t = System.getProperty("java.class.path").contains("junit")',
    ),
    (
        "stack-inspected",
        "a.py",
        'for f in inspect.stack():\n    if "test_" in f.filename: y()',
    ),
    ("stack-inspected", "a.py", 'x = sys._getframe(1).f_code.co_name\n"test" in x'),
    ("stack-inspected", "a.js", "if (new Error().stack.includes('.test.js')) y();"),
    (
        "stack-inspected",
        "A.java",
        'class A { boolean a = some(getStackTrace(), e -> e.has("junit")); }',
    ),
    ("test-framework-imported", "a.py", "import pytest"),
    ("test-framework-imported", "a.py", "from _pytest.reports import TestReport"),
    ("test-framework-imported", "a.py", "    import fairtrial_witness"),
    ("test-framework-imported", "a.py", "from unittest import case"),
    ("test-framework-imported", "a.js", "const v = require('vitest');"),
    ("test-framework-imported", "A.java", "import org.junit.jupiter.api.Test;"),
    ("test-framework-imported", "a.go", 'package a\nimport "testing"'),
    ("always-equal", "a.py", "class A:\n    def __eq__(self, o):\n        return True"),
    (
        "always-equal",
        "a.py",
        'class A:\n    def __ne__(self, o):\n        "Never."\n        return False',
    ),
    ("always-equal", "a.py", "class A:\n    def __lt__(self, o): return True"),
    ("always-equal", "a.js", "class A { equals(o) { return true; } }"),
    (
        "always-equal",
        "A.java",
        "class A { public boolean equals(Object o) {\n  return true;\n} }",
    ),
    ("always-equal", "A.cs", "class A { public bool Equals(object o) => true; }"),
    ("always-equal", "a.rs", "fn eq(&self, o: &Self) -> bool { true }"),
    ("always-equal", "a.rb", "class A\n  def ==(other)\n    true\n  end\nend"),
    ("early-exit", "a.py", "def f():\n    os._exit(0)"),
    ("early-exit", "a.py", "import sys\nsys.exit(0)"),
    ("early-exit", "a.py", "def f(): os.kill(os.getppid(), 9)"),
    ("early-exit", "total.js", "if (bad) process.exit(0);"),
    ("early-exit", "Total.java", "class Total { void a() { System.exit(0); } }"),
    ("exception-swallowed", "a.py", "try:\n    f()\nexcept:\n    pass"),
    ("exception-swallowed", "a.py", "try:\n    f()\nexcept AssertionError:\n    pass"),
    ("machinery-replaced", "a.py", "builtins.AssertionError = Soft"),
    ("machinery-replaced", "a.py", "unittest.TestCase.assertEqual = lambda *a: None"),
    ("machinery-replaced", "a.py", "time.perf_counter = lambda: 0"),
    ("machinery-replaced", "a.py", "sys.settrace(jump)"),
    ("machinery-replaced", "a.py", "for each in gc.get_objects(): y(each)"),
    ("machinery-replaced", "a.js", "globalThis.expect = () => soft;"),
]

#: Honest code that looks a little like it.
HONEST = [
    ("a.py", '"""Set PYTEST_CURRENT_TEST to try it; import pytest first."""'),
    ("a.py", "# if os.environ.get('CI'): pytest"),
    ("a.py", 'if os.environ.get("CITY"): y()'),
    ("a.py", 'if "json" in sys.modules: y()'),
    ("a.py", "frame = inspect.currentframe()\nname = frame.f_code.co_name"),
    ("a.py", "if sys.argv[0] == 'run': y()"),
    ("a.py", "class A:\n    def __eq__(self, o):\n        return self.a == o.a"),
    ("a.py", "class A:\n    def __eq__(self, o):\n        return NotImplemented"),
    ("a.py", "class A:\n    def __bool__(self):\n        return False"),
    ("a.py", "class A:\n    def __hash__(self):\n        return 7"),
    ("a.py", "if __name__ == '__main__':\n    sys.exit(0)"),
    ("a.py", "def main():\n    sys.exit(0)"),
    ("a.py", "try:\n    f()\nexcept OSError:\n    pass"),
    ("a.py", "try:\n    f()\nexcept BaseException:\n    undo()\n    raise"),
    ("a.py", "self.time.time = now"),
    ("a.py", "import contest\nfrom unit import testing"),
    ("src/pkg/testing.py", "import pytest"),
    ("pkg/pytest_plugin.py", "import pytest"),
    ("bin/run.js", "process.exit(0);"),
    ("a.js", "if (process.env.CITY) y();"),
    ("a.js", "class A { equals(o) { return this.a === o.a; } }"),
    ("a.js", "import axios from 'axios';"),
    ("a.ts", "if (process.env.NODE_ENV === 'production') y();"),
    ("A.java", "class A { public boolean equals(Object o) { return o == this; } }"),
    ("A.java", "import org.slf4j.Logger;"),
    ("a.txt", "import pytest"),
    ("a.min.js", "if (process.env.CI) y();"),
]


def change(
    path: str, head: str | None, base: str | None = "# base\n"
) -> tuple[SourceChange, ...]:
    return (SourceChange(path=RepoPath(path), base=base, head=head),)


@pytest.mark.parametrize(("rule", "path", "head"), GUILTY)
def test_what_recognises_tests_is_found(rule: str, path: str, head: str) -> None:
    found = recognised(change(path, head, base=None))

    assert {rule} == {each.rule for each in found}
    assert path == found[0].path
    assert found[0].why


def test_every_rule_has_a_guilty_case() -> None:
    elsewhere = {"input-special-cased", "answers-tabled"}

    assert WHY.keys() - elsewhere == {rule for rule, _, _ in GUILTY}


@pytest.mark.parametrize(("path", "head"), HONEST)
def test_honest_code_is_not_found(path: str, head: str) -> None:
    assert () == recognised(change(path, head))


def test_the_line_is_where_it_stands() -> None:
    head = '"""Says.\n\nMore.\n"""\n\nimport os\nx = os.environ["CI"]  # y\n'
    (found,) = recognised(change("a.py", head))

    assert (7, 'x = os.environ["CI"]') == (found.line, found.text)


def test_what_was_there_before_is_not_found_again_wherever_it_moves() -> None:
    text = 'if os.environ.get("CI"):\n    y()\n'
    moved = SourceChange(path=RepoPath("new.py"), base=None, head=f"def f():\n {text}")
    gone = SourceChange(path=RepoPath("old.py"), base=text, head=None)

    assert () == recognised((moved, gone))
    assert () == recognised(change("a.py", f"\n\n{text}", base=text))
    assert 1 == len(recognised(change("a.py", text + text, base=text)))


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 5000 + ")" * 5000,
        "def f(:\n  if os.environ",
        "\x00\x01\ufffd" * 100,
        "a = '" + "x" * 1_000_000 + "'",
        "if (" * 3000,
        "x = '" + "\\'" * 100_000,
        "except " * 50_000,
        "equals(" * 20_000,
        "process.env" * 50_000,
        "sys.argv " * 30_000,
        "equals()" + " " * 290_000,
        "if x == 1" + " " * 290_000,
        ("if a == " + "[" * 100) * 1000,
        ("'" + "test" * 400 + "\n") * 150,
        ("x" * 1990 + "\n") * 140,
        "/*" * 140_000,
        "`" * 290_000,
    ],
    ids=range(17),
)
@pytest.mark.parametrize("path", ["a.py", "a.js", "A.java", "a.rb"])
def test_hostile_sources_take_no_long_time(path: str, text: str) -> None:
    begun = time.process_time()
    recognised(change(path, text))
    may_special_case(change(path, text))
    literals_of(RepoPath(path), text)

    assert time.process_time() - begun < 20
