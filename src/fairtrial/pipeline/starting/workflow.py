"""The text of a first workflow: one job that runs the change, one that comments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fairtrial.domain.settings import SuiteSettings
from fairtrial.pipeline.starting.suites import is_python
from fairtrial.pipeline.starting.toolchains import PINS, Toolchain

CHECKOUT: Final = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1"
UPLOAD: Final = (
    "actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0"
)
DOWNLOAD: Final = (
    "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1"
)
#: Our own action moves with its releases; docs/action.md says how to pin one.
ACTION: Final = "fairtrial/fairtrial@v1"

_TOP: Final = """\
name: Fairtrial
on: [pull_request, merge_group]
permissions: {}
concurrency:
  group: fairtrial-${{ github.ref }}
  cancel-in-progress: ${{ github.event_name == 'pull_request' }}
jobs:
  fairtrial:
    name: fairtrial # require this check
    runs-on: ubuntu-latest
    permissions:
      contents: read # this job runs the change, and can write nothing
      pull-requests: read # what people have accepted
    steps:
"""
_CHECKOUT: Final = f"""\
- uses: {CHECKOUT}
  with: {{fetch-depth: 0, persist-credentials: false}}"""
_GATE: Final = f"- uses: {ACTION}"
_PYTHON: Final = f"""\
- uses: actions/setup-python@{PINS["actions/setup-python"]}
  with: {{python-version: "3.11"}} # the gate's own"""
_INSTALL: Final = f"""\
- name: Install Fairtrial
  run: |
    python -m venv "$RUNNER_TEMP/fairtrial"
    "$RUNNER_TEMP/fairtrial/bin/pip" install "git+https://github.com/{ACTION}\""""
_HERE: Final = """\
- name: Fairtrial
  env:
    GITHUB_TOKEN: ${{ github.token }} # reads what people have accepted; no trial has it
  # As root it gives each trial a user of its own, without what this job's user may do.
  run: >-
    sudo --preserve-env env "PATH=$PATH" "HOME=$HOME"
    "$RUNNER_TEMP/fairtrial/bin/fairtrial" gate --bench here"""
_REPORT: Final = f"""\
- uses: {UPLOAD}
  if: always()
  with: {{name: fairtrial, path: fairtrial-report}}"""
#: Runs of pull requests from forks may not write.
_OWN: Final = (
    "!cancelled() && github.event.pull_request.head.repo.full_name == github.repository"
)
_COMMENT: Final = f"""\
  fairtrial-comment:
    name: fairtrial-comment
    needs: fairtrial
    if: "{_OWN}"
    runs-on: ubuntu-latest
    permissions:
      pull-requests: write # the comment; this job runs nothing of the change
    steps:
      - uses: {DOWNLOAD}
        with: {{name: fairtrial, path: fairtrial-report}}
      - uses: {ACTION}
        with: {{command: comment}}
"""


def needs_toolchain(suites: Sequence[SuiteSettings]) -> bool:
    """Whether some suite takes more than the gate's own image has.

    A suite with an image of its own brings what it needs; one that starts containers,
    or is pinned to a Python, runs on the machine.
    """
    return any(
        suite.docker or suite.python or not is_python(suite.runner)
        for suite in suites
        if suite.image is None
    )


def workflow_text(suites: Sequence[SuiteSettings], toolchain: Toolchain) -> str:
    """The whole file: the action, or the command line where tools have to be set up."""
    if needs_toolchain(suites):
        # The gate's own Python stands first, so that a suite's is the one on PATH.
        own = (_PYTHON, _INSTALL, *toolchain.steps, _HERE)
        steps = (_CHECKOUT, *own, _REPORT)
    else:
        steps = (_CHECKOUT, _GATE, _REPORT)
    return _TOP + "".join(_indented(step) for step in steps) + _COMMENT


def _indented(step: str) -> str:
    return "".join(f"      {line}\n" for line in step.splitlines())
