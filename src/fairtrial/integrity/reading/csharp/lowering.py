"""How C#'s statements become code in common words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ast_grep_py import SgNode

from fairtrial.integrity.reading.code.code import Act, Arm, Stmt, word
from fairtrial.integrity.reading.code.lowering import child, children, kids
from fairtrial.integrity.reading.csharp.expressions import CSharpExpressions
from fairtrial.integrity.syntax import one_line


class CSharpLowering(CSharpExpressions):
    """C#'s statements."""

    def __init__(self) -> None:
        super().__init__()
        self.stmts = {
            "local_declaration_statement": self.local,
            "expression_statement": self.expression,
            "if_statement": self.choice,
            "for_statement": self.loop,
            "while_statement": self.loop,
            "do_statement": self.loop,
            "foreach_statement": self.each,
            "try_statement": self.attempt,
            "return_statement": self.leaving,
            "throw_statement": self.leaving,
            "break_statement": self.leaving,
            "continue_statement": self.leaving,
            "yield_statement": self.leaving,
            "goto_statement": self.leaving,
            "using_statement": self.using,
            "lock_statement": self.wrapped,
            "checked_statement": self.wrapped,
            "unsafe_statement": self.wrapped,
            "fixed_statement": self.wrapped,
            "labeled_statement": self.wrapped,
            "switch_statement": self.switch,
            "local_function_statement": self.local_function,
            "empty_statement": self.nothing,
        }

    def local(self, node: SgNode) -> Iterable[Stmt]:
        """`var name = value, …;`."""
        for each in children(node, "variable_declaration"):
            yield from self.declarators(node, each)

    def declarators(self, node: SgNode, declaration: SgNode) -> Iterable[Stmt]:
        """The names of one declaration with their values."""
        kind = declaration.field("type")
        for each in children(declaration, "variable_declarator"):
            rest = [one for one in kids(each) if one != each.field("name")]
            yield self.act(
                node,
                Act.DECLARE,
                names=[self.declared(each)],
                value=self.expr(rest[-1]) if rest else None,
                type="" if kind is None else one_line(kind.text()).partition("<")[0],
            )

    def expression(self, node: SgNode) -> Iterable[Stmt]:
        """An assignment, a counter, or an expression for its effect."""
        for inner in kids(node)[:1]:
            kind = inner.kind()
            if kind == "assignment_expression":
                yield from self.assigned(node, inner)
            elif kind in {"postfix_unary_expression", "prefix_unary_expression"} and (
                inner.text().strip("(").startswith(("++", "--"))
                or inner.text().endswith(("++", "--"))
            ):
                yield self.act(
                    node,
                    Act.ASSIGN,
                    target=self.expr(kids(inner)[0]),
                    value=word("1", self.line(node)),
                    word="+=" if "++" in inner.text() else "-=",
                )
            else:
                yield self.act(node, Act.DO, value=self.expr(inner))

    def assigned(self, node: SgNode, inner: SgNode) -> Iterable[Stmt]:
        """`target = value`, `var (a, b) = value`, `_ = value`."""
        left, right = inner.field("left"), inner.field("right")
        if left is None or right is None:
            return
        value = self.expr(right)
        if left.kind() in {"tuple_expression", "declaration_expression"}:
            names = [each.text() for each in left.find_all(kind="identifier")]
            yield self.act(node, Act.DECLARE, names=names, value=value)
        elif left.text() == "_":
            yield self.act(node, Act.DO, value=value)
        else:
            operator = inner.field("operator")
            yield self.act(
                node,
                Act.ASSIGN,
                target=self.expr(left),
                value=value,
                word="=" if operator is None else operator.text(),
            )

    def choice(self, node: SgNode) -> Iterable[Stmt]:
        """`if (condition) … else …`."""
        condition = node.field("condition")
        yield self.act(
            node,
            Act.IF,
            value=None if condition is None else self.expr(condition),
            body=self.stmt(node.field("consequence")),
            other=self.stmt(node.field("alternative")),
        )

    def loop(self, node: SgNode) -> Iterable[Stmt]:
        """`for`, `while` and `do`."""
        start, condition = node.field("initializer"), node.field("condition")
        if start is not None and start.kind() == "variable_declaration":
            yield from self.declarators(node, start)
        yield self.act(
            node,
            Act.LOOP,
            value=None if condition is None else self.expr(condition),
            word="while",
            body=self.stmt(node.field("body")),
        )

    def each(self, node: SgNode) -> Iterable[Stmt]:
        """`foreach (var name in value)`."""
        left, right = node.field("left"), node.field("right")
        names = []
        if left is not None:
            names = (
                [left.text()]
                if left.kind() == "identifier"
                else [each.text() for each in left.find_all(kind="identifier")]
            )
        yield self.act(
            node,
            Act.LOOP,
            names=names,
            value=None if right is None else self.expr(right),
            word="for",
            body=self.stmt(node.field("body")),
        )

    def attempt(self, node: SgNode) -> Iterable[Stmt]:
        """`try … catch … finally …`."""
        arms = []
        for each in children(node, "catch_clause"):
            caught = child(each, "catch_declaration")
            kind = None if caught is None else caught.field("type")
            arms.append(
                Arm(
                    types=("Exception" if kind is None else kind.text(),),
                    name=""
                    if caught is None or caught.field("name") is None
                    else self.declared(caught),
                    body=self.stmt(child(each, "block")),
                    line=self.line(each),
                    written=one_line(each.text()),
                )
            )
        last = child(node, "finally_clause")
        made = self.act(
            node,
            Act.TRY,
            body=self.stmt(child(node, "block")),
            other=() if last is None else self.body(last),
        )
        if arms:
            yield replace(made, arms=tuple(arms))
        else:
            yield replace(made, act=Act.BLOCK, body=(*made.body, *made.other), other=())

    def leaving(self, node: SgNode) -> Iterable[Stmt]:
        """`return`, `throw`, `yield`, `break`, `continue`."""
        keyword = node.kind().partition("_")[0]
        acts = {"return": Act.RETURN, "throw": Act.THROW, "yield": Act.DO}
        act = acts.get(keyword, Act.JUMP)
        inner = kids(node)
        value = self.expr(inner[0]) if inner and act is not Act.JUMP else None
        if keyword == "yield" and value is None:
            act = Act.RETURN
        yield self.act(node, act, value=value, word=keyword)

    def using(self, node: SgNode) -> Iterable[Stmt]:
        """`using (var x = …) …`."""
        made: list[Stmt] = []
        for each in kids(node):
            if each.kind() == "variable_declaration":
                made += self.declarators(node, each)
            else:
                made += self.stmt(each)
        yield self.act(node, Act.BLOCK, body=made)

    def wrapped(self, node: SgNode) -> Iterable[Stmt]:
        """A statement around others."""
        inner = kids(node)
        yield self.act(node, Act.BLOCK, body=self.stmt(inner[-1]) if inner else ())

    def switch(self, node: SgNode) -> Iterable[Stmt]:
        """`switch (value) {…}`."""
        value, body = node.field("value"), node.field("body")
        arms = []
        for each in children(body, "switch_section"):
            parts = kids(each)
            labelled = bool(parts) and not parts[0].kind().endswith("statement")
            arms.append(
                Arm(
                    label=self.expr(parts[0]) if labelled else None,
                    body=tuple(
                        one
                        for inner in parts[labelled:]
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

    def local_function(self, node: SgNode) -> Iterable[Stmt]:
        """A function inside a function."""
        params = children(node.field("parameters"), "parameter")
        body = node.field("body") or child(node, "arrow_expression_clause")
        yield self.act(
            node,
            Act.DEFINE,
            names=[self.declared(node), *(self.declared(each) for each in params)],
            body=self.stmt(body),
        )

    def nothing(self, node: SgNode) -> Iterable[Stmt]:
        """`;`."""
        del node
        return ()
