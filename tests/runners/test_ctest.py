"""CTest's runner: detection, names, and which commands it can be asked through."""

from __future__ import annotations

import pytest

from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.runners import ctest
from fairtrial.runners.cmake.invocation import invocation_of, is_parallel

TESTED = "project(shop)\nenable_testing()\nadd_test(NAME a COMMAND a)\n"


def test_a_project_with_tests_is_a_suite_and_one_without_is_none() -> None:
    top = RepoPath("CMakeLists.txt")

    assert ["ctest"] == [each.name for each in ctest.detect([top], lambda _: TESTED)]
    assert () == ctest.detect([top], lambda _: "project(shop)\n")
    assert () == ctest.detect([RepoPath("src/a.cc")], lambda _: TESTED)


def test_projects_in_folders_are_suites_there() -> None:
    texts = {"docs/a.md": "", "native/CMakeLists.txt": TESTED}
    paths = [RepoPath(path) for path in texts]

    (found,) = ctest.detect(paths, lambda path: texts[path])

    assert ("ctest-native", "native") == (found.name, found.folder)


def test_a_vendored_library_with_tests_makes_no_suite() -> None:
    texts = {
        "CMakeLists.txt": "project(shop)\n",
        "third_party/lib/CMakeLists.txt": TESTED,
    }
    paths = [RepoPath(path) for path in texts]

    assert () == ctest.detect(paths, lambda path: texts[path])


@pytest.mark.parametrize(
    ("test", "names"),
    [
        ("t/a.cc::CartTest.Total", ("CartTest", "Total")),
        ('t/a.cc::All/Hostile.Price/"coffee"', ("Hostile", "Price")),
        ("t/a.cc::smoke", ("smoke",)),
    ],
)
def test_a_case_is_written_where_its_macro_stands(
    test: str, names: tuple[str, ...]
) -> None:
    assert names == ctest.place_of(TestId(test)).names


def test_what_repeats_or_shuffles_is_left_out_of_a_command() -> None:
    parts = invocation_of(
        "ctest --test-dir build --repeat until-pass:3 --schedule-random -R ^a -j4"
    )

    assert ("ctest", "--test-dir", "build", "-R", "^a", "-j4") == parts.argv
    assert is_parallel(parts.argv)


def test_a_command_that_is_no_ctest_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="plain `ctest`"):
        invocation_of("make test")
