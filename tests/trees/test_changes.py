from __future__ import annotations

import pytest
from tests.trees.listings import Store, sides

from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import ChangeKind, PathClass
from fairtrial.trees import Entry, Rules, dependency_files, read_changes
from fairtrial.trees.listing import LINK, SUBMODULE

C = PathClass


def changes(
    base: dict[str, str | bytes | Entry],
    head: dict[str, str | bytes | Entry],
    rules: Rules | None = None,
) -> list[tuple[str, str, str]]:
    store = Store()
    found = read_changes(
        store.listing(base), store.listing(head), rules or Rules(), store.read
    )
    return [(one.path, one.kind.value, one.path_class.value) for one in found]


def test_a_rename_counts_on_both_sides() -> None:
    assert [
        ("src/cart.py", "deleted", "production"),
        ("tests/cart.py", "added", "test"),
    ] == changes({"src/cart.py": "same\n"}, {"tests/cart.py": "same\n"})


def test_a_changed_mode_is_a_change() -> None:
    store = Store()
    plain, executable = store.entry("x"), store.entry("x", 0o100755)

    assert [("run.sh", "modified", "production")] == changes(
        {"run.sh": plain}, {"run.sh": executable}
    )


def test_equal_listings_have_no_change() -> None:
    assert [] == changes({"a.py": "1"}, {"a.py": "1"})


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        ("", "[tool.pytest.ini_options]\na=1\n", ["control"]),
        ("", "[project]\ndependencies=['a']\n", ["dependencies"]),
        ("", "[tool.ruff]\na=1\n", ["production"]),
        ("[project]\nname='a'\n", "# why\n[project]\nname='a'\n", ["production"]),
        (
            "",
            "[project]\nname='a'\ndependencies=[]\n[tool.coverage.run]\na=1\n",
            ["control", "production", "dependencies"],
        ),
        ("[project]\n", "[broken", ["production"]),
    ],
)
def test_a_manifest_appears_once_for_each_class_that_differs(
    base: str, head: str, expected: list[str]
) -> None:
    found = changes({"pyproject.toml": base}, {"pyproject.toml": head})

    assert expected == [path_class for _, _, path_class in found]


@pytest.mark.parametrize(
    ("path", "base", "head", "expected"),
    [
        ("package.json", "", '{"jest": 1}', ["control"]),
        (
            "package.json",
            '{"name": "a", "engines": 1}',
            '{"name": "b", "scripts": {"test": "c"}}',
            ["control", "production", "dependencies"],
        ),
        ("package.json", "{}", "{ }", ["production"]),
        ("package.json", "{}", "{", ["production"]),
        ("pom.xml", "<project/>", "<project><parent/></project>", ["dependencies"]),
        ("pom.xml", "<project/>", "<!DOCTYPE a><project/>", ["production"]),
        ("build.gradle", "", "test { }\nversion = 1\n", ["control", "production"]),
        ("app/build.gradle.kts", "", "dependencies { }\n", ["dependencies"]),
    ],
)
def test_other_manifests_appear_once_for_each_class_that_differs(
    path: str, base: str, head: str, expected: list[str]
) -> None:
    found = changes({path: base}, {path: head})

    assert expected == [path_class for _, _, path_class in found]


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        ("a = 1\n", "a = 2\n", ["test"]),
        ("a = 1\n", "a = 1\ndef pytest_configure(): 1\n", ["control"]),
        ("a = 1\n", "def pytest_configure(): 1\n", ["control", "test"]),
        ("a = 1\n", "def (:\n", ["control"]),
        (None, "a = 1\n", ["test"]),
        ("pytest_plugins = []\n", None, ["control"]),
    ],
)
def test_a_conftest_is_control_only_where_its_control_part_differs(
    base: str | None, head: str | None, expected: list[str]
) -> None:
    def side(text: str | None) -> dict[str, str | bytes | Entry]:
        return {} if text is None else {"tests/conftest.py": text}

    found = changes(side(base), side(head))

    assert expected == [path_class for _, _, path_class in found]


def test_a_conftest_that_is_a_link_or_not_utf8_can_not_be_told() -> None:
    store = Store()
    link = store.entry("elsewhere.py", LINK)

    for strange in (link, b"a = '\xff'\n"):
        found = changes({"conftest.py": "a = 1\n"}, {"conftest.py": strange})
        assert [("conftest.py", "modified", "control")] == found


def test_a_test_module_that_production_imports_is_production_and_says_by_whom() -> None:
    helper = RepoPath("tests/helper.py")
    rules = Rules(imported={helper: RepoPath("src/app.py")})
    store = Store()

    (found,) = read_changes({}, store.listing({helper: "x"}), rules, store.read)

    assert (C.PRODUCTION, ChangeKind.ADDED) == (found.path_class, found.kind)
    assert "production uses it, by way of src/app.py" == found.reason


def test_a_changed_submodule_is_production_wherever_it_lies() -> None:
    one = Entry(mode=SUBMODULE, blob="1" * 40)
    other = Entry(mode=SUBMODULE, blob="2" * 40)

    assert [("tests/data", "modified", "production")] == changes(
        {"tests/data": one}, {"tests/data": other}
    )


def test_culprits_are_hunks_of_production_only() -> None:
    made = sides(
        Store(),
        {"src/a.py": "1\n", "tests/test_a.py": "1\n", "requirements.txt": "a\n"},
        {"src/a.py": "2\n", "tests/test_a.py": "2\n", "requirements.txt": "b\n"},
    )

    assert ["src/a.py"] == list(made.changes)


def test_documents_are_the_last_to_be_suspected() -> None:
    new = {"README.md": "x", "src/z.py": "x", "shop/migrations/1.py": "x"}

    made = sides(Store(), {}, dict(new))

    assert ["shop/migrations/1.py", "src/z.py", "README.md"] == list(made.changes)


def test_prepare_depends_on_manifests_lock_files_and_setup_py() -> None:
    store = Store()
    listing = store.listing(
        {
            "pyproject.toml": "",
            "setup.py": "",
            "uv.lock": "",
            "requirements/dev.txt": "",
            "src/app.py": "",
            "tests/conftest.py": "",
        }
    )

    found = dependency_files(listing, Rules(), store.read)

    assert {"pyproject.toml", "setup.py", "uv.lock", "requirements/dev.txt"} == (
        set(found)
    )
