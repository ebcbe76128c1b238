"""What is known of a test that takes its process with it, hangs or eats the memory."""

from __future__ import annotations

import pytest
from tests.runners.specimen import Specimen, failure, outcomes

from fairtrial.domain.experiments import Shape, Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Outcome, Phase
from fairtrial.runners import Selection

SEGFAULT = """
    import ctypes
    def crash():
        ctypes.string_at(0)
"""


def suite(*body: str, helper: str = "") -> dict[str, str]:
    lines = (
        "import os, sys, time, pytest, native",
        "def test_before(): pass",
        "def test_victim():",
        *(f"    {line}" for line in body),
        "def test_after(): pass",
        "",
    )
    return {
        "native.py": helper,
        "conftest.py": "",
        "tests/test_a.py": "\n".join(lines),
    }


VICTIM = "tests/test_a.py::test_victim"
AFTER = TestId("tests/test_a.py::test_after")


def test_a_segfault_is_seen_with_its_innermost_frame(specimen: Specimen) -> None:
    specimen.write(suite("native.crash()"))
    specimen.write({"native.py": SEGFAULT})

    result = specimen.whole("python -m pytest -p no:cacheprovider --rootdir=.")
    found = failure(result, VICTIM, Outcome.CRASHED)

    assert VICTIM == result.interrupted_at
    assert (AFTER,) == result.unreached
    assert {"tests/test_a.py::test_before": "passed", VICTIM: "crashed"} == (
        outcomes(result)
    )
    assert (Phase.CALL, "Segmentation fault") == (found.phase, found.type)
    assert "native.py::crash" == found.signature.production_frame
    assert "tests/test_a.py::test_victim" == found.signature.test_frame
    assert found.never_acquitted


def test_an_exit_leaves_the_place_from_which_it_exited(specimen: Specimen) -> None:
    specimen.write(suite("os._exit(0)"))

    result = specimen.whole()
    found = failure(result, VICTIM, Outcome.CRASHED)

    assert (AFTER,) == result.unreached
    assert "os._exit" == found.type
    assert "it ended its process with exit code 0" == found.message
    assert "tests/test_a.py:4" == found.where
    assert not found.never_acquitted


def test_leaving_by_system_exit_is_a_plain_failure(specimen: Specimen) -> None:
    specimen.write(suite("sys.exit(3)"))

    result = specimen.whole()

    assert "SystemExit" == failure(result, VICTIM).type
    assert () == result.unreached


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("pytest.exit('enough')", "_pytest.outcomes.Exit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_a_test_that_ends_the_session_is_the_one_that_crashed(
    specimen: Specimen, body: str, kind: str
) -> None:
    specimen.write(suite(body))

    result = specimen.whole()

    assert kind == failure(result, VICTIM, Outcome.CRASHED).type
    assert (AFTER,) == result.unreached


def test_a_hang_ends_with_the_place_where_it_hung(specimen: Specimen) -> None:
    wait = "import time\ndef wait():\n    time.sleep(60)\n"
    specimen.write(suite("native.wait()", helper=wait))

    result = specimen.whole(timeout=1.0)
    found = failure(result, VICTIM, Outcome.TIMED_OUT)

    assert specimen.output.seconds < 20
    assert VICTIM == result.interrupted_at
    assert (AFTER,) == result.unreached
    assert (found.signature.production_frame or "").startswith("native.py::wait#")
    assert "native.py::wait" in (found.outside_frame or "")


def test_clocks_that_a_test_replaces_do_not_matter(specimen: Specimen) -> None:
    specimen.write(suite("time.monotonic = time.time = lambda: 0.0"))

    result = specimen.whole(timeout=5.0)

    assert {"passed"} == set(outcomes(result).values())


def test_nobody_sees_the_watchdog(specimen: Specimen) -> None:
    seen = "assert threading.enumerate() == [threading.main_thread()]"
    specimen.write(suite("import threading", seen))

    assert {"passed"} == set(outcomes(specimen.whole()).values())


