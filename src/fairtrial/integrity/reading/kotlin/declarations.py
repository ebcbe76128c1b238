"""What a Kotlin file declares: classes, specs, functions, properties, annotations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ast_grep_py import SgNode

from fairtrial.integrity.reading.code.code import (
    Expr,
    Mark,
    Source,
    Stmt,
    Unit,
    UnitKind,
)
from fairtrial.integrity.reading.code.lowering import child, children, has_word, kids
from fairtrial.integrity.reading.kotlin.lowering import KotlinLowering
from fairtrial.integrity.syntax import last_line_of, one_line, walk

_CLASSES: Final = frozenset({"class_declaration", "object_declaration"})


class KotlinDeclarations(KotlinLowering):
    """Kotlin's declarations."""

    def source(self, root: SgNode) -> Source:
        """A whole file."""
        imports: dict[str, str] = {}
        for node in walk(root):
            if node.kind() == "import_header":
                self.imported(node, imports)
        return Source(units=tuple(self.members(root)), imports=imports)

    def imported(self, node: SgNode, imports: dict[str, str]) -> None:
        """`import a.b.c`, `import a.b.c as d`, `import a.b.*`."""
        path = child(node, "identifier")
        if path is None:
            return
        text = one_line(path.text()).replace(" ", "")
        alias = child(node, "import_alias")
        module, _, name = text.rpartition(".")
        if child(node, "wildcard_import") is not None or node.text().endswith("*"):
            imports[f"*{text}"] = f"{text}:*"
        else:
            names = [] if alias is None else kids(alias)
            imports[names[-1].text() if names else name] = f"{module}:{name}"

    def members(  # noqa: C901 - one case per kind of declaration
        self, body: SgNode
    ) -> Iterable[Unit]:
        """What a file or a class holds; companions' members are the class's."""
        for node in kids(body):
            match node.kind():
                case kind if kind in _CLASSES:
                    yield self.klass(node)
                case "companion_object":
                    for each in children(node, "class_body"):
                        yield from self.members(each)
                case "function_declaration":
                    yield self.declared(node)
                case "secondary_constructor":
                    yield self.unit(
                        node,
                        UnitKind.INITIALISER,
                        "constructor",
                        body=self.statements(node),
                    )
                case "anonymous_initializer":
                    yield self.unit(
                        node, UnitKind.INITIALISER, "{}", body=self.statements(node)
                    )
                case "property_declaration":
                    yield self.property(node)
                case "enum_entry":
                    name = child(node, "simple_identifier")
                    yield self.unit(
                        node,
                        UnitKind.FIELD,
                        "" if name is None else name.text(),
                        value=self.words(node),
                    )
                case "infix_expression" if child(node, "object_literal"):
                    # The grammar reads some objects so: `object Name { … }`.
                    name, holder = (
                        child(node, "simple_identifier"),
                        child(node, "lambda_literal"),
                    )
                    inner = None if holder is None else child(holder, "statements")
                    yield self.unit(
                        node,
                        UnitKind.CLASS,
                        "" if name is None else name.text(),
                        members=() if inner is None else tuple(self.members(inner)),
                    )
                case _:
                    pass

    def statements(self, node: SgNode) -> tuple[Stmt, ...]:
        """The statements that a node holds directly."""
        return self.stmt(child(node, "statements"))

    def unit(
        self,
        node: SgNode,
        kind: UnitKind,
        name: str,
        *,
        members: tuple[Unit, ...] = (),
        bases: tuple[str, ...] = (),
        body: tuple[Stmt, ...] = (),
        value: Expr | None = None,
    ) -> Unit:
        """A declaration that stands where a node stands."""
        return Unit(
            kind=kind,
            name=name.strip("`"),
            marks=self.annotations(node),
            words=self.words_of(node),
            params=tuple(self.params(node)),
            types=tuple(
                one_line(each.text())
                for one in children(node, "variable_declaration")
                for each in children(one, "user_type", "nullable_type")
            ),
            members=members,
            bases=bases,
            body=body,
            value=value,
            line=self.line(node),
            last_line=last_line_of(node) + self.shift,
            text=node.text(),
        )

    def klass(self, node: SgNode) -> Unit:
        """A class, interface or object; the lambda given to a spec is its body."""
        name = child(node, "type_identifier")
        body = child(node, "class_body", "enum_class_body")
        bases: list[str] = []
        inner: list[Stmt] = []
        for each in children(node, "delegation_specifier"):
            kind = next(
                (one for one in walk(each) if one.kind() == "type_identifier"), None
            )
            bases.append("" if kind is None else kind.text())
            for one in walk(each):
                if one.kind() == "lambda_literal":
                    inner += self.statements(one)
                    break
        members = () if body is None else tuple(self.members(body))
        if any("Spec" in each for each in bases):
            inner += [
                stmt
                for each in members
                if each.kind is UnitKind.INITIALISER
                for stmt in each.body
            ]
            members = tuple(
                each for each in members if each.kind is not UnitKind.INITIALISER
            )
        return self.unit(
            node,
            UnitKind.CLASS,
            "" if name is None else name.text(),
            members=members,
            bases=tuple(bases),
            body=tuple(inner),
        )

    def declared(self, node: SgNode) -> Unit:
        """A function."""
        names = children(node, "simple_identifier")
        return self.unit(
            node,
            UnitKind.FUNCTION,
            names[0].text() if names else "",
            body=self.function_body(node),
        )

    def property(self, node: SgNode) -> Unit:
        """A property."""
        names = self.names(node)
        getter = child(node, "getter")
        body = () if getter is None else self.function_body(getter)
        return self.unit(
            node,
            UnitKind.FIELD,
            names[0] if names else "",
            value=self.value(node),
            body=body,
        )

    def words_of(self, node: SgNode) -> frozenset[str]:
        """`val`, `const`, `private` and their like."""
        found = {each.text() for each in children(node, "binding_pattern_kind")}
        modifiers = child(node, "modifiers")
        if modifiers is not None:
            found |= {each.text() for each in kids(modifiers)}
        return frozenset(found)

    def annotations(self, node: SgNode) -> tuple[Mark, ...]:
        """The annotations of a declaration."""
        return tuple(
            self.mark(each) for each in children(child(node, "modifiers"), "annotation")
        )

    def mark(self, node: SgNode) -> Mark:
        """One annotation."""
        kind = next((one for one in walk(node) if one.kind() == "user_type"), None)
        call = child(node, "constructor_invocation")
        args, labels = [], []
        listed = None if call is None else child(call, "value_arguments")
        for each in children(listed, "value_argument"):
            inside = kids(each)
            named = has_word(each, "=") and len(inside) > 1
            labels.append(inside[0].text() if named else "")
            args.append(self.expr(inside[-1]) if inside else self.words(each))
        return Mark(
            name="" if kind is None else kind.text().rpartition(".")[2],
            args=tuple(args),
            labels=tuple(labels),
            line=self.line(node),
            written=one_line(node.text()),
        )
