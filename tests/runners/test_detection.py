"""How a bench is prepared and built for each way to declare dependencies."""

from __future__ import annotations

import textwrap

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent, Setup
from fairtrial.runners.detection import CONSTRAINTS, REQUIREMENTS, setup_of
from fairtrial.runners.manifests import poetry


def detected(files: dict[str, str]) -> Setup:
    return setup_of(
        {
            RepoPath(path): FileContent(
                mode=0o100644, data=textwrap.dedent(text).encode()
            )
            for path, text in files.items()
        }
    )


def written(setup: Setup, path: str = REQUIREMENTS) -> list[str]:
    return setup.prepare_files[RepoPath(path)].data.decode().splitlines()


def test_a_bare_folder_of_tests_gets_pytest_and_nothing_to_build() -> None:
    setup = detected({"test_a.py": "def test_a(): pass"})

    assert ["pytest"] == written(setup)
    assert () == setup.build
    assert (f"python -m pip install -r {REQUIREMENTS}",) == setup.prepare
    assert "pip: pytest, which nothing names" == setup.origin


def test_dependencies_the_test_extra_and_the_backend_come_from_pyproject() -> None:
    setup = detected(
        {
            "pyproject.toml": """
                [build-system]
                requires = ["hatchling"]
                build-backend = "hatchling.build"
                [project]
                name = "My.Cart"
                dependencies = ["click>=8"]
                [project.optional-dependencies]
                http = ["requests"]
                test = ["my-cart[http]", "pytest>=8"]
                dev = ["ruff"]
                docs = ["sphinx"]
            """
        }
    )

    assert ["click>=8", "pytest>=8", "requests", "hatchling", "editables"] == (
        written(setup)
    )
    assert 1 == len(setup.build)
    assert "--no-index" in setup.build[0]
    assert "pip: dependencies, extra test; installed in place" == setup.origin


def test_dependency_groups_may_include_each_other() -> None:
    setup = detected(
        {
            "pyproject.toml": """
                [project]
                name = "cart"
                dependencies = []
                [dependency-groups]
                lint = ["ruff", {include-group = "dev"}]
                dev = ["pytest", {include-group = "lint"}]
            """,
            "uv.lock": """
                version = 1
                [[package]]
                name = "cart"
                version = "0"
                source = { virtual = "." }
                [[package]]
                name = "pytest"
                version = "8.3.5"
                source = { registry = "somewhere" }
                [[package]]
                name = "numpy"
                version = "1.0"
                [[package]]
                name = "numpy"
                version = "2.0"
            """,
        }
    )

    assert ["pytest", "ruff"] == written(setup)
    assert ["pytest==8.3.5"] == written(setup, CONSTRAINTS)
    assert f"-c {CONSTRAINTS}" in setup.prepare[0]
    assert () == setup.build
    assert "uv: dependencies, group dev; versions from uv.lock" == setup.origin


@pytest.mark.parametrize(
    ("more", "lock", "builds"),
    [
        ("", "", False),
        ("[tool.uv]\npackage = true\n", "", True),
        ("[tool.setuptools]\npackages = ['cart']\n", "", True),
        ("", '[[package]]\nname = "cart"\nsource = { editable = "." }\n', True),
        ("", '[[package]]\nname = "cart"\nsource = { virtual = "." }\n', False),
        ("[build-system]\nrequires = []\n[tool.uv]\npackage = false\n", "", False),
        ("[build-system]\n[tool.poetry]\npackage-mode = false\n", "", False),
    ],
)
def test_a_folder_is_a_package_where_something_says_so(
    more: str,
    lock: str,
    builds: bool,
) -> None:
    files = {"pyproject.toml": f'[project]\nname = "cart"\n{more}', "uv.lock": lock}

    assert builds is bool(detected(files).build)


def test_poetry_is_read_without_poetry() -> None:
    setup = detected(
        {
            "pyproject.toml": """
                [build-system]
                requires = ["poetry-core"]
                build-backend = "poetry.core.masonry.api"
                [tool.poetry]
                name = "cart"
                [tool.poetry.dependencies]
                python = "^3.9"
                click = "^8.1.2"
                attrs = {version = "~22.1", python = "<3.12"}
                lxml = {version = "*", optional = true}
                [tool.poetry.group.test.dependencies]
                pytest = "^0.3"
                [tool.poetry.group.dev.dependencies]
                ruff = "*"
            """
        }
    )

    assert [
        "click>=8.1.2,<9",
        'attrs>=22.1,<22.2 ; python_version < "3.12"',
        "pytest>=0.3,<0.4",
        "poetry-core",
    ] == written(setup)
    assert "pip: tool.poetry.dependencies, group test; installed in place" == (
        setup.origin
    )


