"""What the matchers and assertion functions of JavaScript say.

Jest and Vitest, Jasmine, Testing Library, Playwright, Chai and its plug-ins, Sinon,
node:assert, AVA, QUnit and Cypress.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fairtrial.domain.demands import AssertionKind

K = AssertionKind


@dataclass(frozen=True, slots=True)
class Says:
    """What one matcher demands of its subject."""

    kind: AssertionKind
    #: What is demanded, where no argument says it; a word before the argument else.
    word: str = ""
    #: Where the expected value stands among the arguments; None for no such argument.
    expects: int | None = 0
    #: Where a tolerance stands.
    tolerance: int | None = None


def _all(says: Says, names: str) -> dict[str, Says]:
    return dict.fromkeys(names.split(), says)


#: Matchers that are called on `expect(…)`.
MATCHERS: Final[dict[str, Says]] = {
    **_all(Says(K.IDENTICAL), "toBe toStrictEqual"),
    **_all(Says(K.EQUAL), "toEqual toHaveValue toHaveDisplayValue toHaveTextContent"),
    **_all(Says(K.EQUAL), "toHaveText toHaveURL toHaveTitle toHaveId toHaveRole"),
    **_all(Says(K.EQUAL), "toHaveValues toHaveFormValues toHaveAccessibleName"),
    **_all(Says(K.EQUAL), "toHaveAccessibleDescription toHaveErrorMessage"),
    **_all(Says(K.CLOSE, tolerance=1), "toBeCloseTo"),
    **_all(Says(K.CONTAINS), "toContain toContainEqual toMatchObject toContainText"),
    **_all(Says(K.CONTAINS), "toContainElement toContainHTML toHaveClass toHaveStyle"),
    **_all(Says(K.CONTAINS), "toMatchTypeOf arrayContaining toContainKey toBeOneOf"),
    **_all(Says(K.MATCHES), "toMatch toSatisfy"),
    **_all(Says(K.ORDERED, ">"), "toBeGreaterThan"),
    **_all(Says(K.ORDERED, ">="), "toBeGreaterThanOrEqual"),
    **_all(Says(K.ORDERED, "<"), "toBeLessThan"),
    **_all(Says(K.ORDERED, "<="), "toBeLessThanOrEqual"),
    **_all(Says(K.LENGTH), "toHaveLength toHaveCount toHaveSize"),
    **_all(Says(K.TYPE), "toBeInstanceOf toBeTypeOf"),
    **_all(Says(K.NOT_NONE, "truthy", expects=None), "toBeTruthy toBeOK"),
    **_all(Says(K.FALSE, expects=None), "toBeFalsy"),
    **_all(Says(K.EQUAL, "true", expects=None), "toBeTrue"),
    **_all(Says(K.EQUAL, "false", expects=None), "toBeFalse"),
    **_all(Says(K.NONE, "null", expects=None), "toBeNull toBeNil toBeNullish"),
    **_all(Says(K.NONE, "undefined", expects=None), "toBeUndefined"),
    **_all(Says(K.NOT_NONE, "undefined", expects=None), "toBeDefined"),
    **_all(Says(K.NOT_NONE, "null", expects=None), "toExist"),
    **_all(Says(K.EQUAL, "NaN", expects=None), "toBeNaN"),
    **_all(
        Says(K.RAISES),
        "toThrow toThrowError toThrowErrorMatchingInlineSnapshot toThrowMatching",
    ),
    **_all(Says(K.RAISES, "snapshot"), "toThrowErrorMatchingSnapshot"),
    **_all(Says(K.SNAPSHOT), "toMatchSnapshot toHaveScreenshot toMatchFileSnapshot"),
    **_all(Says(K.SNAPSHOT), "toMatchInlineSnapshot toMatchAriaSnapshot"),
    **_all(Says(K.SNAPSHOT), "toMatchImageSnapshot"),
    **_all(Says(K.CALLED, expects=None), "toHaveBeenCalled toBeCalled toHaveReturned"),
    **_all(Says(K.CALLED, "times"), "toHaveBeenCalledTimes toBeCalledTimes"),
    **_all(Says(K.CALLED, "once", expects=None), "toHaveBeenCalledOnce"),
    **_all(Says(K.CALLED, "times"), "toHaveReturnedTimes"),
    **_all(Says(K.CALLED, "with"), "toHaveBeenCalledWith toBeCalledWith"),
    **_all(Says(K.CALLED, "last with"), "toHaveBeenLastCalledWith lastCalledWith"),
    **_all(Says(K.CALLED, "nth with"), "toHaveBeenNthCalledWith nthCalledWith"),
    **_all(Says(K.CALLED, "once with"), "toHaveBeenCalledExactlyOnceWith"),
    **_all(Says(K.CALLED, "once with"), "toHaveBeenCalledOnceWith"),
    **_all(Says(K.CALLED, "returned"), "toHaveReturnedWith toHaveLastReturnedWith"),
    **{
        name: Says(K.CUSTOM, word, expects=None)
        for name, word in (
            ("toBeVisible", "visible"),
            ("toBeHidden", "hidden"),
            ("toBeInTheDocument", "in the document"),
            ("toBeEnabled", "enabled"),
            ("toBeDisabled", "disabled"),
            ("toBeChecked", "checked"),
            ("toBePartiallyChecked", "partially checked"),
            ("toBeRequired", "required"),
            ("toBeValid", "valid"),
            ("toBeInvalid", "invalid"),
            ("toBeEditable", "editable"),
            ("toBeAttached", "attached"),
            ("toBeInViewport", "in the viewport"),
            ("toHaveFocus", "focused"),
            ("toBeFocused", "focused"),
            ("toHaveNoViolations", "without violations"),
        )
    },
    **_all(Says(K.EQUAL, "", expects=None), "toBeEmpty"),
    **_all(Says(K.LENGTH, "0", expects=None), "toBeEmptyDOMElement"),
}

#: Words of Chai that only read well.
CHAI_SILENT: Final = frozenset(
    [
        "to",
        "be",
        "been",
        "is",
        "that",
        "which",
        "and",
        "has",
        "have",
        "with",
        "at",
        "of",
        "same",
        "but",
        "does",
        "still",
        "also",
        "eventually",
        "become",
        "an",
    ]
)
#: Words of Chai that change what follows.
CHAI_FLAGS: Final = frozenset(
    ["deep", "strict", "loosely", "nested", "own", "ordered", "any", "all", "itself"]
)
#: Words of Chai that are assertions without being called.
CHAI_PROPERTIES: Final[dict[str, Says]] = {
    **_all(Says(K.NOT_NONE, "truthy", expects=None), "ok"),
    "true": Says(K.EQUAL, "true", expects=None),
    "false": Says(K.EQUAL, "false", expects=None),
    "null": Says(K.NONE, "null", expects=None),
    "undefined": Says(K.NONE, "undefined", expects=None),
    "NaN": Says(K.EQUAL, "NaN", expects=None),
    "exist": Says(K.NOT_NONE, "null", expects=None),
    "defined": Says(K.NOT_NONE, "undefined", expects=None),
    "empty": Says(K.LENGTH, "0", expects=None),
    "arguments": Says(K.TYPE, "arguments", expects=None),
    "called": Says(K.CALLED, expects=None),
    "returned": Says(K.CALLED, "returned", expects=None),
    "calledOnce": Says(K.CALLED, "once", expects=None),
    "calledTwice": Says(K.CALLED, "times 2", expects=None),
    "calledThrice": Says(K.CALLED, "times 3", expects=None),
    "fulfilled": Says(K.NOT_RAISES, expects=None),
    "rejected": Says(K.RAISES_ANY, expects=None),
}
#: Words of Chai that are called.
CHAI_METHODS: Final[dict[str, Says]] = {
    **_all(Says(K.IDENTICAL), "equal equals eq"),
    **_all(Says(K.EQUAL), "eql eqls value text attribute"),
    **_all(Says(K.CLOSE, tolerance=1), "closeTo approximately"),
    **_all(Says(K.TYPE), "a an instanceof instanceOf"),
    **_all(
        Says(K.CONTAINS), "include includes contain contains oneOf members keys key"
    ),
    **_all(Says(K.CONTAINS), "startWith endWith containSubset string"),
    **_all(Says(K.MATCHES), "match matches satisfy satisfies"),
    **_all(Says(K.ORDERED, ">"), "above gt greaterThan"),
    **_all(Says(K.ORDERED, ">="), "least gte greaterThanOrEqual"),
    **_all(Says(K.ORDERED, "<"), "below lt lessThan"),
    **_all(Says(K.ORDERED, "<="), "most lte lessThanOrEqual"),
    **_all(Says(K.ORDERED, "within"), "within"),
    **_all(Says(K.LENGTH), "lengthOf length"),
    **_all(Says(K.RAISES), "throw throws Throw rejectedWith"),
    **_all(Says(K.CONTAINS, "responds to"), "respondTo"),
    **_all(Says(K.CALLED, "times"), "callCount"),
    **_all(Says(K.CALLED, "with"), "calledWith calledWithMatch"),
    **_all(Says(K.CALLED, "exactly with"), "calledWithExactly"),
    **_all(Says(K.CALLED, "once with"), "calledOnceWith calledOnceWithExactly"),
    **_all(Says(K.EQUAL, "status"), "status"),
    **_all(Says(K.CUSTOM, "changed"), "change increase decrease"),
}

#: Functions of `assert`, and of the `t` that tests are given; the subject is first.
FUNCTIONS: Final[dict[str, Says]] = {
    **_all(Says(K.NOT_NONE, "truthy", expects=None), "assert ok isOk truthy pass"),
    **_all(Says(K.FALSE, expects=None), "notOk isNotOk falsy"),
    **_all(Says(K.IDENTICAL, expects=1), "strictEqual is deepStrictEqual Equals"),
    **_all(Says(K.EQUAL, expects=1), "equal deepEqual same equals propEqual"),
    **_all(Says(K.NOT_EQUAL, expects=1), "notEqual notStrictEqual notDeepEqual not"),
    **_all(Says(K.NOT_EQUAL, expects=1), "notDeepStrictEqual notPropEqual"),
    **_all(Says(K.EQUAL, "true", expects=None), "isTrue true"),
    **_all(Says(K.EQUAL, "false", expects=None), "isFalse false"),
    **_all(Says(K.NONE, "null", expects=None), "isNull notExists ifError isNotDefined"),
    **_all(Says(K.NOT_NONE, "null", expects=None), "isNotNull exists isDefined"),
    **_all(Says(K.NONE, "undefined", expects=None), "isUndefined"),
    **_all(Says(K.EQUAL, "NaN", expects=None), "isNaN"),
    **_all(Says(K.CLOSE, expects=1, tolerance=2), "closeTo approximately"),
    **_all(Says(K.ORDERED, ">", expects=1), "isAbove"),
    **_all(Says(K.ORDERED, ">=", expects=1), "isAtLeast"),
    **_all(Says(K.ORDERED, "<", expects=1), "isBelow"),
    **_all(Says(K.ORDERED, "<=", expects=1), "isAtMost"),
    **_all(Says(K.TYPE, expects=1), "typeOf instanceOf"),
    **{
        f"is{name}": Says(K.TYPE, f'"{name.lower()}"', expects=None)
        for name in ["String", "Number", "Boolean", "Array", "Object", "Function"]
    },
    **_all(Says(K.LENGTH, expects=1), "lengthOf"),
    **_all(Says(K.LENGTH, "0", expects=None), "isEmpty"),
    **_all(Says(K.LENGTH, "not 0", expects=None), "isNotEmpty"),
    **_all(Says(K.CONTAINS, expects=1), "include deepInclude property includeMembers"),
    **_all(
        Says(K.CONTAINS, expects=1), "sameMembers hasAllKeys partialDeepStrictEqual"
    ),
    **_all(Says(K.CONTAINS, expects=1), "like oneOf includes"),
    **_all(Says(K.CONTAINS, "not", expects=1), "notInclude notProperty"),
    **_all(Says(K.MATCHES, expects=1), "match regex"),
    **_all(Says(K.MATCHES, "not", expects=1), "notMatch doesNotMatch notRegex"),
    **_all(Says(K.RAISES, expects=1), "throws rejects throwsAsync isRejected"),
    **_all(Says(K.NOT_RAISES, expects=None), "doesNotThrow doesNotReject notThrows"),
    **_all(Says(K.NOT_RAISES, expects=None), "notThrowsAsync isFulfilled"),
    **_all(Says(K.SNAPSHOT), "snapshot matchSnapshot"),
    **_all(Says(K.CALLED, expects=None), "called"),
    **_all(Says(K.CALLED, "not", expects=None), "notCalled"),
    **_all(Says(K.CALLED, "once", expects=None), "calledOnce"),
    **_all(Says(K.CALLED, "times 2", expects=None), "calledTwice"),
    **_all(Says(K.CALLED, "times", expects=1), "callCount"),
    **_all(Says(K.CALLED, "with", expects=1), "calledWith calledWithMatch"),
    **_all(Says(K.CALLED, "exactly with", expects=1), "calledWithExactly"),
    **_all(Says(K.CALLED, "once with", expects=1), "calledOnceWithExactly"),
}

#: Asymmetric matchers in an expected value, with the kind that the whole becomes.
ASYMMETRIC: Final[dict[str, AssertionKind]] = {
    "any": K.TYPE,
    "anything": K.NOT_NONE,
    "closeTo": K.CLOSE,
    "stringMatching": K.MATCHES,
    "stringContaining": K.CONTAINS,
    "arrayContaining": K.CONTAINS,
    "objectContaining": K.CONTAINS,
}

#: Matchers that wait, so that an `await` has to stand before them, in Playwright.
WAITING: Final = frozenset(
    name
    for name in MATCHERS
    if name.startswith(("toHaveText", "toContainText", "toHaveURL", "toHaveTitle"))
    or MATCHERS[name].kind is K.CUSTOM
    or name
    in {
        "toHaveCount", "toHaveValue", "toHaveValues", "toHaveAttribute", "toHaveClass",
        "toHaveId", "toHaveRole", "toHaveScreenshot", "toMatchAriaSnapshot", "toBeOK",
        "toHaveAccessibleName", "toHaveAccessibleDescription", "toPass", "toBeEmpty",
    }
)  # fmt: skip


def opposite(kind: AssertionKind) -> AssertionKind | None:
    """What `not` makes of a kind; None where "not" has to be said."""
    return {
        K.EQUAL: K.NOT_EQUAL,
        K.IDENTICAL: K.NOT_EQUAL,
        K.NOT_EQUAL: K.EQUAL,
        K.TRUE: K.FALSE,
        K.FALSE: K.NOT_NONE,
        K.NONE: K.NOT_NONE,
        K.LENGTH: K.NOT_EQUAL,
        K.RAISES: K.NOT_RAISES,
        K.RAISES_ANY: K.NOT_RAISES,
        K.NOT_RAISES: K.RAISES_ANY,
    }.get(kind)
