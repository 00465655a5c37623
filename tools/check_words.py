#!/usr/bin/env python3
"""Finds words that the glossary has retired.

The table "Retired words" of docs/reference/glossary.md has patterns, what stands instead, and where
to look. A line that has to quote such a word, as another tool writes it, says
`retired-word: quoted`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
GLOSSARY = ROOT / "docs/reference/glossary.md"
# Recorded output of other tools, pictures, and the glossary itself.
LEFT_OUT = re.compile(r"^(tests/data/|docs/reference/glossary\.md$|docs/pictures/|docs/plan\.md$)")
ENDINGS = {".cc", ".h", ".ts", ".css", ".html", ".py", ".mjs", ".md", ".json", ".txt", ".cmake"}
# In tests, only what we wrote: inputs are as other tools write them.
INPUTS = re.compile(r"^(tests/golden/.*/input|tests/golden/ingest/.*(?<!expected\.txt)$)")


class Word(NamedTuple):
    pattern: re.Pattern[str]
    instead: str
    folders: tuple[str, ...]


def retired_words(text: str) -> list[Word]:
    """Rows of the last table. A pipe inside a pattern is written `\\|`, as Markdown wants it."""
    words = []
    for line in text.split("## Retired words", 1)[1].splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 3 or not cells[0].startswith("`"):
            continue
        pattern = cells[0].strip("`").replace("\\|", "|")
        words.append(
            Word(re.compile(rf"(?<!\w){pattern}(?!\w)"), cells[1], tuple(cells[2].split()))
        )
    return words


def uses(name: str, text: str, words: list[Word]) -> list[str]:
    """One message for each use in the file of that name."""
    found = []
    here = [word for word in words if name.startswith(word.folders)]
    for number, line in enumerate(text.splitlines(), 1):
        if "retired-word: quoted" in line:
            continue
        for word in here:
            if match := word.pattern.search(line):
                found.append(f"{name}:{number}: {match[0]!r} is retired: {word.instead}")
    return found


def main() -> int:
    words = retired_words(GLOSSARY.read_text(encoding="utf-8"))
    if not words:
        print(f"{GLOSSARY.relative_to(ROOT)}: no table of retired words", file=sys.stderr)
        return 1
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    found = []
    for name in listed.split("\0"):
        path = ROOT / name
        if path.suffix not in ENDINGS or LEFT_OUT.match(name) or INPUTS.match(name):
            continue
        if path.is_file() and not path.is_symlink():
            found += uses(name, path.read_text(encoding="utf-8", errors="replace"), words)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
