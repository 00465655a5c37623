"""A JSON Schema as a page: a table of fields for each object in it."""

from __future__ import annotations

import json
from typing import Any

from markdown_pieces import escape, table

Schema = dict[str, Any]

# What a field is, beside its type; in this order.
LIMITS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "maxItems": "at most {} elements",
    "pattern": "matches `{}`",
}
# What this page knows how to show, or what needs no showing.
KNOWN = {
    *LIMITS, "description", "type", "unit", "items", "properties", "required", "$ref", "enum",
    "anyOf", "oneOf", "$schema", "$id", "title", "const", "$defs", "additionalProperties", "not",
}  # fmt: skip


class UnknownKeyError(Exception):
    """A part of a schema that the page would leave out."""


def id_of(schema: Schema) -> str:
    """The id of a document: planex.lint/2."""
    if "$id" in schema:
        return str(schema["$id"])
    return str(schema["properties"]["schema"]["const"])


def anchor(name: str) -> str:
    return name.lower()


def type_of(schema: Schema) -> str:
    """The type of a field as Markdown."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{anchor(name)})"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(one, ensure_ascii=False)}`" for one in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            # null last, as it is in the other types
            parts = [type_of(one) for one in schema[key]]
            return " or ".join(sorted(parts, key=lambda part: part == "null"))
    types = schema.get("type", "any value")
    if isinstance(types, list):
        return " or ".join(type_of({**schema, "type": one}) for one in types)
    if types == "array":
        return f"array of {type_of(schema['items'])}" if "items" in schema else "array"
    if types == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {type_of(schema['additionalProperties'])}"
    return str(types)


def meaning_of(schema: Schema) -> str:
    words = [escape(schema["description"])] if "description" in schema else []
    limits = [LIMITS[key].format(schema[key]) for key in LIMITS if key in schema]
    if limits:
        words.append(f"({', '.join(limits)})")
    return " ".join(words)


def rows_of(schema: Schema, prefix: str = "") -> list[list[str]]:
    """A row for each field of an object, and for those of objects in it that have no name."""
    if unknown := schema.keys() - KNOWN:
        raise UnknownKeyError(f"{prefix or 'document'}: {min(unknown)}")
    rows = []
    for name, field in schema.get("properties", {}).items():
        if unknown := field.keys() - KNOWN:
            raise UnknownKeyError(f"{prefix}{name}: {min(unknown)}")
        is_optional = name not in schema.get("required", ())
        shown = f"`{prefix}{name}`" + (" (optional)" if is_optional else "")
        rows.append([shown, type_of(field), field.get("unit", ""), meaning_of(field)])
        inner, inner_prefix = field, f"{prefix}{name}."
        while "items" in inner:
            inner, inner_prefix = inner["items"], f"{inner_prefix.removesuffix('.')}[]."
        for one in [inner, *inner.get("anyOf", ()), *inner.get("oneOf", ())]:
            rows += rows_of(one, inner_prefix) if "properties" in one else []
    return rows


def page(schema: Schema, file: str) -> str:
    """The page of a document; `file`: the schema beside it."""
    title, _, command = schema["title"].partition(": ")
    parts = [f"# {id_of(schema)}\n", f"{escape(title)}. {escape(schema.get('description', ''))}\n"]
    if command.startswith("planex"):
        parts.append(f"```sh\n{command}\n```\n")
    parts.append(f"JSON Schema: [{file}](./{file})\n")
    titles = ["field", "type", "unit", "meaning"]
    parts.append(table(titles, rows_of(schema)))
    for name, part in schema.get("$defs", {}).items():
        parts.append(f"## {name}\n\n{escape(part.get('description', ''))}\n")
        if "properties" in part:
            parts.append(table(titles, rows_of(part)))
        else:
            parts.append(f"{type_of(part)}\n")
    return "\n".join(parts)
