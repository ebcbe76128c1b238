"""What a C# file declares: classes, methods, fields, properties, attributes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ast_grep_py import SgNode

from fairtrial.integrity.reading.code.code import Mark, Source, Unit, UnitKind
from fairtrial.integrity.reading.code.lowering import child, children, kids
from fairtrial.integrity.reading.csharp.lowering import CSharpLowering
from fairtrial.integrity.syntax import last_line_of, one_line

_CLASSES: Final = frozenset(
    {
        "class_declaration",
        "struct_declaration",
        "interface_declaration",
        "record_declaration",
        "record_struct_declaration",
        "enum_declaration",
    }
)
_SPACES: Final = frozenset({"namespace_declaration", "declaration_list"})


class CSharpDeclarations(CSharpLowering):
    """C#'s declarations."""

    def source(self, root: SgNode) -> Source:
        """A whole file."""
        imports: dict[str, str] = {}
        units: list[Unit] = []
        waiting = list(reversed(kids(root)))
        while waiting:
            node = waiting.pop()
            kind = node.kind()
            if kind == "using_directive":
                self.imported(node, imports)
            elif kind in _SPACES or kind == "file_scoped_namespace_declaration":
                waiting += reversed(kids(node))
            elif kind in _CLASSES:
                units.append(self.klass(node))
        return Source(units=tuple(units), imports=imports)

    def imported(self, node: SgNode, imports: dict[str, str]) -> None:
        """`using A.B;`, `using static A.B;`, `using X = A.B;`."""
        inner = kids(node)
        if not inner:
            return
        module = one_line(inner[-1].text())
        if len(inner) > 1:
            imports[inner[0].text()] = module
        else:
            imports[f"*{module}"] = f"{module}:*"

    def klass(self, node: SgNode) -> Unit:
        """A class, struct, record or interface."""
        body = child(node, "declaration_list", "enum_member_declaration_list")
        bases = child(node, "base_list")
        return Unit(
            kind=UnitKind.CLASS,
            name=self.declared(node),
            marks=self.attributes(node),
            words=self.words_of(node),
            bases=()
            if bases is None
            else tuple(one_line(each.text()).partition("<")[0] for each in kids(bases)),
            members=() if body is None else tuple(self.members(body)),
            line=self.line(node),
            last_line=last_line_of(node),
            text=node.text(),
        )

    def members(self, body: SgNode) -> Iterable[Unit]:
        """What a class holds."""
        for node in kids(body):
            match node.kind():
                case kind if kind in _CLASSES:
                    yield self.klass(node)
                case "method_declaration" | "constructor_declaration":
                    yield self.method(node)
                case "destructor_declaration" | "operator_declaration":
                    yield self.method(node)
                case "field_declaration" | "event_field_declaration":
                    yield from self.fields(node)
                case "property_declaration":
                    yield self.property(node)
                case "enum_member_declaration":
                    yield Unit(
                        kind=UnitKind.FIELD,
                        name=self.declared(node),
                        value=self.words(node),
                        line=self.line(node),
                        last_line=last_line_of(node),
                        text=node.text(),
                    )
                case _:
                    pass

    def method(self, node: SgNode) -> Unit:
        """A method or constructor."""
        params = children(node.field("parameters"), "parameter")
        types = [each.field("type") for each in params]
        body = node.field("body") or child(node, "arrow_expression_clause")
        kind = node.field("returns") or node.field("type")
        inner = self.stmt(body) if body is not None else ()
        return Unit(
            kind=UnitKind.FUNCTION,
            name=self.declared_name(node),
            marks=self.attributes(node),
            words=self.words_of(node),
            params=tuple(self.declared(each) for each in params),
            types=tuple(
                "" if each is None else one_line(each.text()) for each in types
            ),
            returns="" if kind is None else one_line(kind.text()),
            body=inner,
            line=self.line(node),
            last_line=last_line_of(node),
            text=node.text(),
        )

    def declared_name(self, node: SgNode) -> str:
        """The name of a method; its type stands before it."""
        name = node.field("name")
        return self.declared(node) if name is None else name.text()

    def fields(self, node: SgNode) -> Iterable[Unit]:
        """The fields that one declaration makes."""
        for declaration in children(node, "variable_declaration"):
            for stmt in self.declarators(node, declaration):
                yield Unit(
                    kind=UnitKind.FIELD,
                    name=stmt.names[0],
                    marks=self.attributes(node),
                    words=self.words_of(node),
                    types=(stmt.type,),
                    value=stmt.value,
                    line=self.line(node),
                    last_line=last_line_of(node),
                    text=node.text(),
                )

    def property(self, node: SgNode) -> Unit:
        """A property: its value, or what its accessors do."""
        value = node.field("value")
        accessors = child(node, "accessor_list")
        body = [
            one
            for each in children(accessors, "accessor_declaration")
            for inner in kids(each)
            if inner.kind() in {"block", "arrow_expression_clause"}
            for one in self.stmt(inner)
        ]
        arrow = child(node, "arrow_expression_clause") or (
            value
            if value is not None and value.kind() == "arrow_expression_clause"
            else None
        )
        shown = arrow or value
        return Unit(
            kind=UnitKind.FIELD,
            name=self.declared_name(node),
            marks=self.attributes(node),
            words=self.words_of(node),
            value=None if shown is None else self.expr(shown),
            body=tuple(body),
            line=self.line(node),
            last_line=last_line_of(node),
            text=node.text(),
        )

    def words_of(self, node: SgNode) -> frozenset[str]:
        """`static`, `readonly` and their like."""
        return frozenset(each.text() for each in children(node, "modifier"))

    def attributes(self, node: SgNode) -> tuple[Mark, ...]:
        """The attributes of a declaration."""
        return tuple(
            self.attribute(each)
            for listed in children(node, "attribute_list")
            for each in children(listed, "attribute")
        )

    def attribute(self, node: SgNode) -> Mark:
        """One attribute."""
        name = node.field("name")
        listed = child(node, "attribute_argument_list")
        args, labels = [], []
        for each in [] if listed is None else kids(listed):
            inner = kids(each)
            named = len(inner) > 1
            labels.append(inner[0].text() if named else "")
            args.append(self.expr(inner[-1]) if inner else self.words(each))
        text = "" if name is None else one_line(name.text())
        return Mark(
            name=text.partition("<")[0].rpartition(".")[2].removesuffix("Attribute"),
            args=tuple(args),
            labels=tuple(labels),
            line=self.line(node),
            written=one_line(node.text()),
        )
