from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.subject.repositories import Repository, repository

from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.names import RepoPath
from fairtrial.domain.request import Request
from fairtrial.domain.settings import Authority
from fairtrial.domain.trees import BASE, BASE_TESTS, HEAD
from fairtrial.subject import EventKind, Subject, open_repository, read_subject
from fairtrial.subject.subject import EQUAL_TREES
from fairtrial.trees import compose, contents, delta


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = repository(tmp_path / "repo")
    made.commit(
        {
            "src/shop/__init__.py": "",
            "src/shop/cart.py": "def total():\n    return 1\n",
            "tests/__init__.py": "",
            "tests/helpers.py": "ONE = 1\n",
            "tests/test_cart.py": "def test_total(): pass\n",
            "pyproject.toml": "[project]\nname = 'shop'\n",
        }
    )
    return made


def read(repo: Repository, **request: object) -> Subject:
    asked = Request(repo=repo.path, **request)  # type: ignore[arg-type]
    with open_repository(repo.path, {}) as git:
        return read_subject(git, asked)


def classes(subject: Subject) -> list[tuple[str, str]]:
    return [(change.path, change.path_class.value) for change in subject.changed]


def test_a_working_tree_is_judged_against_what_is_committed(repo: Repository) -> None:
    repo.write({"src/shop/cart.py": "def total():\n    return 2\n", "notes.md": "x"})

    subject = read(repo)

    assert subject.working_tree
    assert not subject.equal
    assert (repo.head(), repo.head()) == (subject.head, subject.base)
    assert [("notes.md", "neutral"), ("src/shop/cart.py", "production")] == (
        classes(subject)
    )
    assert subject.touches_production
    assert ["src/shop/cart.py:2-2"] == [
        hunk.id for hunk in subject.sides.changes[RepoPath("src/shop/cart.py")].hunks
    ]


def test_equal_trees_are_said_in_one_sentence(repo: Repository) -> None:
    base = repo.head()
    repo.commit({"new.txt": "1"})
    repo.commit({"new.txt": None})

    subject = read(repo, base=base, head="HEAD")

    assert subject.equal
    assert () == subject.changed
    assert EQUAL_TREES in subject.notices


def test_trees_come_from_git_and_never_from_what_lies_about(repo: Repository) -> None:
    base = repo.head()
    repo.commit({".gitignore": "tests/local.py\n", "tests/test_new.py": "new\n"})
    repo.write({"tests/local.py": "ignored", "tests/test_stray.py": "untracked"})

    with open_repository(repo.path, {}) as git:
        subject = read_subject(git, Request(repo=repo.path, base=base, head="HEAD"))
        base_tests = compose(subject.sides, BASE_TESTS)
        change = delta(compose(subject.sides, HEAD), base_tests, git.read)

    assert {"tests/__init__.py", "tests/helpers.py", "tests/test_cart.py"} == {
        path for path in base_tests if path.startswith("tests/")
    }
    assert frozenset({"tests/test_new.py"}) == change.deletes


def test_ignored_files_of_a_working_tree_are_in_no_tree(repo: Repository) -> None:
    repo.write({".gitignore": "*.log\n", "a.log": "x", "tests/test_new.py": "1"})

    with open_repository(repo.path, {}) as git:
        subject = read_subject(git, Request(repo=repo.path))
        head = contents(compose(subject.sides, HEAD), git.read)
        base = contents(compose(subject.sides, BASE), git.read)

    assert "a.log" not in head
    assert b"1" == head[RepoPath("tests/test_new.py")].data
    assert "tests/test_new.py" not in base


@pytest.mark.parametrize("side", ["base", "head"])
def test_a_helper_that_production_imports_at_either_side_is_production(
    repo: Repository, side: str
) -> None:
    importing = {"src/shop/cart.py": "from tests.helpers import ONE\n"}
    base = repo.commit(importing if side == "base" else {})
    edited = {"tests/helpers.py": "ONE = 2\n"}
    repo.commit(edited | (importing if side == "head" else {"src/shop/cart.py": ""}))

    subject = read(repo, base=base, head="HEAD")

    assert ("tests/helpers.py", "production") in classes(subject)


def test_scripts_that_production_loads_are_production(repo: Repository) -> None:
    base = repo.commit(
        {
            "web/app.js": "require('../test/shared')\n",
            "jest.config.js": "require('./test/setup')\n",
            "test/shared.js": "1\n",
            "test/setup.js": "1\n",
        }
    )
    repo.commit({"test/shared.js": "2\n", "test/setup.js": "2\n"})

    found = classes(read(repo, base=base, head="HEAD"))

    assert [("test/setup.js", "test"), ("test/shared.js", "production")] == found


