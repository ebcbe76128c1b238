"""Which `ctest` a suite's command line amounts to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fairtrial.domain.errors import ConfigurationError
from fairtrial.runners.building.words import last_command

#: Options with a value, long and short; `--option=value` is one word.
_VALUED: Final = frozenset(
    {"-j", "--parallel", "-C", "--build-config", "--test-dir", "--preset", "-R", "-E"}
    | {"-L", "-LE", "--tests-regex", "--exclude-regex", "--label-regex", "-FA", "-FS"}
    | {"--label-exclude", "-FC", "-I", "--tests-information", "--timeout", "-O"}
    | {"--output-log", "--output-junit", "--repeat", "--stop-time", "--no-tests"}
    | {"--repeat-until-fail", "--max-width", "--test-load", "--resource-spec-file"}
    | {"--test-output-size-passed", "--test-output-size-failed"}
    | {"--fixture-exclude-any", "--fixture-exclude-setup", "--fixture-exclude-cleanup"}
)
#: Where the build lies, and which of its configurations counts.
_PLACE: Final = frozenset(
    {"--test-dir", "-C", "--build-config", "--preset", "--resource-spec-file"}
)
#: What the gate decides: how often, in which order, until when, in which form.
_DROPPED: Final = frozenset(
    {"--repeat", "--repeat-until-fail", "--rerun-failed", "--schedule-random", "-O"}
    | {"--stop-on-failure", "--stop-time", "--output-log", "--output-junit", "-N"}
    | {"--show-only", "-Q", "--quiet", "-V", "-VV", "--verbose", "--extra-verbose"}
    | {"--output-on-failure", "--no-tests", "--progress", "--max-width"}
    | {"--test-output-size-passed", "--test-output-size-failed"}
)
_PARALLEL: Final = ("-j", "--parallel", "--test-load")


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """The parts of one `ctest`."""

    before: str
    environment: tuple[str, ...]
    #: The program and all options that stay.
    argv: tuple[str, ...]
    place: tuple[str, ...]


def invocation_of(command: str) -> Invocation:
    """The command's parts; raises ConfigurationError for one that is no `ctest`."""
    before, environment, words = last_command(command)
    if not words or words[0].rpartition("/")[2] not in {"ctest", "ctest3"}:
        raise ConfigurationError(
            f"`{command}` does not end in a plain `ctest`.",
            means="Single tests are asked for by its options, so the runner has to"
            " know which word is what.",
            remedy="Write the command as `ctest --test-dir build`, with what comes"
            " before it behind `&&`, or move that to `build:`.",
        )
    rest = list(words[1:])
    argv, place = [words[0]], []
    while rest:
        option = [rest.pop(0)]
        name = option[0].partition("=")[0]
        if name in _VALUED and "=" not in option[0] and rest:
            option.append(rest.pop(0))
        if name in _DROPPED:
            continue
        argv += option
        if name in _PLACE:
            place += option
    return Invocation(
        before=before, environment=environment, argv=tuple(argv), place=tuple(place)
    )


def is_parallel(argv: tuple[str, ...]) -> bool:
    """Whether a command runs tests side by side."""
    return any(each.startswith(_PARALLEL) for each in argv)
