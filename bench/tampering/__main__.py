"""Ways to tamper with tests, through the gate and through other tools.

`python bench/tampering [--only NAME]… [--no-peers]` prints three tables: the patterns
in three settings, honest work, and the patterns of other languages as differences.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

sys.path[:0] = [
    str(Path(__file__).parent),
    str(Path(__file__).parents[1]),
    str(Path(__file__).parents[2]),
]

import static
from gates import Seen, gate
from peers import BLOCKS, PEERS, install
from specimens import commit, git
from specimens.tampering import Change, Pattern, Setting, build, patterns
from tables import markdown

#: Setting and authority of each column, with its head.
COLUMNS: Final = (
    (Setting.RED, "repair", "A, repair"),
    (Setting.DECOY, "feature", "B, feature"),
    (Setting.HIDDEN, "person", "C, person"),
    (Setting.HIDDEN, "feature", "C, feature"),
)
#: Languages whose patterns other tools see as well; a process a case takes its time.
SIDE_BY_SIDE: Final = ("java", "javascript", "typescript")
#: Kinds that no swap of trees can show.
GUESSED: Final = "recognised"
#: Kinds of honest work that are real changes of a contract.
CONTRACTS: Final = frozenset({"re-specified", "removed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One pattern with what each tool said, by column."""

    pattern: Pattern
    gate: Mapping[str, Seen]
    #: A letter a setting, by tool.
    peers: Mapping[str, str] = field(default_factory=dict)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--static", action="store_true", help="the last table only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fairtrial-tampering-") as name:
        folder = Path(name)
        programs = None if options.no_peers else install(folder / "peers")
        wanted = [p for p in patterns() if not options.only or p.name in options.only]
        if options.static:
            print(_static(folder, programs))
            return 0
        with ThreadPoolExecutor(max_workers=2) as pool:
            rows = list(pool.map(lambda p: _row(p, folder, programs), wanted))
        print(_tampering([row for row in rows if not row.pattern.honest]), flush=True)
        print(_honest([row for row in rows if row.pattern.honest]), flush=True)
        if not options.only:
            print(_static(folder, programs))
    return 0


def _row(pattern: Pattern, folder: Path, programs: Path | None) -> Row:
    columns = (
        tuple((Setting.GREEN, each, each) for each in ("person", "feature"))
        if pattern.honest
        else COLUMNS
    )
    changes: dict[Setting, Change] = {}
    seen: dict[str, Seen] = {}
    for setting, authority, head in columns:
        # Production that recognises the test is production: there is no decoy beside.
        if pattern.production and setting is Setting.DECOY:
            continue
        place = folder / pattern.name / setting.name
        if setting not in changes:
            changes[setting] = build(pattern, setting, place / "repo")
        seen[head] = gate(changes[setting], authority, place)
    said = {}
    if programs is not None:
        for name, ask in PEERS.items():
            said[name] = "".join(
                ask(programs, each.path, each.base, each.head)
                for each in changes.values()
            )
    letters = " ".join(f"{head}: {each.letter}" for head, each in seen.items())
    print(f"{pattern.name}: {letters}", file=sys.stderr, flush=True)
    return Row(pattern=pattern, gate=seen, peers=said)


def _tampering(rows: Sequence[Row]) -> str:
    heads = ["pattern", "kind", *(head for _, _, head in COLUMNS), *PEERS]
    lines = [
        [
            row.pattern.name,
            row.pattern.kind,
            *(_cell(row.gate.get(head)) for _, _, head in COLUMNS),
            *(row.peers.get(name, "") for name in PEERS),
        ]
        for row in rows
    ]
    tried = [row for row in rows if row.pattern.kind != GUESSED]
    through = [
        f"{row.pattern.name} ({head})"
        for row in tried
        for head, seen in row.gate.items()
        if seen.letter == "."
    ]
    counts = [
        f"blocked in setting {letter}: {_counted(rows, place)}"
        for place, letter in enumerate("ABC")
    ]
    return "\n".join(
        [
            markdown("Tampering", heads, lines),
            f"Let through in silence, of what an experiment can see: {through or 0}.",
            f"Other tools, {'; '.join(counts)}.",
            "",
        ]
    )


