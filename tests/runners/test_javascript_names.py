"""Names of tests that our reporters make, taken apart again."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Unit
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.runners.javascript.names import place_of, widen

IDS = Path(__file__).parents[2] / "src/fairtrial/injected/javascript/fairtrial_ids.cjs"

#: Titles as (shown, written or None), from the outermost block inwards.
HOSTILE: list[list[tuple[str, str | None]]] = [
    [("cart", None), ("adds", None)],
    [("a > b", None), ("c", None)],
    [("a", None), ("b > c", None)],
    [("x >", None), ("> y", None), (">", None)],
    [("", None)],
    [("[x]", None), ("returns [] for [y]", None)],
    [("row [1]", "row [%i]")],
    [("", "")],
    [("a [b] c > d", "%s [x] > \\")],
    [("back\\slash \\[ \\> \\u0041", None)],
    [("line\nbreak\ttab \u2028 \x00", None)],
    [("naïve 日本語 😀 (a|b)* $x `y` 'q' \"", None)],
    [("ends in [1]", None)],
]


def ids_of(tests: list[list[tuple[str, str | None]]]) -> list[str]:
    if shutil.which("node") is None:
        pytest.skip("there is no node on this machine")
    script = (
        f"const {{Names, step}} = require({json.dumps(str(IDS))});"
        "const names = new Names('a.test.js');"
        "const all = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "console.log(JSON.stringify(all.map((steps) => names.next("
        "steps.map(([shown, written]) => step(shown, written ?? undefined))))))"
    )
    done = subprocess.run(
        ["node", "-e", script],
        input=json.dumps(tests),
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[str] = json.loads(done.stdout)
    return found


def test_hostile_titles_come_back_as_they_are_written() -> None:
    expected = [
        tuple(shown if written is None else written for shown, written in steps)
        for steps in HOSTILE
    ]

    ids = ids_of(HOSTILE)

    assert expected == [place_of(TestId(each)).names for each in ids]
    assert len(ids) == len(set(ids))
    assert all(each.isprintable() for each in ids)


def test_equal_titles_are_counted() -> None:
    twice: list[list[tuple[str, str | None]]] = [[("works", None)], [("works", None)]]
    rows: list[list[tuple[str, str | None]]] = [[("r", "r")], [("r", "r")]]

    assert [
        "a.test.js::works",
        "a.test.js::works#2",
        "a.test.js::r [r]",
        "a.test.js::r [r#2]",
    ] == ids_of(twice + rows)
    assert Place(path=RepoPath("a.test.js"), names=("works#2",)) == place_of(
        TestId("a.test.js::works#2")
    )
    assert ("r",) == place_of(TestId("a.test.js::r [r#2]")).names


def test_half_a_character_is_told_and_a_long_title_is_cut() -> None:
    half, long = ids_of([[("\ud83d", None)], [("x" * 5000, None)]])

    assert half == "a.test.js::\\ud83d"
    assert len(long) < 2100


def test_a_unit_is_the_outermost_block_with_all_of_its_rows() -> None:
    names = (
        "web/a.test.js::cart > a",
        "web/a.test.js::cart > deep > b",
        "web/a.test.js::add %i [add 1]",
        "web/a.test.js::add %i [add 2]",
        "web/sub/b.test.js::cart > a",
        "c.test.js::cart > a",
    )
    listed = tuple(map(TestId, names))

    assert listed[:2] == widen(listed[0], Unit.CLASS, listed)
    assert listed[2:4] == widen(listed[2], Unit.CLASS, listed)
    assert listed[:4] == widen(listed[0], Unit.FILE, listed)
    assert listed[:5] == widen(listed[0], Unit.DIRECTORY, listed)
    assert listed[:1] == widen(listed[0], Unit.TEST, listed)


def test_titles_made_in_loops_are_told_as_they_are_written() -> None:
    if shutil.which("node") is None:
        pytest.skip("there is no node on this machine")
    source = (
        "for (const x of y) it(`adds ${x} to ${x.map((z) => z)}`, f);"
        "describe.skip(\n `of \\`${x}\\``, f); it(`${a}`, f); it(`plain`, f);"
        'it("adds 1 to nothing", f);'
    )
    script = (
        f"const {{Templates}} = require({json.dumps(str(IDS))});"
        f"const found = new Templates({json.dumps(source)});"
        "console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0, 'utf8'))"
        ".map((title) => found.of(title) ?? null)))"
    )
    titles = ["adds 1 to 2", "of `3`", "adds 1 to nothing", "plain", "else"]
    done = subprocess.run(
        ["node", "-e", script],
        input=json.dumps(titles),
        capture_output=True,
        text=True,
        check=True,
    )

    found = json.loads(done.stdout)

    adds = "adds ${x} to ${x.map((z) => z)}"
    assert [adds, "of \\`${x}\\`", None, None, "${a}"] == found
