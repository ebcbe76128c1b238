from __future__ import annotations

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.policy.paths_imports import imported_by_production

HELPERS = RepoPath("tests/helpers.py")


def found(
    production: dict[str, str], tests: dict[str, str], *suspects: str
) -> dict[str, str]:
    def encoded(files: dict[str, str]) -> dict[RepoPath, bytes]:
        return {RepoPath(path): text.encode() for path, text in files.items()}

    wanted = [RepoPath(each) for each in suspects or (HELPERS,)]
    importers = imported_by_production(wanted, encoded(production), encoded(tests))
    return {str(path): str(importer) for path, importer in importers.items()}


@pytest.mark.parametrize(
    "text",
    [
        "import tests.helpers",
        "import tests.helpers as h",
        "from tests import helpers",
        "from tests.helpers import make",
        "from tests.helpers import *",
        "def f():\n    from tests import helpers\n",
        "from tests import (\n    other,\n    helpers,\n)\n",
        "from tests import other, \\\n    helpers\n",
        "import importlib\nimportlib.import_module('tests.helpers')\n",
        "import_module(name='tests.helpers')",
        "import_module('.helpers', package='tests')",
        "import_module('.helpers', 'tests')",
        "__import__('tests.helpers', fromlist=['make'])",
        "pkgutil.resolve_name('tests.helpers:make')",
        "import_string('tests.helpers.make')",
        "runpy.run_path('tests/helpers.py')",
        "spec_from_file_location('helpers', 'tests/helpers.py')",
        "spec_from_file_location('h', str(ROOT / 'tests/helpers.py'))",
        "if TYPE_CHECKING:\n    from tests.helpers import make\n",
        "try:\n    import tests.helpers\nexcept ImportError:\n    pass\n",
        "print 'python 2'\nfrom tests import helpers\n",
    ],
)
def test_every_way_to_import_counts(text: str) -> None:
    tests = {HELPERS: "", "tests/__init__.py": ""}

    assert {HELPERS: "src/app.py"} == found({"src/app.py": text}, tests)


def test_a_relative_import_is_resolved_by_the_importers_folder() -> None:
    helper = "src/pkg/tests/helpers.py"

    assert {helper: "src/pkg/app.py"} == found(
        {"src/pkg/app.py": "from .tests import helpers\n"}, {helper: ""}, helper
    )
    assert {helper: "src/pkg/sub/app.py"} == found(
        {"src/pkg/sub/app.py": "from ..tests.helpers import x\n"}, {helper: ""}, helper
    )


def test_folders_need_no_init_file() -> None:
    helper = "tests/deep/helpers.py"

    for text in ("import tests.deep.helpers", "from tests.deep import helpers"):
        assert {helper: "app.py"} == found({"app.py": text}, {helper: ""}, helper)


def test_importing_a_module_runs_its_packages_too() -> None:
    package = "tests/support/__init__.py"
    tests = {package: "", "tests/support/deep.py": ""}

    assert {package: "app.py"} == found(
        {"app.py": "import tests.support.deep\n"}, tests, package
    )


def test_an_import_by_way_of_another_test_module_counts() -> None:
    tests = {
        HELPERS: "",
        "tests/between.py": "from tests.helpers import a\n",
        "tests/test_a.py": "from tests import between\n",
    }

    assert {HELPERS: "app.py"} == found({"app.py": "import tests.between"}, tests)


def test_test_modules_that_import_each_other_in_a_circle_end() -> None:
    tests = {
        HELPERS: "import tests.other",
        "tests/other.py": "import tests.helpers",
    }

    assert {} == found({"app.py": "import os"}, tests)


@pytest.mark.parametrize(
    "text",
    [
        "import helpers",
        "from app import helpers",
        "# import tests.helpers",
        "x = 'from tests import helpers'",
        "import tests.helpers_of_mine",
        "from . import helpers",
        "log('tests.helpers')",
        "import_module('helpers')",
        "import_module(name)",
        "run_path('helpers.py')",
    ],
)
def test_another_module_of_that_name_does_not_count(text: str) -> None:
    production = {"src/app.py": text, "src/helpers.py": "", "tests_x/helpers.py": ""}

    assert {} == found(production, {HELPERS: ""})


def test_only_tests_importing_a_helper_leave_it_a_test() -> None:
    assert {} == found(
        {"app.py": ""}, {HELPERS: "", "tests/test_a.py": "from tests import helpers"}
    )
