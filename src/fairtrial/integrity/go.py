"""What a Go test file demands: testing, testify, table-driven rows, subtests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ast_grep_py import SgNode

from fairtrial.domain.demands import Aspect, AssertionKind, FileDemands
from fairtrial.integrity.reading.code.checks import Check
from fairtrial.integrity.reading.code.code import (
    Expr,
    Mark,
    Shape,
    Source,
    Unit,
    UnitKind,
)
from fairtrial.integrity.reading.code.lowering import (
    child,
    children,
    kids,
    literal_text,
    readable,
)
from fairtrial.integrity.reading.code.units import read_file
from fairtrial.integrity.reading.go.checks import GoChecks
from fairtrial.integrity.reading.go.lowering import GoLowering
from fairtrial.integrity.syntax import last_line_of, one_line, walk

SUFFIXES: tuple[str, ...] = (".go",)

_HOOKS: Final = frozenset(
    {
        "TestMain", "init", "SetupTest", "SetupSuite", "TearDownTest", "TearDownSuite",
        "SetUpTest", "SetUpSuite", "BeforeTest", "AfterTest", "SetupSubTest",
        "TearDownSubTest",
    }
)  # fmt: skip
_NESTED: Final = frozenset(
    {"Describe", "Context", "When", "It", "Specify", "FIt", "FDescribe", "FContext",
     "PIt", "PDescribe", "XIt", "XDescribe", "Convey"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Go(GoChecks):
    transparent: frozenset[str] = frozenset(
        {"Run", "()", "Group", "Fuzz", "By", "deferred"}
    )
    marks: frozenset[str] = frozenset({"Output"})

    def subtest(self, expr: Expr) -> tuple[str, Expr] | None:
        """`t.Run("name", func(t *testing.T) {…})` and Ginkgo's blocks."""
        if expr.shape is not Shape.CALL or len(expr.parts) < 2:  # noqa: PLR2004 - name and body
            return None
        name, body = expr.parts[0], expr.parts[-1]
        named = expr.text == "Run" or (expr.on is None and expr.text in _NESTED)
        if (
            named
            and name.shape is Shape.LITERAL
            and name.text.startswith('"')
            and body.shape is Shape.LAMBDA
        ):
            return name.text.strip('"'), body
        return None

    def of_subtest(self, expr: Expr) -> list[Check]:
        """Ginkgo's pending and focused blocks."""
        if expr.text.startswith(("P", "X")):
            return [Check(aspect=Aspect.SKIP, subject="skip")]
        if expr.text.startswith("F"):
            return [Check(aspect=Aspect.FOCUS, subject="focus")]
        return []

    def rows(self, expr: Expr) -> list[Expr] | None:
        """The elements of a slice or map that is written out."""
        if expr.shape is Shape.CALL and expr.text in {"{}", "map{}"}:
            return list(expr.parts)
        return None

    def is_test(self, unit: Unit, owners: tuple[Unit, ...]) -> bool:
        """`TestX(t *testing.T)`, examples, fuzz tests, and methods of suites."""
        del owners
        if unit.kind is not UnitKind.FUNCTION or unit.name in _HOOKS:
            return False
        if unit.bases:
            return unit.name.startswith("Test") and (
                not unit.types or any(each.endswith(".C") for each in unit.types)
            )
        if unit.name.startswith("Example"):
            return not unit.params
        return unit.name.startswith(("Test", "Fuzz")) and any(
            each.endswith((".T", ".F")) for each in unit.types
        )

    def is_hook(self, unit: Unit, owners: tuple[Unit, ...]) -> bool:
        """`TestMain`, `init` and the set-up methods of suites."""
        del owners
        return unit.kind is UnitKind.FUNCTION and unit.name in _HOOKS

    def of_marks(self, unit: Unit, owners: tuple[Unit, ...]) -> list[Check]:
        """What an example has to print."""
        del owners
        return [
            Check(kind=AssertionKind.EQUAL, subject="the output", expected=mark.args)
            for mark in unit.marks
            if mark.name == "Output"
        ]

    def names(self, unit: Unit, owners: tuple[Unit, ...]) -> tuple[str, ...]:
        """The function, or the suite and its method."""
        del owners
        return (*unit.bases, unit.name)


