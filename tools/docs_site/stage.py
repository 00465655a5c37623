"""Lays out the pages of the documentation site: the Markdown of docs/ and what else it links to.

The pages stay where a forge shows them; here they are copied to where the site has them, and links
are turned to match. A folder's README.md becomes its index, and the links of that index, in their
order, become the navigation: a page that no index names is an error of the build.
"""

from __future__ import annotations

import itertools
import pathlib
import posixpath
import re
import shutil
import urllib.parse
from collections.abc import Iterator

import docs_links
import notebook_page

ROOT = docs_links.ROOT

# Pages that are not below docs/, by their place on the site.
PROJECT_PAGES = {
    "README.md": "project/readme.md",
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "THIRD_PARTY.md": "project/third-party.md",
    "docs/plan.md": "project/plan.md",
}
NOTEBOOKS = "examples/notebooks"
# Bytes of a file that a page of its folder shows.
MAX_SHOWN = 50_000
# What a forge shows as sources, and the site as pages made of them (reference.py).
GENERATED_PAGES = {
    "docs/reference/cli.md": "reference/commands/index.md",
    "docs/reference/json": "reference/documents/index.md",
    "include/planex": "reference/cpp/index.rst",
    "include/planex/planex.h": "reference/c.rst",
    "python/planex": "reference/python/index.rst",
    "python/planex/trex": "reference/trex.rst",
    "python/planex/mcp": "reference/mcp.md",
}
# The parts of the site, in the order of the navigation.
PARTS = ["tutorial", "notebooks", "how-to", "reference", "design", "project"]


class StageError(Exception):
    """Something a person has to mend in a page."""


def place(name: str) -> str | None:
    """Where the site has a file or folder of the repository; None: nowhere."""
    name = name.rstrip("/")
    if known := {**PROJECT_PAGES, **GENERATED_PAGES}.get(name):
        return known
    if name == f"{NOTEBOOKS}/README.md":
        return "notebooks/index.md"
    if found := re.fullmatch(rf"{NOTEBOOKS}/([\w-]+)\.ipynb", name):
        return f"notebooks/{found[1]}.md"
    if found := re.fullmatch(r"examples/([\w-]+)/README\.md", name):
        return f"project/{found[1]}.md"
    if (ROOT / name / "README.md").is_file():
        return place(f"{name}/README.md")
    if found := re.fullmatch(r"docs/reference/json/([\w-]+)\.schema\.json", name):
        return f"reference/documents/{found[1]}.md"
    if found := re.fullmatch(r"include/planex/(\w+)\.h", name):
        return f"reference/cpp/{found[1]}.rst"
    if name.startswith("docs/") and (ROOT / name).is_file():
        return re.sub(r"(^|/)README\.md$", r"\1index.md", name.removeprefix("docs/"))
    # Sources to look at; a file that is no page is there to be downloaded.
    if (ROOT / name).is_dir():
        return f"files/{name}.md"
    if (ROOT / name).is_file() and not name.endswith(".md"):
        return f"files/{name}"
    return None


