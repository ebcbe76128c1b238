"""What a Java file declares: classes, methods, fields, annotations."""

from __future__ import annotations

from collections.abc import Iterable

from ast_grep_py import SgNode

from fairtrial.integrity.reading.code.code import (
    Mark,
    Source,
    Unit,
    UnitKind,
)
from fairtrial.integrity.reading.code.lowering import child, children, kids
from fairtrial.integrity.reading.java.lowering import CLASSES, JavaLowering
from fairtrial.integrity.syntax import last_line_of, one_line

_BODIES = ("class_body", "interface_body", "enum_body", "annotation_type_body")


class JavaDeclarations(JavaLowering):
    """Java's declarations."""

    def source(self, root: SgNode) -> Source:
        """A whole file."""
        imports = {}
        for each in children(root, "import_declaration"):
            text = "".join(
                one.text()
                for one in each.children()
                if one.text() not in {"import", "static", ";"}
            )
            module, _, name = text.rpartition(".")
            imports[name if name != "*" else text] = f"{module}:{name}"
        return Source(
            units=tuple(
                self.klass(each) for each in kids(root) if each.kind() in CLASSES
            ),
            imports=imports,
        )

    def klass(self, node: SgNode) -> Unit:
        """A class, interface, enum or record."""
        body = child(node, *_BODIES)
        bases = [
            one_line(one.text()).partition("<")[0]
            for each in children(node, "superclass", "super_interfaces", "interfaces")
            for one in kids(each)
        ]
        return Unit(
            kind=UnitKind.CLASS,
            name=self.declared(node),
            marks=self.marks(node),
            words=self.modifiers(node),
            params=(),
            bases=tuple(one.strip() for each in bases for one in each.split(",")),
            members=() if body is None else tuple(self.members(body)),
            line=self.line(node),
            last_line=last_line_of(node) + self.shift,
            text=node.text(),
        )

    def members(self, body: SgNode) -> Iterable[Unit]:
        """What a class holds."""
        for node in kids(body):
            match node.kind():
                case kind if kind in CLASSES:
                    yield self.klass(node)
                case "method_declaration" | "constructor_declaration":
                    yield self.method(node)
                case "compact_constructor_declaration":
                    yield self.method(node)
                case "field_declaration" | "constant_declaration":
                    yield from self.fields(node)
                case "enum_body_declarations":
                    yield from self.members(node)
                case "block" | "static_initializer":
                    yield Unit(
                        kind=UnitKind.INITIALISER,
                        name="{}",
                        body=self.body(node)
                        if node.kind() == "block"
                        else tuple(
                            one for each in kids(node) for one in self.stmt(each)
                        ),
                        line=self.line(node),
                        last_line=last_line_of(node) + self.shift,
                        text=node.text(),
                    )
                case "enum_constant":
                    yield Unit(
                        kind=UnitKind.FIELD,
                        name=self.declared(node),
                        value=self.words(node),
                        line=self.line(node),
                        last_line=last_line_of(node) + self.shift,
                        text=node.text(),
                    )
                case _:
                    pass

    def method(self, node: SgNode) -> Unit:
        """A method or constructor."""
        params = children(
            node.field("parameters"), "formal_parameter", "spread_parameter"
        )
        types = [each.field("type") for each in params]
        kind = node.field("type")
        body = node.field("body")
        return Unit(
            kind=UnitKind.FUNCTION,
            name=self.declared(node),
            marks=self.marks(node),
            words=self.modifiers(node),
            params=tuple(self.declared(each) for each in params),
            types=tuple(
                "" if each is None else one_line(each.text()) for each in types
            ),
            returns="" if kind is None else one_line(kind.text()),
            body=() if body is None else self.body(body),
            line=self.line(node),
            last_line=last_line_of(node) + self.shift,
            text=node.text(),
        )

    def fields(self, node: SgNode) -> Iterable[Unit]:
        """The fields that one declaration makes."""
        kind = node.field("type")
        for each in children(node, "variable_declarator"):
            value = each.field("value")
            yield Unit(
                kind=UnitKind.FIELD,
                name=self.declared(each),
                marks=self.marks(node),
                words=self.modifiers(node),
                types=(
                    () if kind is None else (one_line(kind.text()).partition("<")[0],)
                ),
                value=None if value is None else self.expr(value),
                line=self.line(node),
                last_line=last_line_of(node) + self.shift,
                text=node.text(),
            )

    def modifiers(self, node: SgNode) -> frozenset[str]:
        """`static`, `abstract` and their like."""
        found = child(node, "modifiers")
        if found is None:
            return frozenset()
        return frozenset(
            each.text() for each in found.children() if not each.is_named()
        )

    def marks(self, node: SgNode) -> tuple[Mark, ...]:
        """The annotations of a declaration."""
        found = child(node, "modifiers")
        return tuple(
            self.mark(each)
            for each in children(found, "annotation", "marker_annotation")
        )

    def mark(self, node: SgNode) -> Mark:
        """One annotation."""
        name, arguments = node.field("name"), node.field("arguments")
        args, labels = [], []
        for each in [] if arguments is None else kids(arguments):
            key, value = each.field("key"), each.field("value")
            if each.kind() == "element_value_pair" and value is not None:
                labels.append("" if key is None else key.text())
                args.append(self.expr(value))
            else:
                labels.append("")
                args.append(self.expr(each))
        return Mark(
            name="" if name is None else name.text().rpartition(".")[2],
            args=tuple(args),
            labels=tuple(labels),
            line=self.line(node),
            written=one_line(node.text()),
        )
