"""What TREx 0.2.1 said of engines, and planex's plans of the same.

Of all engines of PLANEX_TEST_DATA; without it of two that are in the repository.
"""

from __future__ import annotations

import functools
import json
import os
import pathlib
import warnings
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = pathlib.Path(os.environ.get("PLANEX_TEST_DATA", "/nonexistent"))
HAS_ALL = (DATA / "expected").is_dir()
_KNOWN = DATA / "expected" if HAS_ALL else ROOT / "tests/data/trex"
_ENGINES = DATA / "engines" if HAS_ALL else ROOT / "examples/engines"

Known = dict[str, Any]


def _read(pattern: str) -> list[Known]:
    files = sorted(_KNOWN.glob(pattern))
    return [json.loads(file.read_text()) for file in files]


EXPECTED = [one for one in _read("*.json") if isinstance(one, dict) and "set" in one]
READABLE = [one for one in EXPECTED if one["readable"]]
COMPARED = _read("compare/*.json")


def file_of(known: Known, role: str) -> pathlib.Path | None:
    """graph, profile, profile_metadata, build_metadata or timing."""
    name = known["inputs"][role]
    file = _ENGINES / known["set"] / (name or "")
    return file if file.is_file() else None


def plan_of(known: Known, name: str | None = None):
    """The plan of a set, with every file that it has. Tests share it and leave it as it is."""
    import planex.trex as trex

    return _plan_of(known["set"], name, trex.compatibility())


@functools.cache
def _plan_of(set_name: str, name: str | None, _: bool):
    import planex.trex as trex

    known = next(one for one in EXPECTED if one["set"] == set_name)
    roles = ("graph", "profile", "profile_metadata", "build_metadata")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return trex.EnginePlan(*[file_of(known, role) for role in roles], name=name)


def plan_of_set(name: str):
    return plan_of(next(one for one in READABLE if one["set"] == name), name)
