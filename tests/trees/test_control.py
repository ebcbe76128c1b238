from __future__ import annotations

from tests.trees.listings import Store, sides

from fairtrial.domain.names import RepoPath
from fairtrial.trees.control import ControlDifference, control_differences
from fairtrial.trees.listing import LINK


def test_only_the_control_part_of_a_mixed_file_is_shown() -> None:
    base = "[project]\nname='a'\n[tool.pytest.ini_options]\naddopts='-q'\n"
    head = "[project]\nname='b'\n[tool.pytest.ini_options]\naddopts='-x'\n"

    (found,) = control_differences(
        sides(Store(), {"pyproject.toml": base}, {"pyproject.toml": head})
    )

    assert "[tool.pytest.ini_options]\naddopts='-q'" == found.was
    assert "[tool.pytest.ini_options]\naddopts='-x'" == found.now


def test_hooks_that_come_and_files_that_go_are_shown() -> None:
    hook = "def pytest_configure(): 1"
    made = sides(
        Store(),
        {"conftest.py": "a = 1\n", "tox.ini": "[tox]\n", "src/a.py": "1"},
        {"conftest.py": f"a = 1\n{hook}\n", "src/a.py": "2"},
    )

    assert (
        ControlDifference(path=RepoPath("conftest.py"), was="", now=hook),
        ControlDifference(path=RepoPath("tox.ini"), was="[tox]\n", now=None),
    ) == control_differences(made)


def test_what_can_not_be_told_apart_is_shown_as_a_whole() -> None:
    broken = "def (:\n"
    store = Store()
    made = sides(
        store,
        {"conftest.py": "a = 1\n", "pytest.ini": store.entry("x", LINK)},
        {"conftest.py": broken, "pytest.ini": b"\xff"},
    )

    conftest, ini = control_differences(made)

    assert broken == conftest.now
    assert ("x", "\ufffd") == (ini.was, ini.now)


def test_a_change_without_control_has_no_difference() -> None:
    assert () == control_differences(sides(Store(), {"a.py": "1"}, {"a.py": "2"}))
