"""What a file of JavaScript or TypeScript tests demands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from fairtrial.domain.demands import Aspect, FileDemands, WrittenTest
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.reading.ecmascript.acts import marks
from fairtrial.integrity.reading.ecmascript.assertions import Facts
from fairtrial.integrity.reading.ecmascript.bodies import Body
from fairtrial.integrity.reading.ecmascript.chains import unchained
from fairtrial.integrity.reading.ecmascript.heads import (
    Alias,
    Head,
    Role,
    defines_tests,
    head_of,
)
from fairtrial.integrity.reading.ecmascript.imports import imported
from fairtrial.integrity.reading.ecmascript.rows import (
    Columns,
    bind_columns,
    bind_patterns,
    rows_of,
)
from fairtrial.integrity.reading.ecmascript.scopes import (
    Speaker,
)
from fairtrial.integrity.reading.ecmascript.support import Shelf, Where, exported, uses
from fairtrial.integrity.reading.ecmascript.words import (
    DECLARATIONS,
    FUNCTIONS,
    bare,
    body_of,
    bound_names,
    is_plain_text,
    parameters_of,
    words,
)
from fairtrial.integrity.reading.script.naming import (
    Binding,
    Origin,
    Scope,
)
from fairtrial.integrity.reading.script.notes import Budget, demand
from fairtrial.integrity.reading.script.sources import Piece, grow, refuse_broken
from fairtrial.integrity.reading.script.wording import blanked, joined
from fairtrial.integrity.syntax import digest

#: Statements that do nothing where they stand.
_SILENT: Final = frozenset(
    {
        "interface_declaration",
        "type_alias_declaration",
        "ambient_declaration",
        "import_statement",
        "import_alias",
        "class_declaration",
        "abstract_class_declaration",
        "enum_declaration",
        "empty_statement",
        "export_statement",
        "hash_bang_line",
        "function_signature",
        *DECLARATIONS,
        *FUNCTIONS,
    }
)
#: A type that the grammar can't read as an argument: f<typeof import("x")>().
_IMPORTED_TYPE: Final = re.compile(
    r"""typeof\s{1,20}import\(\s{0,20}(["'])[^"'\n]{0,300}\1,?\s{0,20}\)"""
)
_PLAYWRIGHT: Final = re.compile(r"@playwright/|playwright/test")


def read(text: str, *grammars: str) -> FileDemands:
    """What a file demands, by the first grammar that can read all of it.

    Raises CannotRead where none can, or where it is too long or nested too deeply.
    """
    try:
        return _Reader(_parsed(text, grammars)).read()
    except RecursionError:
        raise CannotRead("it is nested too deeply to be read") from None


def _parsed(text: str, grammars: Sequence[str]) -> Piece:
    failure = CannotRead("no grammar is known for it")
    plainer = _IMPORTED_TYPE.sub(lambda found: "any".ljust(len(found[0])), text)
    tries = [(text, grammar) for grammar in grammars]
    if plainer != text:
        tries += [(plainer, grammar) for grammar in grammars]
    for source, grammar in tries:
        whole = grow(source, grammar)
        try:
            refuse_broken(whole)
        except CannotRead as error:
            failure = failure if failure.args[0].startswith("line") else error
        else:
            return whole
    raise failure


class _Reader:
    """Reads one file, block by block."""

    def __init__(self, whole: Piece) -> None:
        self.whole = whole
        self.shelf = Shelf(whole)
        self.aliases = self.shelf.aliases
        self.assignments = self.shelf.assignments
        self.imports: dict[str, str] = {}
        self.tests: list[WrittenTest] = []
        self._seen: dict[tuple[str, ...], int] = {}
        self._budget = Budget()

    def read(self) -> FileDemands:
        """All of it."""
        place = Where()
        statements = [exported(each) for each in self.whole.nodes]
        for each in self.whole.nodes:
            for name, module in imported(each):
                self.imports[name] = module
                place.scope.names[name] = Binding(origin=Origin.IMPORTED, support=name)
                wanted = module.rpartition(":")[2]
                if wanted in {"test", "it", "describe"} and name != wanted:
                    role = Role.BLOCK if wanted == "describe" else Role.TEST
                    self.aliases[name] = Alias(role=role)
        self.shelf.facts.waits = any(map(_PLAYWRIGHT.search, self.imports.values()))
        self._block(statements, place)
        return FileDemands(
            tests=tuple(self.tests), support=self.shelf.support, imports=self.imports
        )

    # Blocks

    def _block(self, nodes: Sequence[Piece], place: Where) -> None:
        """A block: first its names, then its hooks, which hold for all of its tests."""
        statements = [exported(each) for each in nodes]
        for each in statements:
            self.shelf.declare(each, place)
        effects = [each for each in statements if self._is_effect(each, place)]
        self.shelf.effects(effects, place)
        for each in statements:
            head = self._head(each, place)
            if head is not None and head.role is Role.HOOK:
                self._hook(head, place)
        for each in statements:
            if each not in effects:
                self._statement(each, place)

    def _head(self, each: Piece, place: Where) -> Head | None:
        if each.kind != "expression_statement" or not each.nodes:
            return None
        return head_of(each.nodes[0], self.aliases, Speaker(place.scope))

    def _is_effect(self, each: Piece, place: Where) -> bool:
        """Whether a statement does something, and defines no test."""
        if each.kind in _SILENT:
            return False
        if each.kind == "expression_statement" and (
            not each.nodes or self._head(each, place) is not None
        ):
            return False
        if each.kind == "expression_statement":
            inner = bare(each.nodes[0])
            if marks(unchained(inner), Speaker(place.scope), inner, ""):
                return True
        return not defines_tests(each, self.aliases)

    def _statement(self, each: Piece, place: Where) -> None:
        kind = each.kind
        inner = replace(place, scope=place.scope.inner())
        if kind in {"expression_statement", "return_statement"}:
            for expression in each.nodes[:1]:
                self._expression(expression, place)
        elif kind == "if_statement":
            self._conditional(each, place)
        elif kind in {"for_in_statement", "for_statement", "while_statement"}:
            self._loop(each, place)
        elif kind == "statement_block":
            self._block(each.nodes, inner)
        elif kind == "try_statement":
            self._block(each.nodes[0].nodes, inner)
        elif kind in FUNCTIONS and defines_tests(each, self.aliases):
            self._suite(each, place)
        elif kind in DECLARATIONS:
            self._named_suites(each, place)

    def _named_suites(self, each: Piece, place: Where) -> None:
        for declarator in each.nodes:
            value = bare(declarator.nodes[-1])
            if value.kind in FUNCTIONS and defines_tests(value, self.aliases):
                self._suite(value, place, name=declarator.parts[0].text)

    def _conditional(self, each: Piece, place: Where) -> None:
        """Tests that are defined under a condition are skipped under its opposite."""
        condition = joined(Speaker(place.scope).say(each.nodes[0]))
        other = each.first("else_clause")
        branches = [(each.nodes[1], f"!({condition})")] if len(each.nodes) > 1 else []
        if other is not None and other.nodes:
            branches.append((other.nodes[-1], condition))
        for branch, skipped in branches:
            known = {"!(false)": "", "!(true)": None, "true": "", "false": None}
            expected = known.get(skipped, skipped)
            found = place.marks
            if expected is not None:
                mark = demand(Aspect.SKIP, each, subject="skip", expected=expected)
                found = (*found, mark)
            inner = replace(place, marks=found, scope=place.scope.inner())
            nodes = branch.nodes if branch.kind == "statement_block" else [branch]
            self._block(nodes, inner)

    def _loop(self, each: Piece, place: Where) -> None:
        inner = replace(place, scope=place.scope.inner())
        if each.kind == "for_in_statement":
            columns = bind_patterns(each.nodes[:1], inner.scope, _level(place))
            rows = rows_of(each.nodes[1], columns, Speaker(place.scope))
            inner = replace(inner, marks=(*place.marks, *rows))
        body = each.nodes[-1]
        self._block(body.nodes if body.kind == "statement_block" else [body], inner)

    def _expression(self, piece: Piece, place: Where) -> None:
        head = head_of(piece, self.aliases, Speaker(place.scope))
        if head is None:
            self._other(piece, place)
        elif head.role is Role.TEST:
            self._test(head, place)
        elif head.role is Role.BLOCK:
            self._describe(head, place)

    def _describe(self, head: Head, place: Where) -> None:
        scope = place.scope.inner()
        found = (*place.marks, *head.marks)
        if head.function is None:
            return
        if head.rows is not None:
            columns = bind_columns(head.function, scope, _level(place))
            found = (*found, *rows_of(head.rows, columns, Speaker(place.scope)))
        inner = Where(
            names=(*place.names, head.name),
            marks=found,
            hooks=list(place.hooks),
            scope=scope,
        )
        body = body_of(head.function)
        if body is not None:
            nodes = body.nodes if body.kind == "statement_block" else []
            if body.kind != "statement_block":
                self._expression(body, inner)
            self._block(nodes, inner)

    def _other(self, piece: Piece, place: Where) -> None:
        """A statement that is no test: perhaps it holds some."""
        inner = bare(piece)
        if inner.kind in {"binary_expression", "ternary_expression"}:
            condition = joined(Speaker(place.scope).say(inner.nodes[0]))
            mark = demand(
                Aspect.SKIP, piece, subject="skip", expected=f"!({condition})"
            )
            under = replace(place, marks=(*place.marks, mark))
            for each in inner.nodes[1:]:
                self._expression(each, under)
            return
        chain = unchained(inner)
        if chain.root.kind in FUNCTIONS:
            self._inside(chain.root, place)
        for place_of, link in enumerate(chain.links):
            given = [bare(each) for each in link.arguments or ()]
            functions = [each for each in given if each.kind in FUNCTIONS]
            if link.name in {"forEach", "map"} and functions:
                table = chain.links[place_of - 1].piece if place_of else chain.root
                self._each(table, functions[0], place)
                continue
            for function in functions:
                self._inside(function, place)

    def _each(self, table: Piece, function: Piece, place: Where) -> None:
        """Tests that are defined for each element of a list."""
        scope = place.scope.inner()
        columns = bind_columns(function, scope, _level(place))
        rows = rows_of(table, columns, Speaker(place.scope))
        self._inside(function, replace(place, marks=(*place.marks, *rows), scope=scope))

    def _inside(self, function: Piece, place: Where) -> None:
        body = body_of(function)
        if body is None:
            return
        under = replace(place, scope=place.scope.inner())
        if body.kind == "statement_block":
            self._block(body.nodes, under)
        else:
            self._expression(body, under)

    def _suite(self, function: Piece, place: Where, name: str = "") -> None:
        """A function that defines tests: they bear its name."""
        named = function.first("identifier", "property_identifier")
        body = body_of(function)
        if body is None or body.kind != "statement_block":
            return
        name = name or ("" if named is None else named.text)
        names = (*place.names, name) if name else place.names
        inner = replace(place, names=names, scope=place.scope.inner())
        self._block(body.nodes, inner)

    # Tests, hooks, helpers

    def _test(self, head: Head, place: Where) -> None:
        body = Body(self._facts(head), self.assignments, head.piece)
        scope = place.scope.inner()
        speaker = Speaker(place.scope)
        found = [*place.marks, *head.marks]
        columns = self._bind_given(head, place, scope)
        if head.rows is not None:
            found += rows_of(head.rows, columns, speaker)
        if head.function is not None:
            self._run(head.function, scope, body)
        elif head.handed is not None:
            subject, inputs = blanked(speaker.say(head.handed))
            found.append(
                demand(Aspect.ARRANGEMENT, head.handed, subject=subject, inputs=inputs)
            )
        self._budget.spend(len(found) + 1)
        names = (*place.names, head.name)
        self._seen[names] = count = self._seen.get(names, 0) + 1
        if count > 1:
            names = (*place.names, f"{head.name}#{count}")
        piece = head.piece
        self.tests.append(
            WrittenTest(
                names=names,
                demands=(*found, *body.demands),
                uses=uses(piece, place.scope) | frozenset(place.hooks),
                digest=digest(_without_name(piece)),
                line=piece.line,
                last_line=piece.last_line,
                text=piece.text,
            )
        )

    def _facts(self, head: Head) -> Facts:
        parameters = parameters_of(head.function) if head.function is not None else None
        names = bound_names(parameters) if parameters is not None else []
        given = frozenset(names[:2]) & {"t", "assert", "test", "tt", "st", "ctx", "sub"}
        return replace(self.shelf.facts, given=given)

    def _bind_given(self, head: Head, place: Where, scope: Scope) -> Columns:
        """Binds the rows of a table, or what the runner hands to the test."""
        if head.function is None:
            return Columns()
        if head.rows is not None:
            return bind_columns(head.function, scope, _level(place))
        parameters = parameters_of(head.function)
        for name in bound_names(parameters) if parameters is not None else []:
            scope.names[name] = Binding(origin=Origin.FIXTURE)
        return Columns()

    def _run(self, function: Piece, scope: Scope, body: Body) -> None:
        block = body_of(function)
        if block is None:
            return
        if block.kind == "statement_block":
            body.run(block.nodes, scope.inner())
        else:
            body.expression(block, scope.inner(), awaited=True)

    def _hook(self, head: Head, place: Where) -> None:
        body = Body(self.shelf.facts, self.assignments, head.piece)
        scope = place.scope.inner()
        if head.function is not None:
            self._bind_given(head, place, scope)
            self._run(head.function, scope, body)
        self.shelf.keep(head.name, head.piece, place, body.demands, automatic=True)


def _level(place: Where) -> int:
    """In how many tables of rows a statement stands."""
    subjects = {each.subject for each in place.marks if each.aspect is Aspect.ROW}
    return len(subjects)


def _without_name(definition: Piece) -> list[str]:
    """The words of a test, its own name left out."""
    said = words(definition, lambda _: None)
    chain = unchained(definition)
    for link in chain.links:
        for title in (link.arguments or ())[:1]:
            if is_plain_text(bare(title)):
                spelled = words(bare(title), lambda _: None)
                if spelled[0] in said:
                    said.remove(spelled[0])
                    return said
    return said
