"""The page of commands and the command line say the same."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from fairtrial.cli import COMMANDS, SUMMARIES, main

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


#: Prints the modules that the list of commands loads, and those that one adds to them.
LOADED = """
import sys
from fairtrial.cli import main

main(["--help"])
listing = set(sys.modules)
main(["polluter", "--help"])
print(*listing)
print(*sys.modules)
"""


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


def test_the_list_of_commands_says_of_each_what_its_own_help_says_first() -> None:
    said = {
        name: (command.help or "").partition("\n\n")[0].replace("\n", " ")
        for name, command in COMMANDS.items()
    }

    assert said == SUMMARIES


def test_help_and_a_command_load_no_client_that_they_do_not_use() -> None:
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            LOADED,
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    listing, polluter = ({*line.split()} for line in loaded[-2:])

    assert {"fairtrial.cli.gate", "fairtrial.cli.polluter"}.isdisjoint(listing)
    assert "fairtrial.cli.polluter" in polluter
    assert polluter.isdisjoint(
        {"ghapi", "requests", "docker", "jsonschema", "pg8000", "pymysql"}
    )
