"""What a test tries to reach outside is told with host, port and line."""

from __future__ import annotations

import subprocess

import pytest
from tests.runners.specimen import Specimen

from fairtrial.runners import SuiteResult

CLIENT = """
    import socket
    def ask(host, port=80):
        try:
            socket.create_connection((host, port), timeout=0.05).close()
        except OSError:
            pass
    def send(host):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            try:
                line.sendto(b"x", (host, 9))
            except OSError:
                pass
"""
#: 192.0.2.0/24 is for documents only, and `.invalid` is no name of anyone's.
TESTS = """
    import os, socket, threading
    from unittest import mock
    import client

    def test_name():
        client.ask("broker.invalid", 9092)

    def test_address():
        client.ask("192.0.2.1")
        client.ask("192.0.2.1")

    def test_without_connection():
        client.send("192.0.2.2")

    def test_other_thread():
        line = threading.Thread(target=client.ask, args=("192.0.2.3",))
        line.start()
        line.join()

    def test_own_loopback(tmp_path):
        client.ask("localhost")
        client.ask("127.0.0.1")
        client.ask("::1")
        client.ask(socket.gethostname())
        with socket.socket(socket.AF_UNIX) as line:
            try:
                line.connect(str(tmp_path / "none"))
            except OSError:
                pass

    def test_stand_in():
        with mock.patch("socket.create_connection"):
            client.ask("192.0.2.4")
        with mock.patch("socket.getaddrinfo", return_value=[]):
            client.ask("stood-in.invalid")

    def test_whole_module_is_replaced():
        with mock.patch.dict("sys.modules", {"socket": mock.Mock(), "json": None}):
            client.ask("192.0.2.5")

    def test_many():
        for number in range(200):
            client.send("198.51.100.%d" % number)

    def test_child():
        if not os.fork():
            client.send("192.0.2.6")
            os._exit(0)
        os.wait()
"""


def places(result: SuiteResult) -> dict[str | None, list[tuple[str, int | None, str]]]:
    found: dict[str | None, list[tuple[str, int | None, str]]] = {}
    for one in result.reached:
        test = None if one.test is None else one.test.rpartition("::")[2]
        found.setdefault(test, []).append((one.host, one.port, one.where))
    return found


def test_attempts_are_told_and_stand_ins_are_not(specimen: Specimen) -> None:
    specimen.write({"client.py": CLIENT, "test_a.py": TESTS})

    result = specimen.whole("python -m pytest -q -p no:randomly")

    assert {"passed"} == {each.outcome.value for each in result.results.values()}
    if specimen.name == "pytest7":  # Python 3.7 tells nobody
        assert () == result.reached
        assert any("Python 3.8" in remark for remark in result.remarks)
        return
    found = places(result)
    many = found.pop("test_many")
    assert {
        "test_name": [("broker.invalid", 9092, "client.py:5")],
        "test_address": [("192.0.2.1", 80, "client.py:5")],
        "test_without_connection": [("192.0.2.2", 9, "client.py:11")],
        "test_other_thread": [("192.0.2.3", 80, "client.py:5")],
        "test_whole_module_is_replaced": [("192.0.2.5", 80, "client.py:5")],
    } == found
    assert 20 == len(many)
    assert () == result.remarks


def test_what_files_reach_for_while_they_are_loaded_is_no_tests(
    specimen: Specimen,
) -> None:
    body = "import client\nclient.ask('192.0.2.9')\ndef test_a(): pass\n"
    specimen.write({"client.py": CLIENT, "test_a.py": body})

    result = specimen.whole()

    if specimen.name != "pytest7":
        (one,) = result.reached
        assert (None, "192.0.2.9", "client.py:5") == (one.test, one.host, one.where)
        assert "test_a.py:2 <module>" in one.stack


CHILD = """
    import subprocess, sys
    import client

    def test_quiet():
        pass

    def test_child():
        code = "import client; client.ask('192.0.2.7')"
        subprocess.run([sys.executable, "-c", code], check=True)

    def test_own():
        client.ask("192.0.2.8")
"""


def test_without_network_what_a_child_tries_is_told_without_its_place(
    specimen: Specimen,
) -> None:
    alone = ("unshare", "--user", "--map-root-user", "--net")
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no network of its own can be given to a process here")
    specimen.write({"client.py": CLIENT, "test_a.py": CHILD})

    result = specimen.whole(f"{' '.join(alone)} python -m pytest -q -p no:randomly")

    found = places(result)
    assert [("", None, "")] == found.pop("test_child")
    seen: list[tuple[str, int | None, str]] = [("192.0.2.8", 80, "client.py:5")]
    if specimen.name == "pytest7":  # all that there is on Python 3.7
        seen = [("", None, "")]
    assert {"test_own": seen} == found
