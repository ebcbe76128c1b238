from __future__ import annotations

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.policy.paths_uses import used_by_production

HELPER = "test/helper.js"
CLASS = "src/test/java/shop/util/Clock.java"


def found(
    production: dict[str, str], tests: dict[str, str], *suspects: str
) -> dict[str, str]:
    def encoded(files: dict[str, str]) -> dict[RepoPath, bytes]:
        return {RepoPath(path): text.encode() for path, text in files.items()}

    wanted = [RepoPath(each) for each in suspects or tests]
    uses = used_by_production(wanted, encoded(production), encoded(tests))
    return {str(path): str(user) for path, user in uses.items()}


@pytest.mark.parametrize(
    "text",
    [
        "const h = require('../test/helper')",
        'const h = require( "../test/helper.js" )',
        "import h from '../test/helper.js'",
        "import {\n  a,\n  b\n} from '../test/helper'",
        "import '../test/helper'",
        "export * from '../test/helper'",
        "const h = await import('../test/helper')",
        "const h = await import(`./../test/./helper`)",
    ],
)
def test_every_way_to_load_a_script_counts(text: str) -> None:
    assert {HELPER: "src/app.js"} == found({"src/app.js": text}, {HELPER: ""})


@pytest.mark.parametrize(
    ("text", "helper"),
    [
        ("import '../test/helper'", "test/helper.ts"),
        ("import '../test/helper.js'", "test/helper.ts"),
        ("import '../test/helper'", "test/helper/index.tsx"),
        ("import '../test'", "test/index.js"),
    ],
)
def test_suffixes_and_folders_are_found_as_bundlers_find_them(
    text: str, helper: str
) -> None:
    assert {helper: "src/app.ts"} == found({"src/app.ts": text}, {helper: ""})


@pytest.mark.parametrize(
    "text",
    [
        "require('helper')",
        "require('./helper')",
        "require('../test/helpers')",
        "load('../test/helper')",
        "require(name)",
    ],
)
def test_another_script_does_not_count(text: str) -> None:
    assert {} == found({"src/app.js": text, "src/helper.js": ""}, {HELPER: ""})


def test_a_script_by_way_of_another_test_script_counts() -> None:
    tests = {
        HELPER: "require('./app.test')",
        "test/between.js": "require('./helper')",
        "test/app.test.js": "require('./between')",
    }

    assert {HELPER: "app.js"} == found(
        {"app.js": "require('./test/between')"}, tests, HELPER
    )


@pytest.mark.parametrize(
    "text",
    [
        "package shop;\nimport shop.util.Clock;\n",
        "import shop.util.Clock",
        "  import static shop.util.Clock.now;\n",
    ],
)
def test_a_class_that_only_the_tests_hold_is_used_by_its_full_name(text: str) -> None:
    main = "src/main/java/shop/App.java"

    assert {CLASS: main} == found({main: text}, {CLASS: ""})


def test_a_class_that_production_holds_itself_is_its_own() -> None:
    production = {
        "core/src/main/java/shop/util/Clock.java": "",
        "app/src/main/kotlin/shop/App.kt": "import shop.util.Clock",
    }

    assert {} == found(production, {CLASS: ""})


def test_without_a_suspect_nothing_is_read() -> None:
    assert {} == used_by_production([], {RepoPath("a.js"): b"require('./b')"}, {})


def test_long_hostile_sources_take_no_time() -> None:
    text = "import " * 50_000 + "require(" + " " * 100_000 + "from '" * 20_000

    assert {} == found({"src/app.js": text, "src/main/java/A.java": text}, {HELPER: ""})
