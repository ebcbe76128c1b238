"""Repository files that act on pytest itself are named in the report."""

from __future__ import annotations

from tests.runners.specimen import Specimen

from fairtrial.domain.names import RepoPath


def test_files_with_hooks_are_named_and_those_with_fixtures_are_not(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "conftest.py": """
                from brought import *
                pytest_plugins = ["hooks", "supplies", "objects", "wrapped"]
                def pytest_sessionstart(): pass
            """,
            "brought.py": "def pytest_report_header(): return 'brought'",
            "hooks.py": "def pytest_runtest_setup(): pass",
            "wrapped.py": """
                import contextlib
                @contextlib.contextmanager
                def pytest_collection_modifyitems(): yield
            """,
            "objects.py": """
                class Plugin:
                    def pytest_runtest_teardown(self): pass
                def pytest_configure(config): config.pluginmanager.register(Plugin())
            """,
            "supplies.py": """
                import pytest
                @pytest.fixture
                def one(): return 1
            """,
            "test_a.py": "def test_a(one): pass",
        }
    )
    steering = ("conftest", "brought", "hooks", "objects", "wrapped")
    expected = {RepoPath(f"{name}.py") for name in steering}

    assert expected == specimen.whole().steering
    assert expected == specimen.inventory().steering
