from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import (
    ChangedPath,
    ChangeKind,
    PathClass,
    Strictness,
)
from fairtrial.policy.paths import by_class, changed_classes, classify
from fairtrial.policy.paths_defaults import DEFAULTS

C = PathClass


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/cart.py", C.PRODUCTION),
        ("latest.py", C.PRODUCTION),
        ("contest/final.py", C.PRODUCTION),
        ("setup.py", C.PRODUCTION),
        ("Makefile", C.PRODUCTION),
        ("data/prices.csv", C.PRODUCTION),
        ("src/pkg/test/client.py", C.PRODUCTION),
        ("numpy/testing/tools.py", C.PRODUCTION),
        ("tests/test_cart.py", C.TEST),
        ("tests/data/golden.json", C.TEST),
        ("src/pkg/tests/helpers.py", C.TEST),
        ("src/pkg/cart_test.py", C.TEST),
        ("src/conftest.py", C.TEST),
        ("tests/README.md", C.TEST),
        ("README.md", C.NEUTRAL),
        ("docs/conf.py", C.NEUTRAL),
        ("logo.svg", C.NEUTRAL),
        ("requirements-dev.txt", C.DEPENDENCIES),
        ("tests/requirements.txt", C.DEPENDENCIES),
        ("docs/requirements.txt", C.DEPENDENCIES),
        ("requirements/dev.txt", C.DEPENDENCIES),
        ("uv.lock", C.DEPENDENCIES),
        ("shop/migrations/0001_initial.py", C.MIGRATION),
        ("tests/migrations/0001_initial.py", C.MIGRATION),
        ("db/migration/V1__init.sql", C.MIGRATION),
        ("alembic/versions/1a2b.py", C.MIGRATION),
        (".github/workflows/ci.yml", C.CONTROL),
        (".github/README.md", C.CONTROL),
        (".fairtrial.yml", C.CONTROL),
        ("AGENTS.md", C.CONTROL),
        ("pytest.ini", C.CONTROL),
        ("tests/pytest.ini", C.CONTROL),
        ("tests/sitecustomize.py", C.CONTROL),
        ("docs/CODEOWNERS", C.CONTROL),
        (".coveragerc", C.CONTROL),
        ("noxfile.py", C.CONTROL),
        ("cart.egg-info/entry_points.txt", C.CONTROL),
        ("src/cart.egg-info/entry_points.txt", C.CONTROL),
        ("vendored/cart-1.0.dist-info/entry_points.txt", C.CONTROL),
        ("pytest.py", C.CONTROL),
        ("_pytest/runner.py", C.CONTROL),
        ("fairtrial_pytest.py", C.CONTROL),
        ("src/pytest/__init__.py", C.PRODUCTION),
        ("openapi.spec.yaml", C.PRODUCTION),
        ("web/cart.test.ts", C.TEST),
        ("web/cart.spec.mjs", C.TEST),
    ],
)
def test_the_defaults_give_each_path_the_strictest_class_that_claims_it(
    path: str, expected: PathClass
) -> None:
    assert expected == classify(RepoPath(path)).path_class


def test_a_path_that_nothing_claims_is_production_and_says_so() -> None:
    found = classify(RepoPath("strange.bin"))

    assert "no pattern claims it: unknown is production" == found.reason


def test_the_reason_names_pattern_and_class() -> None:
    assert "tests/**: test by default" == classify(RepoPath("tests/a.txt")).reason


def test_the_bases_paths_beat_the_defaults() -> None:
    overrides = {C.TEST: ("checks/**",), C.PRODUCTION: ("tests/support/**",)}

    checks = classify(RepoPath("checks/a.py"), overrides, "base:.fairtrial.yml")
    support = classify(RepoPath("tests/support/a.py"), overrides)

    assert (C.TEST, "checks/**: paths.test in base:.fairtrial.yml") == (
        checks.path_class,
        checks.reason,
    )
    assert C.PRODUCTION == support.path_class


@pytest.mark.parametrize("path", ["pytest.ini", "tests/migrations/1.py"])
def test_control_and_migration_cannot_be_configured_away(path: str) -> None:
    found = classify(RepoPath(path), {C.TEST: ("**",)})

    assert found.path_class in {C.CONTROL, C.MIGRATION}
    assert found.reason.endswith("which paths: can't loosen")


def test_a_migration_can_be_configured_to_be_control() -> None:
    overrides = {C.CONTROL: ("db/migration/**",)}

    assert (
        C.CONTROL == classify(RepoPath("db/migration/V1__a.sql"), overrides).path_class
    )


def test_of_several_configured_classes_the_strictest_counts() -> None:
    overrides = {C.TEST: ("lib/**",), C.PRODUCTION: ("lib/core/**",)}

    assert C.PRODUCTION == classify(RepoPath("lib/core/a.py"), overrides).path_class


@given(
    path=st.text("abcts/._py", min_size=1).map(RepoPath),
    classes=st.sets(st.sampled_from(C), min_size=1),
)
def test_overrides_never_loosen_control_or_migration(
    path: RepoPath, classes: set[PathClass]
) -> None:
    default = classify(path).path_class
    found = classify(path, dict.fromkeys(classes, ("**",))).path_class

    if default in {C.CONTROL, C.MIGRATION}:
        assert Strictness.of(found) >= Strictness.of(default)
    else:
        assert found in classes


def test_every_class_has_defaults() -> None:
    assert set(C) == set(DEFAULTS)


def test_changed_paths_are_grouped_with_every_class_present() -> None:
    change = ChangedPath(
        path=RepoPath("a.py"),
        kind=ChangeKind.ADDED,
        path_class=C.PRODUCTION,
        reason="",
    )

    grouped = by_class([change])

    assert {each.value for each in C} == set(grouped)
    assert ("a.py",) == grouped["production"]
    assert () == grouped["test"]
    assert frozenset({C.PRODUCTION}) == changed_classes([change])
