"""Which `go test` a suite's command line amounts to, part by part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fairtrial.domain.errors import ConfigurationError
from fairtrial.runners.building.words import last_command

#: Flags without a value, of `go build` and of `go test`.
_FLAGS: Final = frozenset(
    {"a", "n", "race", "msan", "asan", "cover", "work", "x", "trimpath", "linkshared"}
    | {"modcacherw", "v", "json", "failfast", "short", "benchmem", "c", "i"}
    | {"buildvcs", "fullpath", "artifacts"}
)
#: Flags with a value that `go list` understands as well.
_BUILD: Final = frozenset(
    {"C", "p", "asmflags", "buildmode", "compiler", "gccgoflags", "gcflags"}
    | {"installsuffix", "ldflags", "mod", "modfile", "overlay", "pgo", "pkgdir"}
    | {"tags", "toolexec", "race", "msan", "asan", "trimpath", "linkshared"}
    | {"modcacherw", "buildvcs"}
)
#: What chooses tests; a listed trial chooses by itself.
_NARROWING: Final = frozenset({"run", "skip"})
#: What the gate decides (how often, how long, in which order, in which form), and
#: what only measures: benchmarks, fuzzing, coverage, profiles.
_DROPPED: Final = frozenset(
    {"json", "v", "count", "shuffle", "failfast", "timeout", "list", "bench", "c"}
    | {"benchtime", "benchmem", "fuzz", "fuzztime", "fuzzminimizetime", "fuzzcachedir"}
    | {"o", "i", "n", "x", "a", "work", "cover", "covermode", "coverpkg"}
    | {"coverprofile", "cpuprofile", "memprofile", "memprofilerate", "blockprofile"}
    | {"blockprofilerate", "mutexprofile", "mutexprofilefraction", "trace"}
    | {"outputdir", "artifacts"}
)
_VALUED: Final = frozenset({"exec", "vet", "parallel", "cpu"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """The parts of one `go test`; all but `before` are plain words."""

    #: What the shell runs before it, with its `&&`.
    before: str = ""
    environment: tuple[str, ...] = ()
    build: tuple[str, ...] = ()
    test: tuple[str, ...] = ()
    run: str = ""
    skip: str = ""
    packages: tuple[str, ...] = ()
    #: For the test binary, behind the packages.
    arguments: tuple[str, ...] = ()


def invocation_of(command: str) -> Invocation:
    """The command's parts; raises ConfigurationError for one that is no `go test`."""
    before, environment, plain = last_command(command)
    words = list(plain)
    if words[:1] == ["gotestsum"]:
        own = words[words.index("--") + 1 :] if "--" in words else ["./..."]
        words = ["go", "test", *own]
    if words[:2] != ["go", "test"]:
        raise ConfigurationError(
            f"`{command}` does not end in a plain `go test`.",
            means="Single tests are asked for by its flags, so the runner has to know"
            " which word is what.",
            remedy="Write the command as `go test -race ./...`, with what comes"
            " before it behind `&&`, or move that to `build:`.",
        )
    return _sorted(words[2:], before, environment)


def _sorted(words: list[str], before: str, environment: tuple[str, ...]) -> Invocation:
    build: list[str] = []
    test: list[str] = []
    packages: list[str] = []
    chosen = {"run": "", "skip": ""}
    arguments: list[str] = []
    while words:
        word = words.pop(0)
        if not word.startswith("-") or word == "-":
            packages.append(word)
            continue
        name, given, value = word.lstrip("-").partition("=")
        name = name.removeprefix("test.")
        if name == "args":
            arguments += words
            break
        known = name in _FLAGS | _BUILD | _NARROWING | _DROPPED | _VALUED
        if not known and packages:
            arguments += [word, *words]
            break
        if known and not given and name not in _FLAGS and words:
            value = words.pop(0)
            given = "="
        if name in _DROPPED:
            continue
        whole = f"-{name}={value}" if given else f"-{name}"
        if name in _NARROWING:
            chosen[name] = value
        elif name in _BUILD:
            # `go` wants its folder before every other flag.
            build.insert(0 if name == "C" else len(build), whole)
        else:
            test.append(whole)
    return Invocation(
        before=before,
        environment=environment,
        build=tuple(build),
        test=tuple(test),
        run=chosen["run"],
        skip=chosen["skip"],
        packages=tuple(packages),
        arguments=tuple(arguments),
    )
