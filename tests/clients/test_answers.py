"""Answers outlive whoever asked, and what is no answer is none."""

from __future__ import annotations

from pathlib import Path

from fairtrial.clients.answers import AnswerFile


def test_what_was_added_is_read_in_its_order(tmp_path: Path) -> None:
    file = AnswerFile(tmp_path / "deep/er/answers.jsonl")
    file.add({"key": "a", "said": "ü\n"})
    file.add({"key": "b"})

    assert [{"key": "a", "said": "ü\n"}, {"key": "b"}] == list(file.read())


def test_there_is_nothing_where_nothing_was_added(tmp_path: Path) -> None:
    assert [] == list(AnswerFile(tmp_path / "none").read())
    AnswerFile(tmp_path / "none").forget()


def test_what_a_killed_process_left_is_no_answer_and_hides_none(
    tmp_path: Path,
) -> None:
    file = AnswerFile(tmp_path / "answers")
    file.add({"key": "a"})
    with file.path.open("ab") as stream:
        stream.write(b'{"key": "half')

    assert [{"key": "a"}] == list(file.read())
    file.add({"key": "b"})
    assert [{"key": "a"}, {"key": "b"}] == list(file.read())


def test_what_is_no_mapping_is_no_answer(tmp_path: Path) -> None:
    file = AnswerFile(tmp_path / "answers")
    file.path.write_bytes(b"\xff\xfe\n[1]\n" + b"[" * 100_000 + b'\n{"key": 1}\n')

    assert [{"key": 1}] == list(file.read())


def test_what_was_forgotten_is_gone(tmp_path: Path) -> None:
    file = AnswerFile(tmp_path / "answers")
    file.add({"key": "a"})
    file.forget()

    assert [] == list(file.read())