def test_a_hang_in_native_code_that_holds_the_lock_ends_too(
    specimen: Specimen,
) -> None:
    # PyDLL keeps the interpreter's lock, so that no other thread of Python runs.
    specimen.write(suite("import ctypes; ctypes.PyDLL(None).sleep(60)"))

    result = specimen.whole(timeout=1.0)
    found = failure(result, VICTIM, Outcome.TIMED_OUT)

    assert specimen.output.seconds < 20
    assert "tests/test_a.py::test_victim" == found.signature.test_frame


def test_a_hang_in_teardown_says_so(specimen: Specimen) -> None:
    specimen.write(
        {
            "test_a.py": """
                import pytest, time
                @pytest.fixture
                def slow():
                    yield
                    time.sleep(60)
                def test_a(slow): pass
            """
        }
    )

    result = specimen.alone("test_a.py::test_a", timeout=1.0)

    found = failure(result, "test_a.py::test_a", Outcome.TIMED_OUT)
    assert Phase.TEARDOWN is found.phase


def test_memory_refused_by_a_limit_is_a_failure_with_its_place(
    specimen: Specimen,
) -> None:
    specimen.write(suite("x = []", "while True: x.append(bytearray(10**7))"))
    specimen.write(
        {
            "conftest.py": """
                import resource
                resource.setrlimit(resource.RLIMIT_AS, (10**9, 10**9))
            """
        }
    )

    result = specimen.whole()

    assert "MemoryError" == failure(result, VICTIM).type
    assert () == result.unreached


def test_a_death_without_a_trace_matches_no_other(specimen: Specimen) -> None:
    specimen.write(suite("os.kill(os.getpid(), 9)"))

    first = failure(specimen.alone(VICTIM), VICTIM, Outcome.CRASHED)
    second = failure(specimen.alone(VICTIM), VICTIM, Outcome.CRASHED)

    assert "SIGKILL" == first.type
    assert first.signature != second.signature


def test_a_worker_of_xdist_that_dies_is_told_by_its_test(specimen: Specimen) -> None:
    specimen.write(suite("os._exit(3)"))
    specimen.write({"tests/test_b.py": "def test_1(): pass\ndef test_2(): pass\n"})

    result = specimen.whole("python -m pytest -n 2")

    assert {
        "tests/test_a.py::test_before": "passed",
        VICTIM: "crashed",
        AFTER: "passed",
        "tests/test_b.py::test_1": "passed",
        "tests/test_b.py::test_2": "passed",
    } == outcomes(result)
    assert () == result.unreached


def test_a_fork_of_a_test_reports_nothing(specimen: Specimen) -> None:
    specimen.write(
        suite("pid = os.fork()", "if not pid: raise ValueError", "os.wait()")
    )

    result = specimen.whole()

    assert 3 == len(outcomes(result))
    assert {"passed"} == set(outcomes(result).values())


def test_an_import_that_kills_the_process_is_that_files_doing(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "test_a.py": "def test_a(): pass\n",
            "test_b.py": "import os\nos.kill(os.getpid(), 11)\n",
        }
    )

    result = specimen.whole()
    listed = specimen.listed(("test_a.py::test_a", "test_b.py::test_b"))

    assert {"test_b.py"} == result.uncollectable.keys()
    assert "Segmentation fault" in result.uncollectable["test_b.py"]
    assert {"test_b.py::test_b": "unbuildable"} == outcomes(listed)
    assert ("test_a.py::test_a",) == listed.unreached


def test_a_trial_whose_time_was_up_proves_nothing(specimen: Specimen) -> None:
    specimen.write(suite("time.sleep(60)"))
    selection = Selection(shape=Shape.WHOLE, test_timeout=50)

    result = specimen.perform(selection, "python -m pytest", env={}, trial_timeout=5)

    assert Trust.ERRORED is result.trust
    assert Outcome.ERRORED is result.results[TestId(VICTIM)].outcome
