"""What of the user's own settings `prepare` gets: those that lead to registries.

They may hold passwords, so nothing else gets them: neither `build` nor a trial.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from fairtrial.benches.here.files import make_folder
from fairtrial.benches.here.rooms import Room

#: Below the user's home, at the same place in that of a step.
_SETTINGS: Final = (
    ".npmrc",
    ".yarnrc.yml",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
    ".gradle/gradle.properties",
    ".cargo/config.toml",
    ".cargo/credentials.toml",
    ".gemrc",
    ".bundle/config",
    ".config/composer/auth.json",
    ".config/go/env",
    ".netrc",
)


def hand_over(environ: Mapping[str, str], room: Room) -> None:
    """Put the user's settings of package tools into the home of a step."""
    home = Path(environ.get("HOME") or "/nonexistent")
    settings = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    for source in (settings / "pip/pip.conf", home / ".pip/pip.conf"):
        if _copied(source, room, ".config/pip/pip.conf"):
            break
    for name in _SETTINGS:
        _copied(home / name, room, name)


def _copied(source: Path, room: Room, name: str) -> bool:
    try:
        content = source.read_bytes()
    except OSError:
        return False
    owner = room.site.ground.uid
    target = room.home / name
    for folder in reversed(target.relative_to(room.home).parents[:-1]):
        if not (room.home / folder).is_dir():
            make_folder(room.home / folder, 0o700, owner)
    target.write_bytes(content)
    target.chmod(0o600)
    if owner is not None:
        os.chown(target, owner, owner)
    return True
