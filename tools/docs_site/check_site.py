"""Checks the pages of the site that was built: each link leads to a file, and to a place in it.

Addresses of other sites are not fetched.
"""

from __future__ import annotations

import functools
import pathlib
import sys
import urllib.parse

from bs4 import BeautifulSoup


@functools.cache
def page(path: pathlib.Path) -> tuple[frozenset[str], tuple[str, ...]]:
    """The places of a page that links may lead to, and the page's own links."""
    soup = BeautifulSoup(path.read_text("utf-8"), "html.parser")
    places = {tag["id"] for tag in soup.find_all(id=True)}
    places |= {tag["name"] for tag in soup.find_all("a", attrs={"name": True})}
    links = [
        tag[key] for key in ("href", "src", "data") for tag in soup.find_all(attrs={key: True})
    ]
    return frozenset(places), tuple(dict.fromkeys(links))


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
    if fragment and there.suffix == ".html" and fragment not in page(there)[0]:
        return "the page has no such place"
    return None


def main(argv: list[str]) -> int:
    top = pathlib.Path(argv[1]).resolve()
    pages = sorted(top.rglob("*.html"))
    count = 0
    for path in pages:
        for link in page(path)[1]:
            if problem := problem_of(path, link, top):
                print(f"{path.relative_to(top)}: {link}: {problem}", file=sys.stderr)
                count += 1
    if not pages or count:
        print(f"site: {len(pages)} pages, {count} links lead nowhere", file=sys.stderr)
        return 1
    print(f"site: {len(pages)} pages in {top}")
    return 0
