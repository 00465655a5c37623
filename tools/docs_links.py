#!/usr/bin/env python3
"""Checks that links between the documents lead somewhere, to the heading, too.

    tools/docs_links.py [FILE]...      default: README.md, other pages at the top, docs/, examples/

Prints FILE:LINE: what is wrong, and exits 1 if there is something. Addresses of other sites are not
looked at: the checks use no network. Also refuses what would be true on one machine only, absolute
paths of a home or work folder.
"""

from __future__ import annotations

import functools
import pathlib
import re
import sys
import urllib.parse
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent

LINK = re.compile(
    # [text](target "title"); the text may have begun on another line
    r"\]\((?P<target>[^)\s]+)(?:\s+\"[^\"]*\")?\)"
    r"|<img\b[^>]*\bsrc=\"(?P<image>[^\"]+)\""
)
HEADING = re.compile(r"^#{1,6}\s+(?P<title>.*?)\s*#*$")
FENCE = re.compile(r"^\s*(```|~~~)")
OWN_MACHINE = re.compile(r"(?<![\w.~])/(?:home|work|root|Users)/[\w.-]+")


def anchor(title: str) -> str:
    """The anchor that GitHub makes of a heading."""
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "")
    kept = "".join(c for c in title.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


@functools.cache
def anchors(page: pathlib.Path) -> frozenset[str]:
    """All anchors of a page; repeated headings are numbered."""
    found: dict[str, int] = {}
    names: set[str] = set()
    in_code = False
    for line in page.read_text("utf-8").splitlines():
        if FENCE.match(line):
            in_code = not in_code
        heading = None if in_code else HEADING.match(line)
        if heading:
            name = anchor(heading["title"])
            count = found.get(name, 0)
            found[name] = count + 1
            names.add(f"{name}-{count}" if count else name)
    return frozenset(names)


def problem_of(page: pathlib.Path, target: str) -> str | None:
    """What is wrong with a link of a page, or None."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return None
    path, _, fragment = target.partition("#")
    file = page if not path else page.parent / urllib.parse.unquote(path)
    if path.startswith("/"):
        return f"{target}: write the path from the page"
    if not file.exists():
        return f"{target}: there is no such file"
    if not file.resolve().is_relative_to(ROOT):
        return f"{target}: lies outside the repository"
    if fragment and file.suffix == ".md" and fragment not in anchors(file.resolve()):
        return f"{target}: the page has no such heading"
    return None


def check(page: pathlib.Path) -> Iterator[tuple[int, str]]:
    in_code = False
    for number, line in enumerate(page.read_text("utf-8").splitlines(), start=1):
        for found in OWN_MACHINE.finditer(line):
            yield number, f"{found[0]} is a path of one machine"
        if FENCE.match(line):
            in_code = not in_code
        if in_code:
            continue
        for link in LINK.finditer(line):
            problem = problem_of(page, link["target"] or link["image"])
            if problem:
                yield number, problem


def main(argv: list[str]) -> int:
    if argv[1:2] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    pages = [pathlib.Path(name).resolve() for name in argv[1:]] or sorted(
        [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
    )
    count = 0
    for page in pages:
        for line, problem in check(page):
            print(f"{page.relative_to(ROOT)}:{line}: {problem}")
            count += 1
    if count:
        print(f"docs_links: {count} problems", file=sys.stderr)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
