"""What is handed into a trial: the files that report from inside pytest.

They run in the project's own interpreter and are never imported by the gate.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Final

#: The plugin comes first; the others are what it imports.
PYTEST_PLUGIN: Final = (
    "fairtrial_pytest.py",
    "fairtrial_selection.py",
    "fairtrial_again.py",
    "fairtrial_witness.py",
    "fairtrial_frames.py",
    "fairtrial_coverage.py",
    "fairtrial_guard.py",
    "fairtrial_aside.py",
    "fairtrial_names.py",
    "fairtrial_reach.py",
    "fairtrial_tasks.py",
    "fairtrial_waits.py",
    "fairtrial_search.py",
    "fairtrial_search_files.py",
    "fairtrial_search_forks.py",
    "fairtrial_search_hostile.py",
    "fairtrial_search_sets.py",
    "fairtrial_state.py",
    "fairtrial_state_parts.py",
    "fairtrial_state_shown.py",
    "fairtrial_state_globals.py",
    "fairtrial_state_undo.py",
    "fairtrial_state_fixtures.py",
    "fairtrial_state_fork.py",
    "fairtrial_state_files.py",
)

#: What unittest and Django run with; the first is found as `sitecustomize.py`.
UNITTEST_PLUGIN: Final = (
    "fairtrial_site.py",
    "fairtrial_unittest.py",
    "fairtrial_session.py",
    "fairtrial_cases.py",
    "fairtrial_modules.py",
    "fairtrial_django.py",
    "fairtrial_apps.py",
    "fairtrial_witness.py",
    "fairtrial_frames.py",
    "fairtrial_guard.py",
    "fairtrial_aside.py",
    "fairtrial_names.py",
    "fairtrial_reach.py",
    "fairtrial_tasks.py",
    "fairtrial_waits.py",
)


def unittest_plugin() -> Mapping[str, bytes]:
    """What reports from inside unittest; it needs the standard library only."""
    folder = files(__name__)
    found = {name: folder.joinpath(name).read_bytes() for name in UNITTEST_PLUGIN}
    return {"sitecustomize.py": found.pop(UNITTEST_PLUGIN[0]), **found}


def pytest_plugin() -> Mapping[str, bytes]:
    """The plugin's files by name; it needs the standard library and pytest only."""
    folder = files(__name__)
    return {name: folder.joinpath(name).read_bytes() for name in PYTEST_PLUGIN}
