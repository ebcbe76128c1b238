"""The page of commands and the command line say the same."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from fairtrial.cli import COMMANDS, main

PAGE = (Path(__file__).parents[2] / "docs" / "commands.md").read_text()


#: Those that have no others below them, by their whole name.
LEAVES = {
    f"{name} {part}": below
    for name, command in COMMANDS.items()
    if isinstance(command, click.Group)
    for part, below in command.commands.items()
} | {
    name: command
    for name, command in COMMANDS.items()
    if not isinstance(command, click.Group)
}


def section(name: str) -> str:
    mark = "###" if name not in COMMANDS else "##"
    return PAGE.split(f"\n{mark} {name}\n", 1)[1].split("\n## ", 1)[0]


def test_the_page_has_each_command_in_its_order() -> None:
    assert list(COMMANDS) == re.findall(r"^## (.+)$", PAGE, flags=re.MULTILINE)


@pytest.mark.parametrize("name", LEAVES)
def test_the_page_has_each_option_with_its_help(name: str) -> None:
    written = dict(
        re.findall(r"^\| `([^`]+)` \| (.+) \|$", section(name), re.MULTILINE)
    )
    options = [each for each in LEAVES[name].params if isinstance(each, click.Option)]

    assert [", ".join(each.opts) for each in options] == list(written)
    for option in options:
        assert option.help
        assert written[", ".join(option.opts)].startswith(option.help)


@pytest.mark.parametrize("name", LEAVES)
def test_each_command_has_help_that_says_what_it_is_for(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*name.split(), "--help"]) == 0

    printed = " ".join(capsys.readouterr().out.split())
    first = section(name).strip().split("\n\n")[0]
    assert " ".join(first.split()) in printed
