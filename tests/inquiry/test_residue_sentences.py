"""What is said of a leftover says what was tried, and what to do."""

from __future__ import annotations

import pytest

from fairtrial.domain.names import TestId
from fairtrial.domain.traces import Resource, Trace
from fairtrial.inquiry.residue_sentences import (
    child_sentence,
    file_sentence,
    memory_sentence,
    process_sentence,
    removed_sentence,
)

TEST = TestId("test_v")


def part(resource: Resource, name: str, was: str = "(absent)", now: str = "1") -> Trace:
    return Trace(resource=resource, name=name, was=was, now=now)


def test_a_variable_that_is_enough() -> None:
    said = process_sentence(
        [part(Resource.ENVIRONMENT, "DEBUG")], enough=True, test=TEST
    )

    assert said == (
        "The environment variable `DEBUG`, which was not there, is `1`. With it put"
        " back `test_v` passes, and in a fresh process this alone makes it fail. Set"
        " it with `monkeypatch.setenv`, which puts it back."
    )


def test_what_was_not_tried_in_a_fresh_process_is_not_said_to_be_enough() -> None:
    for resource in Resource:
        said = process_sentence([part(resource, "x")], enough=False, test=TEST)

        assert "fresh" not in said
        assert "passes" in said


def test_several_parts_are_counted_and_repaired_once() -> None:
    parts = [part(Resource.ENVIRONMENT, f"V{number}") for number in range(5)]
    said = process_sentence(parts, enough=True, test=TEST)

    assert "and 2 more parts" in said
    assert "all of them put back" in said
    assert 1 == said.count("monkeypatch.setenv")


@pytest.mark.parametrize(
    ("was", "now", "words"),
    [
        ("a", "b", "which was `a`, is `b`"),
        ("a", "(absent)", "which was `a`, is gone"),
        ("(hidden)", "(hidden)", "is changed"),
        ("x" * 100, "`", "…`, is `'`"),
        ("", "b", "which was empty, is `b`"),
    ],
)
def test_values_are_cut_and_never_secrets(was: str, now: str, words: str) -> None:
    said = process_sentence(
        [part(Resource.MODULE, "m.x", was, now)], enough=False, test=TEST
    )

    assert words in said


@pytest.mark.parametrize(
    ("name", "was", "words"),
    [
        ("sys.modules['x']", "(absent)", "monkeypatch.setitem"),
        ("m.f", "('cached results', 0, 0)", "m.f.cache_clear()"),
        ("m.ITEMS", "[]", "monkeypatch.setattr"),
        ("m.look.(closure memo)", "{}", "or empty it"),
    ],
)
def test_each_kind_of_global_has_its_own_repair(
    name: str, was: str, words: str
) -> None:
    said = process_sentence([part(Resource.MODULE, name, was)], enough=False, test=TEST)

    assert words in said


def test_files_memory_and_children() -> None:
    assert "alone makes `test_v` fail" in file_sentence("out", TEST, enough=True)
    assert "outside the tree; without it" in file_sentence("~/x", TEST, enough=False)
    assert "is deleted" in removed_sentence("data.csv", TEST, enough=True)
    assert "`a` and `b` are left running" in child_sentence(("a", "b"), TEST)
    assert "not pinned" in memory_sentence(TEST, (TestId("test_p"),))


def test_a_module_that_was_loaded_is_told_as_such() -> None:
    loaded = part(Resource.MODULE, "sys.modules['shop.late']", "(absent)", "<module>")
    said = process_sentence([loaded], enough=False, test=TEST)

    assert said.startswith("Module `shop.late` is loaded, which was not before. With")
    assert "take it out of `sys.modules`" in said


def test_a_fixture_is_set_up_anew_and_not_put_back() -> None:
    fixture = part(Resource.PROCESS, "fixture shelf (session)", "(new)", "(used)")
    said = process_sentence([fixture], enough=False, test=TEST)

    assert "`Fixture" not in said
    assert "fixture shelf (session)`, which several tests share, is not as" in said
    assert "With it set up anew `test_v` passes" in said
