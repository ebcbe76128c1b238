"""What a trial leaves behind is seen before its walls come down."""

from __future__ import annotations

import time

import pytest

from fairtrial.domain.trials import LeftFile, TrialOutput

from .conftest import GROUNDS, Place

LEAVES = """
import os
open("new.txt", "w").write("left")
os.makedirs("folder/deep")
os.mkdir("empty")
os.symlink("/etc/passwd", "link")
os.mkfifo("pipe")
open("large.bin", "wb").write(b"x" * 70_000)
os.mkdir("__pycache__")
open("__pycache__/x.pyc", "w").close()
open(os.path.expanduser("~/.settings"), "w").write("mine")
open(os.environ["TMPDIR"] + "/t", "w").close()
"""


def left(place: Place, ground: str, script: str) -> TrialOutput:
    bench = place.bench(ground)
    script = f"cat > s.py <<'END'\n{script}\nEND\npython3 s.py"
    output = place.run(bench, script, look_after=True)
    assert 0 == output.code, output.stderr
    return output


def by_name(output: TrialOutput) -> dict[str, LeftFile]:
    return {each.path.rpartition("/")[2]: each for each in output.left}


#: Each other ground is another bench to build.
ALL = [
    pytest.param(name, marks=[] if name == "whole" else [pytest.mark.slow])
    for name in GROUNDS
]


@pytest.mark.parametrize("ground", ALL)
def test_files_are_told_with_their_content_and_their_time(
    place: Place, ground: str
) -> None:
    begun = time.time()
    output = left(place, ground, LEAVES)
    found = by_name(output)

    assert b"left" == found["new.txt"].data
    assert b"mine" == found[".settings"].data
    assert "t" in found
    assert ("folder", "folder", "link", "special") == tuple(
        found[name].kind for name in ("empty", "deep", "link", "pipe")
    )
    assert (None, 70_000) == (found["large.bin"].data, found["large.bin"].size)
    assert not {"x.pyc", "__pycache__"} & {*found}
    assert begun - 0.02 <= found["new.txt"].changed <= time.time()
    workspace = place.bench(ground).places.workspace
    assert f"{workspace}/new.txt" == found["new.txt"].path


def test_what_was_there_before_is_changed_or_removed(place: Place) -> None:
    output = left(
        place,
        "whole",
        "import os\nos.remove('folder/only.txt')\nopen('say.py', 'a').write('#')",
    )
    found = by_name(output)

    assert "removed" == found["only.txt"].kind
    assert (found["say.py"].data or b"").endswith(b"#")


def test_ports_and_processes_are_told(place: Place) -> None:
    output = left(
        place,
        "whole",
        "import socket, subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import socket, time;"
        's = socket.create_server(("127.0.0.1", 8123)); time.sleep(60)\'])\n'
        "import time; time.sleep(0.5)",
    )
    assert [("tcp:8123", "port")] == [
        (each.path, each.kind) for each in output.left if each.kind == "port"
    ]
    (process,) = [each for each in output.left if each.kind == "process"]
    assert "create_server" in process.path
    assert -1 < time.time() - process.changed < 30
    assert () == output.blind


@pytest.mark.slow
def test_where_others_run_too_ports_and_processes_are_not_told(place: Place) -> None:
    output = left(place, "bare", "pass")

    assert 2 == len(output.blind)
    assert not [each for each in output.left if each.kind in {"port", "process"}]


def test_of_a_killed_trial_it_is_said_that_nobody_looked(place: Place) -> None:
    bench = place.bench("whole")
    output = place.run(bench, "sleep 60", look_after=True, timeout=1)

    assert ("the trial ended before anybody could look after it",) == output.blind


HOSTILE = """
import os
deep = "d"
for number in range(100):
    os.mkdir(deep)
    os.chdir(deep)
os.chdir(os.environ["HOME"])
os.mkdir("many")
for number in range(3000):
    open("many/%d" % number, "w").close()
os.mkdir("closed")
open("closed/inside", "w").close()
os.chmod("closed", 0)
open(b"\\xff\\xfe", "w").close()
for number in range(100):
    open("large%d" % number, "wb").write(b"x" * 65_000)
os.symlink("/", "root")
open("secret", "w").close()
os.chmod("secret", 0)
if os.fork() == 0:
    os.setsid()
    while True:
        for name in ("swapped", "other"):
            try:
                os.symlink("/etc/passwd", name)
                os.remove(name)
                os.mkfifo(name)
                os.remove(name)
            except OSError:
                pass
"""


def test_hostile_leftovers_are_bounded(place: Place) -> None:
    begun = time.monotonic()
    output = left(place, "whole", HOSTILE)

    assert time.monotonic() - begun < 20
    assert 2001 >= len(output.left)
    assert {
        "it left more files than are told",
        "folders are too deep to be walked",
        "not every folder may be opened",
    } == {*output.blind}
    assert 4 << 20 >= sum(len(each.data or b"") for each in output.left)
    for each in output.left:
        each.path.encode()
        assert "/etc" not in each.path


def test_nothing_is_looked_at_that_was_not_asked_for(place: Place) -> None:
    output = place.run(place.bench("whole"), "echo > left")

    assert ((), ()) == (output.left, output.blind)
