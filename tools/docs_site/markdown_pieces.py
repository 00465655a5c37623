"""Pieces of Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

SPECIAL = re.compile(r"([\\`*_\[\]<>|{}#$~&])")


def escape(text: str) -> str:
    """Text of others, as it is."""
    return SPECIAL.sub(r"\\\1", text)


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; nothing where it has no rows. Columns that are empty throughout are left out."""
    if not rows:
        return ""
    kept = [i for i in range(len(titles)) if any(row[i] for row in rows)]
    lines = [[titles[i] for i in kept], ["---"] * len(kept)]
    lines += [[row[i] for i in kept] for row in rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
