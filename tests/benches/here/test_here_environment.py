"""What docs/environment.md says is pinned is so in a real trial, and can be set."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from fairtrial.domain.settings import ConditionSettings
from fairtrial.domain.trials import TrialOutput

from .conftest import Place

LOOK = """
import json, locale, os, socket, time
def refused(host):
    begun = time.monotonic()
    try:
        socket.create_connection((host, 80), timeout=20)
    except OSError as error:
        return [type(error).__name__, time.monotonic() - begun < 1]
names = ("TZ", "LANG", "PYTHONHASHSEED", "CI", "USER", "LOGNAME")
print(json.dumps({
    **{name: os.environ.get(name) for name in names},
    "zone": time.strftime("%Z"),
    "encoding": locale.getpreferredencoding(False),
    "hash": hash("fairtrial"),
    "umask": os.umask(0),
    "cpus": len(os.sched_getaffinity(0)),
    "root": os.geteuid() == 0,
    "home": os.listdir(os.environ["HOME"]),
    "temporary": os.listdir(os.environ["TMPDIR"]),
    "inherited": sorted(name for name in os.environ if "TOKEN" in name),
    "address": refused("192.0.2.1"),
    "name": refused("broker.invalid"),
}))
"""


def looked(output: TrialOutput) -> dict[str, Any]:
    assert 0 == output.code, output.stderr
    found: dict[str, Any] = json.loads(output.stdout)
    return found


SCRIPT = f"python3 - <<'END'\n{LOOK}\nEND"


def test_what_is_pinned_is_so_whatever_the_machine_has(place: Place) -> None:
    bench = place.bench()
    one, other = (looked(place.run(bench, SCRIPT)) for _ in range(2))

    assert ("UTC", "C.UTF-8", "0", "true") == tuple(
        one[name] for name in ("TZ", "LANG", "PYTHONHASHSEED", "CI")
    )
    assert ("fairtrial", "fairtrial", "UTC") == (
        one["USER"],
        one["LOGNAME"],
        one["zone"],
    )
    assert "UTF-8" == one["encoding"].upper()
    assert 0o022 == one["umask"]
    assert ([], [], []) == (one["home"], one["temporary"], one["inherited"])
    assert one["hash"] == other["hash"]
    if bench.levels().user == "dropped":
        assert not one["root"]
    if bench.own_loopback:
        assert ["OSError", True] == one["address"]
        assert [socket.gaierror.__name__, True] == one["name"]


@pytest.mark.slow
def test_each_of_them_can_be_set(place: Place) -> None:
    env = {
        "TZ": "Asia/Seoul",
        "LANG": "C",
        "PYTHONHASHSEED": "7",
        "CI": "false",
        "USER": "somebody",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
    }
    pinned = ConditionSettings(cpus=1, umask=0o027)
    bench = place.own_bench(env=env, conditions=pinned)
    found = looked(place.run(bench, SCRIPT))

    assert ("Asia/Seoul", "C", "7", "false", "somebody") == tuple(
        found[name] for name in ("TZ", "LANG", "PYTHONHASHSEED", "CI", "USER")
    )
    assert "UTF-8" != found["encoding"].upper()
    assert (0o027, 1) == (found["umask"], found["cpus"])


PAGE = Path(__file__).parents[3] / "docs" / "environment.md"


@pytest.mark.parametrize(
    ("name", "value"),
    [("TZ", "UTC"), ("LANG", "C.UTF-8"), ("PYTHONHASHSEED", "0"), ("CI", "true")],
)
def test_the_page_has_its_value(name: str, value: str) -> None:
    assert f"\n| `{name}` | `{value}`" in PAGE.read_text(encoding="utf-8")
