"""The words with which C#'s test libraries check, stub and talk."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.demands import AssertionKind
from fairtrial.integrity.reading.code.checks import Forms

K = AssertionKind

OWNERS: Final = frozenset(
    {
        "Assert",
        "CollectionAssert",
        "StringAssert",
        "ClassicAssert",
        "FileAssert",
        "Should",
    }
)
#: The assertions of xUnit, NUnit and MSTest: `e`xpected, `a`ctual, `t`olerance.
FORMS: Final[Forms] = {
    **dict.fromkeys(
        ["Equal", "AreEqual", "StrictEqual", "Equivalent"], (K.EQUAL, "eat")
    ),
    **dict.fromkeys(["NotEqual", "AreNotEqual", "NotStrictEqual"], (K.NOT_EQUAL, "ea")),
    **dict.fromkeys(["Same", "AreSame", "NotSame", "AreNotSame"], (K.IDENTICAL, "ea")),
    **dict.fromkeys(["Null", "IsNull"], (K.NONE, "a")),
    **dict.fromkeys(["NotNull", "IsNotNull"], (K.NOT_NONE, "a")),
    **dict.fromkeys(
        ["Contains", "DoesNotContain", "StartsWith", "EndsWith"], (K.CONTAINS, "ea")
    ),
    **dict.fromkeys(["Subset", "ProperSubset", "Superset"], (K.CONTAINS, "ea")),
    **dict.fromkeys(["Matches", "DoesNotMatch", "MatchesRegex"], (K.MATCHES, "ea")),
    **dict.fromkeys(
        ["Empty", "IsEmpty", "NotEmpty", "IsNotEmpty", "Single"], (K.LENGTH, "a")
    ),
    "HasCount": (K.LENGTH, "ea"),
    "InRange": (K.ORDERED, "aee"),
    "NotInRange": (K.ORDERED, "aee"),
    **dict.fromkeys(
        ["Greater", "GreaterOrEqual", "Less", "LessOrEqual", "IsGreaterThan"],
        (K.ORDERED, "ae"),
    ),
    **dict.fromkeys(
        [
            "IsType", "IsNotType", "IsAssignableFrom", "IsInstanceOf",
            "IsNotInstanceOf",
            "IsInstanceOfType", "IsNotInstanceOfType",
        ],
        (K.TYPE, "ae"),
    ),
    "Zero": (K.EQUAL, "a"),
    "NotZero": (K.NOT_EQUAL, "a"),
    "IsNaN": (K.EQUAL, "a"),
    "Positive": (K.ORDERED, "a"),
    "Negative": (K.ORDERED, "a"),
    "Raises": (K.CALLED, "eea"),
    "PropertyChanged": (K.CALLED, "aea"),
}  # fmt: skip
#: MSTest's and NUnit's assertions on collections and strings.
COLLECTION_FORMS: Final[Forms] = {
    "AreEqual": (K.EQUAL, "ea"),
    "AreEquivalent": (K.EQUAL, "ea"),
    "AreNotEqual": (K.NOT_EQUAL, "ea"),
    "AreNotEquivalent": (K.NOT_EQUAL, "ea"),
    "AreEqualIgnoringCase": (K.EQUAL, "ea"),
    "Contains": (K.CONTAINS, "ae"),
    "DoesNotContain": (K.CONTAINS, "ae"),
    "StartsWith": (K.CONTAINS, "ae"),
    "EndsWith": (K.CONTAINS, "ae"),
    "IsSubsetOf": (K.CONTAINS, "ea"),
    "IsEmpty": (K.LENGTH, "a"),
    "IsNotEmpty": (K.LENGTH, "a"),
    "Matches": (K.MATCHES, "ae"),
    "IsMatch": (K.MATCHES, "ea"),
    "AllItemsAreNotNull": (K.NOT_NONE, "a"),
    "AllItemsAreUnique": (K.TRUE, "a"),
    "AllItemsAreInstancesOfType": (K.TYPE, "ae"),
    "IsOrdered": (K.TRUE, "a"),
}
#: What stands before the expected value.
WANTED: Final = {
    "NotSame": "not", "AreNotSame": "not", "DoesNotContain": "not",
    "StartsWith": "start", "EndsWith": "end", "DoesNotMatch": "not", "Empty": "empty",
    "IsEmpty": "empty", "NotEmpty": "not empty", "IsNotEmpty": "not empty",
    "Single": "single", "InRange": "between", "NotInRange": "not between",
    "Greater": ">", "GreaterOrEqual": ">=", "Less": "<", "LessOrEqual": "<=",
    "IsGreaterThan": ">", "IsNotType": "not", "IsNotInstanceOf": "not",
    "IsNotInstanceOfType": "not", "Zero": "zero", "NotZero": "zero", "IsNaN": "NaN",
    "Positive": "> 0", "Negative": "< 0", "AreEquivalent": "in any order",
    "AreNotEquivalent": "in any order", "AreEqualIgnoringCase": "ignoring case",
    "Subset": "subset", "Superset": "superset", "ProperSubset": "proper subset",
    "IsAssignableFrom": "assignable", "AllItemsAreUnique": "unique items",
    "AllItemsAreNotNull": "all items", "IsOrdered": "ordered",
}  # fmt: skip
THROWS: Final = {
    **dict.fromkeys(
        [
            "Throws", "ThrowsAsync", "ThrowsException", "ThrowsExceptionAsync", "Throw",
            "ThrowsExactly", "ThrowsExactlyAsync", "ThrowAsync", "ThrowExactly",
            "ThrowExactlyAsync",
        ],
        K.RAISES,
    ),
    **dict.fromkeys(["ThrowsAny", "ThrowsAnyAsync", "Catch", "CatchAsync"], K.RAISES),
    **dict.fromkeys(["DoesNotThrow", "DoesNotThrowAsync", "NotThrow"], K.NOT_RAISES),
}  # fmt: skip
MOQ_ANSWERS: Final = frozenset(
    {"Returns", "ReturnsAsync", "ReturnsForAnyArgs", "Throws", "ThrowsAsync",
     "ReturnsNull", "Callback"}
)  # fmt: skip
TALKERS: Final = frozenset(
    {"Console", "output", "_output", "Output", "Trace", "Debug", "TestContext", "Out",
     "_testOutputHelper", "testOutputHelper", "Error", "Progress"}
)  # fmt: skip
TALK: Final = frozenset({"WriteLine", "Write"})
#: What fails a test when it is thrown.
FAILURES: Final = frozenset(
    {"new XunitException", "new AssertionException", "new AssertFailedException"}
)
