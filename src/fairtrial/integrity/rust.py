"""What a Rust test file demands: macros, attributes, cases, properties."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from ast_grep_py import SgNode

from fairtrial.domain.demands import Aspect, AssertionKind, FileDemands
from fairtrial.integrity.reading.code.checks import Check
from fairtrial.integrity.reading.code.code import (
    Act,
    Expr,
    Mark,
    Shape,
    Source,
    Unit,
    UnitKind,
)
from fairtrial.integrity.reading.code.lowering import child, children, kids, readable
from fairtrial.integrity.reading.code.units import read_file
from fairtrial.integrity.reading.rust.checks import RustChecks
from fairtrial.integrity.reading.rust.imports import imported
from fairtrial.integrity.reading.rust.lowering import RustLowering
from fairtrial.integrity.reading.rust.tokens import parts_with_labels
from fairtrial.integrity.syntax import last_line_of, one_line, parse, walk

SUFFIXES: tuple[str, ...] = (".rs",)

_TESTS: Final = (
    "test",
    "rstest",
    "test_case",
    "quickcheck",
    "wasm_bindgen_test",
    "proptest",
)
_MARKS: Final = frozenset(
    {*_TESTS, "ignore", "should_panic", "case", "timeout", "cfg", "cfg_attr", "fixture",
     "template", "traced_test", "serial", "allow", "values", "case_template", "doc"}
)  # fmt: skip
#: `name in strategy` in the head of a property.
_STRATEGY: Final = re.compile(r"(\b(?:mut\s+)?\w+)\s+in\s+")
_TEST_IN: Final = re.compile(r"#\[(?:\w+::)*test\b")
_HEAD: Final = re.compile(r"\bfn\s+\w+\s*\(")


@dataclass(frozen=True, slots=True)
class _Rust(RustChecks):
    transparent: frozenset[str] = frozenset({"()", "block_on", "spawn", "run"})
    marks: frozenset[str] = _MARKS

    def subtest(self, expr: Expr) -> tuple[str, Expr] | None:
        """Rust has none."""
        del expr
        return None

    def of_subtest(self, expr: Expr) -> list[Check]:
        """Such a head says nothing here."""
        del expr
        return []

    def rows(self, expr: Expr) -> list[Expr] | None:
        """The elements of an array, slice or `vec!`."""
        if expr.shape is not Shape.CALL:
            return None
        if expr.text in {"iter", "into_iter"} and expr.on is not None:
            return self.rows(expr.on)
        return list(expr.parts) if expr.text == "{}" and expr.on is None else None

    def is_test(self, unit: Unit, owners: tuple[Unit, ...]) -> bool:
        """Whether a function has a test's attribute."""
        del owners
        return unit.kind is UnitKind.FUNCTION and unit.mark(*_TESTS) is not None

    def is_hook(self, unit: Unit, owners: tuple[Unit, ...]) -> bool:
        """Whether a function runs before all tests."""
        del owners
        return unit.mark("ctor", "dtor") is not None

    def of_marks(self, unit: Unit, owners: tuple[Unit, ...]) -> list[Check]:
        """What the attributes of a test or module demand."""
        del owners
        found = []
        for mark in unit.marks:
            match mark.name:
                case "ignore":
                    found.append(Check(aspect=Aspect.SKIP, subject="skip"))
                case "cfg" if mark.written != "cfg(test)":
                    found.append(
                        Check(
                            aspect=Aspect.SKIP,
                            subject="skip",
                            wanted=f"not {mark.written}",
                        )
                    )
                case "cfg_attr" if "ignore" in mark.written:
                    condition = mark.written.partition("(")[2].rpartition(", ignore")[0]
                    found.append(
                        Check(
                            aspect=Aspect.SKIP,
                            subject="skip",
                            wanted=f"cfg({condition})",
                        )
                    )
                case "should_panic":
                    wanted = mark.value("expected", "")
                    kind = AssertionKind.RAISES if wanted else AssertionKind.RAISES_ANY
                    found.append(
                        Check(
                            kind=kind,
                            subject="the test",
                            expected=() if wanted is None else (wanted,),
                        )
                    )
                case "case" | "test_case" | "values" if mark.args:
                    found.append(Check(aspect=Aspect.ROW, expected=mark.args))
                case "proptest" | "quickcheck" if mark.args:
                    found.append(
                        Check(
                            aspect=Aspect.ROW, subject="strategies", expected=mark.args
                        )
                    )
                case "timeout":
                    found.append(
                        Check(
                            aspect=Aspect.TIMEOUT, subject="timeout", expected=mark.args
                        )
                    )
                case _:
                    pass
        return found

    def names(self, unit: Unit, owners: tuple[Unit, ...]) -> tuple[str, ...]:
        """Modules, outermost first, and the function."""
        return (*(each.name for each in owners), unit.name)


