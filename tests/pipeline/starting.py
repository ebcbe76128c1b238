"""Repositories that a first configuration is written for, and what was written."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from specimens import commit, git

from fairtrial.cli import main

CONFIGURATION = ".fairtrial.yml"
WORKFLOW = ".github/workflows/fairtrial.yml"
#: One small project of each runner, by the files that tell it.
PROJECTS: Mapping[str, Mapping[str, str]] = {
    "pytest": {
        "cart.py": "def total(prices):\n    return sum(prices)\n",
        "tests/test_cart.py": "import cart\n\n\ndef test_total():\n"
        "    assert cart.total([1, 2]) == 3\n",
        "conftest.py": "",
    },
    "unittest": {
        "Makefile": "test:\n\tpython -m unittest discover -s tests\n",
        "tests/test_cart.py": "import unittest\n\n\nclass Cart(unittest.TestCase):\n"
        "    def test_total(self):\n        self.assertEqual(3, 1 + 2)\n",
    },
    "django": {
        "manage.py": "# Django's command line\nimport django\n",
        "shop/tests.py": "from django.test import TestCase\n",
        "requirements.txt": "django\n",
    },
    "go": {
        "go.mod": "module example.test/cart\n\ngo 1.19\n",
        "cart_test.go": "package cart\n",
    },
    "cargo": {
        "Cargo.toml": '[package]\nname = "cart"\nversion = "0.1.0"\n',
        "src/lib.rs": "#[cfg(test)]\nmod tests {\n    #[test]\n    fn it() {}\n}\n",
    },
    "jest": {
        "package.json": '{"scripts": {"test": "jest"}, "engines": {"node": ">=20"},'
        ' "devDependencies": {"jest": "^30"}}',
        "cart.test.js": "test('it', () => {});\n",
    },
    "vitest": {
        "package.json": '{"scripts": {"test": "vitest run"},'
        ' "devDependencies": {"vitest": "^4"}}',
        "cart.test.js": "import {test} from 'vitest';\n",
    },
    "mocha": {
        "package.json": '{"scripts": {"test": "mocha"},'
        ' "devDependencies": {"mocha": "^12"}}',
        "test/cart.js": "describe('cart', () => {});\n",
    },
    "playwright": {
        "package.json": '{"scripts": {"test": "playwright test"},'
        ' "devDependencies": {"@playwright/test": "^1.65"}}',
        "playwright.config.js": "module.exports = {};\n",
        "tests/cart.spec.js": "const {test} = require('@playwright/test');\n",
    },
    "maven": {
        "pom.xml": "<project><modelVersion>4.0.0</modelVersion>"
        "<groupId>e.t</groupId><artifactId>cart</artifactId><version>1</version>"
        "<properties><maven.compiler.release>21</maven.compiler.release></properties>"
        "<dependencies><dependency><groupId>junit</groupId><artifactId>junit"
        "</artifactId><version>4.13.2</version></dependency></dependencies></project>",
        "src/test/java/CartTest.java": "class CartTest { @org.junit.Test public void"
        " it() {} }\n",
    },
    "gradle": {
        "build.gradle": "plugins { id 'java' }\nsourceCompatibility = '1.8'\n"
        "dependencies { testImplementation 'junit:junit:4.13.2' }\n",
        "settings.gradle": "rootProject.name = 'cart'\n",
        "src/test/java/CartTest.java": "class CartTest { @org.junit.Test public void"
        " it() {} }\n",
    },
    "rspec": {
        "Gemfile": "source 'https://example.test'\ngem 'rspec'\n",
        ".rspec": "--require spec_helper\n",
        ".ruby-version": "3.3\n",
        "spec/cart_spec.rb": "RSpec.describe('cart') { it('adds') { } }\n",
    },
    "phpunit": {
        "composer.json": '{"require-dev": {"phpunit/phpunit": "^9"}}',
        "phpunit.xml": "<phpunit><testsuites><testsuite name='all'>"
        "<directory>tests</directory></testsuite></testsuites></phpunit>",
        "tests/CartTest.php": "<?php class CartTest extends"
        " PHPUnit\\Framework\\TestCase {}\n",
    },
    "ctest": {
        "CMakeLists.txt": "project(cart)\nenable_testing()\nfind_package(GTest"
        " REQUIRED)\nadd_executable(cart_test t.cpp)\nadd_test(NAME it COMMAND"
        " cart_test)\ngtest_discover_tests(cart_test)\n",
        "t.cpp": "#include <gtest/gtest.h>\nTEST(Cart, It) {}\n",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One call of `fairtrial init`."""

    code: int
    out: str
    err: str


def repository(folder: Path, files: Mapping[str, str]) -> Path:
    """A repository with these files committed on its branch `main`."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, files, "Base")
    return folder


def under(prefix: str, files: Mapping[str, str]) -> dict[str, str]:
    """The same files in a folder."""
    return {f"{prefix}/{path}": text for path, text in files.items()}


def init(folder: Path, *more: str) -> Told:
    """`fairtrial init`, as its own process would say it."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["init", f"--repo={folder}", *more])
    return Told(code=code, out=out.getvalue(), err=err.getvalue())
