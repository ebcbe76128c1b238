"""Which lines of code, in any language, ask whether this is a test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from fairtrial.integrity.recognition.text import Source, Spot
from fairtrial.integrity.syntax import one_line

#: Longer lines are data or generated.
_LONGEST: Final = 2000

#: Variables that runners set in the processes that run tests.
_RUNNERS: Final = (
    r"\b(PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_\w+|JEST_WORKER_ID|"
    r"VITEST(?:_WORKER_ID|_POOL_ID|_MODE)?|TEST_WORKER_INDEX|FAIRTRIAL_\w+)\b"
)
_SERVICES: Final = (
    "CI|GITHUB_ACTIONS|GITHUB_RUN_ID|GITLAB_CI|CONTINUOUS_INTEGRATION|TRAVIS|CIRCLECI|"
    "BUILDKITE|JENKINS_URL|TEAMCITY_VERSION|TF_BUILD"
)
#: How each language asks for a variable of the environment.
_ASKED: Final = (
    r"(?:environ(?:\.get)?|getenv|Getenv|LookupEnv|ENV(?:\.fetch)?|env::var(?:_os)?|"
    r"GetEnvironmentVariable|\$_ENV|\$_SERVER)\s*[\[(]\s*['\"](?:{0})['\"]|"
    r"['\"](?:{0})['\"]\s+(?:not\s+)?in\s+(?:os\.)?environ\b|"
    r"\bprocess\.env(?:\.(?:{0})\b|\[['\"](?:{0})['\"]\])"
)
_MODES: Final = (
    r"\b(?:NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|FLASK_ENV|ASPNETCORE_ENVIRONMENT)\b"
    r"[^=!\n]{0,12}[=!]==?\s*['\"]test(?:ing)?['\"]|"
    r"['\"]test(?:ing)?['\"]\s*[=!]==?\s*process\.env\.NODE_ENV|"
    r"\bRails\.env\.test\?"
)
_MODULES: Final = r"['\"](?:_?pytest|unittest|nose|doctest)(?:\.\w+)*['\"]"
_ASKED_RUNNER: Final = (
    rf"{_MODULES}\s+(?:not\s+)?in\s+(?:sys\.)?modules\b|"
    rf"\bsys\.modules\s*(?:\.get\s*\(|\[)\s*{_MODULES}|"
    r"['\"][^'\"]*(?:pytest|py\.test|unittest|jest|vitest|mocha)[^'\"]*['\"]\s+in\s+"
    r"(?:sys|process)\.argv|"
    r"(?:sys|process)\.argv\b[^\n]{0,60}['\"][^'\"\n]*(?:pytest|py\.test|jest|vitest|"
    r"mocha)|"
    r"\btypeof\s+(?:jest|vi|vitest|describe|it|expect|beforeEach)\b|"
    r"\bimport\.meta\.vitest\b|"
    r"\bClass\.forName\s*\(\s*['\"]org\.(?:junit|testng|mockito)|"
    r"['\"]java\.class\.path['\"][^\n]{0,80}(?:junit|testng|surefire)|"
    r"\bflag\.Lookup\s*\(\s*\"test\.|\btesting\.Testing\s*\(\s*\)"
)
_STACK: Final = (
    r"\binspect\s*\.\s*(?:stack|currentframe|getouterframes)\b|"
    r"\bsys\s*\.\s*_getframe\b|"
    r"\btraceback\s*\.\s*(?:extract_stack|format_stack|walk_stack)\b|"
    r"\bnew\s+Error\s*\(\s*\)\s*\.\s*stack\b|\bgetStackTrace\s*\(|"
    r"\bStackWalker\b|\bruntime\.Callers?\s*\(|\bnew\s+StackTrace\s*\(|"
    r"\bcaller(?:_locations)?\b\s*[(.\[]|\bdebug_backtrace\s*\("
)
_LOOKED_FOR: Final = re.compile(
    r"['\"][^'\"\n]*(?:test|spec\b|junit|jest|assert)[^'\"\n]*['\"]", re.IGNORECASE
)
#: Lines around a look at the stack in which a test is looked for.
_AROUND: Final = 6
_REPLACED: Final = (
    r"^\s*(?:builtins|_pytest(?:\.\w+)+|unittest(?:\.\w+)+|pytest(?:\.\w+)+)"
    r"\.\w+\s*=[^=]|"
    r"^\s*(?:time|datetime|random)\.(?:time|sleep|monotonic|perf_counter|datetime|"
    r"random)\s*=[^=]|"
    r"\bsetattr\s*\(\s*(?:builtins|unittest|pytest|_pytest|time)\b|"
    r"__builtins__\s*(?:\[|\.\w+\s*=[^=])|"
    r"\bsys\.(?:settrace|setprofile)\s*\(|"
    r"\bgc\.get_(?:objects|referrers)\s*\(|"
    r"\b(?:global|globalThis|window)\.(?:expect|describe|it|test|assert)\s*=[^=]|"
    r"^\s*(?:expect|assert)\.\w+\s*=[^=]"
)
_IMPORTED: Final = {
    "python": (
        r"^\s*(?:from|import)\s+(?:_?pytest|nose2?|fairtrial_\w+|unittest|pluggy)\b"
    ),
    "javascript": (
        r"\b(?:from|require\s*\(|import\s*\()\s*['\"](?:@jest/globals|jest|vitest|"
        r"mocha|chai|node:test|@playwright/test)['\"]"
    ),
    "java": (
        r"^\s*import\s+(?:static\s+)?org\.(?:junit|testng|mockito|assertj|hamcrest)\b"
    ),
    "csharp": r"^\s*using\s+(?:static\s+)?(?:NUnit|Xunit|Moq)\b",
    "go": r"^\s*(?:import\s+)?(?:\w+\s+)?\"(?:testing|github\.com/stretchr/testify)",
    "ruby": r"^\s*require\s+['\"](?:minitest|rspec|test/unit)",
    "php": r"^\s*use\s+PHPUnit\\",
}
_FAMILY: Final = {"typescript": "javascript", "tsx": "javascript", "kotlin": "java"}
#: Modules that help others' tests import what tests import.
_HELPS_TESTS: Final = re.compile(
    r"(?:^|[/_.-])(?:tests?|testing|testutils?|pytest\w*|conftest|fixtures?|mocks?|"
    r"jest\w*|vitest\w*|setup)(?:[/_.-]|$)",
    re.IGNORECASE,
)
_EXITS: Final = (
    r"\bos\._exit\s*\(|\bos\.abort\s*\(|\bos\.kill\s*\(\s*os\.getp?pid\s*\(|"
    r"\bRuntime\.getRuntime\s*\(\s*\)\s*\.\s*halt\s*\(|"
    r"\bprocess\.(?:reallyExit|abort)\s*\(|\bSystem\.exit\s*\(\s*0\s*\)|"
    r"\bprocess\.exit\s*\(\s*0?\s*\)|\bEnvironment\.Exit\s*\(\s*0\s*\)"
)
#: Programs end themselves; libraries don't.
_PROGRAM: Final = re.compile(
    r"(?:^|[/_.-])(?:main|cli|bin|scripts?|server|tools?|commands?|cmd|app|daemon|"
    r"worker|build|gulpfile|console|program)(?:[/_.-]|$)",
    re.IGNORECASE,
)

_RULES: Final = {
    "test-environment-asked": re.compile(_RUNNERS),
    "ci-environment-asked": re.compile(_ASKED.replace("{0}", _SERVICES)),
    "test-mode-asked": re.compile(_MODES),
    "test-runner-asked": re.compile(_ASKED_RUNNER),
    "stack-inspected": re.compile(_STACK),
    "machinery-replaced": re.compile(_REPLACED),
    "early-exit": re.compile(_EXITS),
}
_IMPORTS: Final = {name: re.compile(each) for name, each in _IMPORTED.items()}
#: A comparison that looks at nothing, in languages with braces, and in Ruby.
_ALWAYS_EQUAL: Final = re.compile(
    r"\b(?:[eE]quals|isEqual|eq|compareTo|Equal)\s*+\([^(){}]{0,200}\)"
    r"\s*+(?::\s*+\w++|->\s*+\w++|bool)?\s*+\{\s*+(?:return\b\s*+)?(?:true|0)"
    r"\s*+;?\s*+\}|"
    r"\b[eE]quals\s*+\([^(){}]{0,200}\)\s*+(?::\s*+\w++\s*+)?=>?\s*+true\b|"
    r"\bdef\s++(?:==|eql\?|equal\?)\s*+\(?\w*+\)?\s*+;?\s*+true\s*+;?\s*+end\b"
)


def spots(source: Source) -> Iterator[Spot]:
    """Every line of a rule, in the order of the text."""
    path = str(PurePosixPath(source.path))
    imports = _IMPORTS.get(_FAMILY.get(source.language, source.language))
    helps = _HELPS_TESTS.search(path) is not None
    program = _PROGRAM.search(path) is not None
    lines = source.code.split("\n")
    for number, line in enumerate(lines, 1):
        if len(line) > _LONGEST or not line.strip():
            continue
        for rule, pattern in _RULES.items():
            if not pattern.search(line):
                continue
            if rule == "stack-inspected" and not _looks_for_tests(lines, number):
                continue
            if rule == "early-exit" and program:
                continue
            yield Spot(rule, number, one_line(line))
        if imports is not None and not helps and imports.search(line):
            yield Spot("test-framework-imported", number, one_line(line))
    if source.language != "python":
        for found in _ALWAYS_EQUAL.finditer(source.code):
            number = source.code.count("\n", 0, found.start()) + 1
            yield Spot("always-equal", number, one_line(found.group()))


def _looks_for_tests(lines: list[str], number: int) -> bool:
    around = lines[max(0, number - _AROUND) : number + _AROUND]
    return any(_LOOKED_FOR.search(line[:_LONGEST]) for line in around)
