"""No source makes the readers of Java, Kotlin, C#, Go and Rust fall over."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Final

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from tests.integrity.reading_c_family import FRAMES, keys, read

from fairtrial.integrity import CannotRead

LANGUAGES: Final = sorted(FRAMES)
#: Words that mean something to one library or another.
NAMES: Final = [
    "assertEquals", "assertThat", "isEqualTo", "is", "not", "hasItem", "allOf", "when",
    "thenReturn", "verify", "fail", "assertThrows", "assertAll", "await", "until",
    "Should", "Be", "That", "Within", "Setup", "Returns", "Received", "shouldBe",
    "every", "returns", "Equal", "NoError", "Run", "Skip", "Expect", "To", "EXPECT",
    "Return", "unwrap", "assert_eq", "expect_f", "times", "of", "forEach", "f",
    "andExpect", "jsonPath", "value", "isWithin", "extracting", "assumeTrue", "mock",
]  # fmt: skip
#: Pieces of all five languages, to be strung together without sense.
PIECES: Final = [
    "class A {", "}", "(", ")", "[", "]", "{", "@Test", "[Fact]", "#[test]", "fn t() {",
    "func TestA(t *testing.T) {", "fun t() {", "void t() {", "assertEquals(", "1", ",",
    "x", "=", ";", "\n", "if (", "else", "for", "try {", "catch (E e) {", "return",
    "assert_eq!(", '"a', '"', "'", "`", "->", "=>", "::", ".", "?.", "!!", "$x", "${",
    "t.Run(", "func(", "lambda", "|a|", "package a", "match x {", "é", "\u202e", "\x00",
    "#", "//", "/*", "*/", "\\", "@", "<", ">", "&&", "!", "-", "macro_rules! m {",
    "vec![", "proptest! {", "@ParameterizedTest", '@CsvSource({"', "@MethodSource(",
    "when(", ".thenReturn(", "assertThat(", ".is", "shouldBe", "Assert.That(", "Is.",
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=300))
def test_any_text_is_read_or_refused(language: str, text: str) -> None:
    with suppress(CannotRead):
        assert 0 <= len(read(language, text).tests)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=80, deadline=None)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=60))
def test_any_pieces_are_read_or_refused(language: str, pieces: list[str]) -> None:
    for text in (" ".join(pieces), FRAMES[language].format(" ".join(pieces))):
        with suppress(CannotRead):
            read(language, text)


def _calls(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    names = st.sampled_from(NAMES)
    listed = st.lists(inner, max_size=3).map(", ".join)
    return st.one_of(
        st.tuples(names, listed).map(lambda it: f"{it[0]}({it[1]})"),
        st.tuples(inner, names, listed).map(lambda it: f"{it[0]}.{it[1]}({it[2]})"),
        st.tuples(inner, st.sampled_from(["==", "+", "&&", "<"]), inner).map(
            lambda it: f"({it[0]} {it[1]} {it[2]})"
        ),
        inner.map(lambda it: f"!{it}"),
    )


EXPRESSIONS: Final = st.recursive(
    st.sampled_from(["x", "y", "f(1)", '"a"', "true"]), _calls
)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=60, deadline=None)
@given(said=st.lists(EXPRESSIONS, min_size=1, max_size=5))
def test_any_words_of_assertions_in_any_order_are_read(
    language: str, said: list[str]
) -> None:
    end = "\n" if language in {"kotlin", "go"} else ";\n"
    body = "".join(f"f({each}){end}assertThat({each}){end}" for each in said)
    spaced = "".join(
        f"// why\n f( {each} ){end}\nassertThat({each}){end}" for each in said
    )

    try:
        found = keys(language, body)
    except CannotRead:
        reject()  # a keyword of the language was among the names

    assert [] != found
    assert found == keys(language, spaced)


DEEP: Final = [
    "f(" * 3_000 + ")" * 3_000 + ";",
    "{" * 3_000 + "}" * 3_000,
    "x = " + "!" * 3_000 + "y;",
    "a" + ".b()" * 3_000 + ";",
    "x = 1" + " + 1" * 3_000 + ";",
    "if (a) { " * 1_000 + "}" * 1_000,
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", range(len(DEEP)))
def test_deep_sources_are_read_or_refused_in_time(language: str, place: int) -> None:
    begun = time.monotonic()
    with suppress(CannotRead):
        read(language, FRAMES[language].format(DEEP[place]))

    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_that_double_do_not_explode(language: str) -> None:
    declare = {
        "java": "var a{0} = f(a{1}, a{1});",
        "kotlin": "val a{0} = f(a{1}, a{1})",
        "csharp": "var a{0} = f(a{1}, a{1});",
        "go": "a{0} := f(a{1}, a{1})",
        "rust": "let a{0} = f(a{1}, a{1});",
    }[language]
    body = "\n".join(declare.format(place + 1, place) for place in range(60))
    begun = time.monotonic()
    read(language, FRAMES[language].format(body + "\ncheckIt(a60);"))

    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_lambdas_in_lambdas_do_not_explode(language: str) -> None:
    opening, closing = {
        "java": ("g(() -> { var x = 1; ", "});"),
        "kotlin": ("g { val x = 1; ", "}"),
        "csharp": ("g(() => { var x = 1; ", "});"),
        "go": ("g(func() { x := 1; ", "})"),
        "rust": ("g(|| { let x = 1; ", "});"),
    }[language]
    inner = {"rust": "assert!(f());", "go": "if f() { t.Error() }"}.get(
        language, "assertTrue(f());" if language != "csharp" else "Assert.True(f());"
    )
    begun = time.monotonic()
    read(language, FRAMES[language].format(opening * 25 + inner + closing * 25))

    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_source_that_the_grammar_can_t_read_is_refused(language: str) -> None:
    with pytest.raises(CannotRead, match=r"^line \d+: "):
        read(language, FRAMES[language].format("f(;;; ((( {{{ @@@"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_file_has_no_tests(language: str) -> None:
    assert () == read(language, "").tests
