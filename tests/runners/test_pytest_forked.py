"""A forked trial names who makes its subjects fail, and where it can't, says why."""

from __future__ import annotations

import random
import textwrap
import time

import pytest
from tests.runners.specimen import Specimen

from fairtrial.domain.experiments import Shape, Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.traces import Searched
from fairtrial.runners import Selection

STATE = "LEFT = set()\n"

THREAD = """
    import threading, time
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    """
LISTENING = """
    import socket
    OPEN = socket.socket()
    OPEN.bind(("127.0.0.1", 0))
    OPEN.listen(1)
    """
CONNECTED = """
    import socket
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen(1)
    OPEN = [socket.create_connection(server.getsockname()), server.accept()]
    server.close()
    """
LIBRARY = """
    import sys, types
    sys.modules["jpype"] = types.ModuleType("jpype")
    """


def search(
    specimen: Specimen, tests: list[str], *subjects: str, timeout: float = 30.0
) -> dict[str, Searched]:
    """What a forked trial says of each subject."""
    selection = Selection(
        shape=Shape.FORKED,
        tests=tuple(map(TestId, tests)),
        subjects=tuple(map(TestId, subjects)),
        test_timeout=timeout,
    )
    done = specimen.perform(selection, "python -m pytest -q", env={}, trial_timeout=120)
    assert Trust.SOUND is done.trust, done.distrust
    assert {} == done.results
    assert () == done.unreached
    return {str(one.victim): one for one in done.searched}


def written(specimen: Specimen, bodies: dict[str, str], header: str = "") -> list[str]:
    """A file of tests with these bodies; the ids in order."""
    source = ["import os, pytest, state", textwrap.dedent(header)]
    for name, body in bodies.items():
        source.append(f"def test_{name}():\n    {body}\n")
    specimen.write({"state.py": STATE, "tests/test_all.py": "\n".join(source)})
    return [f"tests/test_all.py::test_{name}" for name in bodies]


def idle(count: int, name: str = "i") -> dict[str, str]:
    return {f"{name}{number}": "pass" for number in range(count)}


def test_the_one_polluter_of_many_tests_is_named(specimen: Specimen) -> None:
    tests = written(
        specimen,
        {
            **idle(70),
            "dirty": "state.LEFT.add(1)",
            **idle(50, "j"),
            "victim": "assert not state.LEFT",
            **idle(3, "k"),
        },
    )
    victim = "tests/test_all.py::test_victim"

    found = search(specimen, tests, victim)[victim]

    assert (("tests/test_all.py::test_dirty",),) == found.sets
    assert not found.load_time
    assert "" == found.hostile
    # Twenty to find it, and no more than forty for others of its file.
    assert 60 > found.asked


def test_rows_of_one_table_that_pollute_alike_are_named_together(
    specimen: Specimen,
) -> None:
    tests = written(
        specimen,
        {
            **idle(20),
            **{f"row{number}": f"state.LEFT.add({number})" for number in range(4)},
            **idle(20, "j"),
            "victim": "assert not state.LEFT",
        },
    )
    victim = "tests/test_all.py::test_victim"

    found = search(specimen, tests, victim)[victim]

    rows = {(f"tests/test_all.py::test_row{number}",) for number in range(4)}
    assert rows == set(found.sets)
    assert 4 == len(found.sets)


