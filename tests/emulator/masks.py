"""What the log must not show, and how it is hidden.

After the runner's SecretMasker, with its encodings but the rarer ones.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from urllib.parse import quote


@dataclass(slots=True)
class Masks:
    """Values to hide; each also as base64, JSON and URI."""

    values: set[str] = field(default_factory=set)

    def add(self, value: str) -> None:
        if not value.strip():
            return
        for one in {value, *value.splitlines()} - {""}:
            self.values.add(one)

    def hides(self, text: str) -> bool:
        return self.apply(text) != text

    def apply(self, text: str) -> str:
        forms = {form for value in self.values for form in _forms(value)}
        for form in sorted(forms, key=len, reverse=True):
            text = text.replace(form, "***")
        return text


def _forms(value: str) -> set[str]:
    raw = value.encode()
    shifted = {
        # Whole groups of three bytes look the same wherever the secret stands.
        base64.b64encode(raw[shift : shift + (len(raw) - shift) // 3 * 3]).decode()
        for shift in range(3)
    }
    forms = {value, json.dumps(value)[1:-1], quote(value, safe="")}
    return forms | {one for one in shifted if len(one) >= len("8 chars.")}
