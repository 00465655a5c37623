"""A notebook as a page: its text, its code, and what it gave where the tests have run it."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

# Charts are drawn by plotly's script, which only the pages with charts load.
PLOTLY = "application/vnd.plotly.v1+json"
PLOTLY_SCRIPT = "_static/plotly.min.js"
# A report is a page of its own; in this page the search would read it, too.
MAX_HTML = 50_000

Json = dict[str, Any]


def fenced(kind: str, text: str) -> str:
    """A block with a fence that the text doesn't end."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{kind}\n{text.rstrip()}\n{fence}\n"


def joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def chart(figure: Json) -> str:
    """A chart of plotly, without the script that draws it."""
    import plotly.io

    return str(plotly.io.to_html(figure, include_plotlyjs=False, full_html=False))


def output(given: Json, pictures: pathlib.Path, name: str) -> str:
    """What a cell gave; a picture is written into the page's folder as `name`."""
    if given["output_type"] == "stream":
        return fenced("text", joined(given["text"]))
    if given["output_type"] == "error":
        return fenced("text", f"{given['ename']}: {given['evalue']}")
    data = given.get("data", {})
    if "image/svg+xml" in data:
        (pictures / f"{name}.svg").write_text(joined(data["image/svg+xml"]), "utf-8")
        return f"![]({name}.svg)\n"
    if PLOTLY in data:
        return fenced("{raw} html", chart(data[PLOTLY]))
    if "text/html" in data:
        html = joined(data["text/html"])
        if len(html) > MAX_HTML:
            frame = pictures.parent / "_static" / f"{name}.html"
            frame.parent.mkdir(exist_ok=True)
            frame.write_text(f"<!DOCTYPE html><style>body {{ margin: 0 }}</style>{html}", "utf-8")
            html = f'<iframe src="../_static/{name}.html" width="100%" height="640"></iframe>'
        return fenced("{raw} html", html)
    return fenced("text", joined(data.get("text/plain", "")))


def page(book: Json, out: pathlib.Path, turned: Callable[[str], str]) -> None:
    """Writes the page; `turned` turns the links of a text."""
    parts = []
    has_charts = False
    out.parent.mkdir(parents=True, exist_ok=True)
    for number, cell in enumerate(book["cells"]):
        source = joined(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(turned(source) + "\n")
        elif cell["cell_type"] == "code":
            parts.append(fenced("python", source))
            for index, given in enumerate(cell.get("outputs", ())):
                name = f"{out.stem}-{number}-{index}"
                parts.append(output(given, out.parent, name))
                has_charts = has_charts or PLOTLY in given.get("data", {})
    if has_charts:
        script = f'<script src="../{PLOTLY_SCRIPT}"></script>'
        parts.insert(1, fenced("{raw} html", script))
    out.write_text("\n".join(parts), "utf-8")


def load(source: pathlib.Path, executed: pathlib.Path) -> Json:
    """The notebook with its outputs, where it was run since it was written."""
    is_fresh = executed.is_file() and executed.stat().st_mtime >= source.stat().st_mtime
    book: Json = json.loads((executed if is_fresh else source).read_text("utf-8"))
    return book
