"""Where answers turn, in thousands of small worlds without processes."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import fairtrial

FOLDER = Path(fairtrial.__file__).parent / "injected"
#: What a test does to the state, by its place.
Act = Callable[[set[int]], None]


@pytest.fixture(scope="module")
def sets_of() -> Iterator[Any]:
    """The class that searches; its module is for the project's interpreter."""
    sys.path.insert(0, str(FOLDER))
    try:
        yield import_module("fairtrial_search_sets").Sets
    finally:
        sys.path.remove(str(FOLDER))


@dataclass(kw_only=True)
class World:
    """Tests that leave tokens or take them away, and subjects that fail by them."""

    acts: list[Act]
    fails: Callable[[set[int]], bool]
    #: Which questions come to nothing, by their number.
    lost: Callable[[int], bool] = lambda number: False
    asked: int = 0

    def state(self, upto: int) -> set[int]:
        found: set[int] = set()
        for act in self.acts[:upto]:
            act(found)
        return found


@dataclass(kw_only=True)
class Copy:
    """A copy that is one state of a world."""

    position: int
    world: World
    sets_of: Any

    def ask(self, message: dict[str, Any]) -> Any:
        world = self.world
        if message["do"] == "clean":
            return []
        if message["do"] == "inside":
            places = range(self.position, message["until"] + 1)
            step = max(1, len(places) // 5)
            inside = Search(world=world, sets_of=self.sets_of)
            inside.place([*places[::step], message["until"]])
            found = self.sets_of(inside, message["subject"], None, "")
            return found.turn(message["kept"], message["until"], message["first"])
        world.asked += 1
        if world.lost(world.asked):
            return None
        state = world.state(self.position)
        for each in message["tests"]:
            world.acts[each](state)
        return "failed" if world.fails(state) else "passed"


@dataclass(kw_only=True)
class Item:
    """What a search reads of a collected test."""

    location: tuple[str] = ("a.py",)


@dataclass(kw_only=True)
class Search:
    """What `Sets` asks of the plugin."""

    world: World
    sets_of: Any
    copies: list[Copy] = field(default_factory=list)
    until: float = float("inf")
    beat: None = None

    @property
    def items(self) -> list[Item]:
        return [Item()] * (len(self.world.acts) + 1)

    def place(self, positions: list[int]) -> None:
        self.copies = [
            Copy(position=each, world=self.world, sets_of=self.sets_of)
            for each in dict.fromkeys(positions)
        ]

    def question(self, at: Copy, tests: list[int], subject: int) -> str:
        found = at.ask({"do": "ask", "tests": tests, "subject": subject})
        return found if isinstance(found, str) else "neither"


def searched(world: World, sets_of: Any) -> list[tuple[int, ...]]:
    """The sets found for a subject behind all tests of a world."""
    count = len(world.acts)
    search = Search(world=world, sets_of=sets_of)
    search.place([count * each // 32 for each in range(32)])
    placed = "failed" if world.fails(world.state(count)) else "passed"
    found = sets_of(search, count, placed, "")
    found.find(0.0)
    return [tuple(each) for each in found.found]


def leaves(number: int) -> Act:
    return lambda state: state.add(number)


def leaves_or_cleans(number: int, kind: float) -> Act:
    """One test of twenty cleans up; the others leave one of few tokens."""
    if kind < 0.05:
        return lambda state: state.clear()
    return leaves(number % 7)


def test_two_thousand_random_sets_are_all_found(sets_of: Any) -> None:
    chance = random.Random(0)
    asked = []
    for _ in range(2000):
        count = chance.randint(4, 400)
        guilty = set(chance.sample(range(count), chance.randint(1, 4)))
        world = World(
            acts=[leaves(number) for number in range(count)],
            fails=lambda state, guilty=guilty: guilty <= state,  # type: ignore[misc]
        )
        assert [tuple(sorted(guilty))] == searched(world, sets_of)
        asked.append(world.asked)

    assert max(asked) < 120


def test_setters_are_found_as_polluters_are(sets_of: Any) -> None:
    chance = random.Random(1)
    for _ in range(300):
        count = chance.randint(4, 200)
        wanted = set(chance.sample(range(count), chance.randint(1, 3)))
        world = World(
            acts=[leaves(number) for number in range(count)],
            fails=lambda state, wanted=wanted: not wanted <= state,  # type: ignore[misc]
        )

        assert [tuple(sorted(wanted))] == searched(world, sets_of)


def test_among_cleaners_what_is_named_does_it(sets_of: Any) -> None:
    chance = random.Random(2)
    found = 0
    for _ in range(500):
        count = chance.randint(4, 200)
        acts = [leaves_or_cleans(number, chance.random()) for number in range(count)]
        bad = set(chance.sample(range(7), chance.randint(1, 2)))
        world = World(acts=acts, fails=lambda state, bad=bad: bad <= state)  # type: ignore[misc]
        if not world.fails(world.state(count)):
            continue
        for tests in searched(world, sets_of):
            state: set[int] = set()
            for each in tests:
                acts[each](state)
            assert world.fails(state)
            found += 1

    assert found > 100


def test_lost_answers_never_name_the_innocent(sets_of: Any) -> None:
    chance = random.Random(3)
    for _ in range(500):
        count = chance.randint(4, 200)
        guilty = set(chance.sample(range(count), chance.randint(1, 3)))
        lost = chance.random() / 2
        world = World(
            acts=[leaves(number) for number in range(count)],
            fails=lambda state, guilty=guilty: guilty <= state,  # type: ignore[misc]
            lost=lambda number, lost=lost: chance.random() < lost,  # type: ignore[misc]
        )

        for tests in searched(world, sets_of):
            assert guilty <= set(tests)
