"""How Kotlin's expressions become code in common words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import ClassVar, Final

from ast_grep_py import SgNode

from fairtrial.integrity.reading.code.code import Expr, Shape, Stmt
from fairtrial.integrity.reading.code.lowering import (
    Lowering,
    child,
    children,
    has_word,
    kids,
    literal_text,
)
from fairtrial.integrity.syntax import one_line, walk

_IT: Final = re.compile(r"\bit\b")


class KotlinExpressions(Lowering):
    """Kotlin's kinds of node."""

    NAMES: ClassVar = frozenset({"simple_identifier", "interpolated_identifier"})
    TYPES: ClassVar = frozenset({"type_identifier", "user_type"})
    LITERALS: ClassVar = frozenset(
        {
            "integer_literal",
            "long_literal",
            "hex_literal",
            "bin_literal",
            "unsigned_literal",
            "real_literal",
            "boolean_literal",
            "character_literal",
            "null_literal",
        }
    )
    BINARIES: ClassVar = frozenset(
        {
            "additive_expression",
            "multiplicative_expression",
            "comparison_expression",
            "equality_expression",
            "conjunction_expression",
            "disjunction_expression",
            "check_expression",
        }
    )
    TRANSPARENT: ClassVar = frozenset({"parenthesized_expression", "as_expression"})
    BLOCKS: ClassVar = frozenset({"statements", "control_structure_body"})

    def __init__(self) -> None:
        super().__init__()
        self.exprs = {
            "call_expression": self.call,
            "navigation_expression": self.member,
            "infix_expression": self.infix,
            "lambda_literal": self.function,
            "anonymous_function": self.anonymous,
            "annotated_lambda": self.inner,
            "string_literal": self.string,
            "prefix_expression": self.prefix,
            "postfix_expression": self.postfix,
            "indexing_expression": self.element,
            "callable_reference": self.reference,
            "collection_literal": self.listed,
            "value_argument": self.inner,
            "object_literal": self.object,
        }

    def inner(self, node: SgNode) -> Expr:
        """What stands last inside: a lambda behind annotations, a named argument."""
        inside = kids(node)
        return self.expr(inside[-1]) if inside else self.words(node)

    def arguments(self, suffix: SgNode) -> tuple[list[Expr], list[str]]:
        """The arguments of a call, a trailing lambda last."""
        parts, labels = [], []
        for each in children(child(suffix, "value_arguments"), "value_argument"):
            inside = kids(each)
            named = has_word(each, "=") and len(inside) > 1
            labels.append(inside[0].text() if named else "")
            parts.append(self.expr(inside[-1]) if inside else self.words(each))
        for each in children(suffix, "annotated_lambda"):
            labels.append("")
            parts.append(self.expr(each))
        return parts, labels if any(labels) else []

    def call(self, node: SgNode) -> Expr:
        """`on.name<T>(arguments) { … }`."""
        inside = kids(node)
        suffix = child(node, "call_suffix")
        if suffix is None or not inside:
            return self.words(node)
        parts, labels = self.arguments(suffix)
        listed = child(suffix, "type_arguments")
        types = (
            [] if listed is None else [one_line(each.text()) for each in kids(listed)]
        )
        made = self.expr(inside[0])
        if made.shape in {Shape.NAME, Shape.MEMBER}:
            # Without a word for `new`, a capital letter is what tells a constructor.
            name = f"new {made.text}" if made.text[:1].isupper() else made.text
            return self.make(
                node,
                Shape.CALL,
                name,
                on=made.on,
                parts=parts,
                labels=labels,
                types=types,
            )
        if (
            made.shape is Shape.CALL
            and not made.types
            and child(suffix, "annotated_lambda")
        ):
            # `f(x) { … }` may be read as a call of what `f(x)` returns.
            return replace(
                made,
                parts=(*made.parts, *parts),
                labels=(*made.labels, *([""] * len(parts))) if made.labels else (),
                line=self.line(node),
                written=one_line(node.text()),
            )
        return self.make(node, Shape.CALL, "()", on=made, parts=parts)

    def member(self, node: SgNode) -> Expr:
        """`on.name`, `on?.name`."""
        inside = kids(node)
        suffix = child(node, "navigation_suffix")
        name = [] if suffix is None else kids(suffix)
        return self.make(
            node,
            Shape.MEMBER,
            name[-1].text() if name else "",
            on=self.expr(inside[0]),
        )

    def infix(self, node: SgNode) -> Expr:
        """`left name right` is `left.name(right)`."""
        inside = kids(node)
        if len(inside) != 3:  # noqa: PLR2004 - left, name, right
            return self.words(node)
        left, name, right = inside
        return self.make(
            node,
            Shape.CALL,
            name.text(),
            on=self.expr(left),
            parts=[self.expr(right)],
        )

    def function(self, node: SgNode) -> Expr:
        """`{ params -> statements }`; without parameters there is `it`."""
        listed = child(node, "lambda_parameters")
        names = ["it"] if _IT.search(node.text()) else []
        if listed is not None:
            names = [
                each.text()
                for each in walk(listed)
                if each.kind() == "simple_identifier"
            ]
        return self.make(
            node,
            Shape.LAMBDA,
            params=names,
            body=self.stmt(child(node, "statements")),
        )

    def anonymous(self, node: SgNode) -> Expr:
        """`fun(params) { … }`."""
        return self.make(
            node,
            Shape.LAMBDA,
            params=self.params(node),
            body=self.function_body(node),
        )

    def object(self, node: SgNode) -> Expr:
        """`object : Type { … }`."""
        return self.words(node)

    def string(self, node: SgNode) -> Expr:
        """A string, or its pieces where names are put into it."""
        if any("interpolat" in each.kind() for each in node.children()):
            return self.words(node)
        return self.make(node, Shape.LITERAL, literal_text(node.text()))

    def prefix(self, node: SgNode) -> Expr:
        """`!x`, `-1`."""
        return self.negated(node)

    def postfix(self, node: SgNode) -> Expr:
        """`x!!` says what `x` says."""
        inside = kids(node)
        if inside and node.text().endswith("!!"):
            return self.expr(inside[0])
        return self.words(node)

    def element(self, node: SgNode) -> Expr:
        """`on[index]`."""
        inside = kids(node)
        suffix = child(node, "indexing_suffix")
        parts = [] if suffix is None else [self.expr(each) for each in kids(suffix)]
        return self.make(node, Shape.CALL, "[]", on=self.expr(inside[0]), parts=parts)

    def reference(self, node: SgNode) -> Expr:
        """`Type::class` is the type, `on::name` a reference."""
        inside = kids(node)
        if node.text().endswith("::class"):
            return self.make(node, Shape.TYPE, node.text().removesuffix("::class"))
        on = self.expr(inside[0]) if len(inside) > 1 else None
        return self.make(
            node, Shape.MEMBER, f"::{inside[-1].text() if inside else ''}", on=on
        )

    def listed(self, node: SgNode) -> Expr:
        """`[a, b]` in an annotation."""
        return self.make(
            node, Shape.CALL, "{}", parts=[self.expr(each) for each in kids(node)]
        )

    def params(self, node: SgNode) -> list[str]:
        """The names of a function's parameters."""
        return [
            name.text()
            for each in children(child(node, "function_value_parameters"), "parameter")
            for name in children(each, "simple_identifier")[:1]
        ]

    def function_body(self, node: SgNode) -> tuple[Stmt, ...]:
        """`{ … }`, or `= expression`."""
        body = child(node, "function_body")
        return () if body is None else self.body(body)

    def names(self, node: SgNode) -> list[str]:
        """The names that a declaration gives."""
        return [
            name.text()
            for each in (
                *children(node, "variable_declaration"),
                *children(
                    child(node, "multi_variable_declaration"), "variable_declaration"
                ),
            )
            for name in children(each, "simple_identifier")[:1]
        ]

    def value(self, node: SgNode) -> Expr | None:
        """What stands behind the `=` or the `by` of a declaration."""
        by = child(node, "property_delegate")
        if by is not None:
            return self.inner(by)
        found = False
        for each in node.children():
            if found and each.is_named() and "comment" not in each.kind():
                return self.expr(each)
            found = found or (not each.is_named() and each.text() == "=")
        return None
