"""Which engines of the test data a test of "every engine" takes."""

from __future__ import annotations

import os
import pathlib

_LIST = pathlib.Path(__file__).resolve().parent.parent / "chosen_engines.txt"


def takes_all() -> bool:
    """PLANEX_TEST_ENGINES=all: `make test-all`."""
    return os.environ.get("PLANEX_TEST_ENGINES") == "all"


def is_chosen(name: str) -> bool:
    """Whether a folder of the data, by its name, is one that tests take."""
    lines = _LIST.read_text("utf-8").splitlines()
    return takes_all() or name in {line for line in lines if line and not line.startswith("#")}


def chosen_folders(data: pathlib.Path, sets: str = "engines*") -> list[pathlib.Path]:
    """The folders of engines that tests take, of these sets of the data."""
    found = [path for root in sorted(data.glob(sets)) for path in sorted(root.glob("*/"))]
    return [path for path in found if path.is_dir() and is_chosen(path.name)]
