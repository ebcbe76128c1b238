"""By which expression `go test` runs exactly the tests that were asked for.

An id is `folder/file_test.go::TestA/sub`, its native part as Go reports the name. The
method of a testify suite is written `TestSuite/(*Type).TestMethod`, so that the id
says where it is declared; Go knows it without the type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from fairtrial.domain.names import TestId

_SPECIAL: Final = re.compile(r"[\\.+*?()|\[\]{}^$]")
METHOD: Final = re.compile(r"\(\*(\w+)\)\.(Test\w*)")


def native(test: str) -> str:
    """The name by which Go reports a test."""
    name = test.partition("::")[2]
    top, slash, rest = name.partition("/")
    first, more, others = rest.partition("/")
    method = METHOD.fullmatch(first)
    first = first if method is None else method[2]
    return f"{top}{slash}{first}{more}{others}"


def top_of(test: str) -> str:
    """The id of the test function that a subtest belongs to."""
    return test.partition("::")[0] + "::" + native(test).partition("/")[0]


def folder_of(test: str) -> str:
    """The folder of a test's package."""
    return test.partition("::")[0].rpartition("/")[0]


def groups(tests: Sequence[TestId]) -> list[tuple[str, tuple[TestId, ...]]]:
    """Runs of tests that one process of a package can take, in the order asked."""
    return [(folder, tuple(each)) for folder, each in groupby(tests, key=folder_of)]


def expression(tests: Iterable[TestId]) -> str:
    """A pattern for `-run` that matches these tests, and what is inside them.

    Alternatives that go on behind a slash are known from Go 1.20 on.
    """
    names = list(dict.fromkeys(native(test) for test in tests))
    tops = [name for name in names if "/" not in name]
    inner = [name for name in names if name.partition("/")[0] not in set(tops)]
    parts = [
        "/".join(f"^{quoted(part)}$" for part in name.split("/")) for name in inner
    ]
    if tops:
        parts.insert(0, f"^({'|'.join(map(quoted, tops))})$")
    return "|".join(parts)


def quoted(text: str) -> str:
    """A text that Go's expressions take literally."""
    return _SPECIAL.sub(lambda found: "\\" + found[0], text)
