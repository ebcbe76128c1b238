"""How C#'s expressions become code in common words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final

from ast_grep_py import SgNode

from fairtrial.integrity.reading.code.code import Act, Expr, Shape, Stmt
from fairtrial.integrity.reading.code.lowering import Lowering, child, children, kids
from fairtrial.integrity.syntax import one_line

_LAMBDAS: Final = ("lambda_expression", "anonymous_method_expression")
_LISTS: Final = (
    "array_creation_expression",
    "implicit_array_creation_expression",
    "initializer_expression",
    "collection_expression",
)


class CSharpExpressions(Lowering):
    """C#'s kinds of node."""

    TYPES: ClassVar = frozenset({"predefined_type", "nullable_type", "implicit_type"})
    LITERALS: ClassVar = frozenset(
        {
            "string_literal",
            "verbatim_string_literal",
            "raw_string_literal",
            "character_literal",
            "integer_literal",
            "real_literal",
            "boolean_literal",
            "null_literal",
        }
    )
    BINARIES: ClassVar = frozenset(
        {"binary_expression", "is_expression", "is_pattern_expression"}
    )
    TRANSPARENT: ClassVar = frozenset(
        {"parenthesized_expression", "await_expression", "argument", "constant_pattern",
         "checked_expression", "ref_expression", "arrow_expression_clause"}
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.exprs = {
            "invocation_expression": self.call,
            "member_access_expression": self.member,
            "conditional_access_expression": self.conditional,
            "generic_name": self.generic,
            "object_creation_expression": self.new,
            "implicit_object_creation_expression": self.new,
            **dict.fromkeys(_LAMBDAS, self.function),
            **dict.fromkeys(_LISTS, self.listed),
            "element_access_expression": self.element,
            "prefix_unary_expression": self.negated,
            "postfix_unary_expression": self.postfix,
            "cast_expression": self.cast,
            "typeof_expression": self.type_of,
            "argument": self.argument,
        }

    def type_names(self, node: SgNode | None) -> list[str]:
        """The names in angle brackets."""
        return [] if node is None else [one_line(each.text()) for each in kids(node)]

    def generic(self, node: SgNode) -> Expr:
        """`Name<T>`."""
        name = child(node, "identifier")
        return self.make(
            node,
            Shape.NAME,
            "" if name is None else name.text(),
            types=self.type_names(child(node, "type_argument_list")),
        )

    def arguments(self, node: SgNode | None) -> tuple[list[Expr], list[str]]:
        """The arguments in parentheses, with their names."""
        parts, labels = [], []
        for each in children(node, "argument", "attribute_argument"):
            name = each.field("name")
            labels.append("" if name is None else name.text())
            inner = [one for one in kids(each) if one != name]
            parts.append(self.expr(inner[-1]) if inner else self.words(each))
        return parts, labels if any(labels) else []

    def argument(self, node: SgNode) -> Expr:
        """An argument outside a call."""
        inner = kids(node)
        return self.expr(inner[-1]) if inner else self.words(node)

    def call(self, node: SgNode) -> Expr:
        """`on.Name<T>(arguments)`."""
        callee = node.field("function")
        parts, labels = self.arguments(node.field("arguments"))
        if callee is None:
            return self.words(node)
        made = self.expr(callee)
        if made.shape not in {Shape.NAME, Shape.MEMBER}:
            return self.make(node, Shape.CALL, "()", on=made, parts=parts)
        return self.make(
            node,
            Shape.CALL,
            made.text,
            on=made.on,
            parts=parts,
            labels=labels,
            types=made.types,
        )

    def member(self, node: SgNode) -> Expr:
        """`on.Name`, `on.Name<T>`."""
        on, name = node.field("expression"), node.field("name")
        made = None if name is None else self.expr(name)
        return self.make(
            node,
            Shape.MEMBER,
            "" if made is None else made.text,
            on=None if on is None else self.expr(on),
            types=() if made is None else made.types,
        )

    def conditional(self, node: SgNode) -> Expr:
        """`on?.Name` says what `on.Name` says."""
        on, *rest = kids(node)
        made = self.expr(on)
        for each in rest:
            if each.kind() == "member_binding_expression" and (inner := kids(each)):
                name = self.expr(inner[-1])
                made = self.make(
                    node, Shape.MEMBER, name.text, on=made, types=name.types
                )
            elif each.kind() == "invocation_expression":
                made = self._bound(each, made)
            else:
                return self.words(node)
        return made

    def _bound(self, node: SgNode, on: Expr) -> Expr:
        """`?.Name(arguments)` behind what it is called on."""
        callee = node.field("function")
        parts, labels = self.arguments(node.field("arguments"))
        if callee is None or callee.kind() != "member_binding_expression":
            return self.make(node, Shape.TOKENS, parts=[on, self.words(node)])
        name = self.expr(kids(callee)[-1])
        return self.make(node, Shape.CALL, name.text, on=on, parts=parts, labels=labels)

    def new(self, node: SgNode) -> Expr:
        """`new Type(arguments) { Name = value }`."""
        kind = node.field("type")
        name = "" if kind is None else one_line(kind.text()).partition("<")[0]
        parts, labels = self.arguments(node.field("arguments"))
        labels = labels or [""] * len(parts)
        types = []
        if kind is not None and kind.kind() == "generic_name":
            types = self.type_names(child(kind, "type_argument_list"))
        initial = node.field("initializer")
        for each in [] if initial is None else kids(initial):
            left, right = each.field("left"), each.field("right")
            if left is not None and right is not None:
                labels.append(left.text())
                parts.append(self.expr(right))
            else:
                labels.append("")
                parts.append(self.expr(each))
        return self.make(
            node,
            Shape.CALL,
            f"new {name}".strip(),
            parts=parts,
            labels=labels if any(labels) else (),
            types=types,
        )

    def function(self, node: SgNode) -> Expr:
        """`(params) => body`, `delegate {…}`."""
        params, body = node.field("parameters"), node.field("body")
        names = []
        if params is not None:
            names = (
                [params.text()]
                if params.kind() in {"identifier", "implicit_parameter"}
                else [self.declared(each) for each in children(params, "parameter")]
            )
        body = body or child(node, "block")
        inner: Iterable[Stmt] = ()
        if body is not None:
            inner = (
                self.body(body)
                if body.kind() == "block"
                else (self.act(body, Act.DO, value=self.expr(body)),)
            )
        return self.make(node, Shape.LAMBDA, params=names, body=inner)

    def declared(self, node: SgNode) -> str:
        """The name that a parameter or declarator gives."""
        name = node.field("name") or child(node, "identifier")
        return "" if name is None else name.text()

    def listed(self, node: SgNode) -> Expr:
        """`new[] {1, 2}`, `{1, 2}` and `[1, 2]` are calls of "{}"."""
        if node.kind() in {_LISTS[0], _LISTS[1]}:
            inner = child(node, "initializer_expression")
            return self.words(node) if inner is None else self.listed(inner)
        return self.make(
            node, Shape.CALL, "{}", parts=[self.expr(each) for each in kids(node)]
        )

    def element(self, node: SgNode) -> Expr:
        """`on[index]`."""
        on, index = node.field("expression"), node.field("subscript")
        if on is None:
            return self.words(node)
        parts, _ = self.arguments(index)
        return self.make(node, Shape.CALL, "[]", on=self.expr(on), parts=parts)

    def postfix(self, node: SgNode) -> Expr:
        """`x!` says what `x` says."""
        inner = kids(node)
        return self.expr(inner[0]) if node.text().endswith("!") else self.words(node)

    def cast(self, node: SgNode) -> Expr:
        """`(Type) value` says what the value says."""
        value = node.field("value")
        return self.words(node) if value is None else self.expr(value)

    def type_of(self, node: SgNode) -> Expr:
        """`typeof(Type)` is the type."""
        inner = kids(node)
        return self.make(node, Shape.TYPE, inner[0].text() if inner else node.text())
