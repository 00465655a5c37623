"""What the tests of the Python package share. They run where its wheel is installed
(tools/test_python.sh), and nowhere else."""

from __future__ import annotations

import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENGINES = ROOT / "examples/engines"

# Where the package is not installed there is nothing to test.
collect_ignore_glob = [] if importlib.util.find_spec("planex") else ["test_*.py", "typed_use.py"]


@pytest.fixture(autouse=True)
def in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples name files from the root of the repository."""
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="session")
def engine():
    import planex

    return planex.open(ENGINES / "resnet18-a100-qat")


@pytest.fixture(scope="session")
def engines():
    """Every engine of the examples, by its path from examples/engines on."""
    import planex

    paths = [row.path for row in planex.find(ENGINES)]
    assert len(paths) == 10
    return [planex.open(path) for path in paths]
