"""Whether the condition of a skip is about platforms only, or wider than it was."""

from __future__ import annotations

import re
from typing import Final

from fairtrial.integrity.comparing.words import contains, is_name, words

#: Names of facts about a platform or a version, in any language.
_FACTS: Final = re.compile(
    r"platform|python_implementation|python_version|os|name|system|machine|version|version_info|version_tuple|"
    r"implementation|cpython|pypy|maxsize|byteorder|PY\d*|PYPY|"
    r"IS_?(?:WINDOWS|MACOS|MAC|LINUX|POSIX|OSX)|WINDOWS|LINUX|MACOS|MAC|WIN\d*|POSIX|"
    r"GOOS|GOARCH|runtime|RUBY_PLATFORM|RUBY_VERSION|RUBY_ENGINE|RbConfig|"
    r"PHP_OS|PHP_OS_FAMILY|PHP_VERSION|PHP_VERSION_ID|version_compare|"
    r"OS|JRE|JAVA_\d+|arch|target_os|target_arch|cfg|process|sys|"
    r"major|minor|micro|startsWith|startswith|endswith|lower|upper|includes|match|"
    r"EnabledOnOs|DisabledOnOs|EnabledOnJre|DisabledOnJre|OSPlatform|"
    r"RuntimeInformation|IsOSPlatform|Environment|OSVersion|getProperty|System",
)
#: At least one of these makes it a fact at all.
_TELLING: Final = re.compile(
    r"platform|version_info|GOOS|GOARCH|RUBY_PLATFORM|RUBY_VERSION|RUBY_ENGINE|PHP_OS|"
    r"PHP_VERSION|OnOs|OnJre|OSPlatform|OSVersion|WINDOWS|LINUX|MACOS|maxsize|PY\d|"
    r"PYPY|target_os|target_arch|\bsystem\b|\bmachine\b|\bos \. name\b|os\.name|"
    r"\bOS\b|\bJRE\b|implementation",
)
_ALWAYS: Final = frozenset(
    {"", "always", "true", "1", "yes", "not false", "!false", "! false"}
)
_SIGNS_OF_WORDS: Final = frozenset(
    {"and", "or", "not", "in", "is", "if", "unless", "true", "false", "True", "False"}
)


def is_unconditional(condition: str) -> bool:
    """Whether a skip applies everywhere."""
    return condition.strip().strip("()").strip().lower() in _ALWAYS


def is_about_platforms(condition: str) -> bool:
    """Whether a condition asks for nothing but platform and version facts.

    What compares a fact with itself, or joins a fact with anything else, is not.
    """
    if is_unconditional(condition) or not _TELLING.search(condition):
        return False
    parts = words(condition)
    names = [each for each in parts if is_name(each) and each not in _SIGNS_OF_WORDS]
    return (
        all(_FACTS.fullmatch(each) for each in names)
        and "True" not in parts
        and "true" not in parts
        and not _compares_itself(parts)
    )


def _compares_itself(parts: list[str]) -> bool:
    """Whether the same words stand on both sides of a comparison or of an `or`."""
    joined = " ".join(parts)
    halves = re.split(r" (?:= = =|= =|! =|> =|< =|or|\| \|) ", joined)
    return len({half.strip() for half in halves}) < len(halves) or "or not" in joined


def is_narrower(was: str, now: str) -> bool:
    """Whether a condition became another one that holds less often."""
    if is_unconditional(was) and not is_unconditional(now):
        return True
    joined = words(now)
    return (
        contains(now, was)
        and bool({"and", "&"} & set(joined))
        and not ({"or", "|"} & set(joined))
    )