class _Declarations(GoLowering):
    """Go's declarations."""

    def source(self, root: SgNode) -> Source:
        """A whole file."""
        self.remember(root)
        imports = {}
        units: list[Unit] = []
        for node in kids(root):
            match node.kind():
                case "import_declaration":
                    for each in walk(node):
                        if each.kind() == "import_spec":
                            path, name = each.field("path"), each.field("name")
                            if path is None:
                                continue
                            module = path.text().strip('"`')
                            local = (
                                module.rpartition("/")[2]
                                if name is None
                                else name.text()
                            )
                            if local == ".":
                                imports[f"*{module}"] = f"{module}:*"
                            else:
                                imports[local] = module
                case "function_declaration" | "method_declaration":
                    units.append(self.declared(node))
                case "var_declaration" | "const_declaration":
                    units += self.values(node)
                case "type_declaration":
                    units.append(self.type(node))
                case _:
                    pass
        return Source(units=tuple(units), imports=imports)

    def declared(self, node: SgNode) -> Unit:
        """A function, or a method with its receiver's type as base."""
        name, body = node.field("name"), node.field("body")
        receiver = node.field("receiver")
        params = node.field("parameters")
        types = [
            one_line(kind.text())
            for each in children(params, "parameter_declaration")
            for kind in [each.field("type")]
            if kind is not None
        ]
        own = [] if receiver is None else self.params(receiver)
        text = "" if name is None else name.text()
        return Unit(
            kind=UnitKind.FUNCTION,
            name=text,
            marks=self.output(body) if text.startswith("Example") else (),
            params=(*own, *self.params(params)),
            types=tuple(types),
            bases=() if receiver is None else (_base(receiver),),
            body=self.stmt(body),
            line=self.line(node),
            last_line=last_line_of(node),
            text=node.text(),
        )

    def output(self, body: SgNode | None) -> tuple[Mark, ...]:
        """The comment that says what an example prints."""
        lines: list[str] = []
        at = 0
        for each in [] if body is None else walk(body):
            if each.kind() != "comment":
                continue
            text = each.text().removeprefix("//").removeprefix("/*").removesuffix("*/")
            found = text.strip().lower().startswith(("output:", "unordered output:"))
            if found:
                at = self.line(each)
                lines = [text.strip().partition(":")[2].strip()]
            elif at:
                lines.append(text.strip())
        if not at:
            return ()
        said = "\\n".join(line for line in lines if line)
        literal = Expr(shape=Shape.LITERAL, text=literal_text(f'"{said}"'), line=at)
        return (Mark(name="Output", args=(literal,), labels=("",), line=at),)

    def values(self, node: SgNode) -> Iterable[Unit]:
        """Variables and constants of the package."""
        words = frozenset({node.kind().partition("_")[0]})
        for stmt in self.variables(node):
            for name in stmt.names:
                yield Unit(
                    kind=UnitKind.FIELD,
                    name=name,
                    words=words,
                    value=stmt.value,
                    line=stmt.line,
                    last_line=stmt.line
                    if stmt.value is None
                    else stmt.line + stmt.value.lines,
                    text=stmt.written,
                )

    def type(self, node: SgNode) -> Unit:
        """A type."""
        spec = child(node, "type_spec", "type_alias")
        name = None if spec is None else spec.field("name")
        return Unit(
            kind=UnitKind.FIELD,
            name="" if name is None else name.text(),
            words=frozenset({"type"}),
            value=None if spec is None else self.words(spec),
            line=self.line(node),
            last_line=last_line_of(node),
            text=node.text(),
        )


def _base(receiver: SgNode) -> str:
    text = one_line(receiver.text()).strip("()").rpartition(" ")[2]
    return text.lstrip("*").partition("[")[0]


def read(text: str) -> FileDemands:
    """What one Go file of test code demands; raises CannotRead."""
    source = _Declarations().source(readable(text, "go"))
    tools = any("gotest.tools" in each for each in source.imports.values())
    return read_file(source, _Go(actual_first=tools))