def test_sets_that_only_pollute_together_are_named(specimen: Specimen) -> None:
    check_random_sets(specimen, tests=70, victims=5, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_hundreds_of_random_sets_are_named(specimen: Specimen, seed: int) -> None:
    if specimen.name == "own":
        check_random_sets(specimen, tests=150, victims=30, seed=seed)


def check_random_sets(
    specimen: Specimen, *, tests: int, victims: int, seed: int
) -> None:
    """Victims at random places, each of one to four tests together."""
    chance = random.Random(seed)
    places = sorted(chance.sample(range(20, tests), victims))
    wanted = {}
    bodies = {}
    for number in range(tests):
        bodies[str(number)] = f"state.LEFT.add({number})"
        if number in places:
            guilty = sorted(chance.sample(range(number), chance.randint(1, 4)))
            wanted[number] = tuple(f"tests/test_all.py::test_{g}" for g in guilty)
            bodies[str(number)] = f"assert not state.LEFT >= {set(guilty)}"
            # A victim leaves nothing behind, so it is in nobody's set.
    names = written(specimen, bodies)
    innocent = {
        place
        for place, tests_of in wanted.items()
        if any(f"tests/test_all.py::test_{p}" in tests_of for p in places)
    }
    subjects = [f"tests/test_all.py::test_{place}" for place in places]

    found = search(specimen, names, *subjects)

    for place in places:
        one = found[f"tests/test_all.py::test_{place}"]
        if place in innocent:
            assert () == one.sets
        else:
            assert (wanted[place],) == one.sets


def test_the_setter_of_a_brittle_test_is_named(specimen: Specimen) -> None:
    tests = written(
        specimen,
        {
            **idle(10),
            "sets": "state.LEFT.add('ready')",
            **idle(10, "j"),
            "brittle": "assert 'ready' in state.LEFT",
        },
    )
    brittle = "tests/test_all.py::test_brittle"

    found = search(specimen, tests, brittle)[brittle]

    assert (("tests/test_all.py::test_sets",),) == found.sets
    assert not found.load_time


def test_files_that_pollute_when_they_are_loaded_are_named(specimen: Specimen) -> None:
    files = {"state.py": STATE}
    for number in range(9):
        dirty = f"state.LEFT.add({number})" if number in {2, 6} else ""
        files[f"tests/test_{number}.py"] = (
            f"import state\n{dirty}\ndef test_one(): pass\n"
        )
    files["tests/test_v.py"] = (
        "import state\ndef test_v(): assert not state.LEFT >= {2, 6}\n"
    )
    specimen.write(files)
    victim = "tests/test_v.py::test_v"
    tests = [*(f"tests/test_{number}.py::test_one" for number in range(9)), victim]

    found = search(specimen, tests, victim)[victim]

    assert found.load_time
    assert (("tests/test_2.py::test_one", "tests/test_6.py::test_one"),) == found.sets


def test_what_makes_the_victim_pass_again_is_named(specimen: Specimen) -> None:
    tests = written(
        specimen,
        {
            **idle(5),
            "dirty": "state.LEFT.add(1)",
            **idle(5, "j"),
            "victim": "assert not state.LEFT",
            "cleans": "state.LEFT.clear()",
        },
    )
    victim = "tests/test_all.py::test_victim"

    found = search(specimen, tests, victim)[victim]

    assert ("tests/test_all.py::test_cleans",) == found.cleaners


@pytest.mark.parametrize(
    ("started", "said"),
    [
        (THREAD, "thread"),
        (LISTENING, "listening"),
        (CONNECTED, "open to"),
        (LIBRARY, "Java"),
    ],
)
def test_what_no_fork_bears_is_told(
    specimen: Specimen, started: str, said: str
) -> None:
    bodies = {"dirty": "state.LEFT.add(1)", "victim": "assert not state.LEFT"}
    tests = written(specimen, bodies, started)

    found = search(specimen, tests, tests[-1])[tests[-1]]

    assert said in found.hostile
    assert () == found.sets


def test_a_thread_that_a_later_test_leaves_hides_no_earlier_polluter(
    specimen: Specimen,
) -> None:
    thread = "__import__('_thread').start_new_thread(__import__('time').sleep, (60,))"
    tests = written(
        specimen,
        {
            **idle(10),
            "dirty": "state.LEFT.add(1)",
            **idle(40, "j"),
            "thread": thread,
            **idle(10, "k"),
            "victim": "assert not state.LEFT",
        },
    )

    found = search(specimen, tests, tests[-1])[tests[-1]]

    assert (("tests/test_all.py::test_dirty",),) == found.sets


def test_what_a_file_hides_is_no_sets_fault(specimen: Specimen) -> None:
    dirty = "open(os.environ['HOME'] + '/dirt', 'w').close()"
    victim = "assert not os.path.exists(os.environ['HOME'] + '/dirt')"
    tests = written(specimen, {**idle(5), "dirty": dirty, "victim": victim})

    found = search(specimen, tests, tests[-1])[tests[-1]]

    assert () == found.sets
    assert not found.load_time
    assert "outside the process" in found.hostile


@pytest.mark.parametrize(
    "end", ["os._exit(3)", "os.abort()", "os.kill(os.getpid(), 9)"]
)
def test_a_child_that_dies_answers_nothing(specimen: Specimen, end: str) -> None:
    # In its place it fails; in a copy, which has other numbers, it ends the process.
    header = "MAIN = os.getpid()"
    victim = f"assert not state.LEFT if os.getpid() == MAIN else {end}"
    tests = written(specimen, {"dirty": "state.LEFT.add(1)", "victim": victim}, header)

    found = search(specimen, tests, tests[-1])[tests[-1]]

    assert () == found.sets


def test_a_child_that_hangs_has_the_time_of_one_test(specimen: Specimen) -> None:
    header = "import time\nMAIN = os.getpid()"
    victim = "assert not state.LEFT if os.getpid() == MAIN else time.sleep(600)"
    tests = written(specimen, {"dirty": "state.LEFT.add(1)", "victim": victim}, header)
    begun = time.monotonic()

    found = search(specimen, tests, tests[-1], timeout=2.0)[tests[-1]]

    assert () == found.sets
    assert 30 > time.monotonic() - begun


def test_tests_see_no_children_of_ours(specimen: Specimen) -> None:
    header = """
    def alone():
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return True
        return False
    """
    tests = written(
        specimen,
        {
            **{f"i{number}": "assert alone()" for number in range(8)},
            "dirty": "state.LEFT.add(1)",
            "victim": "assert alone() and not state.LEFT",
        },
        header,
    )

    found = search(specimen, tests, tests[-1])[tests[-1]]

    assert (("tests/test_all.py::test_dirty",),) == found.sets
    assert b"1 failed, 9 passed" in specimen.output.stdout


def test_a_module_of_fixtures_is_torn_down_as_pytest_does_it(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "state.py": STATE,
            "tests/test_a.py": """
                import pytest, state

                @pytest.fixture(scope="module", autouse=True)
                def holding():
                    state.LEFT.add("held")
                    yield
                    state.LEFT.discard("held")

                def test_one(): pass
                def test_dirty(): state.LEFT.add("dirt")
                def test_two(): pass
                """,
            "tests/test_b.py": """
                import state

                def test_victim():
                    assert "held" not in state.LEFT
                    assert "dirt" not in state.LEFT
                """,
        }
    )
    tests = [f"tests/test_a.py::test_{each}" for each in ("one", "dirty", "two")]
    victim = "tests/test_b.py::test_victim"

    found = search(specimen, [*tests, victim], victim)[victim]

    assert (("tests/test_a.py::test_dirty",),) == found.sets
