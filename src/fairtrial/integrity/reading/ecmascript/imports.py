"""Which names a file of JavaScript imports, and from where."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.integrity.reading.ecmascript.words import bare, string_value
from fairtrial.integrity.reading.script.sources import Piece


def imported(statement: Piece) -> Iterator[tuple[str, str]]:
    """Local names with "module" or "module:name"; an import for effects by its path."""
    if statement.kind == "import_statement":
        yield from _static(statement)
    elif statement.kind == "export_statement":
        source = statement.first("string")
        if source is not None:
            yield string_value(source), string_value(source)
    elif statement.kind in {"lexical_declaration", "variable_declaration"}:
        for declarator in statement.nodes:
            if declarator.kind == "variable_declarator" and declarator.has("="):
                yield from _required(declarator)
    elif statement.kind == "expression_statement" and statement.nodes:
        module = required_module(statement.nodes[0])
        if module is not None:
            yield module, module


def _static(statement: Piece) -> Iterator[tuple[str, str]]:
    source = statement.first("string")
    if source is None:
        yield from _import_of_require(statement)
        return
    module = string_value(source)
    clause = statement.first("import_clause")
    if clause is None:
        yield module, module
        return
    for each in clause.nodes:
        if each.kind == "identifier":
            yield each.text, f"{module}:default"
        elif each.kind == "namespace_import" and each.nodes:
            yield each.nodes[0].text, module
        elif each.kind == "named_imports":
            for specifier in each.nodes:
                if specifier.kind == "import_specifier" and specifier.nodes:
                    first, last = specifier.nodes[0].text, specifier.nodes[-1].text
                    yield last, f"{module}:{first}"


def _import_of_require(statement: Piece) -> Iterator[tuple[str, str]]:
    clause = statement.first("import_require_clause")
    if clause is not None:
        name, text = clause.first("identifier"), clause.first("string")
        if name is not None and text is not None:
            yield name.text, string_value(text)


def required_module(value: Piece) -> str | None:
    """The module that an expression requires; None where it does not."""
    inner = bare(value)
    if inner.kind == "await_expression" and inner.nodes:
        inner = bare(inner.nodes[0])
    while inner.kind == "member_expression":
        inner = bare(inner.parts[0])
    if inner.kind != "call_expression":
        return None
    callee, given = inner.parts[0], inner.first("arguments")
    if given is None or not given.nodes or given.nodes[0].kind != "string":
        return None
    known = {"require", "import", "requireActual", "importActual", "proxyquire"}
    if callee.text.rsplit(".", 1)[-1] in known:
        return string_value(given.nodes[0])
    return None


def _required(declarator: Piece) -> Iterator[tuple[str, str]]:
    module = required_module(declarator.nodes[-1])
    if module is None:
        return
    pattern, value = declarator.parts[0], bare(declarator.nodes[-1])
    if pattern.kind == "identifier":
        inner = value.parts[-1].text if value.kind == "member_expression" else ""
        yield pattern.text, f"{module}:{inner}" if inner else module
        return
    for each in pattern.nodes:
        if each.kind == "shorthand_property_identifier_pattern":
            yield each.text, f"{module}:{each.text}"
        elif each.kind == "pair_pattern" and each.nodes:
            yield each.nodes[-1].text, f"{module}:{each.nodes[0].text}"
        elif each.kind == "object_assignment_pattern" and each.nodes:
            yield each.nodes[0].text, f"{module}:{each.nodes[0].text}"
