"""What the tests of the Python package share. They run where its wheel is installed
(tools/test_python.sh), and nowhere else."""

from __future__ import annotations

import importlib.util
import os
import pathlib
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENGINES = ROOT / "examples/engines"

# Where the package is not installed there is nothing to test.
collect_ignore_glob = [] if importlib.util.find_spec("planex") else ["test_*.py", "typed_use.py"]


@pytest.fixture(autouse=True)
def in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples name files from the root of the repository."""
    monkeypatch.chdir(ROOT)


@pytest.fixture
def openvino(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenVINO in another folder than planex, so that the driver must be told of it."""
    site = os.environ.get("PLANEX_OPENVINO_SITE")
    if site is None:
        pytest.skip("OpenVINO is not here")
    monkeypatch.syspath_prepend(site)


@pytest.fixture
def as_trex():
    """planex.trex with TREx's own figures."""
    import planex.trex as trex

    trex.compatibility(True)
    yield
    trex.compatibility(False)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that a test would have shown."""
    import plotly.graph_objects as go

    figures: list[Any] = []
    monkeypatch.setattr(go.Figure, "show", lambda figure: figures.append(figure))
    return figures


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
