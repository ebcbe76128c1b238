"""What an action's `action.yml` says, and the image that it runs in."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from tests.emulator.arguments import join_action_arguments
from tests.emulator.expressions import Scope, interpolate


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerAction:
    """A Docker action; `defaults` are not evaluated yet."""

    folder: Path
    image: str
    entrypoint: str
    arguments: tuple[str, ...] | None
    env: Mapping[str, str]
    defaults: Mapping[str, str]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Images:
    """How images come to be where no registry is.

    `ready` names images built before, by action; `options` go into each build, which
    the runner itself gives none.
    """

    ready: Mapping[str, str] = field(default_factory=dict)
    options: Sequence[str] = ()

    def image_of(
        self, name: str, action: ContainerAction, tag: str, line: Callable[[str], None]
    ) -> str:
        """The image to run.

        Raises `subprocess.CalledProcessError` when it can't be built.
        """
        if name in self.ready:
            return self.ready[name]
        if not is_dockerfile(action.image):
            return action.image.removeprefix("docker://")
        dockerfile = action.folder / action.image
        done = subprocess.run(
            [
                *("docker", "build", "-t", tag, "-f", str(dockerfile)),
                *self.options,
                str(dockerfile.parent),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        for text in (done.stdout + done.stderr).splitlines():
            line(text)
        done.check_returncode()
        return tag


def load(folder: Path) -> ContainerAction:
    """The action in that folder.

    Raises `ValueError` for one that is no Docker action.
    """
    found = [folder / name for name in ("action.yml", "action.yaml")]
    path = next((one for one in found if one.exists()), found[0])
    raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    runs = raw["runs"]
    if runs["using"] != "docker":
        raise ValueError(f"{path}: the emulator runs Docker actions only")
    inputs = raw.get("inputs") or {}
    arguments = runs.get("args")
    return ContainerAction(
        folder=folder,
        image=runs["image"],
        entrypoint=runs.get("entrypoint", ""),
        arguments=None if arguments is None else tuple(map(str, arguments)),
        env={key: str(value) for key, value in (runs.get("env") or {}).items()},
        defaults={
            name: str(one.get("default", "") if one else "")
            for name, one in inputs.items()
        },
        outputs=tuple(raw.get("outputs") or ()),
    )


def is_dockerfile(image: str) -> bool:
    last = image.rpartition("/")[2].lower()
    return not image.lower().startswith("docker://") and (
        last.startswith("dockerfile.") or last.endswith("dockerfile")
    )


def inputs_of(
    action: ContainerAction, given: Mapping[str, str], scope: Scope
) -> dict[str, str]:
    """Inputs by their own name: what the step gives, and evaluated defaults."""
    taken = {name.lower() for name in given}
    rest = {
        name: interpolate(default, scope)
        for name, default in action.defaults.items()
        if name.lower() not in taken
    }
    return dict(given) | rest


def unexpected(action: ContainerAction, given: Mapping[str, str]) -> list[str]:
    """Inputs that the action does not know; the runner only warns of them."""
    known = {name.lower() for name in action.defaults} | {"args", "entrypoint"}
    return [name for name in given if name.lower() not in known]


def arguments_of(action: ContainerAction, inputs: Mapping[str, str]) -> str:
    """The argument string: the action's own `args`, else what the step gives."""
    if action.arguments is None:
        return inputs.get("args", "")
    scope = Scope({"inputs": inputs})
    return join_action_arguments(interpolate(one, scope) for one in action.arguments)
