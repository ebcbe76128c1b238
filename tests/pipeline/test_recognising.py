"""Production that looks as if it recognised the tests is a notice, by its own lines."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.subject.repositories import repository

from fairtrial.cli.world import real_world
from fairtrial.domain.decisions import Blame, Decision
from fairtrial.domain.report import Finding
from fairtrial.domain.request import Request
from fairtrial.pipeline.brief import read_brief
from fairtrial.pipeline.recognising import recognition_findings
from fairtrial.subject.workspace import open_repository

TESTS = "from cart import total\ndef test_a(): assert total([10, 4], 0.5) == 7\n"
HONEST = "def total(prices, discount):\n    return sum(prices) * (1 - discount)\n"
CASED = (
    "def total(prices, discount):\n    if prices == [10, 4]:\n        return 7\n"
    "    return sum(prices) - discount\n"
)


def found(tmp_path: Path, head: Mapping[str, str | bytes | None]) -> list[Finding]:
    made = repository(tmp_path / "project")
    first = made.commit({"src/cart.py": HONEST, "tests/test_cart.py": TESTS})
    request = Request(repo=made.path, base=first, head=made.commit(head))
    with open_repository(made.path, {}) as git, ExitStack() as closers:
        brief = read_brief(git, request, real_world(), closers)
        return list(recognition_findings(brief))


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        (CASED, "input-special-cased", 2),
        (f"import os\nx = os.environ['CI']\n{HONEST}", "ci-environment-asked", 2),
    ],
)
def test_what_looks_like_it_is_a_heuristic_notice(
    tmp_path: Path, text: str, rule: str, line: int
) -> None:
    (finding,) = found(tmp_path, {"src/cart.py": text})

    assert "production-recognises-test" == finding.rule
    assert ("src/cart.py", line, rule) == (finding.path, finding.line, finding.change)
    assert (Decision.PASS, Blame.UNKNOWN) == (finding.decision, finding.side)
    assert "unmeasured" == finding.effect
    assert finding.because.startswith("heuristic:")


def test_tests_and_honest_changes_have_no_notice(tmp_path: Path) -> None:
    head = {
        "tests/test_cart.py": f"import os\nCI = os.environ.get('CI')\n{TESTS}",
        "src/cart.py": f"# import pytest\n{HONEST}",
    }

    assert [] == found(tmp_path, head)


def test_many_lines_are_counted(tmp_path: Path) -> None:
    text = "".join(f"x{n} = os.environ['CI']\n" for n in range(50))
    findings = found(tmp_path, {"src/cart.py": text + HONEST})

    assert 21 == len(findings)
    assert findings[-1].because == "heuristic: 30 more lines look like it"