class _Declarations(RustLowering):
    """Rust's items."""

    def __init__(self) -> None:
        super().__init__()
        #: Macros of the file that make a test of each call.
        self.makers: set[str] = set()

    def source(self, root: SgNode) -> Source:
        """A whole file; beside a module for tests, what it tests is left out."""
        imports: dict[str, str] = {}
        for node in walk(root):
            if node.kind() == "use_declaration" and (inner := kids(node)):
                imported(inner[-1], "", imports)
        for node in walk(root):
            if node.kind() == "macro_definition" and _TEST_IN.search(node.text()):
                name = node.field("name")
                self.makers.add("" if name is None else name.text())
        units = list(self.items(root))
        if any(each.members and _is_for_tests(each) for each in units):
            units = [each for each in units if _is_for_tests(each)]
        return Source(units=tuple(units), imports=imports)

    def items(self, node: SgNode) -> Iterable[Unit]:
        """What a file, module or block of an `impl` holds."""
        marks: list[Mark] = []
        for each in kids(node):
            if each.kind() == "attribute_item":
                marks.append(self.mark(each))
                continue
            yield from self.item(each, tuple(marks))
            marks = []

    def item(self, node: SgNode, marks: tuple[Mark, ...]) -> Iterable[Unit]:
        """One item with its attributes."""
        match node.kind():
            case "mod_item" | "impl_item" | "trait_item":
                body = node.field("body")
                name = node.field("name") or node.field("type")
                if body is None:
                    return
                yield self.unit(
                    node,
                    UnitKind.CLASS,
                    "" if name is None else name.text().partition("<")[0],
                    marks,
                    members=tuple(self.items(body)),
                )
            case "function_item" | "function_signature_item":
                yield self.declared(node, marks)
            case (
                "const_item" | "static_item" | "struct_item" | "enum_item" | "type_item"
            ):
                name, value = node.field("name"), node.field("value")
                plain = node.kind() in {"const_item", "static_item"}
                shown = value if plain else node
                yield self.unit(
                    node,
                    UnitKind.FIELD,
                    "" if name is None else name.text(),
                    marks,
                    value=None
                    if shown is None
                    else (self.expr(shown) if plain else self.words(shown)),
                    words=frozenset({"const"}) if plain else frozenset(),
                )
            case "expression_statement" if kids(node):
                yield from self.item(kids(node)[0], marks)
            case "macro_invocation":
                yield from self.from_macro(node, marks)
            case "macro_definition":
                name = node.field("name")
                text = "" if name is None else f"{name.text()}!"
                yield self.unit(
                    node, UnitKind.FIELD, text, marks, value=self.words(node)
                )
            case _:
                pass

    def unit(
        self,
        node: SgNode,
        kind: UnitKind,
        name: str,
        marks: tuple[Mark, ...],
        *,
        members: tuple[Unit, ...] = (),
        value: Expr | None = None,
        words: frozenset[str] = frozenset(),
    ) -> Unit:
        """An item that stands where a node stands."""
        return Unit(
            kind=kind,
            name=name,
            marks=marks,
            members=members,
            value=value,
            words=words,
            line=min([self.line(node), *(each.line for each in marks)]),
            last_line=last_line_of(node) + self.shift,
            text=node.text(),
        )

    def declared(self, node: SgNode, marks: tuple[Mark, ...]) -> Unit:
        """A function; the names of its parameters are fixtures, too."""
        name, params = node.field("name"), node.field("parameters")
        listed = children(params, "parameter")
        names = [
            each
            for one in listed
            if (pattern := one.field("pattern")) is not None
            for each in self.bound(pattern)
        ]
        kind = node.field("return_type")
        return Unit(
            kind=UnitKind.FUNCTION,
            name="" if name is None else name.text(),
            marks=marks,
            params=tuple(names),
            bases=tuple(names) if any(each.name == "rstest" for each in marks) else (),
            returns="" if kind is None else one_line(kind.text()),
            body=self.stmt(node.field("body")),
            line=min([self.line(node), *(each.line for each in marks)]),
            last_line=last_line_of(node) + self.shift,
            text=node.text(),
        )

    def from_macro(self, node: SgNode, marks: tuple[Mark, ...]) -> Iterable[Unit]:
        """`proptest! {…}`, and macros that make a test of a name and a closure."""
        name, tree = node.field("macro"), child(node, "token_tree")
        text = "" if name is None else name.text().rpartition("::")[2]
        if tree is None:
            return
        if text in {"proptest", "quickcheck"}:
            plain, found = _plain_heads(tree.text()[1:-1])
            heads = iter(found)
            with self.inside(plain, self.line(tree) - 1):
                for unit in self.items(parse(plain, "rust")):
                    if unit.kind is UnitKind.FUNCTION:
                        head = Expr(shape=Shape.WORD, text=next(heads, ""))
                        made = Mark(
                            name=text, args=(head,), labels=("",), line=unit.line
                        )
                        yield replace(unit, marks=(*unit.marks, made))
            return
        groups = [each for _, each in parts_with_labels(tree)]
        if text in self.makers and groups and groups[0][0].kind() == "identifier":
            yield self.made(node, text, groups, marks)
        elif "test" in text.lower() and len(groups) > 1 and len(groups[0]) == 1:
            body = self.group([one for group in groups[1:] for one in group])
            if body.shape is Shape.LAMBDA:
                mark = Mark(name="test", line=self.line(node))
                yield Unit(
                    kind=UnitKind.FUNCTION,
                    name=groups[0][0].text(),
                    marks=(*marks, mark),
                    params=body.params,
                    body=body.body,
                    line=self.line(node),
                    last_line=last_line_of(node) + self.shift,
                    text=node.text(),
                )

    def made(
        self,
        node: SgNode,
        maker: str,
        groups: list[list[SgNode]],
        marks: tuple[Mark, ...],
    ) -> Unit:
        """A test that a macro of the file makes of a name and some values."""
        parts = tuple(self.group(tokens) for tokens in groups[1:])
        call = self.make(node, Shape.CALL, f"assert_by_{maker}", parts=parts)
        return Unit(
            kind=UnitKind.FUNCTION,
            name=groups[0][0].text(),
            marks=(*marks, Mark(name="test", line=self.line(node))),
            bases=(f"{maker}!",),
            body=(self.act(node, Act.DO, value=call),),
            line=self.line(node),
            last_line=last_line_of(node) + self.shift,
            text=node.text(),
        )

    def mark(self, node: SgNode) -> Mark:
        """One attribute."""
        inner = child(node, "attribute")
        if inner is None:
            return Mark(name="", line=self.line(node))
        path = kids(inner)
        text = path[0].text() if path else ""
        parts = text.split("::")
        name = parts[0] if parts[0] in {"case", "values"} else parts[-1]
        tree, value = inner.field("arguments"), inner.field("value")
        listed = parts_with_labels(tree)
        args = [self.group(tokens) for _, tokens in listed if tokens]
        labels = [label for label, tokens in listed if tokens]
        if value is not None:
            args, labels = [self.expr(value)], [""]
        return Mark(
            name=name,
            args=tuple(args),
            labels=tuple(labels),
            line=self.line(node),
            written=one_line(inner.text()),
        )


def _plain_heads(text: str) -> tuple[str, list[str]]:
    """A block of properties with types for strategies, and the heads as written."""
    made, heads, at = [], [], 0
    for found in _HEAD.finditer(text):
        if found.end() < at:
            continue
        end, depth = found.end(), 1
        while end < len(text) and depth:
            depth += (text[end] in "([{") - (text[end] in ")]}")
            end += 1
        head = text[found.end() : end - 1]
        names = _STRATEGY.findall(head)
        heads.append(one_line(head))
        made.append(text[at : found.end()])
        made.append(", ".join(f"{name}: T" for name in names) if names else head)
        made.append("\n" * (head.count("\n") if names else 0))
        at = end - 1
    return "".join([*made, text[at:]]), heads


def _is_for_tests(unit: Unit) -> bool:
    return (
        any(mark.name == "cfg" and "test" in mark.written for mark in unit.marks)
        or unit.mark(*_TESTS) is not None
    )


def read(text: str) -> FileDemands:
    """What one Rust file of test code demands; raises CannotRead."""
    declarations = _Declarations()
    declarations.text = text
    return read_file(declarations.source(readable(text, "rust")), _Rust())
