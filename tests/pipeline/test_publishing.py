"""How a report's files come to lie in its folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from specimens import commit, git

from fairtrial.domain.errors import ConfigurationError, ExitCode
from fairtrial.domain.request import Request
from fairtrial.pipeline.publishing import publish
from fairtrial.pipeline.reporting import stopped_report


def test_a_report_in_the_working_tree_is_no_part_of_the_next_change(
    tmp_path: Path,
) -> None:
    git(tmp_path, "init", "--quiet")
    commit(tmp_path, {"a.py": ""}, "Base")
    request = Request(repo=tmp_path, report_dir=tmp_path / "fairtrial-report")

    publish(stopped_report(request, None, ExitCode.BUG), request)

    assert (tmp_path / "fairtrial-report" / "report.json").exists()
    assert "" == git(tmp_path, "status", "--porcelain")


def test_a_folder_that_is_a_file_is_told_as_such(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.touch()
    request = Request(repo=tmp_path, report_dir=taken)

    with pytest.raises(ConfigurationError) as wrong:
        publish(stopped_report(request, None, ExitCode.BUG), request)

    assert "--report-dir" in wrong.value.diagnostics()


def test_a_folder_of_somebody_else_gets_the_files_and_nothing_more(
    tmp_path: Path,
) -> None:
    request = Request(repo=tmp_path, report_dir=tmp_path)

    publish(stopped_report(request, None, ExitCode.BUG), request)

    assert {"report.json", "report.md"} == {path.name for path in tmp_path.iterdir()}