def site_link(page: str, target: str) -> str:
    """A link of a page of the repository as the site has it. Raises StageError."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target) or target.startswith("#"):
        return target
    path, _, fragment = target.partition("#")
    name = posixpath.normpath(posixpath.join(posixpath.dirname(page), urllib.parse.unquote(path)))
    there = place(name)
    if there is None:
        raise StageError(f"{page}: the site has no place for {target}")
    if name == "docs/reference/cli.md" and fragment:
        # One page for all verbs there, one each here.
        there, fragment = f"reference/commands/{fragment}.md", ""
    here = place(page)
    assert here is not None
    link = posixpath.relpath(there, posixpath.dirname(here) or ".")
    if there.startswith("files/"):
        # A name without a folder is taken for that of a page.
        link = f"./{link}" if not link.startswith(".") else link
    return f"{link}#{fragment}" if fragment else link


def outside_code(text: str) -> Iterator[tuple[bool, str]]:
    """The parts of a page, text and fenced code, and whether each is text."""
    lines = itertools.groupby(marked_lines(text), key=lambda line: line[0])
    return ((is_text, "".join(line for _, line in part)) for is_text, part in lines)


def marked_lines(text: str) -> Iterator[tuple[bool, str]]:
    """The lines of a page, and whether each is outside of fenced code."""
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = docs_links.FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
            yield False, line
            continue
        yield not fence, line
        if mark and mark[1] == fence:
            fence = ""


def turned(page: str, text: str) -> tuple[str, set[str]]:
    """A page with its links turned, and the files of the repository that they lead to."""
    files: set[str] = set()

    def turn(match: re.Match[str]) -> str:
        target = match["target"]
        if not target:
            raise StageError(f"{page}: write images as Markdown: {match[0]}")
        link = site_link(page, target)
        if not re.match(r"[a-z][a-z0-9+.-]*:|#", target):
            name = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
            files.add(name.partition("#")[0])
        start, end = match.start("target") - match.start(), match.end("target") - match.start()
        return match[0][:start] + link + match[0][end:]

    parts = [
        docs_links.LINK.sub(turn, part) if is_text else part for is_text, part in outside_code(text)
    ]
    return "".join(parts), files


def toctree(pages: list[str]) -> str:
    return "\n```{toctree}\n:hidden:\n\n" + "\n".join(pages) + "\n```\n"


def with_navigation(page: str, text: str) -> str:
    """An index with what it links to in its folder as navigation, in its order."""
    folder = posixpath.dirname(page)
    pages: list[str] = []
    for is_text, part in outside_code(text):
        for link in docs_links.LINK.finditer(part) if is_text else ():
            target = posixpath.normpath((link["target"] or "").partition("#")[0])
            is_page = target.endswith((".md", ".rst")) and not target.startswith("..")
            if is_page and posixpath.join(folder, target) != page and target not in pages:
                pages.append(target)
    return text + toctree(pages)


def sources() -> list[str]:
    """The pages of the repository that the site shows as they are."""
    found = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("examples/*/README.md")]
    names = {path.relative_to(ROOT).as_posix() for path in found}
    return sorted({*names, *PROJECT_PAGES} - GENERATED_PAGES.keys())


def notebooks() -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(f"{NOTEBOOKS}/*.ipynb"))


def title_of(page: pathlib.Path) -> str:
    return page.read_text("utf-8").partition("\n")[0].removeprefix("# ")


LANGUAGES = {".c": "c", ".cc": "cpp", ".h": "cpp", ".py": "python", ".json": "json", ".sh": "sh"}


def folder_page(name: str) -> str:
    """The files of a folder, which a forge lists."""
    parts = ["---\norphan: true\n---\n", f"# {name}\n"]
    for path in sorted((ROOT / name).iterdir()):
        if path.is_file() and path.stat().st_size < MAX_SHOWN:
            language = LANGUAGES.get(path.suffix, "text")
            text = path.read_text("utf-8").rstrip()
            parts.append(f"## {path.name}\n\n~~~~{language}\n{text}\n~~~~\n")
    return "\n".join(parts)


def project_index(out: pathlib.Path) -> str:
    """What is neither a document nor a source."""
    pages = [there for there in map(str, map(place, sources())) if there.startswith("project/")]
    first = list(PROJECT_PAGES.values())
    pages.sort(key=lambda there: (first.index(there) if there in first else len(first), there))
    lines = [f"- [{title_of(out / there)}]({posixpath.basename(there)})" for there in pages]
    return "# Project\n\n" + "\n".join(lines) + "\n"


def stage(out: pathlib.Path) -> None:
    """Writes all pages that are not generated. Raises StageError."""
    files: set[str] = set()

    def turn(name: str, text: str) -> str:
        text, linked = turned(name, text)
        files.update(linked)
        return text

    for name in sources():
        text = turn(name, (ROOT / name).read_text("utf-8"))
        there = str(place(name))
        if there == "index.md":
            indexes = map(place, sources())
            parts = [f"{part}/index" for part in PARTS]
            has_notebooks = "notebooks/index.md" in indexes
            text += toctree([one for one in parts if has_notebooks or "notebooks" not in one])
        elif there.endswith("/index.md"):
            text = with_navigation(there, text)
        write(out / there, text)
    for name in notebooks():
        book = notebook_page.load(ROOT / name, ROOT / "build/notebooks" / pathlib.Path(name).name)
        notebook_page.page(book, out / str(place(name)), lambda text, name=name: turn(name, text))
    write(out / "project/index.md", with_navigation("project/index.md", project_index(out)))
    for name in sorted(files):
        there = place(name)
        if there == f"files/{name}.md":
            write(out / there, folder_page(name))
        is_page = there is None or there.endswith((".md", ".rst"))
        if (ROOT / name).is_file() and not is_page:
            (out / str(there)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, out / str(there))


def write(path: pathlib.Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
