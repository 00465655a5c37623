"""Results in HTML, for notebooks.

Colors are the notebook's own, so that everything can be read in a light and in a dark theme.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# Like the tables of a notebook: figures right-aligned, words left-aligned.
_LEFT = ' style="text-align:left"'


def escape(text: str) -> str:
    """For an element or an attribute. The standard library's module loads 2 000 names of
    characters."""
    for character, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot"), ("'", "#39")):
        text = text.replace(character, f"&{name};")
    return text


class Raw(str):
    """Text that is already HTML."""


def cell(value: object) -> str:
    """A value in a table: unknown values are empty."""
    if isinstance(value, Raw):
        return value
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, dict | list):
        import json

        return escape(json.dumps(value, ensure_ascii=False))
    return escape(str(value))


def table(
    heads: Iterable[str | tuple[str, str]], rows: Iterable[Sequence[object]], note: str = ""
) -> str:
    """A table. A head can have a tooltip in addition to its text; the note is below."""
    names = ""
    for head in heads:
        name, tip = (head, "") if isinstance(head, str) else head
        title = f' title="{escape(tip)}"' if tip else ""
        names += f"<th{_LEFT}{title}>{escape(name)}</th>"
    body = ""
    for row in rows:
        body += "<tr>"
        for value in row:
            left = isinstance(value, str) and not isinstance(value, Raw)
            body += f"<td{_LEFT if left else ''}>{cell(value)}</td>"
        body += "</tr>"
    below = f"<p>{escape(note)}</p>" if note else ""
    return f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>{below}"


def pairs(caption: str, rows: Iterable[tuple[str, object]]) -> str:
    """A table of names and their values."""
    body = "".join(
        f"<tr><th{_LEFT}>{escape(key)}</th><td{_LEFT}>{cell(value)}</td></tr>"
        for key, value in rows
    )
    head = f'<caption style="text-align:left">{escape(caption)}</caption>' if caption else ""
    return f"<table>{head}<tbody>{body}</tbody></table>"


def text(content: str) -> str:
    """Lines of the command line's own output, which must not be broken."""
    style = "white-space:pre;overflow-x:auto;font-family:monospace;line-height:1.3"
    return f'<pre style="{style}">{escape(content)}</pre>'


def summary(document: Mapping[str, Any], figures: Iterable[tuple[str, object]]) -> str:
    """planex.summary/2, and the figures of the engine in words."""
    conclusion = document["conclusion"]
    head = f"<p><b>{escape(conclusion['headline'])}</b> {escape(conclusion['text'])}</p>"
    blocks = [
        pairs("", figures),
        _shares(document["by_type"], "type", "by type"),
        _shares(document["by_precision"], "precision", "by precision"),
        _shares(document["top_layers"][:5], "name", "slowest"),
    ]
    style = "display:flex;flex-wrap:wrap;gap:0 2em;align-items:flex-start"
    return f'{head}<div style="{style}">{"".join(f"<div>{one}</div>" for one in blocks)}</div>'


def _shares(rows: Sequence[Mapping[str, Any]], key: str, title: str) -> str:
    """Rows with their share of the layers' time, as a figure and as a bar."""
    counted = any("count" in row for row in rows)
    heads = [title, *(["layers"] if counted else []), "median_ms", "share", ""]
    body: list[list[object]] = []
    for row in rows:
        share = row["share"]
        known = share is not None
        body.append(
            [
                row[key],
                *([row["count"]] if counted else []),
                row["median_ms"],
                Raw(f"{share:.1%}" if known else ""),
                Raw(_bar(share) if known else ""),
            ]
        )
    return table(heads, body) if rows else ""


def _bar(share: float) -> str:
    style = f"width:{share * 8:.2f}em;height:.7em;background:currentColor;opacity:.45"
    return f'<div style="{style}"></div>'
