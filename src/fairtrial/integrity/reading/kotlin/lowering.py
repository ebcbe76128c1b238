"""How Kotlin's statements become code in common words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from ast_grep_py import SgNode

from fairtrial.integrity.reading.code.code import Act, Arm, Expr, Shape, Stmt, word
from fairtrial.integrity.reading.code.lowering import (
    child,
    children,
    has_word,
    kids,
)
from fairtrial.integrity.reading.kotlin.expressions import KotlinExpressions
from fairtrial.integrity.syntax import one_line

_BODY: Final = ("control_structure_body", "statements")


class KotlinLowering(KotlinExpressions):
    """Kotlin's statements."""

    def __init__(self) -> None:
        super().__init__()
        self.stmts = {
            "property_declaration": self.local,
            "assignment": self.assigned,
            "if_expression": self.choice,
            "when_expression": self.switch,
            "for_statement": self.each,
            "while_statement": self.loop,
            "do_while_statement": self.loop,
            "try_expression": self.attempt,
            "jump_expression": self.leaving,
            "function_declaration": self.local_function,
            "postfix_expression": self.counted,
            "class_declaration": self.ignored,
        }

    def local(self, node: SgNode) -> Iterable[Stmt]:
        """`val name = value`."""
        yield self.act(
            node, Act.DECLARE, names=self.names(node), value=self.value(node)
        )

    def assigned(self, node: SgNode) -> Iterable[Stmt]:
        """`target = value`, `target += value`."""
        inside = kids(node)
        target, value = inside[0], inside[-1]
        sign = next(
            (each.text() for each in node.children() if not each.is_named()), "="
        )
        yield self.act(
            node,
            Act.ASSIGN,
            target=self.target(target),
            value=self.expr(value),
            word=sign,
        )

    def target(self, node: SgNode) -> Expr:
        """What is assigned to: a name, a member, an element."""
        inside = kids(node)
        if node.kind() != "directly_assignable_expression" or not inside:
            return self.expr(node)
        made = self.expr(inside[0])
        for each in inside[1:]:
            rest = kids(each)
            if each.kind() == "navigation_suffix" and rest:
                made = self.make(node, Shape.MEMBER, rest[-1].text(), on=made)
            else:
                parts = [self.expr(one) for one in rest]
                made = self.make(node, Shape.CALL, "[]", on=made, parts=parts)
        return made

    def counted(self, node: SgNode) -> Iterable[Stmt]:
        """`x++`, `x--`."""
        inside = kids(node)
        if inside and node.text().endswith(("++", "--")):
            yield self.act(
                node,
                Act.ASSIGN,
                target=self.expr(inside[0]),
                value=word("1", self.line(node)),
                word="+=" if "++" in node.text() else "-=",
            )
        else:
            yield self.act(node, Act.DO, value=self.postfix(node))

    def choice(self, node: SgNode) -> Iterable[Stmt]:
        """`if (condition) … else …`."""
        inside = [each for each in kids(node) if each.kind() not in _BODY]
        bodies = children(node, "control_structure_body")
        alone = len(bodies) == 1 and has_word(node, "else") and _else_first(node)
        then = None if alone or not bodies else bodies[0]
        other = bodies[-1] if alone or len(bodies) > 1 else None
        yield self.act(
            node,
            Act.IF,
            value=self.expr(inside[0]) if inside else None,
            body=self.stmt(then),
            other=self.stmt(other),
        )

    def switch(self, node: SgNode) -> Iterable[Stmt]:
        """`when (value) {…}`."""
        subject = child(node, "when_subject")
        arms = []
        for each in children(node, "when_entry"):
            label = child(each, "when_condition")
            arms.append(
                Arm(
                    label=None if label is None else self.inner(label),
                    body=self.stmt(child(each, "control_structure_body")),
                    line=self.line(each),
                    written=one_line(each.text()),
                )
            )
        made = self.act(
            node, Act.SWITCH, value=None if subject is None else self.inner(subject)
        )
        yield replace(made, arms=tuple(arms))

    def each(self, node: SgNode) -> Iterable[Stmt]:
        """`for (name in value) …`."""
        values = [
            each
            for each in kids(node)
            if each.kind()
            not in {*_BODY, "variable_declaration", "multi_variable_declaration"}
        ]
        yield self.act(
            node,
            Act.LOOP,
            names=self.names(node),
            value=self.expr(values[-1]) if values else None,
            word="for",
            body=self.stmt(child(node, "control_structure_body")),
        )

    def loop(self, node: SgNode) -> Iterable[Stmt]:
        """`while` and `do … while`."""
        values = [each for each in kids(node) if each.kind() not in _BODY]
        yield self.act(
            node,
            Act.LOOP,
            value=self.expr(values[-1]) if values else None,
            word="while",
            body=self.stmt(child(node, "control_structure_body")),
        )

    def attempt(self, node: SgNode) -> Iterable[Stmt]:
        """`try … catch … finally …`."""
        arms = []
        for each in children(node, "catch_block"):
            name, kind = child(each, "simple_identifier"), child(each, "user_type")
            arms.append(
                Arm(
                    types=("" if kind is None else one_line(kind.text()),),
                    name="" if name is None else name.text(),
                    body=self.stmt(child(each, "statements")),
                    line=self.line(each),
                    written=one_line(each.text()),
                )
            )
        last = child(node, "finally_block")
        made = self.act(
            node,
            Act.TRY,
            body=self.stmt(child(node, "statements")),
            other=() if last is None else self.stmt(child(last, "statements")),
        )
        if arms:
            yield replace(made, arms=tuple(arms))
        else:
            yield replace(made, act=Act.BLOCK, body=(*made.body, *made.other), other=())

    def leaving(self, node: SgNode) -> Iterable[Stmt]:
        """`return`, `throw`, `break`, `continue`."""
        text = node.text()
        keyword = next(
            (each for each in ("return", "throw", "break") if text.startswith(each)),
            "continue",
        )
        acts = {"return": Act.RETURN, "throw": Act.THROW}
        act = acts.get(keyword, Act.JUMP)
        inside = [each for each in kids(node) if each.kind() != "label"]
        value = self.expr(inside[-1]) if inside and act is not Act.JUMP else None
        yield self.act(node, act, value=value, word=keyword)

    def local_function(self, node: SgNode) -> Iterable[Stmt]:
        """A function inside a function."""
        name = child(node, "simple_identifier")
        yield self.act(
            node,
            Act.DEFINE,
            names=["" if name is None else name.text(), *self.params(node)],
            body=self.function_body(node),
        )

    def ignored(self, node: SgNode) -> Iterable[Stmt]:
        """A class inside a function."""
        yield self.act(node, Act.DO, value=self.words(node))


def _else_first(node: SgNode) -> bool:
    """Whether an `if` has only the body of its `else`."""
    words = [
        each.text() if not each.is_named() else each.kind() for each in node.children()
    ]
    return words.index("else") < words.index("control_structure_body")
