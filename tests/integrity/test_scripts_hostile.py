"""No text keeps the readers of scripts busy for long, or ends unforeseen."""

from __future__ import annotations

import contextlib
import time
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.integrity import CannotRead, Language, javascript, php, ruby, typescript

READERS: Final[dict[str, tuple[Language, str]]] = {
    "javascript": (javascript, "it('a', () => {{ {} }});"),
    "typescript": (typescript, "it('a', () => {{ {} }});"),
    "ruby": (ruby, "it 'a' do\n{}\nend"),
    "php": (php, "<?php class ATest {{ function testA() {{ {} }} }}"),
}
WORDS: Final = """
expect ( ) [ ] { } . , ; : => -> $x x y 1 "a" 'a' `a` return if else for try catch do
end |x| rescue begin each describe it test await not to eq toBe = == === + ! ? && ||
function new class def assertSame $this assert equal // #{ ${ ... @
"""
#: Pieces of programs, put together at random.
PIECES: Final = st.lists(st.sampled_from(WORDS.split()), max_size=40).map(" ".join)


@pytest.mark.parametrize("name", READERS)
@given(text=st.one_of(st.text(), PIECES))
def test_any_text_is_read_or_refused(name: str, text: str) -> None:
    language, frame = READERS[name]
    for form in (text, frame.format(text)):
        try:
            language.read(form)
        except CannotRead:
            continue


def seconds(language: Language, text: str) -> float:
    """Processor time, because others may use the machine meanwhile."""
    before = time.process_time()
    with contextlib.suppress(CannotRead):
        language.read(text)
    return time.process_time() - before


DOUBLED: Final = "\n".join(f"const a{n + 1} = f(a{n}, a{n});" for n in range(2_000))
LONG: Final = "x" * 20_000
EXPECTS: Final = "expect(x).toBe(a);\n" * 2_000
HOSTILE: Final = {
    "deep-brackets": "[\n" * 5_000 + "]" * 5_000,
    "deep-blocks": "if (x) {\n" * 5_000 + "}" * 5_000,
    "deep-chain": "a" + ".b()\n" * 5_000,
    "long-chain": f"it('a', () => {{\n expect(a{'.b()' * 200}).toBe(1);\n}});\n" * 20,
    "doubled": f"{DOUBLED}\nit('a', () => expect(a2000).toBe(1));",
    "long-condition": f"it('a', () => {{ if (f('{LONG}')) {{\n {EXPECTS} }} }});",
    "long-constant": f"const a = '{LONG}'; it('a', () => {{\n {EXPECTS} }});",
    "many-names": "".join(f"let v{n};\nv{n} = f();\n" for n in range(4_000)),
    "many-blocks": "describe('a', () => {\n" * 60 + "it('b', () => {});" + "})" * 60,
    "broken-strings": "'\"`\n" * 5_000,
    "one-line": "f(1);" * 50_000,
}
ROWS: Final = "1,\n" * 20_000
MULTIPLIED: Final = (
    f"describe.each([{ROWS}])('a', () => {{ {'it(String(), () => {});' * 50} }});"
)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_takes_no_time(name: str) -> None:
    assert 5 > seconds(javascript, HOSTILE[name])


RUBY: Final = {
    "lists": "a = [\n" * 5_000,
    "chain": "x" + ".y(1)" * 2_000,
    "doubled": "".join(f"a{n + 1} = [a{n}, a{n}]\n" for n in range(2_000)),
    "heredocs": "<<~A\n" * 2_000,
}
PHP: Final = {"lists": "<?php " + "[\n" * 5_000, "calls": "<?php " + "f(\n" * 5_000}


@pytest.mark.parametrize("text", RUBY.values(), ids=RUBY)
def test_a_hostile_text_of_ruby_takes_no_time(text: str) -> None:
    assert 5 > seconds(ruby, text)


@pytest.mark.parametrize("text", PHP.values(), ids=PHP)
def test_a_hostile_text_of_php_takes_no_time(text: str) -> None:
    assert 5 > seconds(php, text)


def test_a_file_that_demands_too_much_is_refused() -> None:
    with pytest.raises(CannotRead, match="demand more than"):
        javascript.read(MULTIPLIED)
