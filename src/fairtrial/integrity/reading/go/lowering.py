"""How Go's syntax becomes code in common words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar, Final

from ast_grep_py import SgNode

from fairtrial.integrity.reading.code.code import Act, Arm, Expr, Shape, Stmt, word
from fairtrial.integrity.reading.code.lowering import Lowering, child, children, kids
from fairtrial.integrity.syntax import one_line, walk

_CASES: Final = (
    "expression_case",
    "default_case",
    "type_case",
    "communication_case",
)
_LISTS: Final = ("slice_type", "array_type", "implicit_length_array_type", "map_type")


class GoLowering(Lowering):
    """Go's kinds of node."""

    NAMES: ClassVar = frozenset(
        {"identifier", "package_identifier", "field_identifier", "blank_identifier"}
    )
    LITERALS: ClassVar = frozenset(
        {
            "interpreted_string_literal",
            "raw_string_literal",
            "rune_literal",
            "int_literal",
            "float_literal",
            "imaginary_literal",
            "true",
            "false",
            "nil",
        }
    )
    BLOCKS: ClassVar = frozenset({"block", "statement_list"})
    TRANSPARENT: ClassVar = frozenset(
        {"parenthesized_expression", "literal_element", "expression_list"}
    )

    def __init__(self) -> None:
        super().__init__()
        #: Fields of the file's own structs, by the struct's name.
        self.structs: dict[str, tuple[str, ...]] = {}
        self.exprs = {
            "call_expression": self.call,
            "selector_expression": self.member,
            "func_literal": self.function,
            "composite_literal": self.composite,
            "literal_value": self.braces,
            "unary_expression": self.unary,
            "index_expression": self.element,
        }
        self.stmts = {
            "short_var_declaration": self.local,
            "var_declaration": self.variables,
            "const_declaration": self.variables,
            "assignment_statement": self.assigned,
            "inc_statement": self.counted,
            "dec_statement": self.counted,
            "expression_statement": self.expression,
            "if_statement": self.choice,
            "for_statement": self.loop,
            "defer_statement": self.deferred,
            "go_statement": self.deferred,
            "return_statement": self.leaving,
            "break_statement": self.leaving,
            "continue_statement": self.leaving,
            "goto_statement": self.leaving,
            "fallthrough_statement": self.nothing,
            "empty_statement": self.nothing,
            "type_declaration": self.types,
            "labeled_statement": self.labelled,
            "expression_switch_statement": self.switch,
            "type_switch_statement": self.switch,
            "select_statement": self.switch,
        }

    def call(self, node: SgNode) -> Expr:
        """`on.name(arguments)`, `name[T](arguments)` and `func() {…}()`."""
        callee = node.field("function")
        arguments = node.field("arguments")
        parts = (
            [] if arguments is None else [self.expr(each) for each in kids(arguments)]
        )
        types = node.field("type_arguments")
        names = [] if types is None else [one_line(each.text()) for each in kids(types)]
        if callee is None:
            return self.words(node)
        made = self.expr(callee)
        if made.shape in {Shape.NAME, Shape.MEMBER}:
            return self.make(
                node, Shape.CALL, made.text, on=made.on, parts=parts, types=names
            )
        return self.make(node, Shape.CALL, "()", on=made, parts=parts)

    def member(self, node: SgNode) -> Expr:
        """`on.name`."""
        on, name = node.field("operand"), node.field("field")
        return self.make(
            node,
            Shape.MEMBER,
            "" if name is None else name.text(),
            on=None if on is None else self.expr(on),
        )

    def function(self, node: SgNode) -> Expr:
        """`func(params) {…}`."""
        return self.make(
            node,
            Shape.LAMBDA,
            params=self.params(node.field("parameters")),
            body=self.stmt(node.field("body")),
        )

    def params(self, node: SgNode | None) -> list[str]:
        """The names of parameters."""
        return [
            name.text()
            for each in children(
                node, "parameter_declaration", "variadic_parameter_declaration"
            )
            for name in children(each, "identifier")
        ]

    def composite(self, node: SgNode) -> Expr:
        """`[]T{…}` is a call of "{}", `map[K]V{…}` of "map{}", `T{…}` of "new T"."""
        kind, body = node.field("type"), node.field("body")
        if kind is None or body is None:
            return self.words(node)
        made = self.braces(body)
        if kind.kind() not in _LISTS:
            fields = self.fields(kind)
            return replace(self._labelled(made, fields), text=f"new {kind.text()}")
        inner = kids(kind)
        fields = self.fields(inner[-1]) if inner else ()
        rows = [self._labelled(each, fields) for each in made.parts]
        name = "map{}" if kind.kind() == "map_type" else "{}"
        return replace(
            made, text=name, parts=tuple(rows), line=self.line(node),
            written=one_line(node.text()),
        )  # fmt: skip

    def fields(self, kind: SgNode) -> tuple[str, ...]:
        """The names of a struct's fields, where the file has it."""
        if kind.kind() == "pointer_type" and (inner := kids(kind)):
            kind = inner[0]
        if kind.kind() == "struct_type":
            return struct_fields(kind)
        return self.structs.get(kind.text(), ())

    def _labelled(self, made: Expr, fields: tuple[str, ...]) -> Expr:
        plain = made.shape is Shape.CALL and made.text == "{}" and not any(made.labels)
        if plain and fields and len(made.parts) == len(fields):
            return replace(made, labels=fields)
        return made

    def braces(self, node: SgNode) -> Expr:
        """`{a, b: c}`."""
        parts, labels = [], []
        for each in kids(node):
            inner = kids(each)
            if each.kind() == "keyed_element" and len(inner) > 1:
                labels.append(inner[0].text().strip('"'))
                parts.append(self.expr(inner[1]))
            else:
                labels.append("")
                parts.append(self.expr(each))
        return self.make(
            node, Shape.CALL, "{}", parts=parts, labels=labels if any(labels) else ()
        )

    def unary(self, node: SgNode) -> Expr:
        """`&x` says what `x` says."""
        inner = kids(node)
        if inner and node.text().startswith("&"):
            return self.expr(inner[0])
        return self.negated(node)

    def element(self, node: SgNode) -> Expr:
        """`on[index]`."""
        on, *index = kids(node)
        parts = [self.expr(each) for each in index]
        return self.make(node, Shape.CALL, "[]", on=self.expr(on), parts=parts)

    def local(self, node: SgNode) -> Iterable[Stmt]:
        """`a, b := x, y` and `a, b := f()`."""
        yield from self.pairs(node, node.field("left"), node.field("right"))

    def pairs(
        self, node: SgNode, left: SgNode | None, right: SgNode | None
    ) -> Iterable[Stmt]:
        """Names with their values, one by one where there are as many."""
        names = [] if left is None else [each.text() for each in kids(left)]
        values = [] if right is None else kids(right)
        if len(names) == len(values):
            for name, value in zip(names, values, strict=True):
                yield self.act(
                    node, Act.DECLARE, names=[name], value=self.expr(value), word=":="
                )
        elif values:
            made = self.expr(values[0])
            yield self.act(node, Act.DECLARE, names=names, value=made, word=":=")

    def variables(self, node: SgNode) -> Iterable[Stmt]:
        """`var x T = value`, `const x = value`."""
        for each in walk(node):
            if each.kind() not in {"var_spec", "const_spec"}:
                continue
            names = [one.text() for one in children(each, "identifier")]
            value = each.field("value")
            values = [] if value is None else kids(value)
            if len(values) == len(names):
                for name, one in zip(names, values, strict=True):
                    made = self.expr(one)
                    yield self.act(each, Act.DECLARE, names=[name], value=made)
            else:
                first = self.expr(values[0]) if values else None
                yield self.act(each, Act.DECLARE, names=names, value=first)

    def assigned(self, node: SgNode) -> Iterable[Stmt]:
        """`a = b`, `a, b = f()`."""
        left, right = node.field("left"), node.field("right")
        if left is None or right is None:
            return
        operator = node.field("operator")
        sign = "=" if operator is None else operator.text()
        targets, values = kids(left), kids(right)
        for place, target in enumerate(targets):
            value = values[place] if len(values) == len(targets) else values[0]
            if target.text() == "_" and len(values) != len(targets):
                continue
            yield self.act(
                node,
                Act.ASSIGN,
                target=self.expr(target),
                value=self.expr(value),
                word=sign,
            )

    def counted(self, node: SgNode) -> Iterable[Stmt]:
        """`x++`, `x--`."""
        inner = kids(node)
        if inner:
            yield self.act(
                node,
                Act.ASSIGN,
                target=self.expr(inner[0]),
                value=word("1", self.line(node)),
                word="+=" if "++" in node.text() else "-=",
            )

    def expression(self, node: SgNode) -> Iterable[Stmt]:
        """An expression for its effect."""
        for each in kids(node):
            yield self.act(node, Act.DO, value=self.expr(each))

    def choice(self, node: SgNode) -> Iterable[Stmt]:
        """`if start; condition {…} else …`."""
        condition, start = node.field("condition"), node.field("initializer")
        made = self.act(
            node,
            Act.IF,
            value=None if condition is None else self.expr(condition),
            body=self.stmt(node.field("consequence")),
            other=self.stmt(node.field("alternative")),
        )
        if start is None:
            yield made
        else:
            yield self.act(node, Act.BLOCK, body=[*self.stmt(start), made])

    def loop(self, node: SgNode) -> Iterable[Stmt]:
        """`for` in its three forms."""
        body = self.stmt(node.field("body"))
        ranged = child(node, "range_clause")
        if ranged is not None:
            left, right = ranged.field("left"), ranged.field("right")
            names = [] if left is None else [each.text() for each in kids(left)]
            yield self.act(
                node,
                Act.LOOP,
                names=names,
                value=None if right is None else self.expr(right),
                word="range",
                body=body,
            )
            return
        clause = child(node, "for_clause")
        if clause is None:
            rest = [each for each in kids(node) if each.kind() != "block"]
            value = self.expr(rest[0]) if rest else None
            yield self.act(node, Act.LOOP, value=value, word="while", body=body)
            return
        condition = clause.field("condition")
        inner = self.act(
            node,
            Act.LOOP,
            value=None if condition is None else self.expr(condition),
            word="while",
            body=[*body, *self.stmt(clause.field("update"))],
        )
        yield self.act(
            node, Act.BLOCK, body=[*self.stmt(clause.field("initializer")), inner]
        )

    def deferred(self, node: SgNode) -> Iterable[Stmt]:
        """`defer f()` and `go f()`; a function that is written there is "deferred"."""
        for each in kids(node):
            made = self.expr(each)
            if made.on is not None and made.on.shape is Shape.LAMBDA:
                name = "deferred" if node.kind().startswith("defer") else "go"
                made = self.make(node, Shape.CALL, name, parts=[made.on])
            yield self.act(node, Act.DO, value=made)

    def leaving(self, node: SgNode) -> Iterable[Stmt]:
        """`return`, `break`, `continue`, `goto`."""
        keyword = node.kind().partition("_")[0]
        inner = kids(node)
        act = Act.RETURN if keyword == "return" else Act.JUMP
        value = self.expr(inner[0]) if inner and act is Act.RETURN else None
        yield self.act(node, act, value=value, word=keyword)

    def nothing(self, node: SgNode) -> Iterable[Stmt]:
        """What does nothing of its own."""
        del node
        return ()

    def types(self, node: SgNode) -> Iterable[Stmt]:
        """A local type: its fields are remembered."""
        self.remember(node)
        return ()

    def remember(self, node: SgNode) -> None:
        """The fields of the structs that are declared inside a node."""
        for each in walk(node):
            if each.kind() == "type_spec":
                name, kind = each.field("name"), each.field("type")
                if (
                    name is not None
                    and kind is not None
                    and kind.kind() == "struct_type"
                ):
                    self.structs[name.text()] = struct_fields(kind)

    def labelled(self, node: SgNode) -> Iterable[Stmt]:
        """`label: statement`."""
        return self.stmt(kids(node)[-1])

    def switch(self, node: SgNode) -> Iterable[Stmt]:
        """`switch` and `select`."""
        value = node.field("value")
        arms = []
        for each in children(node, *_CASES):
            label = each.field("value") or each.field("communication")
            if label is None and each.kind() == "type_case":
                label = next(iter(kids(each)), None)
            arms.append(
                Arm(
                    label=None if label is None else self.words(label),
                    body=tuple(
                        one
                        for inner in children(each, "statement_list")
                        for one in self.stmt(inner)
                    ),
                    line=self.line(each),
                    written=one_line(each.text()),
                )
            )
        made = self.act(
            node, Act.SWITCH, value=None if value is None else self.expr(value)
        )
        made = replace(made, arms=tuple(arms))
        start = node.field("initializer")
        if start is None:
            yield made
        else:
            yield self.act(node, Act.BLOCK, body=[*self.stmt(start), made])


def struct_fields(kind: SgNode) -> tuple[str, ...]:
    """The names of a struct's fields in their order."""
    return tuple(
        name.text()
        for listed in children(kind, "field_declaration_list")
        for each in children(listed, "field_declaration")
        for name in children(each, "field_identifier")
    )
