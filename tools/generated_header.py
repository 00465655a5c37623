"""What scripts that write a source file have in common: to write it, or to compare."""

from __future__ import annotations

import argparse
import pathlib
import sys
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main(argv: list[str], doc: str | None, file: pathlib.Path, fresh: Callable[[], str]) -> int:
    """Writes what `fresh` gives to `file`; with --check says whether it already exists."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    arguments = parser.parse_args(argv[1:])
    text = fresh()
    if not arguments.check:
        file.write_text(text, "utf-8")
    elif not file.is_file() or file.read_text("utf-8") != text:
        script = pathlib.Path(argv[0]).resolve().relative_to(ROOT).as_posix()
        name = file.relative_to(ROOT).as_posix()
        print(f"{name}:1: is out of date; run {script}", file=sys.stderr)
        return 1
    return 0
