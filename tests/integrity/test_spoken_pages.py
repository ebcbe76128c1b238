"""The static pages of Java, Kotlin, C#, Go and Rust get the labels that they say."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

BENCH: Final = Path(__file__).parents[2] / "bench" / "tampering"
#: Patterns and honest edits that each page holds at least.
LEAST: Final = {
    "java": (15, 8),
    "kotlin": (8, 6),
    "csharp": (8, 6),
    "go": (8, 6),
    "rust": (8, 6),
}


def load() -> ModuleType:
    spec = spec_from_file_location("spoken_pages", BENCH / "static.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # Dataclasses look their module up while it is executed.
    sys.modules["spoken_pages"] = module
    spec.loader.exec_module(module)
    return module


pages: Final = load()


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{page}-{case.name}")
        for page in LEAST
        for case in pages.cases(page)
    ],
)
def test_a_case_is_what_its_page_says(case: Any) -> None:
    assert case.change is pages.label(case)


@pytest.mark.parametrize("page", sorted(LEAST))
def test_a_page_holds_enough_patterns_and_honest_edits(page: str) -> None:
    honest = [case.honest for case in pages.cases(page)]
    patterns, edits = LEAST[page]

    assert honest.count(False) >= patterns
    assert honest.count(True) >= edits
