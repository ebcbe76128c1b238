"""How often honest commits look as if production recognised the tests.

    python bench/recognition.py N REPOSITORY…

Searches the last N commits of each repository (clones with history) that change
production, as the gate would, and prints what it found and the rate.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from tables import markdown

from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import PathClass
from fairtrial.integrity.recognition import sources as recognition
from fairtrial.integrity.recognition.sources import Recognised, SourceChange
from fairtrial.policy.paths import classify


def git(repository: str, *arguments: str) -> bytes | None:
    """What git prints; None where it fails, as for a file that is not there."""
    done = subprocess.run(
        ["git", "-C", repository, *arguments], capture_output=True, check=False
    )
    return done.stdout if done.returncode == 0 else None


def text(repository: str, name: str) -> str | None:
    """A file's text at a commit."""
    data = git(repository, "show", name)
    return None if data is None else data.decode("utf-8", "replace")


def changes(repository: str, commit: str) -> Iterator[SourceChange]:
    """The changed files of production."""
    listed = git(repository, "diff-tree", "-r", "--name-only", f"{commit}^", commit)
    for name in (listed or b"").decode("utf-8", "replace").splitlines():
        path = RepoPath(name)
        production = classify(path).path_class is PathClass.PRODUCTION
        if production and recognition.is_read(path):
            yield SourceChange(
                path=path,
                base=text(repository, f"{commit}^:{name}"),
                head=text(repository, f"{commit}:{name}"),
            )


def literals(repository: str, commit: str) -> frozenset[str]:
    """All literals of the tests."""
    found: set[str] = set()
    listed = git(repository, "ls-tree", "-r", "--name-only", commit) or b""
    for name in listed.decode("utf-8", "replace").splitlines():
        path = RepoPath(name)
        if classify(path).path_class is PathClass.TEST and recognition.is_read(path):
            found |= recognition.literals_of(
                path, text(repository, f"{commit}:{name}") or ""
            )
    return frozenset(found)


def found_in(
    repository: str, commit: str, changed: tuple[SourceChange, ...]
) -> list[Recognised]:
    """What the gate would tell of one commit."""
    found = [*recognition.recognised(changed)]
    if recognition.may_special_case(changed):
        found += recognition.special_cased(changed, literals(repository, commit))
    return found


def main(arguments: list[str]) -> int:
    """Prints each finding, then the table."""
    count, *repositories = arguments
    rows = []
    for repository in repositories:
        listed = git(repository, "log", "--no-merges", "--format=%H", f"-{count}")
        told = production = 0
        for commit in (listed or b"").decode().split():
            changed = tuple(changes(repository, commit))
            production += bool(changed)
            found = found_in(repository, commit, changed)
            told += bool(found)
            for one in found:
                print(commit[:10], one.rule, f"{one.path}:{one.line}", one.text)
        rows.append([repository, str(production), str(told)])
    heads = ["repository", "commits to production", "told"]
    print(
        markdown("Production that recognises the test, in honest commits", heads, rows)
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
