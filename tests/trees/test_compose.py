from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.trees.listings import SHA1, Store, files, sides

from fairtrial.domain.names import HunkId, RepoPath
from fairtrial.domain.paths import PathClass
from fairtrial.domain.trees import (
    BASE,
    BASE_TESTS,
    HEAD,
    HEAD_CONTROL,
    HEAD_TESTS,
    Revision,
    Tree,
)
from fairtrial.domain.trials import FileContent
from fairtrial.trees import Entry, Rules, compose, contents, delta
from fairtrial.trees.listing import LINK, SUBMODULE, composed, is_lfs_pointer

OLD = {
    "src/cart.py": "old production\n",
    "src/gone.py": "only in base\n",
    "tests/test_cart.py": "old test\n",
    "tests/test_gone.py": "only in base\n",
    "pytest.ini": "old control\n",
    "requirements.txt": "old dependency\n",
    "shop/migrations/1.py": "old migration\n",
    "README.md": "old neutral\n",
    "same.py": "same\n",
}
NEW = {
    "src/cart.py": "new production\n",
    "src/more.py": "only in head\n",
    "tests/test_cart.py": "new test\n",
    "tests/test_more.py": "only in head\n",
    "pytest.ini": "new control\n",
    "requirements.txt": "new dependency\n",
    "shop/migrations/1.py": "new migration\n",
    "README.md": "new neutral\n",
    "same.py": "same\n",
}


def both() -> tuple[dict[str, str], ...]:
    made = sides(Store(), OLD, NEW)
    return tuple(files(made, tree) for tree in (BASE, HEAD, HEAD_TESTS, BASE_TESTS))


def test_the_base_tree_is_base_to_the_last_file() -> None:
    base, *_ = both()

    assert OLD == base


def test_the_head_tree_is_head_under_bases_control() -> None:
    _, head, *_ = both()

    assert {**NEW, "pytest.ini": "old control\n"} == head


def test_a_swap_takes_tests_from_one_side_and_all_production_from_the_other() -> None:
    *_, head_tests, base_tests = both()

    assert {
        **{path: text for path, text in OLD.items() if not path.startswith("tests/")},
        "tests/test_cart.py": "new test\n",
        "tests/test_more.py": "only in head\n",
    } == head_tests
    assert {
        **{path: text for path, text in NEW.items() if not path.startswith("tests/")},
        "pytest.ini": "old control\n",
        "tests/test_cart.py": "old test\n",
        "tests/test_gone.py": "only in base\n",
    } == base_tests


def test_heads_control_is_taken_only_where_it_is_asked_for() -> None:
    made = sides(Store(), OLD, NEW)

    assert NEW == files(made, HEAD_CONTROL)


TREES = st.builds(
    Tree,
    production=st.sampled_from(Revision),
    dependencies=st.sampled_from(Revision),
    migration=st.sampled_from(Revision),
    tests=st.sampled_from(Revision),
    control=st.sampled_from(Revision),
)


@given(tree=TREES)
def test_every_file_comes_from_the_side_that_its_class_names(tree: Tree) -> None:
    made = sides(Store(), OLD, NEW)
    texts = {Revision.BASE: OLD, Revision.HEAD: NEW}

    found = files(made, tree)

    for path in OLD.keys() | NEW.keys():
        (path_class,) = made.classes.get(RepoPath(path), {PathClass.NEUTRAL})
        assert texts[tree.revision_of(path_class)].get(path) == found.get(path)


@given(one=TREES, other=TREES)
def test_a_delta_turns_one_tree_into_the_other(one: Tree, other: Tree) -> None:
    made = sides(Store(), OLD, NEW)
    frozen, wanted = compose(made, one), compose(made, other)

    change = delta(frozen, wanted, made.read)

    result = {
        path: content
        for path, content in contents(frozen, made.read).items()
        if path not in change.deletes
    }
    assert contents(wanted, made.read) == {**result, **change.writes}
    assert not set(change.writes) & change.deletes


def test_a_path_without_a_class_is_production() -> None:
    made = replace(sides(Store(), OLD, NEW), classes={})

    assert NEW == files(made, HEAD)
    assert OLD == files(made, HEAD_TESTS)


def test_a_mixed_file_is_composed_by_section() -> None:
    base = {"pyproject.toml": "[project]\nname='a'\n[tool.pytest.ini_options]\nx=1\n"}
    head = {"pyproject.toml": "[project]\nname='b'\n[tool.pytest.ini_options]\nx=2\n"}
    made = sides(Store(), base, head)

    found = files(made, HEAD)["pyproject.toml"]

    assert "name='b'" in found
    assert "x=1" in found
    assert base == files(made, HEAD_TESTS)


def test_a_composed_file_has_the_id_that_git_would_give_it() -> None:
    assert "45b983be36b73c0788dc9cbcb76cbb80fc7bb057" == (
        composed(0o100644, b"hi\n", SHA1).blob
    )
    assert 64 == len(composed(0o100644, b"hi\n", "0" * 64).blob)


def test_a_conftest_keeps_bases_hooks_and_heads_fixtures() -> None:
    base = {"tests/conftest.py": "def pytest_configure(): old\n"}
    head = {"tests/conftest.py": "def new(): 1\n\ndef pytest_configure(): new\n"}
    made = sides(Store(), base, head)

    assert {"tests/conftest.py": "def new(): 1\ndef pytest_configure(): old\n"} == (
        files(made, HEAD)
    )
    assert base == files(made, BASE_TESTS)


