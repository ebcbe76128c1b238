"""`fairtrial db clean-order`, as it is called."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from fairtrial.cli import main


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    subprocess.run(["git", *identity, *words], cwd=folder, check=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "schema.py").write_text(
        "import os, sqlite3\n"
        "c = sqlite3.connect(os.environ['LOCAL'])\n"
        "c.execute('CREATE TABLE parents (id INTEGER PRIMARY KEY)')\n"
        "c.execute('CREATE TABLE children (id INTEGER REFERENCES parents)')\n"
        "c.commit()\n"
    )
    (folder / ".fairtrial.yml").write_text(
        "suites:\n"
        "  unit:\n"
        "    prepare: []\n"
        "    build: []\n"
        "    databases:\n"
        "      local: {engine: sqlite, schema: python schema.py, env: {LOCAL: path}}\n"
        "      empty: {engine: sqlite, env: EMPTY}\n"
    )
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "base")
    return folder


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "fairtrial",
            "db",
            "clean-order",
            f"--repo={folder}",
            "--base=main",
            *options,
        ],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "XDG_CACHE_HOME": str(folder.parent / "cache")},
    )


@pytest.mark.slow
def test_the_suites_own_schema_is_built_and_read(project: Path) -> None:
    done = run(project, "--database", "local")
    assert 'DELETE FROM "children";\nDELETE FROM "parents";\n' == done.stdout
    assert 0 == done.returncode

    done = run(project, "--database", "empty")
    assert (4, "") == (done.returncode, done.stdout)
    assert "There is no table." in done.stderr


def test_which_database_is_meant_has_to_be_clear(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["db", "clean-order", f"--repo={project}", "--base=main"]
    assert 2 == main(asked)
    assert "several databases: local, empty" in capsys.readouterr().err
    assert 2 == main([*asked, "--database", "other"])
    assert "has no database other" in capsys.readouterr().err


def test_a_database_that_is_there_is_only_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "it.db"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE a (id INTEGER PRIMARY KEY, up REFERENCES a)")
    connection.commit()
    connection.close()
    before = file.read_bytes()
    monkeypatch.setenv("IT", f"sqlite:///{file}")

    assert 0 == main(["db", "clean-order", "--url-from", "IT"])
    assert (
        "-- a -> a: a table that refers to itself, which one statement empties\n"
        'DELETE FROM "a";\n'
    ) == capsys.readouterr().out
    assert before == file.read_bytes()

    both = ["db", "clean-order", "--url-from", "IT", "--database", "x"]
    assert 2 == main(both)
    monkeypatch.delenv("IT")
    assert 2 == main(["db", "clean-order", "--url-from", "IT"])
    assert "The variable IT is not set." in capsys.readouterr().err
