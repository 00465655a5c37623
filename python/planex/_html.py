"""Text in HTML."""

from __future__ import annotations


def escape(text: str) -> str:
    """For an element or an attribute. The standard library's brings 2 000 names of characters."""
    for character, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot"), ("'", "#39")):
        text = text.replace(character, f"&{name};")
    return text


def cell(value: object) -> str:
    """A value in a table: what is not known is empty."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, dict | list):
        import json

        return escape(json.dumps(value, ensure_ascii=False))
    return escape(str(value))
