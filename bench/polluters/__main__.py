"""Who finds the polluter, and how fast: `python bench/polluters [--full]`.

Every tool is asked about the same victim on the same machine, one after the other and
in turns, in an environment that is ready-made: the suite's requirements and the peers
in one, and ours in the one that its bench has made. Who takes an order is given the
recorded one. Timed is each whole command; of ours, building the bench is taken off,
since the others' environment is not counted either.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from finders import FINDERS, PEERS, Answer, Task, configured
from real import victims
from synthetic import Suite, synthetic
from tables import markdown

PYTEST = "pytest==9.0.2"
#: Tests, seconds of import, polluters that only do it together.
QUICK = ((100, 0.0, 1), (500, 1.0, 1), (1000, 0.0, 1), (500, 0.0, 2))
FULL = (
    *((tests, cost, 1) for tests in (100, 500, 1000, 2000) for cost in (0.0, 1.0, 5.0)),
    *((tests, cost, 1) for tests in (5000, 10000) for cost in (0.0, 1.0)),
    *((tests, cost, 2) for tests in (100, 500, 2000) for cost in (0.0, 1.0)),
)
#: A prefix that is long enough for a search to count.
LONG = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One victim, and what each tool said of it."""

    name: str
    prefix: int
    polluters: tuple[str, ...]
    together: bool = False
    answers: dict[str, Answer] = field(default_factory=dict)

    def word(self, tool: str) -> str:
        """right, wrong or none; of real cases several polluters may be right."""
        answer = self.answers[tool]
        if not answer.tests:
            return "none"
        if self.together:
            return "right" if set(answer.tests) == set(self.polluters) else "wrong"
        return "right" if set(answer.tests) & set(self.polluters) else "wrong"

    @property
    def best(self) -> str | None:
        """The fastest of the others that was right."""
        right = [each for each in self.answers if self.word(each) == "right"]
        others = [each for each in right if each != "fairtrial"]
        return min(others, key=lambda each: self.answers[each].seconds, default=None)

    @property
    def ratio(self) -> float | None:
        best = self.best
        if best is None or self.word("fairtrial") != "right":
            return None
        return self.answers["fairtrial"].seconds / self.answers[best].seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="all sizes; takes hours")
    parser.add_argument("--corpus", type=Path, help="real victims, too")
    parser.add_argument("--mirror", type=Path, help="clone from OWNER+NAME folders")
    parser.add_argument("--only", choices=("synthetic", "corpus"))
    parser.add_argument("--size", action="append", help="TESTS,IMPORT,POLLUTERS")
    parser.add_argument("--tool", action="append", choices=list(FINDERS))
    parser.add_argument("--case", action="append", help="only this case of the corpus")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds a search")
    parser.add_argument("--json", type=Path, help="a line for each row, appended")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="fairtrial-polluters-") as folder:
        for row in _rows(options, Path(folder)):
            rows.append(row)
            print(_line(row), file=sys.stderr, flush=True)
            if options.json is not None:
                with options.json.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(_told(row)) + "\n")
    print(table(rows, tuple(options.tool or FINDERS)))
    return 1 if any(row.word("fairtrial") == "wrong" for row in rows) else 0


def _rows(options: argparse.Namespace, folder: Path) -> Iterator[Row]:
    tools = tuple(options.tool or FINDERS)
    for turn, (suite, task) in enumerate(_tasks(options, folder)):
        row = Row(
            name=suite.name,
            prefix=suite.prefix,
            polluters=suite.polluters,
            together=suite.together,
        )
        # Who goes first changes, so that nobody always finds warm caches.
        for place in range(len(tools)):
            tool = tools[(place + turn) % len(tools)]
            row.answers[tool] = FINDERS[tool](task)
        yield row


def _tasks(options: argparse.Namespace, folder: Path) -> Iterator[tuple[Suite, Task]]:
    cache = folder / "cache"
    if options.only != "corpus":
        environment = make_environment(folder / "environment", sys.executable, [PYTEST])
        sizes = FULL if options.full else QUICK
        if options.size:
            sizes = tuple(_size(each) for each in options.size)
        configuration = configured(
            folder / "synthetic.yml",
            command="python -m pytest -q",
            prepare=[f"pip install -q {PYTEST}"],
        )
        for tests, cost, polluters in sizes:
            suite = synthetic(
                folder, tests=tests, import_seconds=cost, polluters=polluters
            )
            yield (
                suite,
                Task(
                    path=suite.path,
                    victim=suite.victim,
                    order=suite.order,
                    environment=environment,
                    configuration=configuration,
                    cache=cache,
                    scratch=folder,
                    limit=options.limit,
                ),
            )
    if options.corpus is not None and options.only != "synthetic":
        chosen = frozenset(options.case or ())
        corpus = options.corpus.resolve()
        yield from victims(corpus, options.mirror, folder, options.limit, chosen)


def _size(text: str) -> tuple[int, float, int]:
    tests, cost, polluters = text.split(",")
    return int(tests), float(cost), int(polluters)


def make_environment(path: Path, python: str, wanted: Sequence[str]) -> Path:
    """An environment with these requirements and the peers."""
    subprocess.run([python, "-m", "venv", path], check=True)
    install = [path / "bin/python", "-m", "pip", "install", "-q", *wanted, *PEERS]
    subprocess.run(install, check=True)
    return path


def _line(row: Row) -> str:
    said = ", ".join(
        f"{tool} {row.word(tool)} {answer.seconds:.1f} s"
        + (f" ({answer.said})" if answer.said else "")
        for tool, answer in row.answers.items()
    )
    return f"{row.name} (prefix {row.prefix}): {said}"


def _told(row: Row) -> dict[str, object]:
    return {
        "name": row.name,
        "prefix": row.prefix,
        "ratio": row.ratio,
        "answers": {
            tool: {
                "word": row.word(tool),
                "seconds": round(answer.seconds, 3),
                "whole": round(answer.whole, 3),
                "tests": answer.tests,
                "said": answer.said,
            }
            for tool, answer in row.answers.items()
        },
    }


def table(rows: Sequence[Row], tools: Sequence[str]) -> str:
    """One row a victim, then what they amount to."""
    lines = [
        (
            row.name,
            str(row.prefix),
            *(f"{row.word(t)} {row.answers[t].seconds:.1f}" for t in tools),
            "-" if row.ratio is None else f"{row.ratio:.2f}",
        )
        for row in rows
    ]
    heads = ("suite", "prefix", *(f"{tool}, s" for tool in tools), "ours / best peer")
    return "\n".join(
        [
            f"Python {platform.python_version()}, {platform.system()}\n",
            markdown("Polluters", heads, lines),
            *_amounts(rows),
        ]
    )


def _amounts(rows: Sequence[Row]) -> Iterator[str]:
    long = [row.ratio for row in rows if row.ratio is not None and row.prefix >= LONG]
    if long:
        yield f"- Prefix of {LONG} tests or more: median ratio {median(long):.2f}."
    behind = [
        row.answers["fairtrial"].seconds - row.answers[row.best].seconds
        for row in rows
        if row.ratio is not None and row.best is not None
    ]
    if behind:
        yield f"- Most that ours was slower by: {max(0.0, *behind, 0.0):.1f} s."
    wrong = sum(row.word("fairtrial") == "wrong" for row in rows)
    yield f"- Wrong polluters: {wrong} of {len(rows)}."
    pairs = [row for row in rows if row.together]
    found = sum(row.word("fairtrial") == "right" for row in pairs)
    if pairs:
        yield f"- Sets that only do it together: {found} of {len(pairs)} found."


if __name__ == "__main__":
    raise SystemExit(main())
