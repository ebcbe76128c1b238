"""The names that `use` declarations of Rust bring into a file."""

from __future__ import annotations

from ast_grep_py import SgNode

from fairtrial.integrity.reading.code.lowering import kids


def imported(node: SgNode, before: str, imports: dict[str, str]) -> None:
    """The names that a `use` gives, with their paths."""
    stack = [(node, before)]
    while stack:
        each, path = stack.pop()
        match each.kind():
            case "scoped_use_list":
                head, listed = each.field("path"), each.field("list")
                inner = f"{path}{'' if head is None else head.text() + '::'}"
                stack += (
                    [] if listed is None else [(one, inner) for one in kids(listed)]
                )
            case "use_list":
                stack += [(one, path) for one in kids(each)]
            case "use_as_clause":
                head, alias = each.field("path"), each.field("alias")
                if head is not None and alias is not None:
                    imports[alias.text()] = path + head.text()
            case "use_wildcard":
                module = path + each.text().removesuffix("::*").removesuffix("*")
                imports[f"*{module}"] = f"{module.rstrip(':')}:*"
            case _:
                text = path + each.text()
                imports[text.rpartition("::")[2]] = text
