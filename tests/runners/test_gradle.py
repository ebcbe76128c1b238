"""Gradle itself, as Debian has it, on a small project with JUnit 4."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent
from fairtrial.runners import gradle


def detected(*paths: str) -> list[tuple[str, str, str]]:
    found = gradle.detect([RepoPath(path) for path in paths], lambda _: "")
    return [(each.name, each.folder, each.command) for each in found]


def test_a_build_with_tests_is_one_suite_however_many_modules_it_has() -> None:
    assert [("gradle", "", "sh ./gradlew test")] == detected(
        "settings.gradle.kts",
        "gradlew",
        "core/build.gradle.kts",
        "core/src/test/kotlin/ATest.kt",
        "web/build.gradle.kts",
    )


def test_builds_beside_each_other_are_suites_of_their_own() -> None:
    assert [
        ("gradle-a", "a", "gradle test"),
        ("gradle-b-c", "b/c", "gradle test"),
    ] == detected(
        "a/build.gradle",
        "a/src/test/java/ATest.java",
        "b/c/settings.gradle",
        "b/c/m/src/integrationTest/java/BTest.java",
        "docs/build.gradle",
    )


def test_without_tests_there_is_no_suite() -> None:
    assert [] == detected("build.gradle", "src/main/java/A.java")


def test_what_configures_a_build_is_there_when_packages_are_fetched() -> None:
    files = {
        RepoPath(path): FileContent(mode=0o100644, data=b"")
        for path in (
            "build.gradle.kts",
            "core/build.gradle",
            "gradle/libs.versions.toml",
            "gradle/wrapper/gradle-wrapper.jar",
            "buildSrc/src/main/kotlin/conventions.gradle.kts",
            "gradlew",
            "src/main/java/A.java",
        )
    }

    setup = gradle.setup(files, "", None)

    own = {path for path in setup.prepare_files if not path.startswith(".fairtrial")}
    assert set(files) - {RepoPath("src/main/java/A.java")} == own


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gradle") is None, reason="Gradle is not installed")
def test_the_init_script_does_nothing_without_a_mode(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "init.d").mkdir(parents=True)
    script = Path(gradle.__file__).parents[1] / "injected/jvm/gradle/fairtrial.gradle"
    shutil.copy(script, home / "init.d")
    (tmp_path / "build.gradle").write_text("task hello { doLast { println 'hi' } }\n")
    (tmp_path / "settings.gradle").write_text("")

    done = subprocess.run(
        ["gradle", "--no-daemon", "--offline", "-q", "tasks", "--all"],
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "GRADLE_USER_HOME": str(home),
            "HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stderr
    assert "hello" in done.stdout
    assert "fairtrial" not in done.stdout
