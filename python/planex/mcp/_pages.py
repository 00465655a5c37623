"""Answers in pages: a long document is cut, and says where and how to continue."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from planex._errors import UsageError

# Characters of JSON in an answer: some 6 000 tokens.
PAGE = 24_000
# Names and messages are shorter; a hostile file can have names of megabytes.
_TEXT = 2_000

Path = tuple[str | int, ...]

_SUFFIXES = {
    "_ms": "ms",
    "_us": "us",
    "_ns": "ns",
    "_s": "s",
    "_bytes": "bytes",
    "_ratio": "ratio",
    "_share": "ratio",
    "_count": "count",
    "_per_s": "per_s",
}
_UNITS = {
    "ms": "ms",
    "bytes": "bytes",
    "share": "ratio",
    "fraction": "ratio",
    "count": "count",
    "error": "count",
    "warning": "count",
    "info": "count",
}


def size(value: object) -> int:
    """Characters of JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def plain(value: Any) -> Any:
    """As in JSON: non-finite numbers are null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value


def unit(key: str, columns: Mapping[str, str]) -> str:
    """The unit of a member by its name; empty if it has none or is not a quantity."""
    if columns.get(key):
        return columns[key]
    if key in _UNITS:
        return _UNITS[key]
    # The longest ending is decisive: items_per_s is not a time.
    for suffix in sorted(_SUFFIXES, key=len, reverse=True):
        if key.endswith(suffix):
            return _SUFFIXES[suffix]
    return ""


def units(document: Any, columns: Mapping[str, str]) -> dict[str, str]:
    """Units of all numbers in a document, by the names of their members."""
    found: dict[str, str] = {}

    def visit(value: Any, key: str) -> None:
        if isinstance(value, dict):
            for name, one in value.items():
                visit(one, name)
        elif isinstance(value, list):
            for one in value:
                visit(one, key)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            word = unit(key, columns)
            if word:
                found[key] = word

    visit(document, "")
    return dict(sorted(found.items()))


def pointer(path: Path) -> str:
    """RFC 6901."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


# --- Cursors --------------------------------------------------------------------------------------


def question(*parts: object) -> str:
    """Digest of the question and of the state of the files."""
    text = json.dumps(parts, default=str, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def cursor(asked: str, path: Path, offset: int) -> str:
    """Where to continue."""
    text = json.dumps([asked, list(path), offset], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(text: str, asked: str) -> tuple[Path, int]:
    """Path of a list and the first row of the page.

    Raises
    ------
    UsageError
        It is not a cursor, or belongs to another question, or the files have changed since.
    """
    again = "ask again without a cursor"
    try:
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,4000}", text):
            raise ValueError
        of, path, offset = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if not isinstance(path, list) or type(offset) is not int or offset < 0:
            raise ValueError
        if not all(type(step) in (str, int) for step in path):
            raise ValueError
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise UsageError("this is not a cursor", hint=again) from None
    if of != asked:
        raise UsageError(
            "this cursor belongs to another question, or the engine's files have changed",
            hint=again,
        )
    return tuple(path), offset


# --- Pages ----------------------------------------------------------------------------------------


def _short_texts(value: Any, path: Path, more: list[dict[str, Any]]) -> Any:
    if isinstance(value, str) and len(value) > _TEXT:
        more.append({"pointer": pointer(path), "characters": len(value), "shown": _TEXT})
        return value[:_TEXT]
    if isinstance(value, dict):
        return {key: _short_texts(one, (*path, key), more) for key, one in value.items()}
    if isinstance(value, list):
        return [_short_texts(one, (*path, index), more) for index, one in enumerate(value)]
    return value


def _longest_list(value: Any, path: Path) -> tuple[int, Path, list[Any]] | None:
    """The list that takes most space; lists with a single large row are searched inside."""
    best = None
    if isinstance(value, dict):
        inner = [_longest_list(one, (*path, key)) for key, one in value.items()]
    elif isinstance(value, list):
        if len(value) > 1:
            best = (size(value), path, value)
            inner = []
        else:
            inner = [_longest_list(one, (*path, index)) for index, one in enumerate(value)]
    else:
        return None
    return max([one for one in (best, *inner) if one], key=lambda one: one[0], default=None)


def fitted(
    document: Any, asked: str, limit: int = PAGE, at: Path = (), first: int = 0
) -> tuple[Any, list[dict[str, Any]]]:
    """A document, its longest lists cut so that it fits, and what was cut.

    For a list that was cut, `shown` is how many of its `count` rows this page and the previous ones
    contain. `at` and `first` give the document's place in the whole: for a page of a list, the list
    and its first row.
    """
    more: list[dict[str, Any]] = []
    document = _short_texts(document, at, more)
    counts: dict[Path, int] = {}
    while (total := size(document)) > limit:
        found = _longest_list(document, ())
        if found is None:
            break
        length, path, rows = found
        counts.setdefault(path, len(rows))
        # The excess, or half: another list may be the longest then. At least one row stays.
        keep = max(len(rows) // 2, len(rows) * max(0, length - total + limit) // length)
        keep = max(1, min(len(rows) - 1, keep))
        del rows[keep:]
    for path, count in counts.items():
        shown = _at(document, path)
        if shown is None:  # An enclosing list was cut after it.
            continue
        base = first if path == () else 0
        place = at if path == () else (*at, *_moved(path, first, bool(at)))
        more.append(
            {
                "pointer": pointer(place),
                "count": base + count,
                "shown": base + len(shown),
                "cursor": cursor(asked, place, base + len(shown)),
            }
        )
    return document, more


def _moved(path: Path, first: int, is_list: bool) -> Path:
    """A path within a page of rows, as it is in the whole list."""
    if is_list and path and isinstance(path[0], int):
        return (path[0] + first, *path[1:])
    return path


def _at(document: Any, path: Path) -> Any:
    for step in path:
        try:
            document = document[step]
        except (KeyError, IndexError, TypeError):
            return None
    return document


def page_of(document: Any, asked: str, where: str) -> tuple[Any, list[dict[str, Any]]]:
    """The page that a cursor points to: the rows of one list."""
    path, offset = read_cursor(where, asked)
    rows = _at(document, path)
    if not isinstance(rows, list) or offset > len(rows):
        raise UsageError("this cursor is invalid", hint="ask again without a cursor")
    shown, more = fitted(rows[offset:], asked, at=path, first=offset)
    return {"pointer": pointer(path), "offset": offset, "rows": shown}, more


def page_of_rows(
    fetch: Callable[[int, int], list[tuple[object, ...]]],
    count: int,
    asked: str,
    where: str | None,
    limit: int,
) -> tuple[int, list[list[Any]], list[dict[str, Any]]]:
    """A page of a table: the first row, the rows, and where to continue."""
    first = read_cursor(where, asked)[1] if where else 0
    shown: list[list[Any]] = []
    more: list[dict[str, Any]] = []
    used = 0
    for row in fetch(first, limit):
        cuts: list[dict[str, Any]] = []
        values = _short_texts(plain(list(row)), ("rows", len(shown)), cuts)
        used += size(values)
        if shown and used > PAGE:
            break
        shown.append(values)
        more += cuts
    after = first + len(shown)
    if after < count:
        more.append(
            {
                "pointer": "/rows",
                "count": count,
                "shown": after,
                "cursor": cursor(asked, ("rows",), after),
            }
        )
    return first, shown, more
