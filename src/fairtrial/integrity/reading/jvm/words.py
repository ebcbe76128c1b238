"""The words with which the JVM's test libraries check, stub and skip."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.demands import AssertionKind
from fairtrial.integrity.reading.code.checks import Forms

K = AssertionKind

#: JUnit's, kotlin.test's and TestNG's direct assertions, expected value first.
FORMS: Final[Forms] = {
    **dict.fromkeys(
        [
            "assertEquals", "assertArrayEquals", "assertIterableEquals",
            "assertContentEquals", "assertLinesMatch", "assertDeepEquals",
        ],
        (K.EQUAL, "eat"),
    ),
    "assertNotEquals": (K.NOT_EQUAL, "eat"),
    "assertSame": (K.IDENTICAL, "ea"),
    "assertNotSame": (K.IDENTICAL, "ea"),
    "assertNull": (K.NONE, "a"),
    "assertNotNull": (K.NOT_NONE, "a"),
    "assertInstanceOf": (K.TYPE, "ea"),
    "assertIs": (K.TYPE, "a"),
    "assertIsNot": (K.TYPE, "a"),
    "assertContains": (K.CONTAINS, "ae"),
    "assertThrows": (K.RAISES, "ea"),
    "assertThrowsExactly": (K.RAISES, "ea"),
    "expectThrows": (K.RAISES, "ea"),
    "assertFailsWith": (K.RAISES, "ea"),
    "assertDoesNotThrow": (K.NOT_RAISES, "a"),
    "assertFails": (K.RAISES_ANY, "a"),
    "assertStringContains": (K.CONTAINS, "ea"),
}  # fmt: skip
NEGATIVE: Final = frozenset({"assertNotSame", "assertIsNot"})
WITH_LAMBDA: Final = frozenset(
    {"assertThrows", "assertThrowsExactly", "assertFailsWith", "assertDoesNotThrow",
     "assertFails", "expectThrows"}
)  # fmt: skip
#: Where a fluent chain begins, with what is looked at as its argument.
STARTS: Final = frozenset(
    {"assertThat", "then", "assertWithMessage", "assertThatObject", "assertThatList",
     "assertThatCollection", "assertThatIterable", "assertThatPath", "expectThat",
     "assertThatString", "assertThatThrownBy", "assertThatCode", "thenThrownBy",
     "thenCode", "assertThatExceptionOfType", "assertThatNoException", "catchThrowable",
     "assertThatIllegalArgumentException", "assertThatIllegalStateException",
     "assertThatNullPointerException", "assertThatIOException", "assertThatJson",
     "assertThatFuture", "assertThatStream"}
)  # fmt: skip
THROWN: Final = {
    "assertThatIllegalArgumentException": "IllegalArgumentException",
    "assertThatIllegalStateException": "IllegalStateException",
    "assertThatNullPointerException": "NullPointerException",
    "assertThatIOException": "IOException",
}
#: Links of a chain that begins with something else.
EXPECTATIONS: Final = frozenset(
    {"andExpect", "andExpectAll", "expectNext", "expectError", "expectComplete",
     "verifyComplete", "expectNextCount", "verifyError", "expectErrorMatches",
     "expectErrorMessage", "assertNext", "verifyErrorMessage", "expectBody",
     "expectStatus", "expectHeader", "expectBodyList", "statusCode", "assertValue",
     "assertValues", "assertComplete", "assertNoErrors", "assertResult", "assertError",
     "assertValueCount", "expectErrorSatisfies", "verifyThenAssertThat"}
)  # fmt: skip
VERIFY: Final = frozenset(
    {"verify", "coVerify", "verifyNoMoreInteractions", "verifyNoInteractions",
     "verifyZeroInteractions", "verifyAll", "verifyOrder", "verifySequence",
     "confirmVerified", "coVerifyAll", "coVerifyOrder"}
)  # fmt: skip
STUBS: Final = frozenset(
    {"thenReturn", "thenThrow", "thenAnswer", "then", "willReturn", "willThrow",
     "willAnswer", "thenCallRealMethod", "returns", "throws", "answers",
     "returnsMany", "coAnswers", "andReturn", "andThrow", "andAnswer"}
)  # fmt: skip
DOERS: Final = frozenset(
    {"doReturn", "doThrow", "doAnswer", "doNothing", "doCallRealMethod", "willReturn",
     "willThrow", "willDoNothing"}
)  # fmt: skip
STAND_INS: Final = frozenset(
    {"mock", "spy", "mockStatic", "mockConstruction", "mockk", "spyk", "mockkObject",
     "mockkStatic", "mockkConstructor", "mockkClass", "createMock", "createNiceMock"}
)  # fmt: skip
ASSUMES: Final = frozenset(
    {"assumeTrue", "assumeFalse", "assumeThat", "assumingThat", "assumeNotNull",
     "assumeNoException"}
)  # fmt: skip
FAILS: Final = frozenset({"fail", "failBecauseExceptionWasNotThrown", "error"})
#: Who only talks, and how.
TALKERS: Final = frozenset({"out", "err", "log", "logger", "LOG", "LOGGER", "System"})
TALK: Final = frozenset(
    {"println", "print", "printf", "info", "debug", "trace", "warn", "error"}
)
SNAPSHOTS: Final = frozenset(
    {"verify", "verifyAll", "verifyAsJson", "verifyJson", "toMatchSnapshot",
     "matchesSnapshot", "assertMatchesSnapshot", "snapshot"}
)  # fmt: skip