def test_each_class_of_a_manifest_is_listed_with_its_reason(repo: Repository) -> None:
    old = {"package.json": '{"version": "1", "dependencies": {}, "jest": {}}\n'}
    new = {"package.json": '{"version": "2", "dependencies": {}, "jest": {"a": 1}}\n'}
    base = repo.commit(old)
    repo.commit(new)

    with open_repository(repo.path, {}) as git:
        subject = read_subject(git, Request(repo=repo.path, base=base, head="HEAD"))
        head = contents(compose(subject.sides, HEAD), git.read)

    assert [
        ("package.json", "control", "its control part differs"),
        ("package.json", "production", "its production part differs"),
    ] == [(one.path, one.path_class.value, one.reason) for one in subject.changed]
    text = b'{"version": "2", "dependencies": {}, "jest": {}}\n'
    assert text == head[RepoPath("package.json")].data


def test_the_bases_paths_classify_the_change(repo: Repository) -> None:
    base = repo.commit(
        {".fairtrial.yml": "suites: {u: }\npaths: {test: [checks/**]}\n"}
    )
    repo.commit(
        {
            ".fairtrial.yml": "suites: {u: }\npaths: {test: ['**']}\n",
            "checks/a.py": "1",
            "src/shop/cart.py": "2",
        }
    )

    subject = read(repo, base=base, head="HEAD")

    assert [
        (".fairtrial.yml", "control"),
        ("checks/a.py", "test"),
        ("src/shop/cart.py", "production"),
    ] == classes(subject)
    (reason,) = (one.reason for one in subject.changed if one.path == "checks/a.py")
    assert "checks/**: paths.test in base:.fairtrial.yml" == reason


def test_the_authority_that_is_asked_for_is_the_changes(repo: Repository) -> None:
    subject = read(repo, authority=Authority.REPAIR)

    assert (Authority.REPAIR, "as asked for") == (
        subject.authority,
        subject.standing.because,
    )


def test_a_pull_request_event_is_read_from_the_variables_it_is_given(
    repo: Repository, tmp_path: Path
) -> None:
    main = repo.head()
    repo.branch("topic")
    head = repo.commit({"src/shop/cart.py": "x = 1\n"})
    repo.git("switch", "--quiet", "--detach", "main")
    merge = repo.merge("topic")
    payload = tmp_path / "event.json"
    payload.write_text(
        json.dumps(
            {
                "repository": {"default_branch": "main"},
                "pull_request": {
                    "number": 3,
                    "user": {"login": "ada"},
                    "head": {"sha": head, "repo": {"id": 1}},
                    "base": {"sha": main, "ref": "main", "repo": {"id": 1}},
                },
            }
        )
    )
    event = {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(payload),
        "GITHUB_SHA": merge,
        "GITHUB_REPOSITORY": "owner/shop",
    }

    subject = read(repo, event=event)

    assert (EventKind.PULL_REQUEST, 3) == (
        subject.event.kind,
        subject.event.pull_request,
    )
    assert (merge, main) == (subject.head, subject.base)
    assert [("src/shop/cart.py", "production")] == classes(subject)
    with pytest.raises(ConfigurationError, match="payload"):
        read(repo, event={**event, "GITHUB_EVENT_PATH": str(tmp_path / "gone")})


def test_what_git_does_not_hold_is_said(repo: Repository) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    base = repo.commit({".gitattributes": "*.bin filter=lfs\n", "a.bin": pointer})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{base},vendor")
    (repo.path / "vendor").mkdir()
    repo.git("commit", "--quiet", "--message", "a submodule")

    subject = read(repo, base=base, head="HEAD")

    assert "Submodules are not part of the trials: vendor." in subject.notices
    assert "The content of git LFS files is not part of the trials: a.bin." in (
        subject.notices
    )
    assert [("vendor", "production")] == classes(subject)


def test_a_repository_inside_the_working_tree_is_said_to_be_left_out(
    repo: Repository,
) -> None:
    repository(repo.path / "inner").commit({"a": "1"})
    repo.write({"b": "1"})

    (notice, *_) = read(repo).notices

    assert "Repositories inside the working tree are left out: inner." == notice
