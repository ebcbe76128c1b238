"""How Rust's syntax becomes code in common words; macros' arguments are parsed, too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import ClassVar

from ast_grep_py import SgNode

from fairtrial.integrity.reading.code.code import Act, Arm, Expr, Shape, Stmt
from fairtrial.integrity.reading.code.lowering import Lowering, child, children, kids
from fairtrial.integrity.reading.rust.tokens import parts_with_labels, split
from fairtrial.integrity.syntax import broken_at, one_line, parse, walk


class RustLowering(Lowering):
    """Rust's kinds of node."""

    NAMES: ClassVar = frozenset(
        {
            "identifier",
            "scoped_identifier",
            "field_identifier",
            "shorthand_field_identifier",
        }
    )
    TYPES: ClassVar = frozenset(
        {"type_identifier", "scoped_type_identifier", "primitive_type"}
    )
    LITERALS: ClassVar = frozenset(
        {
            "string_literal",
            "raw_string_literal",
            "char_literal",
            "integer_literal",
            "float_literal",
            "boolean_literal",
        }
    )
    TRANSPARENT: ClassVar = frozenset(
        {"parenthesized_expression", "reference_expression", "try_expression",
         "await_expression", "type_cast_expression", "match_pattern"}
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        #: What the nodes were parsed from.
        self.text = ""
        self.exprs = {
            "call_expression": self.call,
            "field_expression": self.member,
            "generic_function": self.generic,
            "macro_invocation": self.macro,
            "closure_expression": self.function,
            "struct_expression": self.struct,
            "array_expression": self.listed,
            "tuple_expression": self.listed,
            "unary_expression": self.negated,
            "index_expression": self.element,
            "reference_expression": self.last,
            "let_condition": self.pattern_match,
            "unsafe_block": self.braced,
            "async_block": self.braced,
        }
        self.stmts = {
            "let_declaration": self.local,
            "expression_statement": self.expression,
            "if_expression": self.choice,
            "match_expression": self.switch,
            "for_expression": self.each,
            "while_expression": self.loop,
            "loop_expression": self.loop,
            "return_expression": self.leaving,
            "break_expression": self.leaving,
            "continue_expression": self.leaving,
            "assignment_expression": self.assigned,
            "compound_assignment_expr": self.assigned,
            "unsafe_block": self.wrapped,
            "async_block": self.wrapped,
            "function_item": self.local_function,
            "const_item": self.constant,
            "static_item": self.constant,
            **dict.fromkeys(
                [
                    "use_declaration", "attribute_item", "struct_item", "enum_item",
                    "impl_item", "trait_item", "type_item", "empty_statement",
                    "inner_attribute_item", "macro_definition",
                ],
                self.nothing,
            ),
        }  # fmt: skip

    def last(self, node: SgNode) -> Expr:
        """`&mut x` says what `x` says."""
        return self.expr(kids(node)[-1])

    def call(self, node: SgNode) -> Expr:
        """`on.name(arguments)`, `path::name(arguments)`."""
        callee = node.field("function")
        arguments = node.field("arguments")
        parts = (
            [] if arguments is None else [self.expr(each) for each in kids(arguments)]
        )
        if callee is None:
            return self.words(node)
        made = self.expr(callee)
        if made.shape not in {Shape.NAME, Shape.MEMBER}:
            return self.make(node, Shape.CALL, "()", on=made, parts=parts)
        return self.make(
            node, Shape.CALL, made.text, on=made.on, parts=parts, types=made.types
        )

    def member(self, node: SgNode) -> Expr:
        """`on.name`."""
        on, name = node.field("value"), node.field("field")
        return self.make(
            node,
            Shape.MEMBER,
            "" if name is None else name.text(),
            on=None if on is None else self.expr(on),
        )

    def generic(self, node: SgNode) -> Expr:
        """`name::<T>`."""
        inner, types = node.field("function"), node.field("type_arguments")
        if inner is None:
            return self.words(node)
        names = [] if types is None else [one_line(each.text()) for each in kids(types)]
        return replace(self.expr(inner), types=tuple(names))

    def macro(self, node: SgNode) -> Expr:
        """`name!(arguments)`, each argument as an expression where it is one."""
        name = node.field("macro")
        tree = child(node, "token_tree")
        text = "" if name is None else name.text().rpartition("::")[2]
        if text == "matches" and tree is not None:
            return self.matching(node, tree)
        if text == "vec" and tree is not None:
            return self.make(node, Shape.CALL, "{}", parts=self.groups(tree))
        parts = [] if tree is None else self.groups(tree)
        labels = [label for label, _ in parts_with_labels(tree)] if tree else []
        return self.make(
            node,
            Shape.CALL,
            f"{text}!",
            parts=parts,
            labels=labels if any(labels) and len(labels) == len(parts) else (),
        )

    def matching(self, node: SgNode, tree: SgNode) -> Expr:
        """`matches!(value, pattern)`."""
        groups = split(tree)
        value = self.group(groups[0]) if groups else self.words(tree)
        rest = [
            self.make(each, Shape.WORD, each.text())
            for one in groups[1:]
            for each in one
        ]
        pattern = self.make(node, Shape.TOKENS, parts=rest)
        return self.make(node, Shape.CALL, "matches!", parts=[value, pattern])

    def groups(self, tree: SgNode) -> list[Expr]:
        """The arguments of a macro."""
        return [self.group(tokens) for _, tokens in parts_with_labels(tree)]

    def group(self, tokens: list[SgNode]) -> Expr:
        """One argument of a macro: an expression, or its words."""
        first, last = tokens[0], tokens[-1]
        text = self.text[first.range().start.index : last.range().end.index]
        parsed = parse(f"fn f() {{ {text}\n}}", "rust")
        block = parsed.find(kind="block")
        inner = [] if block is None else kids(block)
        if len(inner) != 1 or broken_at(parsed) is not None:
            parts = [self.make(each, Shape.WORD, each.text()) for each in tokens]
            return self.make(first, Shape.TOKENS, parts=parts)
        with self.inside(f"fn f() {{ {text}\n}}", self.line(first) - 1):
            node = inner[0]
            if node.kind() == "expression_statement" and kids(node):
                node = kids(node)[0]
            return self.expr(node)

    @contextmanager
    def inside(self, text: str, shift: int) -> Iterator[None]:
        """While a piece of the file is read that was parsed by itself."""
        before = self.text, self.shift
        self.text, self.shift = text, shift
        try:
            yield
        finally:
            self.text, self.shift = before

    def function(self, node: SgNode) -> Expr:
        """`|params| body`."""
        params, body = node.field("parameters"), node.field("body")
        inner: Iterable[Stmt] = ()
        if body is not None:
            inner = self.body(body) if body.kind() == "block" else self.stmt(body)
        return self.make(
            node,
            Shape.LAMBDA,
            params=[] if params is None else self.bound(params),
            body=inner,
        )

    def bound(self, pattern: SgNode) -> list[str]:
        """The names that a pattern gives, in order."""
        return [
            each.text()
            for each in walk(pattern)
            if each.kind() in {"identifier", "shorthand_field_identifier"}
            and (each.text()[:1].islower() or each.text()[:1] == "_")
        ]

    def struct(self, node: SgNode) -> Expr:
        """`Type { name: value }`."""
        name, body = node.field("name"), node.field("body")
        parts, labels = [], []
        for each in [] if body is None else kids(body):
            value = each.field("value")
            field = each.field("field") or each.field("name")
            labels.append("" if field is None else field.text())
            parts.append(self.expr(value if value is not None else each))
        return self.make(
            node,
            Shape.CALL,
            f"new {'' if name is None else name.text()}",
            parts=parts,
            labels=labels if any(labels) else (),
        )

    def listed(self, node: SgNode) -> Expr:
        """`[a, b]` and `(a, b)` are calls of "{}"."""
        return self.make(
            node, Shape.CALL, "{}", parts=[self.expr(each) for each in kids(node)]
        )

    def element(self, node: SgNode) -> Expr:
        """`on[index]`."""
        on, *index = kids(node)
        parts = [self.expr(each) for each in index]
        return self.make(node, Shape.CALL, "[]", on=self.expr(on), parts=parts)

    def pattern_match(self, node: SgNode) -> Expr:
        """`let pattern = value` in a condition is `matches!(value, pattern)`."""
        pattern, value = node.field("pattern"), node.field("value")
        if pattern is None or value is None:
            return self.words(node)
        return self.make(
            node, Shape.CALL, "matches!", parts=[self.expr(value), self.plain(pattern)]
        )

    def plain(self, node: SgNode) -> Expr:
        """A pattern in its words; names in it are its own."""
        parts = [
            self.make(each, Shape.WORD, each.text())
            for each in walk(node)
            if each.is_leaf() and "comment" not in each.kind()
        ]
        return self.make(node, Shape.TOKENS, parts=parts)

    def braced(self, node: SgNode) -> Expr:
        """A block that is a value."""
        return self.make(node, Shape.LAMBDA, "{}", body=self.wrapped(node))

    def local(self, node: SgNode) -> Iterable[Stmt]:
        """`let pattern = value else {…};`."""
        pattern, value = node.field("pattern"), node.field("value")
        other = node.field("alternative")
        made = None if value is None else self.expr(value)
        names = [] if pattern is None else self.bound(pattern)
        if other is not None and pattern is not None and made is not None:
            condition = self.make(
                node, Shape.CALL, "matches!", parts=[made, self.plain(pattern)]
            )
            yield self.act(node, Act.IF, value=condition, other=self.stmt(other))
        if (not names or names == ["_"]) and made is not None:
            yield self.act(node, Act.DO, value=made, word="let _")
        else:
            yield self.act(node, Act.DECLARE, names=names, value=made)

    def constant(self, node: SgNode) -> Iterable[Stmt]:
        """`const NAME: T = value;` inside a function."""
        name, value = node.field("name"), node.field("value")
        yield self.act(
            node,
            Act.DECLARE,
            names=[] if name is None else [name.text()],
            value=None if value is None else self.expr(value),
        )

    def expression(self, node: SgNode) -> Iterable[Stmt]:
        """An expression for its effect."""
        for each in kids(node)[:1]:
            yield from self.stmt(each)

    def assigned(self, node: SgNode) -> Iterable[Stmt]:
        """`target = value`, `target += value`."""
        left, right = node.field("left"), node.field("right")
        operator = node.field("operator")
        if left is not None and right is not None:
            yield self.act(
                node,
                Act.ASSIGN,
                target=self.expr(left),
                value=self.expr(right),
                word="=" if operator is None else operator.text(),
            )

    def choice(self, node: SgNode) -> Iterable[Stmt]:
        """`if condition {…} else {…}`, `if let …`."""
        condition, other = node.field("condition"), node.field("alternative")
        names = []
        for each in [] if condition is None else walk(condition):
            if each.kind() == "let_condition" and (found := each.field("pattern")):
                names += self.bound(found)
        yield self.act(
            node,
            Act.IF,
            names=names,
            value=None if condition is None else self.expr(condition),
            body=self.stmt(node.field("consequence")),
            other=() if other is None else self.body(other),
        )

    def switch(self, node: SgNode) -> Iterable[Stmt]:
        """`match value {…}`."""
        value, body = node.field("value"), node.field("body")
        arms = []
        for each in children(body, "match_arm"):
            pattern, inner = each.field("pattern"), each.field("value")
            label = None if pattern is None else self.plain(pattern)
            if label is not None and pattern is not None and pattern.text() == "_":
                label = None
            names = [] if pattern is None else self.bound(pattern)
            arms.append(
                Arm(
                    label=label,
                    name=names[0] if len(names) == 1 else "",
                    body=self.stmt(inner),
                    line=self.line(each),
                    written=one_line(each.text()),
                )
            )
        made = self.act(
            node, Act.SWITCH, value=None if value is None else self.expr(value)
        )
        yield replace(made, arms=tuple(arms))

    def each(self, node: SgNode) -> Iterable[Stmt]:
        """`for pattern in value {…}`."""
        pattern, value = node.field("pattern"), node.field("value")
        yield self.act(
            node,
            Act.LOOP,
            names=[] if pattern is None else self.bound(pattern),
            value=None if value is None else self.expr(value),
            word="for",
            body=self.stmt(node.field("body")),
        )

    def loop(self, node: SgNode) -> Iterable[Stmt]:
        """`while` and `loop`."""
        condition = node.field("condition")
        yield self.act(
            node,
            Act.LOOP,
            value=None if condition is None else self.expr(condition),
            word="while",
            body=self.stmt(node.field("body")),
        )

    def leaving(self, node: SgNode) -> Iterable[Stmt]:
        """`return`, `break`, `continue`."""
        keyword = node.kind().partition("_")[0]
        inner = kids(node)
        act = Act.RETURN if keyword == "return" else Act.JUMP
        value = self.expr(inner[0]) if inner and act is Act.RETURN else None
        yield self.act(node, act, value=value, word=keyword)

    def wrapped(self, node: SgNode) -> Iterable[Stmt]:
        """`unsafe {…}`, `async {…}`."""
        yield self.act(node, Act.BLOCK, body=self.stmt(child(node, "block")))

    def local_function(self, node: SgNode) -> Iterable[Stmt]:
        """A function inside a function."""
        name, params = node.field("name"), node.field("parameters")
        names = [] if params is None else self.bound(params)
        yield self.act(
            node,
            Act.DEFINE,
            names=["" if name is None else name.text(), *names],
            body=self.stmt(node.field("body")),
        )

    def nothing(self, node: SgNode) -> Iterable[Stmt]:
        """What does nothing when it is run."""
        del node
        return ()
