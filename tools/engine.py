#!/usr/bin/env python3
"""A Docker engine on a bare Debian machine, and stand-ins for base images.

    tools/engine.py start            installs and starts an engine when none answers
    tools/engine.py base TAG SUITE   makes a base image from Debian's packages
    tools/engine.py stop             stops the engine that `start` started, if it did

Where no registry can be reached, nothing can be pulled. `base` makes what the tests
need of `python:3.x-slim` (bookworm: Python 3.11, trixie: 3.13) out of the packages that
the machine's own apt sources offer, with git, and with the machine's certificates, so
that pip works inside as it does outside. State lies in $FAIRTRIAL_ENGINE_STATE.
"""
# ruff: noqa: S603, S607, T201 - a script that starts programs and says so

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STATE = Path(
    os.environ.get("FAIRTRIAL_ENGINE_STATE") or Path.home() / ".cache/fairtrial-engine"
)
PIDFILE = STATE / "dockerd.pid"
PACKAGES = "python3,python3-pip,python3-venv,git,ca-certificates"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
#: Seconds an engine gets to answer.
PATIENCE = 60


def say(line: str) -> None:
    """Progress, on standard error."""
    print(f"engine: {line}", file=sys.stderr, flush=True)


def answers() -> bool:
    """Whether an engine answers."""
    if not shutil.which("docker"):
        return False
    info = subprocess.run(["docker", "info"], capture_output=True, check=False)
    return info.returncode == 0


def logged(command: list[str], log: Path) -> None:
    """Runs a command into a log; when it fails, shows the log's end and stops."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    with log.open("wb") as out:
        done = subprocess.run(
            command, stdout=out, stderr=out, env=environment, check=False
        )
    if done.returncode:
        tail = log.read_text(errors="replace").splitlines()[-15:]
        sys.exit("\n".join([*tail, f"engine: `{command[0]}` failed; see {log}"]))


def install(*programs: str) -> None:
    """Installs the Debian packages of these programs, where one is missing."""
    packages = {"dockerd": "docker.io", "iptables": "iptables"}
    missing = [name for name in programs if not shutil.which(name)]
    if not missing:
        return
    say(f"installing {', '.join(missing)}")
    logged(["apt-get", "update", "-qq"], STATE / "apt-update.log")
    logged(
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
        + [packages.get(name, name) for name in missing],
        STATE / "apt-install.log",
    )


def start() -> None:
    """Starts an engine when none answers."""
    if answers():
        say("one answers already")
        return
    if os.geteuid() != 0:
        sys.exit("engine: none answers, and only root can start one")
    install("dockerd", "iptables")
    with (STATE / "dockerd.log").open("wb") as log:
        subprocess.Popen(
            ["dockerd", "--data-root", str(STATE / "data"), "--pidfile", str(PIDFILE)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if answers():
            say("started")
            return
        time.sleep(0.3)
    log_end = (STATE / "dockerd.log").read_text(errors="replace").splitlines()[-10:]
    stop()
    sys.exit("\n".join([*log_end, f"engine: no answer within {PATIENCE} s"]))


def stop() -> None:
    """Stops the engine that `start` started, and waits until it is gone."""
    if not PIDFILE.exists():
        say("none was started here")
        return
    pid = int(PIDFILE.read_text())
    try:
        os.kill(pid, signal.SIGTERM)
        for _ in range(100):
            os.kill(pid, 0)
            time.sleep(0.2)
    except ProcessLookupError:
        say("stopped")
        return
    sys.exit(f"engine: process {pid} does not end")


def base(tag: str, suite: str) -> None:
    """Makes the image `tag` from Debian's `suite`, once; the archive is kept."""
    found = subprocess.run(
        ["docker", "image", "inspect", tag], capture_output=True, check=False
    )
    if found.returncode == 0:
        say(f"{tag} is there")
        return
    archive = STATE / f"base-{suite}.tar"
    if not archive.exists():
        install("debootstrap")
        say(f"making a base from {suite}, about a minute")
        with tempfile.TemporaryDirectory(dir=STATE) as folder:
            fill(Path(folder) / "root", suite)
            part = archive.with_suffix(".part")
            root = str(Path(folder) / "root")
            subprocess.run(["tar", "-C", root, "-cf", str(part), "."], check=True)
            part.rename(archive)
    changes = ["--change", 'CMD ["python3"]']
    if CERTIFICATES.exists():
        changes += ["--change", f"ENV SSL_CERT_FILE={CERTIFICATES}"]
    subprocess.run(
        ["docker", "import", *changes, str(archive), tag],
        stdout=subprocess.DEVNULL,
        check=True,
    )
    say(f"made {tag}")


def fill(root: Path, suite: str) -> None:
    """Fills an empty folder with what a slim Python image has, and git."""
    logged(
        [
            "debootstrap",
            "--variant=minbase",
            f"--include={PACKAGES}",
            suite,
            str(root),
            mirror(),
        ],
        STATE / "debootstrap.log",
    )
    if CERTIFICATES.exists():
        shutil.copyfile(CERTIFICATES, root / CERTIFICATES.relative_to("/"))
    (root / "etc/pip.conf").write_text(f"[global]\ncert = {CERTIFICATES}\n")
    (root / "usr/bin/python").symlink_to("python3")
    # An official Python image has no packages of a distribution to protect.
    for marker in root.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
        marker.unlink()
    for package in root.glob("var/cache/apt/archives/*.deb"):
        package.unlink()
    for documentation in ("usr/share/doc", "usr/share/man", "usr/share/locale"):
        shutil.rmtree(root / documentation, ignore_errors=True)


def mirror() -> str:
    """The first archive that the machine's own apt sources name."""
    sources = Path("/etc/apt/sources.list.d/debian.sources")
    lines = sources.read_text().splitlines() if sources.exists() else []
    for line in lines:
        if line.startswith("URIs:"):
            return line.split()[1]
    plain = Path("/etc/apt/sources.list")
    for line in plain.read_text().splitlines() if plain.exists() else []:
        words = line.split("] ")[-1].split()
        if line.startswith("deb "):
            return words[0] if "] " in line else words[1]
    sys.exit("engine: apt has no sources here; is this Debian?")


def main(arguments: list[str]) -> None:
    """One of the three commands."""
    STATE.mkdir(parents=True, exist_ok=True)
    match arguments:
        case ["start"]:
            start()
        case ["base", tag, suite]:
            base(tag, suite)
        case ["stop"]:
            stop()
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
