"""How the runner makes an argument string, and how .NET takes it apart again.

After DockerUtil.EscapeString, ContainerActionHandler and .NET's ParseArgumentsIntoList
on Unix. The pair is not faithful: a backslash before a quote is not escaped, so that an
input can bring in arguments of its own. That is why an action reads INPUT_* only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


def escape_option(value: str) -> str:
    """A value in quotes, such that `split` gives it back."""
    doubled = re.sub(r'(\\*)"', r'\1\1\\"', value)
    return '"' + re.sub(r"(\\+)$", r"\1\1", doubled) + '"'


def join_action_arguments(values: Iterable[str]) -> str:
    """What `args:` of an action.yml becomes; backslashes are left as they are."""
    return "".join(' "' + value.replace('"', '\\"') + '"' for value in values)


def split(text: str) -> list[str]:
    """The arguments that .NET passes on."""
    found: list[str] = []
    at = 0
    while True:
        while at < len(text) and text[at] in " \t":
            at += 1
        if at == len(text):
            return found
        argument, at = _argument(text, at)
        found.append(argument)


def _argument(text: str, at: int) -> tuple[str, int]:
    argument: list[str] = []
    quoted = False
    while at < len(text):
        slashes = at
        while at < len(text) and text[at] == "\\":
            at += 1
        count = at - slashes
        if at < len(text) and text[at] == '"':
            argument.append("\\" * (count // 2))
            if count % 2:
                argument.append('"')
            elif quoted and text[at + 1 : at + 2] == '"':
                argument.append('"')
                at += 1
            else:
                quoted = not quoted
            at += 1
            continue
        argument.append("\\" * count)
        if at == len(text) or (text[at] in " \t" and not quoted):
            break
        argument.append(text[at])
        at += 1
    return "".join(argument), at
