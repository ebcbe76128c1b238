"""A JVM that is asked prints where its threads wait, in the middle of everything."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.names import TestId
from fairtrial.runners.reports.jvm_dump import jvm_dumps, jvm_waits

TEST = TestId("shop.ShopTest.order")
SOURCES = {"shop/Shop.java": "src/shop/Shop.java"}
#: Printed by OpenJDK 17 while kafka-clients 3.7.1 waited for a broker.
DUMP = Path(__file__).with_name("kafka_producer_dump.txt").read_bytes()
INJECTED = Path(__file__).parents[2] / "src/fairtrial/injected"


def test_a_producer_without_a_broker_is_told_by_the_call_that_waits() -> None:
    main, worker = jvm_waits(DUMP, TEST, SOURCES)

    assert ("KafkaProducer.send", "src/shop/Shop.java:15") == (main.call, main.where)
    assert "shop/Shop.java:15 order" in main.stack
    assert "java.util.concurrent.LinkedBlockingQueue.take (thread worker-1)" == (
        worker.call
    )
    assert "src/shop/Shop.java:21" == worker.where


def test_threads_have_a_state_and_are_daemons_or_not() -> None:
    (threads,) = jvm_dumps(b"a test printed this\n" + DUMP + b"\nand this\n")
    named = {thread.name: thread for thread in threads}

    main = named["main"]
    assert (False, "TIMED_WAITING", 4.0) == (main.daemon, main.state, main.elapsed)
    assert named["kafka-producer-network-thread | producer-1"].daemon
    assert not named["Signal Dispatcher"].waits
    # Asleep in the kernel's own wait, for what the JVM calls runnable.
    assert named["kafka-producer-network-thread | producer-1"].waits


def test_two_dumps_tell_for_how_long() -> None:
    later = DUMP.replace(b"elapsed=4.00s", b"elapsed=6.50s")

    found = jvm_waits(DUMP + later, TEST, SOURCES)

    assert ("KafkaProducer.send", 2.5) == (found[0].call, found[0].seconds)


def test_the_form_of_older_machines_is_read_too() -> None:
    text = b"""Full thread dump OpenJDK 64-Bit Server VM (25.402-b06 mixed mode):

"main" #1 prio=5 os_prio=0 tid=0x00007f nid=0x5 in Object.wait() [0x00007f]
   java.lang.Thread.State: BLOCKED (on object monitor)
\tat java.lang.Object.wait(Native Method)
\tat shop.Shop$Inner.order(Shop.java:7)
"""
    (one,) = jvm_waits(text, TEST, SOURCES)

    assert ("java.lang.Object.wait", "src/shop/Shop.java:7") == (one.call, one.where)
    assert 0.0 == one.seconds


@given(st.text(alphabet='"#:at ()\t\n\\.WAITINGFull thread dump', max_size=400))
def test_no_text_breaks_it(text: str) -> None:
    for dump in (text.encode(), b"Full thread dump x:\n" + text.encode()):
        assert isinstance(jvm_waits(dump, TEST, SOURCES), tuple)


def test_a_long_line_takes_no_long_time() -> None:
    line = b"\tat " + b"a." * 400_000 + b"\n" + b'"' + b" " * 400_000 + b"\n"
    begun = time.monotonic()

    jvm_waits(b"Full thread dump x:\n" + line * 3, TEST, SOURCES)

    assert time.monotonic() - begun < 2


SHOP = """
public class Shop {
    public static void main(String[] given) throws Exception {
        System.out.println("ready");
        new java.util.concurrent.LinkedBlockingQueue<String>().take();
    }
}
"""


@pytest.mark.slow
def test_a_real_jvm_below_a_process_is_asked_and_no_other_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java, javac = shutil.which("java"), shutil.which("javac")
    if java is None or javac is None:
        pytest.skip("there is no Java on this machine")
    (tmp_path / "Shop.java").write_text(SHOP)
    subprocess.run([javac, "-d", tmp_path, tmp_path / "Shop.java"], check=True)
    bystander = subprocess.Popen(["sleep", "60"])
    jvm = subprocess.Popen(
        ["sh", "-c", f"{java} -cp {tmp_path} Shop; :"],
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert jvm.stdout is not None
    try:
        assert b"ready\n" == jvm.stdout.readline()
        ask = "import os, fairtrial_jvm; print(len(fairtrial_jvm.ask(os.getppid())))"
        asked = subprocess.run(
            [sys.executable, "-c", ask],
            env={"PYTHONPATH": str(INJECTED)},
            capture_output=True,
            text=True,
            check=True,
        )
        printed, begun = b"", time.monotonic()
        while b"Shop.main" not in printed and time.monotonic() - begun < 20:
            printed += jvm.stdout.readline()
    finally:
        os.killpg(jvm.pid, signal.SIGKILL)
        jvm.wait()
        jvm.stdout.close()
        survived = bystander.poll() is None
        bystander.kill()
        bystander.wait()

    assert "1" == asked.stdout.strip()
    assert survived
    (one,) = jvm_waits(printed, TEST, {"Shop.java": "Shop.java"})
    assert "java.util.concurrent.LinkedBlockingQueue.take" == one.call
    assert "Shop.java:5" == one.where
