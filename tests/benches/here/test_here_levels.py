from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fairtrial
from fairtrial.benches.here import reach
from fairtrial.benches.here.ground import Ground
from fairtrial.domain.settings import Network
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Setup

# The fixtures' type lives in conftest.py, which can't be imported.
Place = Any

_SURVEY = """
import sys
from pathlib import Path
from fairtrial.benches.here.ground import survey
from fairtrial.benches.here.reach import levels
from fairtrial.domain.settings import Network
ground = survey(60763, Path(sys.argv[1]), "fairtrial-survey")
user = levels(ground, Network.NONE).user
print(user, "user" in ground.walls, *sorted(ground.reasons))
"""


def test_every_lesser_level_has_its_reason() -> None:
    nothing = reach.levels(Ground(), Network.NONE)

    assert ("copy", "same", "open") == (nothing.files, nothing.user, nothing.network)
    assert "gate's own user" in nothing.why_not["files"]


def test_an_open_network_is_said_to_be_the_configurations() -> None:
    walls = frozenset({"mount", "network"})
    ground = Ground(walls=walls, overlay="disk", rest_read_only=True, uid=60700)
    levels = reach.levels(ground, Network.OPEN)

    assert "open" == levels.network
    assert "network: open" in levels.why_not["network"]
    assert "none" == reach.levels(ground, Network.NONE).network


def test_a_suite_with_docker_is_not_walled_in_and_says_so(place: Place) -> None:
    bench = place.empty_bench("whole", {"docker": True})
    place.own.append(bench)
    levels = bench.levels()

    assert ("same", "open", "unlimited") == (levels.user, levels.network, levels.memory)
    known = {"files", "user", "network", "memory", "processes", "results"}
    assert known == set(levels.why_not)
    assert all("docker: true" in reason for reason in levels.why_not.values())
    assert 1 == bench.parallel

    bench.freeze(Revision.BASE, {}, Setup(python=place.python))
    output = place.run(bench, "id -u; ls /proc/$PPID/environ; env | grep GITHUB_TOKEN")

    assert f"{os.geteuid()}\n" == output.stdout.decode().partition("/")[0]
    assert b"GITHUB" not in output.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to give up")
def test_a_root_that_may_not_mount_still_drops_its_user(tmp_path: Path) -> None:
    # What the Docker engine leaves to root in a container, by default.
    kept = "chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,mknod"
    bounding = "-all" + "".join(f",+{name}" for name in kept.split(","))
    answer = subprocess.run(
        [
            "setpriv",
            f"--bounding-set={bounding}",
            sys.executable,
            "-c",
            _SURVEY,
            tmp_path,
        ],
        env={"PYTHONPATH": str(Path(fairtrial.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    user, in_user_namespace, *reasons = answer.stdout.split()

    assert "dropped" == user
    # Where user namespaces are allowed they do instead; else reasons are given.
    assert (in_user_namespace == "True") != ("files" in reasons)


def test_folders_of_the_tree_can_be_renamed(place: Place, ground: str) -> None:
    bench = place.bench(ground)
    output = place.run(
        bench, 'python -c \'import os; os.rename("folder", "other")\' && ls other'
    )
    if "user" in bench._site.ground.walls and bench._site.ground.overlay:
        assert b"cross-device" in output.stderr
    else:
        assert b"only.txt\n" == output.stdout
