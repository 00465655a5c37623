"""Checks the pages of the site that was built: each link leads to a file, and to a place in it.

Addresses of other sites are not fetched.
"""

from __future__ import annotations

import functools
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """What a page has that matters here."""

    def __init__(self, text: str) -> None:
        super().__init__()
        #: What links may lead to.
        self.places: set[str] = set()
        #: Where its own links lead, once each.
        self.links: dict[str, None] = {}
        #: What a browser loads with it.
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value for key, value in attrs if value is not None}
        if "id" in values:
            self.places.add(values["id"])
        for key in ("href", "src", "data"):
            if key in values:
                self.links[values[key]] = None
                if tag != "a":
                    self.loaded.append(values[key])


@functools.cache
def page(path: pathlib.Path) -> Page:
    return Page(path.read_text("utf-8"))


def problem_of(here: pathlib.Path, link: str, top: pathlib.Path) -> str | None:
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    there = here if not parts.path else (here.parent / urllib.parse.unquote(parts.path)).resolve()
    if not there.is_file():
        return "there is no such file"
    if not there.is_relative_to(top):
        return "lies outside the site"
    fragment = urllib.parse.unquote(parts.fragment)
    if fragment and there.suffix == ".html" and fragment not in page(there).places:
        return "the page has no such place"
    return None


def main(argv: list[str]) -> int:
    top = pathlib.Path(argv[1]).resolve()
    pages = sorted(top.rglob("*.html"))
    count = 0
    for path in pages:
        for link in page(path).links:
            if problem := problem_of(path, link, top):
                print(f"{path.relative_to(top)}: {link}: {problem}", file=sys.stderr)
                count += 1
    if not pages or count:
        print(f"site: {len(pages)} pages, {count} links lead nowhere", file=sys.stderr)
        return 1
    print(f"site: {len(pages)} pages in {top}")
    return 0
