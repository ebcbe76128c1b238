"""The parts of the emulator that only read and write text."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.emulator import docker_run
from tests.emulator.arguments import escape_option, join_action_arguments, split
from tests.emulator.docker_run import ContainerStep
from tests.emulator.expressions import (
    ExpressionError,
    Scope,
    evaluate,
    interpolate,
    names_a_status,
)
from tests.emulator.file_commands import FileCommandError, parse_pairs
from tests.emulator.jobs import holds
from tests.emulator.layout import Layout
from tests.emulator.masks import Masks
from tests.emulator.step_log import PER_LEVEL, StepLog


@pytest.mark.parametrize(
    "value",
    ["plain", "", "two words", 'a"b', "end\\", 'back\\"slash', "\\\\", "INPUT_A-B"],
)
def test_an_escaped_option_comes_back_as_it_was(value: str) -> None:
    assert ["-e", value] == split(f"-e {escape_option(value)}")


def test_an_action_argument_can_bring_in_arguments_of_its_own() -> None:
    line = join_action_arguments(["x\\", "--evil y"])

    assert ['x" --evil', "y"] == split(line)


def test_an_empty_action_argument_stays_one() -> None:
    assert ["", "b"] == split(join_action_arguments(["", "b"]))


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("", []),
        ("a=1\n\nb=2", [("a", "1"), ("b", "2")]),
        ("a=b<<c\n", [("a", "b<<c")]),
        ("a<<E\nx=1\n\ny\nE\n", [("a", "x=1\n\ny")]),
        ("a<<E\nE\n", [("a", "")]),
        ("a<<E\nx\nE", [("a", "x")]),
        ("a=1\r\n", [("a", "1\r")]),
        ("=1\n", [("", "1")]),
    ],
)
def test_pairs_are_read_as_the_runner_reads_them(
    text: str, pairs: list[tuple[str, str]]
) -> None:
    assert pairs == parse_pairs(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("alone\n", "Invalid format 'alone'"),
        ("<<E\nx\nE\n", "Name must not be empty"),
        ("a<<\nx\n", "delimiter must not be empty"),
        ("a<<E\nx\n", "Matching delimiter not found 'E'"),
        ("a<<E\nx", "EOF marker missing new line"),
    ],
)
def test_a_bad_file_command_is_refused(text: str, message: str) -> None:
    with pytest.raises(FileCommandError, match=message):
        parse_pairs(text)


def _log(*lines: str) -> StepLog:
    log = StepLog(Masks())
    for line in lines:
        log.line(line)
    return log


def test_a_command_at_the_start_of_a_line_is_obeyed() -> None:
    log = _log("  ::error file=a%2Cb.py,line=3,title=T%3A::one%0Atwo%25")

    (annotation,) = log.annotations
    assert "one\ntwo%" == annotation.message
    assert ("a,b.py", "3", "T:") == (
        annotation.file,
        annotation.line,
        annotation.title,
    )


def test_a_command_inside_a_line_is_text_unless_it_is_in_the_old_form() -> None:
    log = _log("E  ::error::no", "E  ##[set-output name=verdict]pass")

    assert ["E  ::error::no"] == log.lines
    assert {"verdict": "pass"} == log.outputs


def test_while_commands_are_stopped_only_the_token_is_one() -> None:
    log = _log(
        "::stop-commands::0123456789",
        "::error::forged",
        "##[set-output name=a]forged",
        "::0123456789::",
        "::error::real",
    )

    assert ["real"] == [one.message for one in log.annotations]
    assert {} == log.outputs
    assert "::***::" in log.lines


@pytest.mark.parametrize("token", ["", "error", "Pause-Logging"])
def test_a_weak_stop_token_fails_the_step(token: str) -> None:
    log = _log(f"::stop-commands::{token}")

    assert log.failed


@pytest.mark.parametrize("line", ["::set-env name=A::b", "##[add-path]/tmp"])
def test_what_changes_the_environment_by_log_fails_the_step(line: str) -> None:
    assert _log(line).failed


def test_of_each_level_ten_annotations_are_kept() -> None:
    log = _log(*["::error::e"] * 12, "::warning::w")

    assert PER_LEVEL + 1 == len(log.annotations)
    assert 12 == sum("##[error]e" == line for line in log.lines)


def test_a_masked_value_is_hidden_in_its_usual_forms() -> None:
    log = _log("::add-mask::p@ssword!", "p@ssword! p%40ssword%21 cEBzc3dvcmQh")

    assert ["*** *** ***"] == log.lines


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 == 1.0 && 'A' == 'a'", True),
        ("null == 0 && '' == false", True),
        ("'1' == 1", True),
        ("!(github.event.fork || false)", True),
        ("github['head_ref'] != 'x'", True),
        ("needs.gate.result == 'failure' && 'yes' || 'no'", "yes"),
        ("contains(fromJSON('[\"a\"]'), 'A')", True),
        ("startsWith(github.ref, 'refs/pull/')", True),
        ("format('{0}-{{{1}}}', 'a', 2)", "a-{2}"),
        ("github.nothing.at.all", None),
        ("'it''s'", "it's"),
        ("2 > 1 && 1 <= 1", True),
    ],
)
def test_an_expression_is_worth_what_github_says(text: str, value: object) -> None:
    github = {"head_ref": "feature", "ref": "refs/pull/1/merge", "event": {"fork": 0}}
    scope = Scope({"github": github, "needs": {"gate": {"result": "failure"}}})

    assert value == evaluate(text, scope)


@pytest.mark.parametrize("text", ["1 +", "unknown", "nothing()", "a b", "(1", "'open"])
def test_a_bad_expression_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(text, Scope({"a": 1}))


def test_values_are_put_into_text() -> None:
    assert "a-1-true-" == interpolate("a-${{ 1 }}-${{ true }}-${{ null }}", Scope({}))


@pytest.mark.parametrize(
    ("condition", "status", "runs"),
    [
        ("", True, True),
        ("", False, False),
        ("true", False, False),
        ("always()", False, True),
        ("${{ !cancelled() && 1 == 1 }}", False, True),
        ("'always()' == ''", True, False),
    ],
)
def test_a_condition_without_a_status_asks_for_success(
    *, condition: str, status: bool, runs: bool
) -> None:
    scope = Scope(
        {},
        {
            "success": lambda: status,
            "always": lambda: True,
            "cancelled": lambda: False,
        },
    )

    assert runs is holds(condition, scope)


def test_a_status_in_quotes_is_none() -> None:
    assert not names_a_status("'always()' == github.x")


def test_only_a_whole_prefix_is_a_path() -> None:
    layout = Layout(work=Path("/w"), repository="octo/cart")

    assert "/github/workspace/a" == layout.to_container("/w/cart/cart/a")
    assert "/github/runner_temp" == layout.to_container("/w/_temp")
    assert "/github/home/x" == layout.to_container("/w/_temp/_github_home/x")
    assert "/w/cart" == layout.to_container("/w/cart")
    assert "/w/cart/cart2" == layout.to_container("/w/cart/cart2")
    assert "a:/w/_temp" == layout.to_container("a:/w/_temp")
    assert "/w/cart/cart/b.py" == layout.to_host("/github/workspace/b.py")


def test_the_run_line_is_the_runners() -> None:
    layout = Layout(work=Path("/w"), repository="octo/cart")
    step = ContainerStep(
        image="0abc:1f", label="abc", environment={"INPUT_A-B": "x", "HOME": "/h"}
    )

    words = split(docker_run.run_line(step, layout))

    name = words[2]
    assert name.startswith("abc1f_")
    assert [
        *("run", "--name", name, "--label", "abc"),
        *("--workdir", "/github/workspace", "--rm"),
        *("-e", "INPUT_A-B", "-e", "HOME", "-e", "GITHUB_ACTIONS=true"),
        *("-e", "CI=true"),
        *("-v", "/var/run/docker.sock:/var/run/docker.sock"),
        *("-v", "/w/_temp:/github/runner_temp"),
        *("-v", "/w/_temp/_github_home:/github/home"),
        *("-v", "/w/_temp/_github_workflow:/github/workflow"),
        *("-v", "/w/_temp/_runner_file_commands:/github/file_commands"),
        *("-v", "/w/cart/cart:/github/workspace"),
        "0abc:1f",
    ] == words


def test_a_later_part_of_the_environment_wins() -> None:
    variables = docker_run.environment_of(
        env={"GITHUB_SHA": "mine", "A": "env", "HOME": "/mine"},
        inputs={"test-command": "pytest"},
        state={"x": "1"},
        action_env={"A": "action", "B": "action"},
        home="/home",
        github={"sha": "abc", "token": "secret", "ref_protected": False, "n": 3},
        runner={"os": "Linux"},
        actions={"ACTIONS_RUNTIME_TOKEN": "t"},
    )

    assert {
        "A": "env",
        "B": "action",
        "HOME": "/home",
        "STATE_x": "1",
        "INPUT_TEST-COMMAND": "pytest",
        "GITHUB_SHA": "abc",
        "GITHUB_REF_PROTECTED": "false",
        "RUNNER_OS": "Linux",
        "ACTIONS_RUNTIME_TOKEN": "t",
    } == variables
