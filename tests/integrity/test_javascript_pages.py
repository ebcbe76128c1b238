"""The static pages of languages without types get the labels that they say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

BENCH: Final = Path(__file__).parents[2] / "bench" / "tampering"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pages", BENCH / "static.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up while it is executed.
    import sys  # noqa: PLC0415

    sys.modules["pages"] = module
    spec.loader.exec_module(module)
    return module


pages: Final = load()
CASES: Final = [
    pytest.param(case, id=f"{page}-{case.name}")
    for page in ("javascript", "typescript", "ruby", "php", "gherkin")
    for case in pages.cases(page)
]


@pytest.mark.parametrize("case", CASES)
def test_a_case_is_what_its_page_says(case: object) -> None:
    assert case.change is pages.label(case)  # type: ignore[attr-defined]


@pytest.mark.parametrize("page", ["javascript", "typescript"])
def test_a_page_holds_enough_patterns_and_honest_edits(page: str) -> None:
    honest = [case.honest for case in pages.cases(page)]

    assert honest.count(False) >= 15
    assert honest.count(True) >= 8