def test_requirements_files_lose_the_project_itself_and_keep_its_extras() -> None:
    setup = detected(
        {
            "pyproject.toml": """
                [build-system]
                requires = ["setuptools"]
                [project]
                name = "cart"
                [project.optional-dependencies]
                fast = ["orjson"]
            """,
            "requirements.txt": "click\n",
            "requirements-dev.txt": """
                -r requirements.txt
                -c pins.txt
                -e .[fast]
                ./libs/other
                pytest-cov
            """,
            "pins.txt": "click==8.1.7\n",
            "docs/requirements.txt": "sphinx\n",
        }
    )

    assert ["orjson", "setuptools"] == written(setup)
    assert ["-r requirements.txt", "-c pins.txt", "pytest-cov"] == [
        line.strip() for line in written(setup, "requirements-dev.txt") if line.strip()
    ]
    assert {"pins.txt", "requirements.txt"} <= setup.prepare_files.keys()
    assert "docs/requirements.txt" not in setup.prepare_files
    files = "-r requirements.txt -r requirements-dev.txt"
    assert (f"python -m pip install {files} -r {REQUIREMENTS}",) == setup.prepare
    assert setup.origin.endswith("not read: ./libs/other in requirements-dev.txt")


def test_a_file_pinned_by_hashes_is_installed_by_itself() -> None:
    setup = detected({"requirements.txt": "click==8.1.7 --hash=sha256:00\n"})

    assert (
        "python -m pip install -r requirements.txt",
        f"python -m pip install -r {REQUIREMENTS}",
    ) == setup.prepare


def test_setup_py_is_read_as_far_as_it_is_literal() -> None:
    setup = detected(
        {
            "setup.py": """
                from setuptools import setup
                import somewhere
                TESTS = ["mock"]
                setup(name="cart", install_requires=["six"] + TESTS,
                      tests_require=somewhere.read(),
                      extras_require={"test": TESTS + ["pytest"]})
            """
        }
    )

    assert ["six", "mock", "pytest", "setuptools>=64", "wheel"] == written(setup)
    assert "pip: setup.py, extra test; installed in place; not read: " in setup.origin
    assert "tests_require of setup.py" in setup.origin


def test_setup_cfg_names_requirements_and_extras() -> None:
    setup = detected(
        {
            "setup.cfg": """
                [metadata]
                name = cart
                [options]
                install_requires =
                    click  # the command line
                    # nothing else
                [options.extras_require]
                testing = pytest
            """,
            "setup.py": "from setuptools import setup\nsetup()\n",
        }
    )

    assert ["click", "pytest", "setuptools>=64", "wheel"] == written(setup)


def test_tox_is_asked_only_where_nothing_else_names_what_tests_need() -> None:
    tox = """
        [testenv]
        deps =
            pytest
            -r{toxinidir}/tests/needs.txt
            py38: typing
            {[base]deps}
    """

    alone = detected({"tox.ini": tox, "tests/needs.txt": "mock\n"})
    beside = detected({"tox.ini": tox, "requirements-test.txt": "pytest\n"})

    assert ["pytest"] == written(alone)
    assert "-r tests/needs.txt" in alone.prepare[0]
    assert [] == written(beside)


def test_a_pipfile_and_its_lock_are_read() -> None:
    setup = detected(
        {
            "Pipfile": """
                [packages]
                click = "*"
                [dev-packages]
                pytest = ">=7"
            """,
            "Pipfile.lock": '{"default": {"click": {"version": "==8.1.7"}}}',
        }
    )

    assert ["click", "pytest>=7"] == written(setup)
    assert ["click==8.1.7"] == written(setup, CONSTRAINTS)


@pytest.mark.parametrize(
    ("constraint", "specifier"),
    [
        ("*", ""),
        ("^1.2.3", ">=1.2.3,<2"),
        ("^0.2.3", ">=0.2.3,<0.3"),
        ("^0.0.3", ">=0.0.3,<0.0.4"),
        ("^0.0", ">=0.0,<0.1"),
        ("~1.2.3", ">=1.2.3,<1.3"),
        ("~1", ">=1,<2"),
        ("~=1.4", "~=1.4"),
        ("1.2.*", "==1.2.*"),
        ("1.2.3", "==1.2.3"),
        (">=1,<2", ">=1,<2"),
        (">= 1.0, < 2.0", ">=1.0,<2.0"),
    ],
)
def test_poetrys_constraints_become_specifiers(constraint: str, specifier: str) -> None:
    assert specifier == poetry.specifier(constraint)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[project\n"),
        ("pyproject.toml", "project = 3\ndependency-groups = 'x'\n"),
        ("setup.cfg", "no section\n"),
        ("setup.py", "def (:\n"),
        ("tox.ini", "\x00"),
        ("Pipfile", "=\n"),
        ("Pipfile.lock", "[]"),
        ("uv.lock", "package = [1, {}]"),
        ("requirements.txt", "\x00\n-r requirements.txt\n"),
    ],
)
def test_a_broken_file_stops_nothing(name: str, text: str) -> None:
    setup = detected({name: text})

    assert "pytest" in written(setup)
