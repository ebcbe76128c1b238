"""What of a trial's findings is told, when its databases' passwords are in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from fairtrial.domain.databases import Change, Ledger
from fairtrial.domain.trials import LeftFile, TrialOutput

Text = TypeVar("Text", str, bytes)


def unsaid(output: TrialOutput, passwords: Sequence[str]) -> TrialOutput:
    """The same output; where a password stood, as many asterisks do."""
    secrets = [each.encode("utf-8") for each in passwords if each]
    if not secrets:
        return output

    def hide(data: bytes) -> bytes:
        return _hidden(data, secrets, b"*")

    return replace(
        output,
        stdout=hide(output.stdout),
        stderr=hide(output.stderr),
        files={name: hide(data) for name, data in output.files.items()},
        kept=None
        if output.kept is None
        else {name: hide(data) for name, data in output.kept.items()},
        left=tuple(
            one if one.data is None else replace(one, data=hide(one.data))
            for one in (_named(each, passwords) for each in output.left)
        ),
    )


def unwritten(ledger: Ledger, passwords: Sequence[str]) -> Ledger:
    """The same ledger; where a password stood in a row, as many asterisks do."""
    secrets = [each for each in passwords if each]

    def values(row: Mapping[str, str | None]) -> Mapping[str, str | None]:
        return {
            column: None if value is None else _hidden(value, secrets, "*")
            for column, value in row.items()
        }

    def change(one: Change) -> Change:
        if not any(each in f"{one.values}{one.key}" for each in secrets):
            return one
        return replace(one, values=values(one.values), key=values(one.key))

    return replace(
        ledger,
        changes=tuple(map(change, ledger.changes)),
        alterations=tuple(
            replace(
                each,
                was=_hidden(each.was, secrets, "*"),
                now=_hidden(each.now, secrets, "*"),
            )
            for each in ledger.alterations
        ),
    )


def _named(left: LeftFile, passwords: Sequence[str]) -> LeftFile:
    path = _hidden(left.path, [each for each in passwords if each], "*")
    return left if path == left.path else replace(left, path=path)


def _hidden(text: Text, secrets: Sequence[Text], mark: Text) -> Text:
    for secret in secrets:
        if secret in text:
            text = text.replace(secret, mark * len(secret))
    return text