def test_a_deleted_conftests_hooks_stay() -> None:
    base = {"conftest.py": "def pytest_configure(): old\ndef helper(): 1\n", "a": ""}
    made = sides(Store(), base, {"a": ""})

    assert {"conftest.py": "def pytest_configure(): old\n", "a": ""} == (
        files(made, HEAD)
    )
    assert {"a": ""} == files(made, HEAD_CONTROL)


def test_a_conftest_that_can_not_be_read_stays_bases() -> None:
    base = {"conftest.py": "def helper(): 1\n"}
    made = sides(Store(), base, {"conftest.py": "def helper(:\n"})

    assert frozenset({PathClass.CONTROL}) == made.classes[RepoPath("conftest.py")]
    assert base == files(made, HEAD)


def test_a_manifest_that_can_not_be_read_is_heads() -> None:
    head = {"pyproject.toml": "[broken\n"}
    made = sides(Store(), {"pyproject.toml": "[project]\n"}, head)

    assert head == files(made, HEAD)


def test_a_mixed_file_given_to_one_class_is_not_split() -> None:
    rules = Rules(overrides={PathClass.CONTROL: ("pyproject.toml",)})
    base = {"pyproject.toml": "[project]\nname='a'\n"}
    made = sides(Store(), base, {"pyproject.toml": "[project]\nname='b'\n"}, rules)

    assert base == files(made, HEAD)


def test_a_file_that_became_a_folder_of_another_class_clashes_and_loses() -> None:
    base = {"thing": "production\n"}
    head = {"thing/test_a.py": "test\n"}
    made = sides(Store(), base, head)

    assert base == files(made, HEAD_TESTS)
    assert {} == files(made, BASE_TESTS)
    assert head == files(made, HEAD)


def test_hunks_of_production_are_taken_back_and_nothing_else() -> None:
    base = {"src/cart.py": "1\n2\n3\n4\n", "src/old.py": "old\n"}
    head = {"src/cart.py": "one\n2\n3\nfour\n", "src/new.py": "new\n"}
    made = sides(Store(), base, head)

    def without(*hunks: str) -> dict[str, str]:
        reverted = frozenset(HunkId(each) for each in hunks)
        return files(made, replace(HEAD, reverted=reverted))

    assert {**head, "src/cart.py": "one\n2\n3\n4\n"} == without("src/cart.py:4-4")
    assert {"src/cart.py": head["src/cart.py"]} == without("src/new.py:1-1")
    assert {**head, "src/old.py": "old\n"} == without("src/old.py:deleted")
    assert base == without(
        *(h.id for each in made.changes.values() for h in each.hunks)
    )


def test_the_production_part_of_a_mixed_file_is_taken_back_as_one() -> None:
    base = {"pyproject.toml": "[project]\nname='a'\ndependencies=['x']\n"}
    head = {"pyproject.toml": "[project]\nname='b'\ndependencies=['y']\n"}
    made = sides(Store(), base, head)
    hunk = HunkId("pyproject.toml:whole")

    found = files(made, replace(HEAD, reverted=frozenset({hunk})))["pyproject.toml"]

    assert "name='a'" in found
    assert "dependencies=['y']" in found


def test_hunks_of_a_tree_with_bases_production_are_nothing_to_take_back() -> None:
    base, head = {"src/a.py": "1\n2\n3\n"}, {"src/a.py": "x\n2\ny\n"}
    made = sides(Store(), base, head)
    tree = replace(HEAD_TESTS, reverted=frozenset({HunkId("src/a.py:1-1")}))

    assert base == files(made, tree)


def test_modes_and_links_are_kept_and_submodules_left_out() -> None:
    store = Store()
    run = store.entry("#!/bin/sh\n", 0o100755)
    link = store.entry("run.sh", LINK)
    module = Entry(mode=SUBMODULE, blob="1" * 40)
    base: dict[str, str | bytes | Entry]
    head: dict[str, str | bytes | Entry]
    base = {"run.sh": run, "link": link, "vendor": module}
    head = {"run.sh": "#!/bin/sh\n", "link": link, "vendor": "now a file\n"}
    made = sides(store, base, head)

    frozen, wanted = compose(made, BASE), compose(made, HEAD)
    change = delta(frozen, wanted, store.read)

    assert {"run.sh", "link"} == set(contents(frozen, store.read))
    assert (
        FileContent(mode=LINK, data=b"run.sh")
        == (contents(frozen, store.read)[RepoPath("link")])
    )
    assert {
        "run.sh": FileContent(mode=0o100644, data=b"#!/bin/sh\n"),
        "vendor": FileContent(mode=0o100644, data=b"now a file\n"),
    } == change.writes
    assert frozenset() == change.deletes
    back = delta(wanted, frozen, store.read)
    assert frozenset({"vendor"}) == back.deletes


def test_an_lfs_pointer_is_told_from_a_file() -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"

    assert is_lfs_pointer(pointer)
    assert not is_lfs_pointer(b"version https://git-lfs.github.com/spec/v2\n")
    assert not is_lfs_pointer(pointer + b"x" * 2000)