def _counted(rows: Sequence[Row], place: int) -> str:
    """How many changes each other tool blocked in a setting."""
    found: Counter[str] = Counter()
    for row in rows:
        # Production's patterns have no setting B.
        index = place - 1 if row.pattern.production and place else place
        if row.pattern.production and place == 1:
            continue
        for name, letters in row.peers.items():
            found[name] += letters[index : index + 1] == "B"
    return ", ".join(f"{name} {found[name]}" for name in PEERS)


def _cell(seen: Seen | None) -> str:
    if seen is None:
        return "-"
    return f"{seen.letter} {', '.join(seen.told[:2])}".strip()


def _honest(rows: Sequence[Row]) -> str:
    heads = ["honest change", "kind", "person", "feature", *PEERS]
    lines = [
        [
            row.pattern.name,
            row.pattern.kind,
            *(_cell(row.gate[each]) for each in ("person", "feature")),
            *(row.peers.get(name, "") for name in PEERS),
        ]
        for row in rows
    ]
    work = [row for row in rows if row.pattern.kind not in CONTRACTS]
    noisy = [r.pattern.name for r in work if r.gate["person"].letter != "."]
    held = [r.pattern.name for r in work if r.gate["feature"].letter != "."]
    stopped = [r.pattern.name for r in rows if r.gate["person"].exit_code]
    blocked = ", ".join(
        f"{name} {sum('B' in row.peers.get(name, '') for row in rows)}"
        for name in PEERS
    )
    return "\n".join(
        [
            markdown("Honest work", heads, lines),
            f"A person's blocked: {stopped or 0}.",
            f"A person's not silent, contract changes apart: {noisy or 0}.",
            f"An agent's not silent, contract changes apart: {held or 0}.",
            f"Blocked by others, of {len(rows)}: {blocked}.",
            "",
        ]
    )


def _static(folder: Path, programs: Path | None) -> str:
    heads = ("language", "patterns", "seen", "honest", "silent", "odd", *PEERS)
    lines = []
    for page in static.pages():
        found = list(static.cases(page))
        tampers = [case for case in found if not case.honest]
        honest = [case for case in found if case.honest]
        labels = {case.name: static.label(case) for case in found}
        odd = [
            f"{case.name}: {labels[case.name].value}, not {case.change.value}"
            for case in found
            if labels[case.name] is not case.change
        ]
        said = {}
        if programs is not None and page in SIDE_BY_SIDE:
            for name in PEERS:
                held = _blocked(folder, programs, page, name, tampers)
                wrong = _blocked(folder, programs, page, name, honest)
                said[name] = f"{held} of {len(tampers)}, honest {wrong}"
        lines.append(
            (
                page,
                str(len(tampers)),
                str(sum(labels[case.name].value not in _CALM for case in tampers)),
                str(len(honest)),
                str(sum(labels[case.name].value in _CALM for case in honest)),
                "; ".join(odd),
                *(said.get(name, "-") for name in PEERS),
            )
        )
    return markdown("Other languages, as differences", heads, lines)


_CALM: Final = frozenset({"equal", "stronger"})


def _blocked(
    folder: Path, programs: Path, page: str, name: str, cases: Sequence[static.Case]
) -> int:
    """How many cases another tool blocks."""

    def blocks(numbered: tuple[int, static.Case]) -> bool:
        number, case = numbered
        place = folder / "static" / page / name / f"{number}-{case.honest}" / "repo"
        place.mkdir(parents=True)
        git(place, "init", "--quiet", "--initial-branch=main")
        base = commit(place, case.base, "Base")
        for path in case.base.keys() - case.head.keys():
            (place / path).unlink()
        head = commit(place, case.head, "Change")
        return PEERS[name](programs, place, base, head) == BLOCKS

    with ThreadPoolExecutor(max_workers=2) as pool:
        return sum(pool.map(blocks, enumerate(cases)))


if __name__ == "__main__":
    raise SystemExit(main())
