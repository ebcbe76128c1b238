"""How Java's syntax becomes code in common words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from ast_grep_py import SgNode

from fairtrial.integrity.reading.code.code import (
    Act,
    Arm,
    Expr,
    Shape,
    Stmt,
    Unit,
    word,
)
from fairtrial.integrity.reading.code.lowering import Lowering, child, children, kids
from fairtrial.integrity.syntax import one_line

CLASSES = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
    }
)


class JavaLowering(Lowering):
    """Java's kinds of node."""

    LITERALS: ClassVar = frozenset(
        {
            "string_literal",
            "character_literal",
            "decimal_integer_literal",
            "hex_integer_literal",
            "octal_integer_literal",
            "binary_integer_literal",
            "decimal_floating_point_literal",
            "true",
            "false",
            "null_literal",
        }
    )
    TYPES: ClassVar = frozenset({"type_identifier", "scoped_type_identifier"})
    BINARIES: ClassVar = frozenset({"binary_expression", "instanceof_expression"})
    BLOCKS: ClassVar = frozenset({"block", "constructor_body"})

    def __init__(self) -> None:
        super().__init__()
        self.exprs = {
            "method_invocation": self.call,
            "object_creation_expression": self.new,
            "field_access": self.member,
            "lambda_expression": self.function,
            "method_reference": self.reference,
            "unary_expression": self.negated,
            "array_access": self.element,
            "cast_expression": self.cast,
            "class_literal": self.class_literal,
            "array_creation_expression": self.array,
            "array_initializer": self.array,
            "element_value_array_initializer": self.array,
            "switch_expression": self.words,
        }
        self.stmts = {
            "local_variable_declaration": self.local,
            "expression_statement": self.expression,
            "if_statement": self.choice,
            "for_statement": self.loop,
            "while_statement": self.loop,
            "do_statement": self.loop,
            "enhanced_for_statement": self.each,
            "try_statement": self.attempt,
            "try_with_resources_statement": self.attempt,
            "return_statement": self.leaving,
            "throw_statement": self.leaving,
            "yield_statement": self.leaving,
            "break_statement": self.leaving,
            "continue_statement": self.leaving,
            "synchronized_statement": self.wrapped,
            "labeled_statement": self.wrapped,
            "switch_expression": self.switch,
            "assert_statement": self.assertion,
            **dict.fromkeys(CLASSES, self.ignored),
        }

    def call(self, node: SgNode) -> Expr:
        """`on.name<types>(arguments)`."""
        on = node.field("object")
        name = node.field("name")
        return self.make(
            node,
            Shape.CALL,
            "" if name is None else name.text(),
            on=None if on is None else self.expr(on),
            parts=self.arguments(node.field("arguments")),
            types=self.type_names(node.field("type_arguments")),
        )

    def arguments(self, node: SgNode | None) -> list[Expr]:
        """The arguments in parentheses."""
        return [] if node is None else [self.expr(each) for each in kids(node)]

    def type_names(self, node: SgNode | None) -> list[str]:
        """The names in angle brackets."""
        return [] if node is None else [one_line(each.text()) for each in kids(node)]

    def new(self, node: SgNode) -> Expr:
        """`new Type(arguments) { members }`; the members are its last part."""
        kind = node.field("type")
        name = "" if kind is None else one_line(kind.text()).partition("<")[0]
        parts = self.arguments(node.field("arguments"))
        if (body := child(node, "class_body")) is not None:
            members = [
                stmt
                for each in self.members(body)
                for stmt in (
                    Stmt(
                        act=Act.DEFINE,
                        names=(each.name, *each.params),
                        value=each.value,
                        body=each.body,
                        line=each.line,
                        written=one_line(each.text),
                    ),
                )
            ]
            parts.append(self.make(body, Shape.LAMBDA, "{}", body=members))
        return self.make(node, Shape.CALL, f"new {name}", parts=parts)

    def members(self, body: SgNode) -> Iterable[Unit]:
        """What a class holds; the declarations know."""
        del body
        return ()

    def member(self, node: SgNode) -> Expr:
        """`on.name`."""
        on, name = node.field("object"), node.field("field")
        return self.make(
            node,
            Shape.MEMBER,
            "" if name is None else name.text(),
            on=None if on is None else self.expr(on),
        )

    def function(self, node: SgNode) -> Expr:
        """`(params) -> body`."""
        params, body = node.field("parameters"), node.field("body")
        names = []
        if params is not None:
            names = (
                [params.text()]
                if params.kind() == "identifier"
                else [self.declared(each) for each in kids(params)]
            )
        inner: tuple[Stmt, ...] = ()
        if body is not None:
            inner = (
                self.body(body)
                if body.kind() == "block"
                else (self.act(body, Act.DO, value=self.expr(body)),)
            )
        return self.make(node, Shape.LAMBDA, params=names, body=inner)

    def reference(self, node: SgNode) -> Expr:
        """`on::name` is a lambda that calls it."""
        inner = kids(node)
        on = self.expr(inner[0]) if inner else None
        name = inner[-1].text() if len(inner) > 1 else "new"
        called = self.make(node, Shape.MEMBER, f":{name}", on=on)
        return replace(called, text=f"::{name}")

    def element(self, node: SgNode) -> Expr:
        """`on[index]`."""
        inner = kids(node)
        return self.make(
            node,
            Shape.CALL,
            "[]",
            on=self.expr(inner[0]),
            parts=[self.expr(each) for each in inner[1:]],
        )

    def cast(self, node: SgNode) -> Expr:
        """`(Type) value` says what the value says."""
        value = node.field("value")
        return self.words(node) if value is None else self.expr(value)

    def class_literal(self, node: SgNode) -> Expr:
        """`Type.class` is the type."""
        inner = kids(node)
        name = inner[0].text() if inner else node.text()
        return self.make(node, Shape.TYPE, name)

    def array(self, node: SgNode) -> Expr:
        """`{1, 2}` and `new int[] {1, 2}` are calls of "{}"."""
        if node.kind() == "array_creation_expression":
            inner = child(node, "array_initializer")
            return self.words(node) if inner is None else self.array(inner)
        return self.make(
            node, Shape.CALL, "{}", parts=[self.expr(each) for each in kids(node)]
        )

    def declared(self, node: SgNode) -> str:
        """The name that a parameter or declarator gives."""
        if node.kind() == "identifier":
            return node.text()
        name = node.field("name")
        if name is None and (inner := child(node, "variable_declarator")) is not None:
            name = inner.field("name")
        return "" if name is None else name.text()

    def local(self, node: SgNode) -> Iterable[Stmt]:
        """`Type name = value, …;`."""
        kind = node.field("type")
        for each in children(node, "variable_declarator"):
            value = each.field("value")
            yield self.act(
                node,
                Act.DECLARE,
                names=[self.declared(each)],
                value=None if value is None else self.expr(value),
                type="" if kind is None else one_line(kind.text()).partition("<")[0],
            )

    def expression(self, node: SgNode) -> Iterable[Stmt]:
        """An assignment, a counter, or an expression for its effect."""
        for inner in kids(node)[:1]:
            if inner.kind() == "assignment_expression":
                left, right = inner.field("left"), inner.field("right")
                operator = inner.field("operator")
                if left is not None and right is not None:
                    yield self.act(
                        node,
                        Act.ASSIGN,
                        target=self.expr(left),
                        value=self.expr(right),
                        word="=" if operator is None else operator.text(),
                    )
            elif inner.kind() == "update_expression" and (target := kids(inner)):
                yield self.act(
                    node,
                    Act.ASSIGN,
                    target=self.expr(target[0]),
                    value=word("1", self.line(node)),
                    word="+=" if "++" in inner.text() else "-=",
                )
            elif inner.kind() == "switch_expression":
                yield from self.switch(inner)
            else:
                yield self.act(node, Act.DO, value=self.expr(inner))

    def choice(self, node: SgNode) -> Iterable[Stmt]:
        """`if (condition) … else …`."""
        condition, then = node.field("condition"), node.field("consequence")
        yield self.act(
            node,
            Act.IF,
            value=None if condition is None else self.expr(condition),
            body=self.stmt(then),
            other=self.stmt(node.field("alternative")),
        )

    def loop(self, node: SgNode) -> Iterable[Stmt]:
        """`for`, `while` and `do`."""
        start, condition = node.field("init"), node.field("condition")
        if start is not None:
            yield from self.stmt(start)
        yield self.act(
            node,
            Act.LOOP,
            value=None if condition is None else self.expr(condition),
            word="while",
            body=self.stmt(node.field("body")),
        )

    def each(self, node: SgNode) -> Iterable[Stmt]:
        """`for (Type name : value)`."""
        value = node.field("value")
        yield self.act(
            node,
            Act.LOOP,
            names=[self.declared(node)],
            value=None if value is None else self.expr(value),
            word="for",
            body=self.stmt(node.field("body")),
        )

    def attempt(self, node: SgNode) -> Iterable[Stmt]:
        """`try (resources) … catch … finally …`."""
        resources = [
            self.act(
                each,
                Act.DECLARE,
                names=[self.declared(each)],
                value=None if value is None else self.expr(value),
            )
            for each in children(node.field("resources"), "resource")
            for value in [each.field("value")]
        ]
        arms = []
        for each in children(node, "catch_clause"):
            param = child(each, "catch_formal_parameter")
            types = None if param is None else child(param, "catch_type")
            body = each.field("body")
            arms.append(
                Arm(
                    types=tuple(self.type_names(types)),
                    name="" if param is None else self.declared(param),
                    body=self.stmt(body),
                    line=self.line(each),
                    written=one_line(each.text()),
                )
            )
        last = child(node, "finally_clause")
        made = self.act(
            node,
            Act.TRY,
            body=[*resources, *self.stmt(node.field("body"))],
            other=() if last is None else self.body(last),
        )
        if arms:
            yield replace(made, arms=tuple(arms))
        else:
            yield replace(made, act=Act.BLOCK, body=(*made.body, *made.other), other=())

    def leaving(self, node: SgNode) -> Iterable[Stmt]:
        """`return`, `throw`, `yield`, `break`, `continue`."""
        acts = {"return": Act.RETURN, "throw": Act.THROW, "yield": Act.RETURN}
        keyword = node.kind().partition("_")[0]
        inner = kids(node)
        act = acts.get(keyword, Act.JUMP)
        value = self.expr(inner[0]) if inner and act is not Act.JUMP else None
        yield self.act(node, act, value=value, word=keyword)

    def wrapped(self, node: SgNode) -> Iterable[Stmt]:
        """A statement around others: a lock, a label."""
        inner = kids(node)
        yield self.act(node, Act.BLOCK, body=self.stmt(inner[-1]) if inner else ())

    def switch(self, node: SgNode) -> Iterable[Stmt]:
        """`switch`, in its old and its new form."""
        value, body = node.field("condition"), node.field("body")
        arms = []
        for each in children(body, "switch_block_statement_group", "switch_rule"):
            label = child(each, "switch_label")
            words = [] if label is None else kids(label)
            rest = [one for one in kids(each) if one.kind() != "switch_label"]
            arms.append(
                Arm(
                    label=self.expr(words[0]) if words else None,
                    body=tuple(
                        one
                        for inner in rest
                        for one in self.stmt(inner)
                        if one.word != "break"
                    ),
                    line=self.line(each),
                    written=one_line(each.text()),
                )
            )
        made = self.act(
            node, Act.SWITCH, value=None if value is None else self.expr(value)
        )
        yield replace(made, arms=tuple(arms))

    def assertion(self, node: SgNode) -> Iterable[Stmt]:
        """The keyword `assert` is a call of that name."""
        parts = [self.expr(each) for each in kids(node)]
        yield self.act(
            node, Act.DO, value=self.make(node, Shape.CALL, "assert", parts=parts)
        )

    def ignored(self, node: SgNode) -> Iterable[Stmt]:
        """A class inside a function."""
        yield self.act(node, Act.DO, value=self.words(node))
