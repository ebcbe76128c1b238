"""A JUnit report of 100,000 cases: seconds and memory to read it."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from tables import markdown

CASES = 100_000


def table() -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.xml"
        path.write_text(report(CASES))
        size = path.stat().st_size / 1e6
        done = subprocess.run(
            [sys.executable, __file__, str(path)],
            check=True,
            capture_output=True,
            text=True,
        )
    took, memory, found = done.stdout.split()
    row = [f"{int(found):,}", f"{size:.0f}", took, memory, "3 s, 300 MB"]
    heads = ["cases", "file, MB", "read, s", "memory, MB", "goal"]
    return markdown("A JUnit report read", heads, [row])


def report(cases: int) -> str:
    """What pytest writes, with every hundredth case failed."""
    lines = ['<?xml version="1.0" encoding="utf-8"?><testsuites>']
    failed = cases // 100
    lines.append(
        f'<testsuite name="pytest" errors="0" failures="{failed}" skipped="0" '
        f'tests="{cases}" time="12.3">'
    )
    for number in range(cases):
        head = f'<testcase classname="tests.test_{number % 500}" name="test_{number}"'
        if number % 100:
            lines.append(f'{head} time="0.001" />')
        else:
            lines.append(
                f'{head} time="0.001"><failure message="assert 1 == 2">'
                "def test():\n&gt;   assert 1 == 2\n</failure></testcase>"
            )
    lines.append("</testsuite></testsuites>")
    return "\n".join(lines)


def _measure(path: Path) -> None:
    import time

    from fairtrial.runners.junit import read_junit

    data = path.read_bytes()
    begun = time.perf_counter()
    found = read_junit(data)
    took = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{took:.2f} {peak:.0f} {len(found.cases)}")


if __name__ == "__main__":
    _measure(Path(sys.argv[1]))
