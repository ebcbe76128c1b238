"""The `docker run` line of a container action, and the environment that goes with it.

After the runner's DockerCommandManager and ContainerActionHandler.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from tests.emulator.arguments import escape_option
from tests.emulator.layout import Layout

#: Context values that become GITHUB_* variables; `token` is not among them.
GITHUB_VARIABLES = (
    "action",
    "action_ref",
    "action_repository",
    "actor",
    "actor_id",
    "api_url",
    "base_ref",
    "env",
    "event_name",
    "event_path",
    "graphql_url",
    "head_ref",
    "job",
    "output",
    "path",
    "ref",
    "ref_name",
    "ref_protected",
    "ref_type",
    "repository",
    "repository_id",
    "repository_owner",
    "repository_owner_id",
    "retention_days",
    "run_attempt",
    "run_id",
    "run_number",
    "server_url",
    "sha",
    "state",
    "step_summary",
    "triggering_actor",
    "workflow",
    "workflow_ref",
    "workflow_sha",
    "workspace",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerStep:
    """What one container action is started with."""

    image: str
    label: str
    #: As the host sees paths; translated on the way in.
    environment: Mapping[str, str]
    entrypoint: str = ""
    arguments: str = ""
    network: str = ""


def environment_of(
    *,
    env: Mapping[str, str],
    inputs: Mapping[str, str],
    state: Mapping[str, str],
    action_env: Mapping[str, str],
    home: str,
    github: Mapping[str, object],
    runner: Mapping[str, str],
    actions: Mapping[str, str],
) -> dict[str, str]:
    """The variables in the runner's order, a later one over an earlier one."""
    variables = dict(env)
    variables |= {f"STATE_{name}": value for name, value in state.items()}
    variables |= {input_variable(name): value for name, value in inputs.items()}
    variables = dict(action_env) | variables
    variables["HOME"] = home
    for name in GITHUB_VARIABLES:
        value = github.get(name)
        if isinstance(value, bool):
            variables[f"GITHUB_{name.upper()}"] = "true" if value else "false"
        elif isinstance(value, str):
            variables[f"GITHUB_{name.upper()}"] = value
    variables |= {f"RUNNER_{name.upper()}": value for name, value in runner.items()}
    return variables | dict(actions)


def input_variable(name: str) -> str:
    """Spaces become underscores, letters capitals; hyphens stay."""
    return f"INPUT_{name.replace(' ', '_').upper()}"


def run_line(step: ContainerStep, layout: Layout) -> str:
    """The arguments of `docker`, as the one string that the runner makes."""
    name = f"{sanitize(step.image)}_{secrets.token_hex(3)}"
    options = [
        "run",
        f"--name {name}",
        f"--label {step.label}",
        "--workdir /github/workspace",
        "--rm",
        *(f"-e {escape_option(key)}" for key in step.environment),
        "-e GITHUB_ACTIONS=true",
    ]
    if "CI" not in step.environment:
        options.append("-e CI=true")
    if step.entrypoint:
        options.append(f'--entrypoint "{step.entrypoint}"')
    if step.network:
        options.append(f"--network {step.network}")
    options.append('-v "/var/run/docker.sock":"/var/run/docker.sock"')
    options += [f'-v "{host}":"{inside}"' for host, inside in layout.mounts]
    return " ".join([*options, step.image, step.arguments])


def sanitize(image: str) -> str:
    """Letters, digits and underscores, no digit first."""
    return re.sub(r"[^A-Za-z0-9_]", "", image).lstrip("0123456789")
